# SPDX-License-Identifier: GPL-2.0
"""Random writes to a device file: every command with good and odd arguments, now and then with
a few bytes changed. None of them starts a run.
"""

from cases import grammar, imix

import purpose

DEVICES = ("v0", "d0", "lo")
LENGTH = 20

NUMBERS = {
    "count", "delay", "rate", "ratep", "clone_skb", "burst", "pkt_size", "min_pkt_size", "max_pkt_size",
    "udp_src_min", "udp_src_max", "udp_dst_min", "udp_dst_max", "queue_map_min", "queue_map_max",
    "skb_priority", "src_mac_count", "dst_mac_count", "vlan_id", "vlan_p", "vlan_cfi", "svlan_id",
    "svlan_p", "svlan_cfi", "frags", "flows", "flowlen", "spi", "node",
}  # fmt: skip
ALL_ADDRESSES = grammar.ADDRESSES + ("", "0.0.0.0", "001.002.003.004", "10.0.0.255")
ALL_ADDRESSES6 = grammar.ADDRESSES6 + grammar.ODD_ADDRESSES6
HEX = ("00", "0f", "FF", "g0", "0")
WORDS = {
    **dict.fromkeys(("dst", "dst_min", "dst_max", "src_min", "src_max"), ALL_ADDRESSES),
    **dict.fromkeys(("dst6", "dst6_min", "dst6_max", "src6"), ALL_ADDRESSES6),
    **dict.fromkeys(("dst_mac", "src_mac"), grammar.MACS + grammar.ODD_MACS),
    **dict.fromkeys(("tos", "traffic_class"), HEX),
    "flag": grammar.FLAGS + grammar.ODD_FLAGS,
    "mpls": grammar.LABELS + grammar.ODD_LABELS,
    "xmit_mode": ("start_xmit", "netif_receive", "queue_xmit", "nonsense"),
    "clear_counters": ("",),
    "imix_weights": imix.GOOD + imix.BAD,
    "debug": ("0", "", "x", "0000000000"),
}
COMMANDS = sorted(NUMBERS | set(WORDS))

EDGES = (
    0, 1, 2, 7, 8, 9, 41, 42, 43, 60, 99, 255, 256, 4095, 4096, 9999, 10000, 32767, 65535, 65536, 99999,
    2147483646, 2147483647, 2147483648, 4294967295, 4294967296, 9999999999, 12345678901,
)  # fmt: skip
SEPARATORS = (" ", " ", " ", "=", "\t", "\n", "\r\n", '"', " = ", '" "', "")
ENDS = ("", "", "", "\n", "\0", " ", " more", "\0more", "M", "\r", "=1")
BYTES = b' \t\n\r="\0!,.:;-+/%@_09afxAFX\x7f\x80\xff'


def sequence(draw):
    """A device and the writes to its file."""
    device = draw.choice(DEVICES)
    made = []
    while len(made) < LENGTH:
        data = command(draw)
        if not purpose.unfit(data):
            made.append(data)
    return device, made


def command(draw):
    name = draw.choice(COMMANDS)
    text = draw.choice(("", "", "", " ", "\n=")) + name + draw.choice(SEPARATORS)
    return spoilt(draw, (text + argument(draw, name) + draw.choice(ENDS)).encode("latin-1"))


def argument(draw, name):
    if name in WORDS:
        word = draw.choice(WORDS[name])
        return "!" + word if name == "flag" and draw.random() < 0.4 else word
    kind = draw.random()
    if kind < 0.4:
        return str(draw.choice(EDGES))
    if kind < 0.5:
        return draw.choice(("", "-1", "+1", "0x10", "x", "00012"))
    return str(draw.randrange(10 ** draw.randrange(1, 6)))


def spoilt(draw, data):
    """Changes, adds, takes away or doubles a few bytes, or cuts the end off; mostly nothing."""
    while draw.random() < 0.2:
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.randrange(1, 4))
        some = bytes(draw.choice(BYTES) for _ in range(end - at or 1))
        middle = draw.choice((some, b"", some + data[at:end], data[at:end] * 2))
        data = data[:at] + middle + (data[end:] if draw.random() < 0.9 else b"")
    return data
