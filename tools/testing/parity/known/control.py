# SPDX-License-Identifier: GPL-2.0
"""Names of devices, and turns."""

from known.rows import rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("long-alternative-name", "control/an alternative name", "thread 0: 'add_device another-name-of-v0'",
        ("returns", "ENODEV", "29"),
        ("kpktgend_0: Stopped", "Stopped: short-name \n", "Stopped: another-name-of-v0 short-name \n"),
        ("kpktgend_0: Result", "Result: ERROR: can not add device another-name-of-v0\n", "Result: OK: add_device=another-name-of-v0\n"),
    ),
    *rows("turns", "control/two devices of a thread run", "run", ("order", (80, 80, 80, 9, 9), (80, 9, 80, 9, 80))),
)
