# SPDX-License-Identifier: GPL-2.0
"""IPv6. There is no link-local address on the devices, so the source is `::` unless it is set."""

from cases.draws import Draw
from cases.steps import Join, Launch, Release, Start, Sysctl, System, case

FIXED = ("src6 fd00::1", "dst6 fd00::2")

CASES = (
    case("no source", "count 2", "dst6 fd00::2", Start(2)),
    case("fixed", "count 2", *FIXED, Start(2), Start(2)),
    case("pinned by a range", "count 2", "dst6_min fd00::2", "dst6_max fd00::2", Start(2)),
    case(
        "pinned and set free",
        "count 2", "dst6_min fd00::2", "dst6_max fd00::2", Start(2), "dst6_min ::", "dst6 fd00::9",
        Start(2),
    ),
    case("minimum alone", "count 2", "dst6_min fd00::2", Start(2)),
    case("maximum alone", "count 2", "dst6_max fd00::2", Start(2)),
    case(
        "random destinations",
        "count 1000", "src6 fd00::1", "dst6_min fd00::", "dst6_max fd00::ff", Start(1000),
        random={"ip.dst": Draw("fd00::", "fd00::ff", 25)},
    ),
    case(
        "sizes",
        "count 2", *FIXED, "pkt_size 78", Start(2), "pkt_size 77", Start(2), "pkt_size 100", Start(2),
    ),
    case("size sequence", "count 5", *FIXED, "min_pkt_size 76", "max_pkt_size 80", Start(5)),
    case("traffic class", "count 2", *FIXED, "traffic_class b8", "tos 10", Start(2)),
    case("UDP checksum by the device", "count 3", *FIXED, "flag UDPCSUM", Start(3)),
    case(
        "UDP checksum in software",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 4", *FIXED, "flag UDPCSUM",
        "flag NO_TIMESTAMP", "udp_src_max 12", "min_pkt_size 80", "max_pkt_size 83", Start(4),
    ),
    case(
        "ports and sizes",
        "count 5", *FIXED, "udp_dst_min 100", "udp_dst_max 103", "min_pkt_size 80", "max_pkt_size 83",
        Start(5),
    ),
    case("to IPv4 and back", "count 2", *FIXED, Start(2), "flag !IPV6", Start(2), "dst6 fd00::3", Start(2)),
    case(
        "IPv4 ranges are not used",
        "count 3", *FIXED, "dst 10.0.0.1", "dst_max 10.0.0.9", "src_min 10.1.0.1", Start(3),
    ),
    case("VLANs", "count 2", *FIXED, "vlan_id 5", "svlan_id 6", Start(2), Start(2)),
    case("labels", "count 2", *FIXED, "mpls 0001000a,0002000a", Start(2), Start(2)),
    case(
        "with everything",
        "count 6", *FIXED, "vlan_id 5", "vlan_p 3", "svlan_id 6", "svlan_cfi 1", "traffic_class 1f", "flag UDPCSUM",
        "min_pkt_size 100", "max_pkt_size 104", "udp_src_max 12", "udp_dst_max 14", "frags 3",
        "dst_mac 02:00:00:00:00:10", "dst_mac_count 3", "src_mac 02:00:00:00:00:20", "src_mac_count 2", Start(6),
        Start(6),
    ),
    case(
        "labels with UDP checksums in software",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 3", *FIXED, "flag UDPCSUM",
        "mpls 0001000a,0002000a", "pkt_size 101", Start(3),
    ),
    case(
        "16 labels",
        "count 2", *FIXED, "mpls " + ",".join(f"{label:05x}0{label:02x}" for label in range(1, 17)), "pkt_size 142",
        Start(2), "pkt_size 143", Start(2),
    ),
    case("65535 bytes on lo", "count 2", *FIXED, "pkt_size 65535", Start(2), device="lo"),
    case(
        "random destinations by masks",
        "count 1000", "src6 fd00::1", "dst6_min fd00::1:0:0:1", "dst6_max fd00::1:0:ff00:1", Start(1000),
        random={"ip.dst": Draw("fd00::1:0:0:1", "fd00::1:0:ff00:1", 100)},
    ),
    case("netif_receive", "count 2", *FIXED, "xmit_mode netif_receive", Start(2)),
    case("queue_xmit", "count 2", *FIXED, "xmit_mode queue_xmit", Start(4)),
    case("on dummy", "count 4", *FIXED, "burst 2", "clone_skb 2", Start(0), device="d0"),
    case(
        "while a run lasts",
        "count 2", "delay 2147483647", Launch(), *FIXED, Release("delay 0"), Join(2), Start(2),
    ),
    case(
        "addresses while a run lasts",
        "count 2", *FIXED, "delay 2147483647", Launch(), "dst6 fd00::7", "src6 fd00::8", Release("delay 0"),
        Join(2), Start(2),
    ),
    case(
        "link-local source",
        Sysctl("net/ipv6/conf/v0/accept_dad", 0),
        # No address of its own accord.
        Sysctl("net/ipv6/conf/v0/addr_gen_mode", 1),
        Sysctl("net/ipv6/conf/v0/disable_ipv6", 0),
        System("ip address add fe80::77/64 dev v0 nodad", "ip address del fe80::77/64 dev v0"),
        "count 2", "dst6 fd00::2", Start(2), "src6 fd00::1", Start(2),
    ),
)  # fmt: skip
