# SPDX-License-Identifier: GPL-2.0
"""What a random field may be. The case says it by field; everything of the field that fits is
masked, and what was drawn in a run is compared with the other generator's draws as a whole.
"""

import functools
import ipaddress
import re
from dataclasses import dataclass

from distribution import Sample


@functools.lru_cache
def number(value):
    """The number of an integer, a MAC address or an IP address."""
    text = str(value)
    if text.count(":") == 5 and len(text) == 17:
        return int(text.replace(":", ""), 16)
    if "." in text or ":" in text:
        return int(ipaddress.ip_address(text))
    return int(text)


class Drawn:
    """Common to fields that are drawn anew for every packet: at least `distinct` values differ
    in one run of the C module, or the case does not show what it is to show.
    """

    def notes(self, values):
        """What to compare of the values of one run."""
        count = len(set(values))
        yield "varies", "yes" if count >= self.distinct else f"only {count} values"
        yield "drawn", Sample(tuple(number(value) for value in values if self.holds(value)))


@dataclass(frozen=True)
class Draw(Drawn):
    """A value from `low` to `high`."""

    low: object
    high: object
    distinct: int = 2

    def holds(self, value):
        return value is not None and number(self.low) <= number(value) <= number(self.high)


@dataclass(frozen=True)
class OneOf(Drawn):
    """One of some values."""

    values: tuple
    distinct: int = 2

    def holds(self, value):
        return value is not None and number(value) in self.values


@dataclass(frozen=True)
class Bits:
    """A random 32-bit word in hexadecimal. Which of its bits vary must be the same; that a bit
    keeps its value by chance in a run of 60 packets is a matter of ages.
    """

    def holds(self, value):
        return bool(re.fullmatch(r"[0-9a-f]{8}", value or ""))

    def notes(self, values):
        words = [int(value, 16) for value in values]
        varying = 0
        for word in words:
            varying |= word ^ words[0]
        yield "varies", f"bits {varying:08x}, the others are {words[0] & ~varying:08x}"


@dataclass(frozen=True)
class Fresh:
    """The destinations of flows that are picked at random. A flow keeps its destination for its
    life, a new life takes the one after the last used. Which flow a packet is of is chance, in
    which order destinations come up for the first time is not.
    """

    low: object
    high: object

    def holds(self, value):
        return value is not None and number(self.low) <= number(value) <= number(self.high)

    def notes(self, values):
        numbers = [number(value) for value in values]
        first = list(dict.fromkeys(numbers))
        rising = first == list(range(first[0], first[0] + len(first)))
        yield "comes up", f"{'one' if rising else 'not one'} after the other"
