# SPDX-License-Identifier: GPL-2.0
"""count, clone_skb, burst, delay, rate, ratep, clear_counters."""

from cases.steps import Start, case

CASES = (
    case("count", "count 1", Start(1), "count 3", Start(3), "count 1", Start(1)),
    case("the default count", "pkt_size 60", Start(1000)),
    case("delay", "count 4", "delay 100", Start(4), "delay 200000", Start(4)),
    case("delay of never and back", "delay 2147483647", "delay 2147483648", "delay 0"),
    case("rate", "count 4", "pkt_size 100", "rate 1000", Start(4)),
    case("ratep", "count 4", "ratep 100000", Start(4), "ratep 5000", Start(4)),
    case("ratep above 10^9", "ratep 2000000000", "ratep 1000000000", "ratep 1"),
    case("clone_skb on dummy", "count 6", "clone_skb 2", Start(0), "clone_skb 4", Start(0), device="d0"),
    case("clone_skb 0 on dummy", "count 4", "clone_skb 0", Start(0), "clone_skb 1", Start(0), device="d0"),
    case("which error goes first", "flag !SHARED", "clone_skb 2", "burst 2", "xmit_mode netif_receive", "burst 2"),
    case(
        "which error goes first on dummy",
        "flag !SHARED", "clone_skb 2", "burst 2", "xmit_mode queue_xmit", "burst 2", "xmit_mode netif_receive",
        "clone_skb 2",
        device="d0",
    ),
    case("clone_skb beyond count", "count 3", "clone_skb 10", Start(0), "count 5", Start(0), device="d0"),
    case(
        "clone_skb with ranges",
        "count 7", "clone_skb 3", "udp_dst_max 20", "min_pkt_size 60", "max_pkt_size 70", Start(0),
        device="d0",
    ),
    case("burst on dummy", "count 8", "burst 4", Start(0), device="d0"),
    case("burst goes beyond count", "count 5", "burst 4", Start(0), "count 1", Start(0), device="d0"),
    case(
        "burst and clone_skb",
        "count 12", "burst 2", "clone_skb 3", Start(0), "udp_src_max 30", Start(0),
        device="d0",
    ),
    case("burst with delay", "count 6", "burst 2", "delay 1000", Start(0), device="d0"),
    case(
        "burst and clone_skb on veth",
        "burst 2", "clone_skb 2", "burst 1", "clone_skb 0", "count 2", Start(2),
    ),
    case(
        "burst and clone_skb on lo",
        "burst 2", "clone_skb 2", "burst 1", "clone_skb 0", "count 2", Start(2),
        device="lo",
    ),
    case(
        "SHARED holds burst and clone_skb",
        "burst 2", "flag !SHARED", "burst 1", "clone_skb 1", "flag !SHARED", "clone_skb 0", "flag !SHARED",
        "burst 2", "clone_skb 2", "burst 1", "flag SHARED", "burst 2",
        device="d0",
    ),
    case(
        "without SHARED on dummy",
        "count 3", "flag !SHARED", Start(0), "flag SHARED", Start(0),
        device="d0",
    ),
    case("without SHARED on veth", "count 3", "flag !SHARED", Start(3), "flag SHARED", Start(3)),
    case("clear_counters after a run", "count 3", Start(3), "clear_counters", "clear_counters\n", Start(3)),
    case("clear_counters before a run", "clear_counters", "count 2", Start(2)),
    case("rates whatever the burst", "delay 5", "pps 100k", "bps 10M", "count 2", Start(2), "delay 7", Start(2)),
)  # fmt: skip
