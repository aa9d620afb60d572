# SPDX-License-Identifier: GPL-2.0
"""Deliberate differences from the C module: defects of it that rpktgen does not have.

Each row is one place where such a difference shows. The comparison wants exactly these: one
that is not in a table is a failure, and so is one of a table that does not show any more.
What the names stand for is in Documentation/parity.rst. There is a table for each group of
cases that has some; "parity run --rows GROUP" prints rows.
"""

from known import (
    addresses,
    control,
    flows,
    frags,
    grammar,
    imix,
    ipv6,
    live,
    macs,
    memory,
    modes,
    no_address,
    pacing,
    queues,
    runs,
    sizes,
    tags,
)

KNOWN = (
    addresses.KNOWN
    + control.KNOWN
    + flows.KNOWN
    + frags.KNOWN
    + grammar.KNOWN
    + imix.KNOWN
    + ipv6.KNOWN
    + live.KNOWN
    + macs.KNOWN
    + memory.KNOWN
    + modes.KNOWN
    + no_address.KNOWN
    + pacing.KNOWN
    + queues.KNOWN
    + runs.KNOWN
    + sizes.KNOWN
    + tags.KNOWN
)

# Looked for in every summary, see player.py.
EVERYWHERE = ("ended",)

NAMES = tuple(sorted({row.name for row in KNOWN}.union(EVERYWHERE)))
