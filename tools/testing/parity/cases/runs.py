# SPDX-License-Identifier: GPL-2.0
"""What a second run keeps and what it begins anew, several devices, and links that are down."""

from cases.steps import Control, Start, System, Thread, Write, case

EVERYTHING = (
    "count 5", "min_pkt_size 60", "max_pkt_size 66", "src_min 10.0.0.1", "src_max 10.0.0.3", "dst_min 10.1.0.1",
    "dst_max 10.1.0.7", "udp_src_min 10", "udp_src_max 14", "udp_dst_min 20", "udp_dst_max 23", "tos 28",
    "dst_mac 02:00:00:00:00:02", "src_mac 02:99:99:99:99:99", "flag UDPCSUM",
)  # fmt: skip

CASES = (
    case("three runs of everything", *EVERYTHING, Start(5), Start(5), Start(5)),
    case("everything on lo", *EVERYTHING, Start(5), Start(5), device="lo"),
    case("everything on dummy", *EVERYTHING, "burst 2", "clone_skb 2", Start(0), Start(0), device="d0"),
    case(
        "reset between runs",
        "count 2", Start(2), Control("reset"), Thread("add_device v0"), "count 2", Start(2),
    ),
    case("stop between runs", "count 2", Start(2), Control("stop"), Start(2)),
    case("result of a command after a run", "count 2", Start(2), "tos zz", "count 3", "burst 9", Start(3)),
    case("more than the backlog holds", "count 300", "pkt_size 60", "udp_dst_max 1000", Start(300)),
    case(
        "no carrier",
        "count 3", System("ip link set v1 down", "ip link set v1 up"), Start(0), Start(0),
    ),
    case(
        "down",
        "count 3", System("ip link set v0 down", "ip link set v0 up"), Start(0),
    ),
    case(
        "no carrier after a run",
        "count 3", "udp_dst_max 12", Start(3), System("ip link set v1 down", "ip link set v1 up"), Start(0),
    ),
    case(
        "two devices of one netdev",
        Thread("add_device v0@1"), "count 2", Write("count 3", file="v0@1"),
        Write("udp_dst_min 80", file="v0@1"), Write("udp_dst_max 80", file="v0@1"), Start(5),
        Write("clear_counters", file="v0@1"), "count 1", Start(4),
        stream="udp.dst",
    ),
    case(
        "three netdevs",
        Thread("add_device d0"), Thread("add_device lo"), "count 2", Write("count 3", file="d0"),
        Write("count 4", file="lo"), Start(6), Write("clear_counters", file="d0"),
        Write("count", file="lo"),
        stream="device",
    ),
)  # fmt: skip
