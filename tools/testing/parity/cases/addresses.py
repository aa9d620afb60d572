# SPDX-License-Identifier: GPL-2.0
"""IPv4 and MAC addresses, tos, and the UDP checksum over them."""

import struct

from cases.draws import Draw
from cases.steps import Start, System, case
from frame import UDP, ones_sum

ADDRESS = System("ip address add 198.18.0.7/15 dev v0", "ip address flush dev v0")


def port_of_no_checksum(pseudo, length):
    """The source port for which the sum over a first packet without time stamp is 0, which UDP
    has to send as 0xffff.
    """
    rest = struct.pack("!HHH", 9, length, 0) + struct.pack("!II", 0xBE9BE955, 1) + bytes(length - 16)
    return 0xFFFF - ones_sum(pseudo + rest)


NO_CHECKSUM = port_of_no_checksum(bytes([10, 0, 0, 1, 10, 0, 0, 2]) + struct.pack("!II", 24, UDP), 24)

CASES = (
    case("none set", "count 3", Start(3)),
    case("fixed", "count 3", "src_min 198.18.0.1", "dst 198.19.0.1", Start(3)),
    case(
        "the device's address",
        ADDRESS, "count 2", Start(2), "src_min 10.0.0.1", Start(2), "src_min", Start(2),
    ),
    case(
        "the device's address, point to point",
        System("ip address add 198.18.0.7 peer 198.18.0.8 dev v0", "ip address flush dev v0"),
        "count 2", Start(2),
    ),
    case(
        "two addresses of the device",
        System("ip address add 198.18.5.1/24 dev v0", "ip address flush dev v0"),
        System("ip address add 198.18.6.1/24 dev v0", "ip address flush dev v0"),
        "count 2", Start(2),
    ),
    case("source range", "count 8", "src_min 198.18.0.1", "src_max 198.18.0.4", Start(8), Start(8)),
    case("source range over a byte", "count 6", "src_min 198.18.0.254", "src_max 198.18.1.2", Start(6)),
    case("source maximum alone", "count 3", "src_max 198.18.0.4", Start(3)),
    case("source maximum below", "count 3", "src_min 198.18.0.4", "src_max 198.18.0.1", Start(3)),
    case("source maximum with the device's address", ADDRESS, "count 3", "src_max 198.18.0.9", Start(3)),
    case("destination range", "count 8", "dst_min 198.18.0.1", "dst_max 198.18.0.4", Start(8), Start(8)),
    case("destination maximum alone", "count 3", "dst_max 0.0.0.2", Start(3)),
    case("destination maximum below", "count 3", "dst 198.18.0.4", "dst_max 198.18.0.1", Start(3)),
    case("range of one", "count 3", "dst_min 198.18.0.4", "dst_max 198.18.0.4", Start(3)),
    case("range of two", "count 4", "dst_min 198.18.0.4", "dst_max 198.18.0.5", Start(4)),
    case(
        "range to the last address",
        "count 6", "dst_min 255.255.255.253", "dst_max 255.255.255.255", Start(6),
    ),
    case(
        "range through the multicast addresses",
        "count 4", "dst_min 223.255.255.254", "dst_max 224.0.0.2", Start(4),
    ),
    case(
        "both ranges",
        "count 9", "src_min 10.0.0.1", "src_max 10.0.0.3", "dst_min 10.1.0.1", "dst_max 10.1.0.2", Start(9),
    ),
    case("spilling components", "count 2", "src_min 300.1.1.1", "dst 1.2.3.999", Start(2)),
    case(
        "random source",
        "count 1000", "src_min 198.18.0.0", "src_max 198.18.0.16", "flag IPSRC_RND", Start(1000),
        random={"ip.src": Draw("198.18.0.0", "198.18.0.15", 8)},
    ),
    case(
        "random destination",
        "count 1000", "dst_min 198.18.0.0", "dst_max 198.18.0.16", "flag IPDST_RND", Start(1000),
        random={"ip.dst": Draw("198.18.0.0", "198.18.0.15", 8)},
    ),
    case(
        "random source and destination with UDP checksums",
        "count 1000", "src_min 10.0.0.1", "src_max 10.0.1.1", "dst_min 10.1.0.1", "dst_max 10.1.1.1",
        "flag IPSRC_RND", "flag IPDST_RND", "flag UDPCSUM", Start(1000),
        random={"ip.src": Draw("10.0.0.1", "10.0.1.0", 8), "ip.dst": Draw("10.1.0.1", "10.1.1.0", 8)},
    ),
    case(
        "random destination leaves out what is no host",
        "count 1000", "dst_min 223.255.255.248", "dst_max 224.0.0.6", "flag IPDST_RND", Start(1000),
        random={"ip.dst": Draw("223.255.255.248", "223.255.255.255", 5)},
    ),
    case(
        "random destination leaves out loopback",
        "count 1000", "dst_min 126.255.255.248", "dst_max 127.0.0.6", "flag IPDST_RND", Start(1000),
        random={"ip.dst": Draw("126.255.255.248", "126.255.255.255", 5)},
    ),
    case(
        "random destination leaves out none and all",
        "count 1000", "dst_min 0.0.0.0", "dst_max 0.0.0.8", "flag IPDST_RND", Start(1000),
        random={"ip.dst": Draw("0.0.0.1", "0.0.0.7", 5)},
    ),
    case(
        "random source leaves out nothing",
        "count 1000", "src_min 223.255.255.252", "src_max 224.0.0.4", "flag IPSRC_RND", Start(1000),
        random={"ip.src": Draw("223.255.255.252", "224.0.0.3", 5)},
    ),
    case("random of one address", "count 3", "dst_min 10.0.0.1", "dst_max 10.0.0.2", "flag IPDST_RND", Start(3)),
    case(
        "the same text leaves the current address",
        "count 3", "dst_min 10.0.0.1", "dst_max 10.0.0.9", Start(3), "dst_min 10.0.0.1", "dst_max 10.0.0.9",
        "dst_min 010.0.0.1", "src_min 10.0.0.1", "src_max 10.0.0.2", "src_min 10.0.0.1",
    ),
    case("random without a range", "count 2", "dst 10.0.0.1", "flag IPDST_RND", "flag IPSRC_RND", Start(2)),
    case(
        "new destination after a run",
        "count 2", "dst 10.0.0.1", "dst_max 10.0.0.5", Start(2), "dst 10.0.0.3", Start(2), "dst_max",
        Start(2),
    ),
    case("MACs", "count 2", "dst_mac 90:e2:ba:ff:ff:ff", Start(2), "src_mac 02:11:22:33:44:55", Start(2)),
    case(
        "the device's MAC after another",
        "count 2", "src_mac 02:11:22:33:44:55", Start(2), "src_mac 00:00:00:00:00:00", Start(2),
    ),
    case(
        "broadcast and multicast MACs",
        "count 1", "dst_mac ff:ff:ff:ff:ff:ff", Start(1), "dst_mac 01:00:5e:00:00:01", Start(1),
        "dst_mac 02:00:00:00:00:02", Start(1),
    ),
    case(
        "a new MAC of the device",
        "count 1", Start(1),
        System("ip link set v0 address 02:00:00:00:00:77", "ip link set v0 address 02:00:00:00:00:01"),
        Start(1),
    ),
    case("tos", "count 2", "tos b8", Start(2), "tos 00", Start(2), "tos 0", Start(2)),
    case(
        "UDP checksum by the device",
        "count 3", "flag UDPCSUM", "dst 10.0.0.1", Start(3), "flag !UDPCSUM", Start(3),
    ),
    case(
        "UDP checksum in software",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 5", "flag UDPCSUM", "dst 10.0.0.1",
        "udp_src_max 12", Start(5), "pkt_size 61", "flag NO_TIMESTAMP", Start(5),
    ),
    case(
        "UDP checksum in software, sizes and addresses in sequence",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 7", "flag UDPCSUM",
        "dst_min 10.0.0.1", "dst_max 10.0.0.9", "min_pkt_size 58", "max_pkt_size 63", Start(7),
    ),
    case(
        "UDP checksum of 0",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 1", "flag UDPCSUM", "flag NO_TIMESTAMP",
        "src_min 10.0.0.1", "dst 10.0.0.2", f"udp_src_min {NO_CHECKSUM}", f"udp_src_max {NO_CHECKSUM}", Start(1),
    ),
    case("no time stamps", "count 3", "flag NO_TIMESTAMP", Start(3), "flag !NO_TIMESTAMP", Start(3)),
    case(
        "skb_priority on lo",
        "count 2", "skb_priority 7", Start(2), "skb_priority 999999999", Start(2),
        device="lo",
    ),
)  # fmt: skip
