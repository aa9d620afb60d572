# SPDX-License-Identifier: GPL-2.0
"""MAC addresses that vary."""

from known.rows import rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("mac-base", "macs/sources from the device's address", "run",
        ("frames: eth.src", ("02:00:00:00:00:00", "02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:00"), ("02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "02:00:00:00:00:01")),
    ),
    *rows("mac-base", "macs/no source count after a run", "run",
        ("frames: eth.src", ("02:00:00:00:00:00", "02:00:00:00:00:01", "02:00:00:00:00:02"), ("02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03")),
    ),
    *rows("mac-left-over", "macs/lower count after a run", "run (2)", ("frames: eth.src", "02:00:00:00:00:12", "02:00:00:00:00:10")),
)
