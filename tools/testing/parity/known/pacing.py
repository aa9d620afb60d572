# SPDX-License-Identifier: GPL-2.0
"""Rates."""

from known.rows import real_size

# Every row stays a line.
# fmt: off
KNOWN = (
    *real_size("pacing/clone_skb with ranges", "run", device="d0"),
)
