# SPDX-License-Identifier: GPL-2.0
"""The first queue of a run."""

from known.rows import rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("first-queue", "queues/clamped", "run", ("frames: queue", (1, 2, 3), 3)),
    *rows("first-queue", "queues/maximum clamped", "run",
        ("frames: queue", (1, 2, 3, 0, 1, 2, 3, 0, 1), (0, 1, 2, 3, 0, 1, 2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 1\n", "     cur_queue_map: 0\n"),
    ),
    *rows("first-queue", "queues/sequence", "run",
        ("frames: queue", (1, 2, 3, 0, 1, 2, 3, 0, 1), (0, 1, 2, 3, 0, 1, 2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 1\n", "     cur_queue_map: 0\n"),
    ),
    *rows("first-queue", "queues/sequence goes on in the next run", "run",
        ("frames: queue", (1, 2, 3), (0, 1, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows("first-queue", "queues/sequence from above the first", "run",
        ("frames: queue", (1, 2, 3, 2, 3, 2, 3), (2, 3, 2, 3, 2, 3, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows("first-queue", "queues/one queue", "run", ("frames: queue", (1, 2, 3, 3, 3), 3)),
    *rows("first-queue", "queues/to a lower range after a run", "run",
        ("frames: queue", (1, 2, 3, 0), (0, 1, 2, 3)),
        ("v0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 3\n"),
    ),
    *rows("first-queue", "queues/to a lower range after a run", "run (2)",
        ("frames: queue", (1, 0, 1, 0), (0, 1, 0, 1)),
        ("v0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 1\n"),
    ),
    *rows("first-queue", "queues/of the CPU", "run (2)",
        ("frames: queue", (1, 2, 3), (2, 3, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows("first-queue", "queues/on dummy", "run", ("d0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 2\n")),
)
