# SPDX-License-Identifier: GPL-2.0
"""pkt_size, min_pkt_size, max_pkt_size and what the frames look like for them."""

from cases.draws import Draw
from cases.steps import Start, case

CASES = (
    case("chosen by the start", "count 2", Start(2), "pkt_size 70", Start(2)),
    case("the smallest", "count 2", "pkt_size 1", Start(2)),
    case("42", "count 2", "pkt_size 42", Start(2)),
    case("57", "count 2", "pkt_size 57", Start(2)),
    case("58", "count 2", "pkt_size 58", Start(2)),
    case("59", "count 2", "pkt_size 59", Start(2)),
    case("60", "count 2", "pkt_size 60", Start(2)),
    case("61", "count 2", "pkt_size 61", Start(2)),
    case("1514", "count 2", "pkt_size 1514", Start(2)),
    case("1518", "count 2", "pkt_size 1518", Start(2)),
    case("65535 on lo", "count 2", "pkt_size 65535", Start(2), device="lo"),
    case("sequence to 65535 on lo", "count 4", "min_pkt_size 65533", "max_pkt_size 65535", Start(4), device="lo"),
    case("9000 on lo", "count 2", "pkt_size 9000", Start(2), device="lo"),
    case(
        "equal to the minimum leaves the maximum",
        "min_pkt_size 80", "max_pkt_size 90", "pkt_size 80", "pkt_size 81",
    ),
    case("sequence", "count 8", "min_pkt_size 60", "max_pkt_size 64", Start(8), Start(8)),
    case("sequence of one step", "count 4", "min_pkt_size 60", "max_pkt_size 61", Start(4)),
    case("sequence around the smallest frame", "count 8", "min_pkt_size 55", "max_pkt_size 60", Start(8)),
    case("maximum alone", "count 3", "max_pkt_size 60", Start(3)),
    case("minimum alone", "count 3", "min_pkt_size 60", Start(3)),
    case("maximum below the minimum", "count 3", "min_pkt_size 100", "max_pkt_size 80", Start(3)),
    case("new minimum after a run", "count 2", "pkt_size 100", Start(2), "min_pkt_size 90", Start(2)),
    case("new maximum after a run", "count 2", "pkt_size 100", Start(2), "max_pkt_size 102", Start(2)),
    case(
        "random",
        "count 1000", "min_pkt_size 60", "max_pkt_size 100", "flag TXSIZE_RND",
        Start(1000),
        random={"length": Draw(60, 99, 15)},
    ),
    case(
        "random of two",
        "count 1000", "min_pkt_size 60", "max_pkt_size 62", "flag TXSIZE_RND",
        Start(1000),
        random={"length": Draw(60, 61, 2)},
    ),
    case(
        "random without a range",
        "count 3", "pkt_size 70", "flag TXSIZE_RND", Start(3), "flag !TXSIZE_RND", Start(3),
    ),
    case(
        "sequence with UDP checksums",
        "count 6", "min_pkt_size 60", "max_pkt_size 63", "flag UDPCSUM", Start(6),
    ),
    case("sequence on dummy", "count 5", "min_pkt_size 60", "max_pkt_size 62", Start(0), device="d0"),
    case(
        "rate from the size of the moment",
        "rate 100", "pkt_size 100", "rate 100", "min_pkt_size 200", "rate 1000",
    ),
)  # fmt: skip
