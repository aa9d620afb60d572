# SPDX-License-Identifier: GPL-2.0
"""Random sequences of commands, none of which starts a run: outcomes and texts are compared.

A sequence depends on the seed and its number alone. One that shows a difference is made as
short as it can be and printed as a case.
"""

import os
import random
from dataclasses import dataclass

from cases import grammar
from known import ALL_FLAGS, OUR_FLAGS
from tree import outcome

DEVICES = ("v0", "d0", "lo")
LENGTH = 20
# Each device of the C module has a table of 1.5 MiB.
ROUNDS_PER_RESET = 100

NUMBERS = {
    "count", "delay", "rate", "ratep", "clone_skb", "burst", "pkt_size", "min_pkt_size", "max_pkt_size",
    "udp_src_min", "udp_src_max", "udp_dst_min", "udp_dst_max", "queue_map_min", "queue_map_max",
    "skb_priority", "src_mac_count", "dst_mac_count", "vlan_id", "vlan_p", "vlan_cfi", "svlan_id",
    "svlan_p", "svlan_cfi",
}  # fmt: skip
WORDS = {
    "dst": grammar.ADDRESSES + grammar.ODD_ADDRESSES,
    "dst_min": grammar.ADDRESSES + grammar.ODD_ADDRESSES,
    "dst_max": grammar.ADDRESSES + grammar.ODD_ADDRESSES,
    "src_min": grammar.ADDRESSES + grammar.ODD_ADDRESSES,
    "src_max": grammar.ADDRESSES + grammar.ODD_ADDRESSES,
    "dst6": grammar.ADDRESSES6 + grammar.ODD_ADDRESSES6,
    "dst6_min": grammar.ADDRESSES6 + grammar.ODD_ADDRESSES6,
    "dst6_max": grammar.ADDRESSES6 + grammar.ODD_ADDRESSES6,
    "src6": grammar.ADDRESSES6 + grammar.ODD_ADDRESSES6,
    "dst_mac": grammar.MACS + grammar.ODD_MACS,
    "src_mac": grammar.MACS + grammar.ODD_MACS,
    "flag": grammar.FLAGS + grammar.ODD_FLAGS,
    "mpls": grammar.LABELS + grammar.ODD_LABELS,
    "tos": ("00", "0f", "FF", "g0", "0"),
    "traffic_class": ("00", "0f", "FF", "g0", "0"),
    "xmit_mode": ("start_xmit", "netif_receive", "queue_xmit", "nonsense"),
    "clear_counters": ("",),
}
COMMANDS = sorted(NUMBERS | set(WORDS))

EDGES = (
    0, 1, 2, 7, 8, 9, 41, 42, 43, 60, 99, 255, 256, 4095, 4096, 9999, 10000, 32767, 65535, 65536, 99999,
    2147483646, 2147483647, 2147483648, 4294967295, 4294967296, 9999999999, 12345678901,
)  # fmt: skip
SEPARATORS = (" ", " ", " ", "=", "\t", "\n", "\r\n", '"', " = ", '" "', "")
ENDS = ("", "", "", "\n", "\0", " ", " more", "\0more", "M", "\r", "=1")
BYTES = b' \t\n\r="\0!,.:;-+/%@_09afxAFX\x7f\x80\xff'

SEPARATOR_BYTES = b'"\n\r\t ='

# Where rpktgen differs on purpose (known.py), and what it does not have yet.
LARGEST = {
    b"pkt_size": 65535, b"min_pkt_size": 65535, b"max_pkt_size": 65535, b"burst": 65535,
    b"clone_skb": 2147483647,
}  # fmt: skip
NOT_YET = {b"frags", b"flows", b"flowlen", b"imix_weights", b"node", b"debug", b"spi"}
FLAGS_NOT_YET = {b"NODE", b"IPSEC", b"FLOW_SEQ", b"FLOW_RND"}


class Generator:
    """Makes the sequence of one number."""

    def __init__(self, seed, number):
        self.random = random.Random(f"{seed} {number}")
        self.device = self.random.choice(DEVICES)

    def sequence(self):
        made = []
        while len(made) < LENGTH:
            data = self.command()
            if not differs_on_purpose(data):
                made.append(data)
        return made

    def command(self):
        draw = self.random
        name = draw.choice(COMMANDS)
        argument = self.argument(name)
        text = draw.choice(("", "", "", " ", "\n=")) + name + draw.choice(SEPARATORS)
        data = (text + argument + draw.choice(ENDS)).encode("latin-1")
        while draw.random() < 0.2:
            data = self.spoil(data)
        return data

    def argument(self, name):
        draw = self.random
        if name in WORDS:
            word = draw.choice(WORDS[name])
            return "!" + word if name == "flag" and draw.random() < 0.4 else word
        kind = draw.random()
        if kind < 0.4:
            return str(draw.choice(EDGES))
        if kind < 0.5:
            return draw.choice(("", "-1", "+1", "0x10", "x", "00012"))
        return str(draw.randrange(10 ** draw.randrange(1, 6)))

    def spoil(self, data):
        """Changes, adds, takes away or doubles a few bytes, or cuts the end off."""
        draw = self.random
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.randrange(1, 4))
        some = bytes(draw.choice(BYTES) for _ in range(end - at or 1))
        middle = draw.choice((some, b"", some + data[at:end], data[at:end] * 2))
        return data[:at] + middle + (data[end:] if draw.random() < 0.9 else b"")


