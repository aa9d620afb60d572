# SPDX-License-Identifier: GPL-2.0
"""Every device command in every way of writing it: separators, terminators, arguments that are
cut, missing, followed by something, or nonsense. Each form has a value of its own where it has
one, so that a command that was ignored is noticed.
"""

from cases.steps import case


def separators(name, values):
    """Good forms: one for each value."""
    forms = (
        "{n} {v}",
        "{n} {v}\n",
        "{n} {v}\0",
        "{n}={v}",
        "{n} =\t{v}\r\n",
        '"{n}" "{v}"',
        "\n\t {n}\r\n{v}",
        "{n} {v} more words",
        "{n} {v}\ncount 5\n",
        "{n}\0ignored {v}",
        "{n} {v}\0 7",
        "={n}=={v}=",
    )
    return [form.format(n=name, v=value) for form, value in zip(forms, cycle(values))]


def cycle(values):
    while True:
        yield from values


def bad_names(name, value):
    return [
        f"{name[:-1]} {value}",
        f"{name}x {value}",
        f"{name.upper()} {value}",
        f"x{name} {value}",
        f"{name}{value}",
    ]


MISSING = ("{n}", "{n}\n", "{n} ", "{n}=", "{n}\0", "{n} \0")


def missing(name):
    return [form.format(n=name) for form in MISSING]


def numbers(name, values, too_long="12345678901", huge="4294967297", before=(), **options):
    """A command that takes a number."""
    steps = list(before) + separators(name, values)
    steps += missing(name)
    odd = ("-5", "+5", "0x10", "1e3", "9.7", ",3", "0007", "x", "\xff\xfe", "\0" + "4", f"{values[0]}M")
    for text in (*odd, too_long, huge):
        # From a known value each time.
        steps += [f"{name} {values[-1]}", f"{name} {text}"]
    steps += [f"{name} {values[0]}"] + bad_names(name, values[1])
    return case(titled(name, options), *steps, **options)


def titled(name, options):
    return f"{name} on {options['device']}" if "device" in options else name


def words(name, values, odd=(), **options):
    """A command that takes a word."""
    steps = separators(name, values) + missing(name)
    steps += [f"{name} {text}" for text in odd]
    steps += bad_names(name, values[1])
    return case(titled(name, options), *steps, **options)


ADDRESSES = ("10.0.0.1", "198.18.0.1", "255.255.255.255", "1.2.3.4")
ODD_ADDRESSES = (
    "10.1", "10", "1.2.3.4.5", "300.1.1.1", "1.300.1.1", "1..2", ".1", "abc", "10.0.0.1/8",
    "0x0a.0.0.1", "-1.0.0.0", "1.2.3.4,5.6.7.8", "10.0.0.1\xff", "1" * 31, "1" * 32, "9" * 200,
    "001.002.003.004",
)  # fmt: skip

ADDRESSES6 = ("fd00::1", "FE80::DEAD:BEEF", "::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4")
ODD_ADDRESSES6 = (
    "fd00::1/64", "fe80::1%eth0", "1::2::3", ":::", ":", ":1", "1:", "1:2:3", "12345::", "g::",
    "1:2:3:4:5:6:7:8:9", "::1.2.3.4", "::1.2.3", "::256.0.0.1", "::5efe:1.2.3.4", "1:0:0:2:0:0:0:3",
    "0:0:1:0:0:1:0:0", "1.2.3.4", "fd00::\xff", "fd00:0:0:0:0:0:0:0000001", "a" * 127,
)  # fmt: skip

MACS = ("01:02:03:04:05:06", "aA:bB:cC:dD:eE:fF", "00:00:00:00:00:00", "02:00:00:00:00:09")
ODD_MACS = (
    "01:02:03:04:05", "01:02:03:04:05:0", "01:02:03:04:05:0g", "01-02-03-04-05-06", "1:2:3:4:5:6",
    "010203040506", "01:02:03:04:05:06:07", "01:02:03:04:05:06xyz", " 01:02:03:04:05:06",
    "01:02:03:04:05:066666666666666666666666", ":::::::::::::::::", "\xff" * 17,
)  # fmt: skip

LABELS = ("0001000a", "1", "FFFFF0ff,00002001", ",".join(["0000a001"] * 16))
ODD_LABELS = (
    "0001010a", "00010001,0001010a", ",".join(["0000a001"] * 15), ",".join(["0000a001"] * 17),
    ",".join(["0000a101"] * 17), "0000a001,", "0000a001,,0000b001", ",", "0", "00000000", "off", "disable", "x",
    "0000a001,0", "0000a001,x", "0000a001;0000b001", "0000a001 ,0000b001", "0000a001, 0000b001",
    "123456789", "0000a0010000b001", "0x0000a001", "-1", "0000a001\n0000b001",
)  # fmt: skip

