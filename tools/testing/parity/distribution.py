# SPDX-License-Identifier: GPL-2.0
"""Whether two samples can come from the same distribution, whatever that is.

If they do, chance alone decides which of all the values are in which sample. For any set of
values that is chosen without looking at who drew them, the number of draws in it that belong to
one sample is then hypergeometric: so many white balls among those taken from an urn. That is
exact, for samples of any size, and asks for nothing but independent draws.

The sets are: every value up to each of some quantiles, each single value where there are few,
and the values with a certain bit. The same again for the differences within pairs of
neighbours, which tell a sequence from a random order.
"""

import itertools
import math
from collections import Counter
from dataclasses import dataclass

# How often two samples of one distribution are taken for different ones. A run of the suite
# makes about 100 comparisons, one of 100,000 random sequences less than 10,000: a false alarm
# is to come less than once in 10^6 of them.
FALSE_ALARM = 1e-10
QUANTILES = 16
SINGLE_VALUES = 64


@dataclass(frozen=True)
class Sample:
    """Numbers that were drawn, in the order of drawing."""

    values: tuple

    def __str__(self):
        """In a form that is the same for every sample of a distribution with one heavy value,
        or with none.
        """
        if not self.values:
            return "nothing"
        value, count = Counter(self.values).most_common(1)[0]
        return f"mostly {value}" if count > 0.75 * len(self.values) else "spread"

    def unlike(self, other):
        """What is too uneven for chance, or nothing."""
        return uneven(self.values, other.values) or in_pairs(
            uneven(differences(self.values), differences(other.values))
        )


def in_pairs(found):
    return found and f"between neighbours: {found}"


def differences(values):
    """From the first to the second of each pair. No value is in two pairs: they are independent."""
    return tuple(second - first for first, second in zip(values[::2], values[1::2]))


def uneven(ours, theirs):
    """The first set of values that one sample has too many of, as text, or nothing."""
    together = Counter(ours) + Counter(theirs)
    total = len(ours) + len(theirs)
    sets = list(subsets(together))
    for name, members in sets:
        inside = sum(together[value] for value in members)
        mine = sum(value in members for value in ours)
        if chance(total, inside, len(ours), mine) < FALSE_ALARM / (2 * len(sets)):
            return f"{name}: {mine} of {len(ours)} and {inside - mine} of {len(theirs)}"
    return ""


def subsets(together):
    """Names and members of the sets to look at."""
    values = sorted(together)
    if not values:
        return
    if len(values) <= SINGLE_VALUES:
        for value in values:
            yield str(value), {value}
    counts = list(itertools.accumulate(together[value] for value in values))
    ends = {
        next(at for at, count in enumerate(counts) if count * QUANTILES >= counts[-1] * part)
        for part in range(1, QUANTILES)
    }
    for end in sorted(ends):
        yield f"up to {values[end]}", set(values[: end + 1])
    for bit in range((values[-1] - values[0]).bit_length()):
        yield f"bit {bit}", {value for value in values if (value - values[0]) >> bit & 1}


def chance(total, inside, mine, inside_mine):
    """Of `total` draws `mine` are one sample's and `inside` are in a set: how often the share
    of the set that is the sample's is at least as uneven as `inside_mine`, to either side.
    """
    least, most = max(0, inside + mine - total), min(inside, mine)
    step = -1 if inside_mine * total < inside * mine else 1
    term = math.exp(
        log_ways(inside, inside_mine) + log_ways(total - inside, mine - inside_mine) - log_ways(total, mine)
    )
    found = 0.0
    # The terms only shrink away from the middle.
    while least <= inside_mine <= most and term > found * 1e-9:
        found += term
        inside_mine += step
        term *= ratio(total, inside, mine, inside_mine, step)
    return min(1.0, 2 * found)


def ratio(total, inside, mine, at, step):
    """The term at `at` by the one before, coming from below (1) or from above (-1)."""
    rest = total - inside - mine
    if step > 0:
        return (inside - at + 1) * (mine - at + 1) / (at * (rest + at)) if rest + at > 0 else 0.0
    return (at + 1) * (rest + at + 1) / ((inside - at) * (mine - at))


def log_ways(count, taken):
    return math.lgamma(count + 1) - math.lgamma(taken + 1) - math.lgamma(count - taken + 1)
