# SPDX-License-Identifier: GPL-2.0
"""MAC addresses that vary."""

from cases.draws import Draw
from cases.steps import Launch, Join, Release, Start, case

CASES = (
    case(
        "destinations in sequence",
        "count 7", "dst_mac 02:00:00:00:00:10", "dst_mac_count 3", Start(7), Start(7),
    ),
    case(
        "sources in sequence",
        "count 7", "src_mac 02:00:00:00:00:10", "src_mac_count 3", Start(7), Start(7),
    ),
    case("sources from the device's address", "count 4", "src_mac_count 3", Start(4)),
    case(
        "both in sequence",
        "count 7", "src_mac 02:00:00:00:00:10", "src_mac_count 3", "dst_mac 04:00:00:00:00:ff",
        "dst_mac_count 2", Start(7),
    ),
    case("carry over bytes", "count 4", "dst_mac 02:00:ff:ff:ff:fe", "dst_mac_count 4", Start(4)),
    case("carry out of the second byte", "count 4", "dst_mac 02:ff:ff:ff:ff:fe", "dst_mac_count 4", Start(4)),
    case(
        "counts of 0 and 1",
        "count 3", "dst_mac 02:00:00:00:00:10", "dst_mac_count 1", Start(3), "dst_mac_count 0", Start(3),
    ),
    case(
        "lower count after a run",
        "count 3", "src_mac 02:00:00:00:00:10", "src_mac_count 5", Start(3), "src_mac_count 1", Start(3),
    ),
    case("no source count after a run", "count 3", "src_mac_count 5", Start(3), "src_mac_count 0", Start(3)),
    case(
        "random destinations",
        "count 1000", "dst_mac 02:00:00:00:00:10", "dst_mac_count 10", "flag MACDST_RND", Start(1000),
        random={"eth.dst": Draw("02:00:00:00:00:10", "02:00:00:00:00:19", 6), "dst_mac_offset": Draw(0, 9)},
    ),
    case(
        "random sources",
        "count 1000", "src_mac 02:00:00:00:00:10", "src_mac_count 10", "flag MACSRC_RND", Start(1000),
        random={"eth.src": Draw("02:00:00:00:00:10", "02:00:00:00:00:19", 6), "src_mac_offset": Draw(0, 9)},
    ),
    case(
        "another count begins anew, the same does not",
        "count 3", "dst_mac 02:00:00:00:00:10", "dst_mac_count 5", "src_mac 02:00:00:00:00:20", "src_mac_count 5",
        Start(3), "dst_mac_count 5", "src_mac_count 5", "dst_mac_count 6", "src_mac_count 6",
    ),
    case(
        "large counts",
        "count 3", "dst_mac 02:00:00:00:00:ff", "dst_mac_count 4294967295", "src_mac 02:00:00:00:00:20",
        "src_mac_count 2147483648", Start(3),
    ),
    case(
        "random of many",
        "count 1000", "dst_mac 02:00:00:00:00:00", "dst_mac_count 4294967295", "flag MACDST_RND", Start(1000),
        random={"eth.dst": Draw("02:00:00:00:00:00", "02:00:ff:ff:ff:fe", 900), "dst_mac_offset": Draw(-(2**31), 2**31)},
    ),
    case("random without a count", "count 2", "flag MACSRC_RND", "flag MACDST_RND", Start(2)),
    case(
        "while a run lasts",
        "count 5", "delay 2147483647", "src_mac 02:00:00:00:00:10", Launch(), "src_mac_count 3",
        "dst_mac_count 2", Release("delay 0"), Join(5), Start(5),
    ),
)  # fmt: skip
