# SPDX-License-Identifier: GPL-2.0
"""Commands while a run lasts. A delay of "never" holds it before its first packet, so that what
follows is the same at every time.
"""

from cases.steps import Join, Launch, Pause, Release, Start, System, case

HELD = ("count 3", "delay 2147483647", Launch())
GO = (Release("delay 0"), Join(3))
SLOW = ("count 3", "delay 1000000000")
STOP = Release("stop", file="pgctrl")

CASES = (
    case("held and let go", *HELD, *GO, Start(3)),
    case("held and stopped", *HELD, STOP, Join(0)),
    case("held, reset", *HELD, "clear_counters", STOP, Join(0), "delay 0", Start(3)),
    case("unlimited and stopped", "count 0", "delay 2147483647", Launch(), STOP, Join(0)),
    case("count", *HELD, "count 1", Release("delay 0"), Join(1)),
    case("addresses", *HELD, "dst 10.0.0.1", "src_min 10.0.0.2", *GO, Start(3)),
    case("address range", *HELD, "dst_min 10.0.0.1", "dst_max 10.0.0.4", *GO, Start(3)),
    case("ports", *HELD, "udp_src_min 10", "udp_dst_min 20", *GO, Start(3)),
    case("port range", *HELD, "udp_src_max 12", "udp_dst_min 20", "udp_dst_max 24", *GO, Start(3)),
    case("MACs", *HELD, "dst_mac 02:01:01:01:01:01", "src_mac 02:02:02:02:02:02", *GO, Start(3)),
    case(
        "source MAC to none",
        *HELD, "src_mac 02:02:02:02:02:02", "src_mac 00:00:00:00:00:00", *GO, Start(3),
    ),
    case("size", *HELD, "pkt_size 99", *GO, Start(3)),
    case("size range", *HELD, "min_pkt_size 70", "max_pkt_size 75", *GO, Start(3)),
    case(
        "tos, priority and flags",
        *HELD, "tos 11", "skb_priority 4", "flag UDPCSUM", "flag NO_TIMESTAMP", *GO,
    ),
    case("queues", *HELD, "queue_map_min 1", "queue_map_max 2", *GO, Start(3)),
    case("queues beyond those there are", *HELD, "queue_map_min 6", "queue_map_max 9", *GO, Start(3)),
    case("mode", *HELD, "xmit_mode netif_receive", *GO),
    case("mode to the qdisc", *HELD, "xmit_mode queue_xmit", Release("delay 0"), Join(6)),
    case("SHARED", *HELD, "flag !SHARED", *GO),
    case("clear_counters", *HELD, "clear_counters", *GO),
    case(
        "burst and clone_skb",
        "count 8", "delay 2147483647", Launch(), "burst 4", "clone_skb 2", Release("delay 0"), Join(0),
        device="d0",
    ),
    case("refused while it runs", *HELD, "burst 4", "clone_skb 3", "flag nonsense", "nonsense", *GO),
    case("link lost", *HELD, System("ip link set v1 down", "ip link set v1 up", ends_run=True), Join(0)),
    case("device down", *HELD, System("ip link set v0 down", "ip link set v0 up", ends_run=True), Join(0)),
    case("the first delay", *SLOW, Launch(look=False), Pause(0.4), Join(3)),
    case(
        "the first delay of a second run",
        "count 1", Start(1), *SLOW, Launch(look=False), Pause(0.4), Join(3),
    ),
    case(
        "the first delay by netif_receive",
        *SLOW, "xmit_mode netif_receive", Launch(look=False), Pause(0.4), Join(3),
    ),
    case(
        "the first delay in bursts",
        "count 6", "burst 2", SLOW[1], Launch(look=False), Pause(0.4), Join(0),
        device="d0",
    ),
    case(
        "stopped between packets",
        "count 1", Start(1), "count 0", SLOW[1], Launch(look=False), Pause(0.4), STOP, Join(2),
    ),
)  # fmt: skip
