# SPDX-License-Identifier: GPL-2.0
"""What a row of the tables is."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """A difference: its name, where it shows, and both values."""

    name: str
    case: str
    step: str
    what: str
    reference: object
    ours: object


def rows(name, case, step, *places):
    """What differs after one step of a case: (what, reference, ours) each."""
    return tuple(Known(name, case, step, *place) for place in places)


def real_size(case, *steps, device="v0"):
    """The rate in bits is made from what was sent, not from the last size."""
    place = (f"{device}: rates", "  rates: of the last size", "  rates: of what was sent")
    return sum((rows("real-size", case, step, place) for step in steps), ())
