# SPDX-License-Identifier: GPL-2.0
"""node, debug, spi and the texts of IPSEC. The machine has one NUMA node, 0."""

from cases.steps import Control, Join, Launch, Release, Start, Thread, Write, case

CASES = (
    case("nodes", "node 0", "node 1", "node 0", "node 63", "node 1023", "node", "node x"),
    case("an impossible node leaves the other", "node 0", "node 1", "count 2", Start(2)),
    case("a node without the flag", "node 0", "count 2", "pkt_size 100", Start(2), Start(2)),
    case("the flag without a node", "flag NODE", "count 2", "pkt_size 100", Start(2)),
    case("a node with the flag", "node 0", "flag NODE", "count 2", "pkt_size 100", Start(2), "flag !NODE", Start(2)),
    case("the flag on dummy", "node 0", "flag NODE", "count 4", "burst 2", "clone_skb 2", Start(0), device="d0"),
    case("the flag by netif_receive", "node 0", "flag NODE", "count 2", "xmit_mode netif_receive", Start(2)),
    case("the flag by queue_xmit", "node 0", "flag NODE", "count 2", "xmit_mode queue_xmit", Start(4)),
    case("the flag with tags", "flag NODE", "vlan_id 5", "svlan_id 6", "pkt_size 100", "count 2", Start(2)),
    case("the flag with 9000 bytes", "flag NODE", "pkt_size 9000", "count 2", Start(2), device="lo"),
    case(
        "node and flag while a run lasts",
        "count 2", "delay 2147483647", Launch(), "node 0", "flag NODE", Release("delay 0"), Join(2),
    ),
    case("debug", "debug 1", "debug 0", "debug 2", "debug", "debug 0"),
    # The write has a NUL: without one the C module refuses writes while debug is on, now and then.
    case("debug is there while packets are sent", "debug 1\0", "count 2\0", Start(2), "debug 0\0"),
    case("spi", "spi 1", "spi 0", "spi 4294967295", "spi", "count 2", Start(2)),
    case("IPSEC", "flag IPSEC", "spi 7", "spi 0", "flag !IPSEC", "spi 8", "flag IPSEC"),
    case("IPSEC without flows", "flag IPSEC", "count 2", "dst 10.0.0.2", Start(2)),
    case("IPSEC without flows, with checksums", "flag IPSEC", "flag UDPCSUM", "count 2", "dst 10.0.0.2", Start(2)),
    case(
        "IPSEC with flows, with checksums",
        "flag IPSEC", "flag UDPCSUM", "flows 1", "flowlen 9", "count 2", "dst 10.0.0.2", Start(2),
    ),
    case("IPSEC with flows and no state", "flag IPSEC", "flows 1", "flowlen 9", "count 2", "dst 10.0.0.2", Start(2)),
    case(
        "IPSEC with flows and no such spi",
        "flag IPSEC", "spi 77", "flows 2", "flag FLOW_SEQ", "flowlen 1", "count 4", "dst 10.0.0.2", Start(4),
    ),
    case(
        "every flag set and cleared",
        *(
            f"flag {sign}{flag}"
            for sign in ("", "!")
            for flag in (
                "IPV6", "IPSRC_RND", "IPDST_RND", "TXSIZE_RND", "UDPSRC_RND", "UDPDST_RND", "UDPCSUM", "NO_TIMESTAMP",
                "MPLS_RND", "QUEUE_MAP_RND", "QUEUE_MAP_CPU", "FLOW_SEQ", "IPSEC", "MACSRC_RND", "MACDST_RND",
                "VID_RND", "SVID_RND", "NODE", "SHARED",
            )
        ),
    ),
    case(
        "every line of the text at once",
        "imix_weights 64,7 570,4", "frags 2", "delay 7", "flows 3", "flowlen 4", "queue_map_min 1", "queue_map_max 2",
        "skb_priority 3", "src_min 10.0.0.1", "src_max 10.0.0.2", "dst_min 10.1.0.1", "dst_max 10.1.0.2",
        "src_mac 02:00:00:00:00:11", "dst_mac 02:00:00:00:00:12", "udp_src_min 1", "udp_src_max 2", "udp_dst_min 3",
        "udp_dst_max 4", "src_mac_count 5", "dst_mac_count 6", "vlan_id 7", "vlan_p 1", "vlan_cfi 1", "svlan_id 8",
        "svlan_p 2", "svlan_cfi 1", "tos 0a", "traffic_class 0b", "burst 9", "node 0", "flag NODE", "flag IPSEC",
        "spi 9", "flag FLOW_SEQ", "mpls 0001000a,0002000b", "dst6 fd00::1", "src6 fd00::2", "xmit_mode netif_receive",
        Write("clear_counters"), Thread("max_before_softirq"), Control("stop"),
        device="d0",
    ),
)  # fmt: skip
