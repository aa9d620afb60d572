# SPDX-License-Identifier: GPL-2.0
"""The three ways of sending. In netif_receive a frame is seen once, at the device itself; in
queue_xmit when it leaves the device and when it arrives at the other one.
"""

from cases.draws import Draw
from cases.steps import Join, Launch, Pause, Release, Start, System, case

STOP = Release("stop", file="pgctrl")

CASES = (
    case("netif_receive", "count 3", "xmit_mode netif_receive", Start(3), Start(3)),
    case(
        "netif_receive to the device's MAC",
        "count 3", "xmit_mode netif_receive", "dst_mac 02:00:00:00:00:01", "dst 10.9.9.9", Start(3),
    ),
    case(
        "netif_receive in bursts",
        "count 6", "xmit_mode netif_receive", "burst 3", "dst_mac 02:00:00:00:00:01", Start(6),
    ),
    case(
        "netif_receive, burst beyond count",
        "count 4", "xmit_mode netif_receive", "burst 3", "dst_mac 02:00:00:00:00:01", "udp_dst_max 20",
        Start(6),
    ),
    case(
        "netif_receive on dummy",
        "count 3", "xmit_mode netif_receive", "dst_mac 02:00:00:00:00:03", Start(3),
        device="d0",
    ),
    case("netif_receive on lo", "count 3", "xmit_mode netif_receive", Start(3), device="lo"),
    case(
        "netif_receive without SHARED",
        "count 3", "xmit_mode netif_receive", "flag !SHARED", "dst_mac 02:00:00:00:00:01", Start(3),
    ),
    case(
        "netif_receive in sequences",
        "count 7", "xmit_mode netif_receive", "udp_dst_max 12", "min_pkt_size 60", "max_pkt_size 62",
        "flag UDPCSUM", "dst_mac 02:00:00:00:00:01", Start(7),
    ),
    case(
        "netif_receive and clone_skb",
        "clone_skb 2", "xmit_mode netif_receive", "clone_skb 0", "xmit_mode netif_receive", "clone_skb 1",
        "clone_skb 0", "xmit_mode start_xmit", "clone_skb 1",
        device="d0",
    ),
    case(
        "netif_receive with a queue",
        "count 3", "xmit_mode netif_receive", "queue_map_min 2", "queue_map_max 2", "flag QUEUE_MAP_CPU",
        Start(3),
    ),
    case(
        "netif_receive with tos and delay",
        "count 3", "xmit_mode netif_receive", "tos 10", "delay 1000", Start(3),
    ),
    case("queue_xmit", "count 3", "xmit_mode queue_xmit", Start(6), Start(6)),
    case("queue_xmit on dummy", "count 3", "xmit_mode queue_xmit", Start(3), device="d0"),
    case("queue_xmit on lo", "count 3", "xmit_mode queue_xmit", Start(6), device="lo"),
    case(
        "queue_xmit in sequences",
        "count 5", "xmit_mode queue_xmit", "udp_src_max 12", "dst_min 10.0.0.1", "dst_max 10.0.0.3",
        "min_pkt_size 60", "max_pkt_size 62", Start(10),
    ),
    case(
        "queue_xmit with UDP checksums",
        "count 3", "xmit_mode queue_xmit", "flag UDPCSUM", "dst 10.0.0.1", Start(6),
    ),
    case("queue_xmit without SHARED", "count 3", "xmit_mode queue_xmit", "flag !SHARED", Start(6)),
    case(
        "queue_xmit and burst",
        "burst 4", "xmit_mode queue_xmit", "burst 2", "burst 1", "burst 0", "burst",
        device="d0",
    ),
    case("queue_xmit after burst", "count 6", "burst 4", "xmit_mode queue_xmit", Start(6), device="d0"),
    case(
        "queue_xmit with a priority",
        "count 2", "xmit_mode queue_xmit", "skb_priority 6", Start(2),
        device="d0",
    ),
    case(
        "queue_xmit with every packet dropped",
        System("tc qdisc add dev d0 root netem loss 100%", "tc qdisc del dev d0 root"),
        "count 3", "xmit_mode queue_xmit", Start(0),
        device="d0",
    ),
    case(
        "queue_xmit with a queue that takes nothing",
        System("tc qdisc add dev d0 root pfifo limit 0", "tc qdisc del dev d0 root"),
        "count 3", "xmit_mode queue_xmit", Launch(look=False), Pause(0.2, look=False), STOP, Join(0),
        device="d0", random={"errors": Draw(1, 10**9)},
    ),
    case(
        "start_xmit beyond what the other end takes",
        "count 3", "pkt_size 1600", Launch(look=False), Pause(0.2, look=False), STOP, Join(0),
        random={"errors": Draw(1, 10**9)},
    ),
    case("netif_receive beyond the MTU", "count 3", "pkt_size 1600", "xmit_mode netif_receive", Start(3)),
    case(
        "queue_xmit, the device is down",
        "count 3", "xmit_mode queue_xmit", System("ip link set v1 down", "ip link set v1 up"), Start(0),
    ),
    case(
        "burst on veth by order",
        "burst 4", "xmit_mode netif_receive", "burst 4", "xmit_mode start_xmit", "burst 4", "burst 1",
        "burst 4",
    ),
    case(
        "modes one after the other",
        "count 2", Start(2), "xmit_mode netif_receive", Start(2), "xmit_mode queue_xmit", Start(4),
        "xmit_mode start_xmit", Start(2),
    ),
    case(
        "unknown mode in between",
        "xmit_mode queue_xmit", "xmit_mode nonsense", "xmit_mode", "xmit_mode netif_receive more",
    ),
)  # fmt: skip
