# SPDX-License-Identifier: GPL-2.0
"""Turns of several devices, and rates."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("turns", "runs/two devices of one netdev", "run", ("order", (80, 80, 80, 9, 9), (80, 9, 80, 9, 80))),
    *rows("turns", "runs/two devices of one netdev", "run (2)", ("order", (80, 80, 80, 9), (80, 9, 80, 80))),
    *rows("turns", "runs/three netdevs", "run", ("order", ("lo", "lo", "lo", "lo", "v1", "v1"), ("lo", "v1", "lo", "v1", "lo", "lo"))),
    *real_size("runs/three runs of everything", "run"),
    *real_size("runs/everything on lo", "run", device="lo"),
    *real_size("runs/everything on dummy", "run", device="d0"),
)
