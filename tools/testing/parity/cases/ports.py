# SPDX-License-Identifier: GPL-2.0
"""UDP ports."""

from cases.draws import Draw
from cases.steps import Start, case

CASES = (
    case(
        "fixed",
        "count 2", "udp_src_min 1234", "udp_src_max 1234", "udp_dst_min 80", "udp_dst_max 80", Start(2),
    ),
    case("minimum above the default maximum", "count 2", "udp_src_min 1234", "udp_dst_min 80", Start(2)),
    case("source sequence", "count 8", "udp_src_min 100", "udp_src_max 104", Start(8), Start(8)),
    case("destination sequence", "count 8", "udp_dst_min 100", "udp_dst_max 104", Start(8), Start(8)),
    case("sequence of one", "count 3", "udp_dst_min 100", "udp_dst_max 101", Start(3)),
    case(
        "both in sequence",
        "count 9", "udp_src_min 10", "udp_src_max 13", "udp_dst_min 100", "udp_dst_max 105", Start(9),
    ),
    case("up to the last port", "count 6", "udp_dst_min 65532", "udp_dst_max 65535", Start(6)),
    case("from port 0", "count 4", "udp_dst_min 0", "udp_dst_max 3", Start(4)),
    case("beyond 16 bits", "count 3", "udp_dst_min 65636", "udp_dst_max 65640", Start(3)),
    case(
        "random source",
        "count 1000", "udp_src_min 9", "udp_src_max 109", "flag UDPSRC_RND", Start(1000),
        random={"udp.src": Draw(9, 108, 15)},
    ),
    case(
        "random destination",
        "count 1000", "udp_dst_min 9", "udp_dst_max 19", "flag UDPDST_RND", Start(1000),
        random={"udp.dst": Draw(9, 18, 6)},
    ),
    case(
        "random of one",
        "count 3", "udp_dst_min 9", "udp_dst_max 10", "flag UDPDST_RND", Start(3),
    ),
    case(
        "random both with UDP checksums",
        "count 1000", "udp_src_min 1000", "udp_src_max 60000", "udp_dst_min 1000", "udp_dst_max 60000",
        "flag UDPSRC_RND", "flag UDPDST_RND", "flag UDPCSUM", Start(1000),
        random={"udp.src": Draw(1000, 59999, 20), "udp.dst": Draw(1000, 59999, 20)},
    ),
    case(
        "random to sequence",
        "count 4", "udp_dst_min 5", "udp_dst_max 9", "flag UDPDST_RND", "flag !UDPDST_RND", Start(4),
    ),
    case(
        "new range after a run",
        "count 3", "udp_dst_min 5", "udp_dst_max 9", Start(3), "udp_dst_min 7", Start(3), "udp_dst_max 7",
        Start(3),
    ),
    case(
        "equal number leaves the current port",
        "udp_dst_min 5", "udp_src_min 9", "udp_src_max 9", "udp_dst_min 5", "udp_dst_min 9",
        "udp_dst_min 65545",
    ),
)  # fmt: skip
