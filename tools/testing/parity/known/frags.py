# SPDX-License-Identifier: GPL-2.0
"""Fragments."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("frags", "frags/more than bytes", "run (2)",
        ("v0: Result", "Result: OK: T usec, 2 (59byte,10frags)\n", "Result: OK: T usec, 2 (59byte,1frags)\n"),
    ),
    *rows("frags", "frags/more than bytes", "run (3)",
        ("v0: Result", "Result: OK: T usec, 2 (63byte,10frags)\n", "Result: OK: T usec, 2 (63byte,5frags)\n"),
    ),
    *rows("frags", "frags/more than bytes", "run (4)",
        ("v0: Result", "Result: OK: T usec, 2 (67byte,10frags)\n", "Result: OK: T usec, 2 (67byte,9frags)\n"),
    ),
    *rows("frags", "frags/around three pages in three", "run (2)",
        ("sent", "lo 2 packets 32850 bytes", "lo 2 packets 24662 bytes"),
        ("frames: length", 16439, 12345),
        ("frames: data", "16381 zeros", "12287 zeros"),
        ("lo: Result", "Result: OK: T usec, 2 (12345byte,4frags)\n", "Result: OK: T usec, 2 (12345byte,3frags)\n"),
        ("lo: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("frags", "frags/with checksums in software", "run (2)",
        ("v0: Result", "Result: OK: T usec, 2 (59byte,4frags)\n", "Result: OK: T usec, 2 (59byte,1frags)\n"),
    ),
    *real_size("frags/with a sequence of sizes", "run"),
    *rows("frags-as-built", "frags/put into one piece by the stack", "run",
        ("d0: Result", "Result: OK: T usec, 2 (200byte,0frags)\n", "Result: OK: T usec, 2 (200byte,4frags)\n"),
    ),
)
