# SPDX-License-Identifier: GPL-2.0
"""Rates."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *real_size("pacing/clone_skb with ranges", "run", device="d0"),
    *rows("rates", "pacing/rates whatever the burst", "'pps 100k'",
        ("returns", "EINVAL", "8"),
        ("v0: delay", "  delay: 5", "  delay: 0"),
        ("v0: Result", 'Result: No such parameter "pps"\n', "Result: OK: pps=100000\n"),
        ("v0: pps", None, "     pps: 100000\n"),
    ),
    *rows("rates", "pacing/rates whatever the burst", "'bps 10M'",
        ("returns", "EINVAL", "7"),
        ("v0: Result", 'Result: No such parameter "bps"\n', "Result: OK: bps=10000000\n"),
        ("v0: bps", None, "     bps: 10000000\n"),
    ),
)
