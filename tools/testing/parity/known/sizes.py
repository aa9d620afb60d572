# SPDX-License-Identifier: GPL-2.0
"""Rates of several sizes."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("real-size", "sizes/the smallest", "run",
        ("v0: Result", "Result: OK: T usec, 2 (42byte,0frags)\n", "Result: OK: T usec, 2 (58byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("real-size", "sizes/42", "run",
        ("v0: Result", "Result: OK: T usec, 2 (42byte,0frags)\n", "Result: OK: T usec, 2 (58byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("real-size", "sizes/57", "run",
        ("v0: Result", "Result: OK: T usec, 2 (57byte,0frags)\n", "Result: OK: T usec, 2 (58byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *real_size("sizes/sequence", "run"),
    *real_size("sizes/sequence of one step", "run"),
    *rows("real-size", "sizes/sequence around the smallest frame", "run",
        ("v0: Result", "Result: OK: T usec, 8 (57byte,0frags)\n", "Result: OK: T usec, 8 (58byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *real_size("sizes/maximum alone", "run"),
    *real_size("sizes/new minimum after a run", "run (2)"),
    *real_size("sizes/new maximum after a run", "run (2)"),
    *real_size("sizes/random", "run"),
    *real_size("sizes/random of two", "run"),
    *real_size("sizes/sequence with UDP checksums", "run"),
    *real_size("sizes/sequence on dummy", "run", device="d0"),
)
