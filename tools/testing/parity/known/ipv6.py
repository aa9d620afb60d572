# SPDX-License-Identifier: GPL-2.0
"""Sizes and a minimum alone."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("minimum-alone", "ipv6/minimum alone", "run",
        ("frames: ip.dst", "::", "fd00::2"),
        ("v0: cur_daddr", "  cur_daddr: ::\n", "  cur_daddr: fd00::2\n"),
    ),
    *rows("real-size", "ipv6/sizes", "run (2)",
        ("v0: Result", "Result: OK: T usec, 2 (77byte,0frags)\n", "Result: OK: T usec, 2 (78byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("real-size", "ipv6/size sequence", "run",
        ("v0: Result", "Result: OK: T usec, 5 (76byte,0frags)\n", "Result: OK: T usec, 5 (78byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *real_size("ipv6/UDP checksum in software", "run"),
    *real_size("ipv6/ports and sizes", "run"),
    *rows("auto-size", "ipv6/VLANs", "run",
        ("v0: min_pkt_size", "  min_pkt_size: 78", "  min_pkt_size: 86"),
        ("v0: max_pkt_size", "  max_pkt_size: 78\n", "  max_pkt_size: 86\n"),
        ("v0: Result", "Result: OK: T usec, 2 (78byte,0frags)\n", "Result: OK: T usec, 2 (86byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("auto-size", "ipv6/labels", "run",
        ("v0: min_pkt_size", "  min_pkt_size: 78", "  min_pkt_size: 86"),
        ("v0: max_pkt_size", "  max_pkt_size: 78\n", "  max_pkt_size: 86\n"),
        ("v0: Result", "Result: OK: T usec, 2 (78byte,0frags)\n", "Result: OK: T usec, 2 (86byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *rows("real-size", "ipv6/while a run lasts", "join",
        ("v0: Result", "Result: OK: T usec, 2 (58byte,0frags)\n", "Result: OK: T usec, 2 (78byte,0frags)\n"),
        ("v0: rates", "  rates: of the last size", "  rates: of what was sent"),
    ),
    *real_size("ipv6/with everything", "run"),
)