FLAGS = (
    "IPSRC_RND", "IPDST_RND", "TXSIZE_RND", "UDPSRC_RND", "UDPDST_RND", "UDPCSUM", "NO_TIMESTAMP",
    "MPLS_RND", "QUEUE_MAP_RND", "QUEUE_MAP_CPU", "FLOW_SEQ", "FLOW_RND", "IPSEC", "MACSRC_RND",
    "MACDST_RND", "VID_RND", "SVID_RND", "NODE", "SHARED",
)  # fmt: skip
ODD_FLAGS = (
    "IPV6", "!IPV6", "udpcsum", "UDPCSU", "UDPCSUMS", "! UDPCSUM", "!!UDPCSUM", "!", "nonsense",
    "!nonsense", "NODE_ALLOC", "N" * 31, "N" * 40, "UDPCSUM,NO_TIMESTAMP", "\xff",
)  # fmt: skip

CASES = (
    numbers("count", (5, 6, 1000000)),
    numbers("clone_skb", (5, 6, 7), device="d0"),
    numbers("clone_skb", (5, 6, 7), device="v0"),
    numbers("burst", (5, 6, 7), device="d0"),
    numbers("burst", (5, 6, 7), device="v0"),
    numbers("pkt_size", (60, 61, 1500)),
    numbers("min_pkt_size", (60, 61, 1500)),
    numbers("max_pkt_size", (60, 61, 1500)),
    numbers("delay", (5, 2147483647, 1000)),
    numbers("frags", (5, 17, 2)),
    numbers("flows", (5, 65536, 7)),
    numbers("flowlen", (5, 4294967295, 7)),
    numbers("node", (0, 1, 0), huge="4294967296"),
    numbers("debug", (0, 0, 0)),
    numbers("spi", (5, 4294967295, 7)),
    numbers("rate", (5, 6, 1000)),
    numbers("ratep", (5, 6, 1000)),
    numbers("udp_src_min", (5, 65535, 1000), huge="65537"),
    numbers("udp_src_max", (5, 65535, 1000), huge="65537"),
    numbers("udp_dst_min", (5, 65535, 1000), huge="65537"),
    numbers("udp_dst_max", (5, 65535, 1000), huge="65537"),
    numbers("queue_map_min", (5, 65535, 2), too_long="123456", huge="65537"),
    numbers("queue_map_max", (5, 65535, 2), too_long="123456", huge="65537"),
    numbers("skb_priority", (5, 999999999, 2), too_long="1234567890"),
    words("tos", ("0f", "FF", "a1", "00"), ("0", "0ff", "0x10", "g0", "0g", "\xff", "-1")),
    words("dst", ADDRESSES, ODD_ADDRESSES),
    words("dst_min", ADDRESSES, ODD_ADDRESSES),
    words("dst_max", ADDRESSES, ODD_ADDRESSES),
    words("src_min", ADDRESSES, ODD_ADDRESSES),
    words("src_max", ADDRESSES, ODD_ADDRESSES),
    words("dst_mac", MACS, ODD_MACS),
    words("src_mac", MACS, ODD_MACS),
    words("xmit_mode", ("netif_receive", "queue_xmit", "start_xmit"), ("xmit_queue", "START_XMIT", "x" * 40)),
    words("flag", FLAGS, ODD_FLAGS + tuple(f"!{flag}" for flag in FLAGS)),
    words("dst6", ADDRESSES6, ODD_ADDRESSES6),
    words("dst6_min", ADDRESSES6, ODD_ADDRESSES6),
    words("dst6_max", ADDRESSES6, ODD_ADDRESSES6),
    words("src6", ADDRESSES6, ODD_ADDRESSES6),
    numbers("src_mac_count", (5, 4294967295, 7)),
    numbers("dst_mac_count", (5, 4294967295, 7)),
    numbers("vlan_id", (5, 4095, 7), too_long="40960", huge="4096"),
    numbers("vlan_p", (5, 7, 1), too_long="10", huge="8", before=("vlan_id 7",)),
    numbers("vlan_cfi", (1, 0, 1), too_long="10", huge="2", before=("vlan_id 7",)),
    numbers("svlan_id", (5, 4095, 7), too_long="40960", huge="4096", before=("vlan_id 7",)),
    numbers("svlan_p", (5, 7, 1), too_long="10", huge="8", before=("vlan_id 7", "svlan_id 8")),
    numbers("svlan_cfi", (1, 0, 1), too_long="10", huge="2", before=("vlan_id 7", "svlan_id 8")),
    words("mpls", LABELS, ODD_LABELS),
    words("traffic_class", ("0f", "FF", "a1", "00"), ("0", "0ff", "0x10", "g0", "0g", "\xff", "-1")),
    words("clear_counters", ("", "1", "now")),
    case(
        "unknown commands",
        *("", " ", "\n", "\0", "=", '"', " \t=\"\r\n", "0", "!", "\xff", "vlan", "dstmac 01:02:03:04:05:06"),
        *("srcmac 01:02:03:04:05:06", "svlan 1", "help", "count5", "c", "o" * 15, "o" * 16, "o" * 600),
        "count\0" + "x" * 30,
        "min_pkt_size\0xyz 70",
        "forsurewrongcommand",
    ),
    case(
        "long writes",
        "count 5" + " " * 4088 + "7",
        "count" + " " * 4000 + "8",
        "count" + " " * 4096 + "9",
        "count" + " " * 65530 + "7",
        "count" + " " * 65531 + "8",
        "count" + " " * 70000 + "9",
        "count 6" + "\n" * 65000,
        "dst_min " + "1" * 70000,
    ),
)
