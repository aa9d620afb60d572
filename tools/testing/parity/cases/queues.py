# SPDX-License-Identifier: GPL-2.0
"""Transmit queues. The devices have four."""

from cases.draws import Draw
from cases.steps import Start, case

CASES = (
    case("the first", "count 3", Start(3)),
    case("clamped", "count 3", "queue_map_min 7", "queue_map_max 9", Start(3)),
    case("maximum clamped", "count 9", "queue_map_max 9", Start(9)),
    case("sequence", "count 9", "queue_map_min 0", "queue_map_max 3", Start(9)),
    case("sequence goes on in the next run", "count 3", "queue_map_max 3", Start(3), Start(3)),
    case("sequence from above the first", "count 7", "queue_map_min 2", "queue_map_max 3", Start(7)),
    case("one queue", "count 5", "queue_map_min 3", "queue_map_max 3", Start(5), Start(5)),
    case("maximum below the minimum", "count 4", "queue_map_min 3", "queue_map_max 1", Start(4)),
    case("to a lower range after a run", "count 4", "queue_map_max 3", Start(4), "queue_map_max 1", Start(4)),
    case(
        "of the CPU",
        "count 3", "queue_map_min 2", "queue_map_max 3", "flag QUEUE_MAP_CPU", Start(3),
        "flag !QUEUE_MAP_CPU", Start(3),
    ),
    case(
        "random",
        "count 1000", "queue_map_min 1", "queue_map_max 3", "flag QUEUE_MAP_RND", Start(1000),
        random={"queue": Draw(1, 3, 3)},
    ),
    case(
        "random of all",
        "count 1000", "queue_map_min 0", "queue_map_max 100", "flag QUEUE_MAP_RND", Start(1000),
        random={"queue": Draw(0, 3, 4)},
    ),
    case("random of one", "count 3", "queue_map_min 2", "queue_map_max 2", "flag QUEUE_MAP_RND", Start(3)),
    case(
        "the CPU goes before random",
        "count 3", "queue_map_max 3", "flag QUEUE_MAP_RND", "flag QUEUE_MAP_CPU", Start(3),
    ),
    case("on dummy", "count 6", "queue_map_max 2", Start(0), Start(0), device="d0"),
    case("of lo", "count 3", "queue_map_min 1", "queue_map_max 2", Start(3), device="lo"),
)  # fmt: skip
