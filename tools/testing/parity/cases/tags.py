# SPDX-License-Identifier: GPL-2.0
"""VLAN tags and MPLS labels."""

from cases.draws import Bits, Draw
from cases.steps import Join, Launch, Release, Start, case

CASES = (
    case("VLAN", "count 2", "vlan_id 5", "vlan_p 3", "vlan_cfi 1", Start(2)),
    case("VLAN 0 and 4095", "count 2", "vlan_id 0", Start(2), "vlan_id 4095", Start(2)),
    case("two VLANs", "count 2", "vlan_id 5", "svlan_id 6", "svlan_p 7", "svlan_cfi 1", "vlan_p 1", Start(2)),
    case(
        "VLAN on and off",
        "count 2", "vlan_id 5", "vlan_p 3", "vlan_id 4096", Start(2), "vlan_p 4", "vlan_id 6", Start(2),
    ),
    case(
        "second VLAN on and off",
        "count 2", "svlan_id 6", "vlan_id 5", "svlan_id 6", "svlan_id 9999", Start(2), "svlan_id 7",
        Start(2),
    ),
    case(
        "sizes with VLAN",
        "count 2", "pkt_size 62", "vlan_id 5", Start(2), "pkt_size 61", Start(2), "pkt_size 63", Start(2),
    ),
    case(
        "sizes with two VLANs",
        "count 4", "min_pkt_size 64", "max_pkt_size 68", "vlan_id 5", "svlan_id 6", Start(4),
    ),
    case(
        "size chosen with VLAN",
        "count 2", "vlan_id 5", Start(2), Start(2), "vlan_id 4096", Start(2), "pkt_size 42", Start(2),
    ),
    case(
        "VLAN with UDP checksum",
        "count 3", "vlan_id 5", "flag UDPCSUM", "dst 10.0.0.1", "min_pkt_size 70", "max_pkt_size 73",
        Start(3),
    ),
    case("VLAN by netif_receive", "count 3", "vlan_id 5", "xmit_mode netif_receive", Start(3)),
    case("VLAN by queue_xmit", "count 3", "vlan_id 5", "svlan_id 6", "xmit_mode queue_xmit", Start(6)),
    case(
        "random VLAN",
        "count 1000", "vlan_id 5", "flag VID_RND", Start(1000),
        random={"vlan": Draw(0, 4095, 30)},
    ),
    case(
        "two random VLANs",
        "count 1000", "vlan_id 5", "svlan_id 6", "flag VID_RND", "flag SVID_RND", Start(1000),
        random={"vlan": Draw(0, 4095, 30), "svlan": Draw(0, 4095, 30)},
    ),
    case("random VLAN without VLAN", "count 2", "flag VID_RND", "flag SVID_RND", Start(2)),
    case(
        "VLAN while a run lasts",
        "count 2", "delay 2147483647", Launch(), "vlan_id 5", Release("delay 0"), Join(2), Start(2),
    ),
    case(
        "VLAN off while a run lasts",
        "count 2", "vlan_id 5", "delay 2147483647", Launch(), "vlan_id 4096", Release("delay 0"), Join(2),
        Start(2),
    ),
    case("a label", "count 2", "mpls 0001000a", Start(2)),
    case("labels", "count 2", "mpls 0001000a,0002020a,00030014", Start(2)),
    case(
        "16 labels",
        "count 2", "mpls " + ",".join(f"{label:05x}0{label:02x}" for label in range(1, 17)), Start(2),
        "pkt_size 124", Start(2),
    ),
    case("labels and no labels", "count 2", "mpls 0001000a,0002000a", Start(2), "mpls 0", Start(2)),
    case(
        "labels switch VLANs off",
        "count 2", "vlan_id 5", "svlan_id 6", "mpls 0001000a", Start(2), "vlan_id 7", Start(2),
    ),
    case(
        "labels with UDP checksum",
        "count 3", "mpls 0001000a", "flag UDPCSUM", "dst 10.0.0.1", "min_pkt_size 70", "max_pkt_size 73",
        Start(3),
    ),
    case(
        "random label",
        "count 1000", "mpls 1234512a", Start(1000),
        random={"mpls": Bits()},
    ),
    case("random labels, but none with the bit", "count 3", "pkt_size 90", "mpls 1234502a,1", "flag MPLS_RND", Start(3)),
    case("sizes with labels", "count 4", "mpls 0001000a,0002000a", "min_pkt_size 64", "max_pkt_size 68", Start(4)),
    case("no random VLAN any more", "count 2", "pkt_size 90", "vlan_id 5", "flag VID_RND", "flag !VID_RND", Start(2)),
    case(
        "a random second VLAN alone",
        "count 1000", "pkt_size 90", "vlan_id 5", "vlan_p 1", "svlan_id 6", "flag SVID_RND", Start(1000),
        random={"svlan": Draw(0, 4095, 30)},
    ),
    case("random label switched off", "count 2", "mpls 1234512a", "flag !MPLS_RND", Start(2)),
)  # fmt: skip
