# SPDX-License-Identifier: GPL-2.0
"""Checksums with IPsec."""

from known.rows import rows

KNOWN = rows(
    "ipsec-checksum", "memory/IPSEC with flows, with checksums", "run",
    ("frames: udp.csum", "0x0a2b", "right"),
    ("frames: udp.csum is", "partial", "right"),
)  # fmt: skip