def differs_on_purpose(data):
    """Whether a write is one of those that the table of differences is about."""
    rest = data.lstrip(SEPARATOR_BYTES)
    name, rest = token(rest, 15)
    rest = rest.lstrip(SEPARATOR_BYTES)
    if name in NOT_YET:
        return True
    if name == b"flag":
        return token(rest, 31)[0].removeprefix(b"!") in FLAGS_NOT_YET
    digits = rest[:10]
    count = len(digits) - len(digits.lstrip(b"0123456789"))
    return name in LARGEST and int(digits[:count] or b"0") > LARGEST[name]


def token(data, limit):
    """A token up to a NUL, and what comes after the token."""
    length = 0
    while length < min(limit, len(data)) and data[length] not in SEPARATOR_BYTES:
        length += 1
    return data[:length].split(b"\0")[0], data[length:]


@dataclass
class Opened:
    """A device of one generator with its file open."""

    fd: int

    def step(self, data):
        """What a write returns, and the text after it."""
        returned = outcome(lambda: os.write(self.fd, data))
        os.lseek(self.fd, 0, os.SEEK_SET)
        return returned, os.read(self.fd, 1 << 16)


class Player:
    """Plays sequences on fresh devices of both generators."""

    def __init__(self, trees):
        self.trees = trees
        self.devices = 0

    def first_difference(self, device, sequence):
        """The number of the first step that differs, with what was seen, or nothing."""
        if self.devices % ROUNDS_PER_RESET == 0:
            for tree in self.trees:
                tree.clean()
        self.devices += 1
        name = f"{device}@{self.devices}"
        both = []
        try:
            for tree in self.trees:
                returned = tree.write("kpktgend_0", b"add_device " + name.encode())
                if not returned.isdigit():
                    raise RuntimeError(f"{tree.label}: cannot add {name}: {returned}")
                both.append(Opened(os.open(f"{tree.path}/{name}", os.O_RDWR)))
            return self.compare(both, sequence)
        finally:
            for opened in both:
                os.close(opened.fd)

    @staticmethod
    def compare(both, sequence):
        for number, data in enumerate(sequence):
            seen = [opened.step(data) for opened in both]
            seen[1] = seen[1][0], seen[1][1].replace(OUR_FLAGS.encode(), ALL_FLAGS.encode())
            if seen[0] != seen[1]:
                return number, seen
        return None

    def shortened(self, device, sequence):
        """Without the steps that the difference does not need."""
        at = 0
        while at < len(sequence):
            without = sequence[:at] + sequence[at + 1 :]
            if self.first_difference(device, without):
                sequence = without
            else:
                at += 1
        return sequence


def play(trees, seed, rounds, first=0):
    """Plays sequences; prints the first difference. True if there is none."""
    player = Player(trees)
    print(f"seed {seed}, sequences {first} to {first + rounds - 1}", flush=True)
    for number in range(first, first + rounds):
        generator = Generator(seed, number)
        sequence = generator.sequence()
        found = player.first_difference(generator.device, sequence)
        if found:
            sequence = player.shortened(generator.device, sequence[: found[0] + 1])
            _, seen = player.first_difference(generator.device, sequence)
            print(f"sequence {number} of seed {seed} differs on {generator.device}:")
            print("    " + ", ".join(map(repr, sequence)))
            show(seen)
            return False
    for tree in trees:
        tree.clean()
    print(f"{rounds} sequences of {LENGTH} commands, no difference")
    return True


def show(seen):
    """Where both are different."""
    (returned, text), (our_returned, our_text) = seen
    if returned != our_returned:
        print(f"  returns: reference {returned}, rpktgen {our_returned}")
    lines, our_lines = (one.split(b"\n") for one in (text, our_text))
    for number in range(max(len(lines), len(our_lines))):
        line, our_line = (one[number] if number < len(one) else None for one in (lines, our_lines))
        if line != our_line:
            print(f"  reference: {line!r}\n  rpktgen:   {our_line!r}")
