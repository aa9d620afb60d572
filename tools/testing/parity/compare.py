# SPDX-License-Identifier: GPL-2.0
"""Plays cases to both generators and judges the differences."""

from dataclasses import dataclass

from known import KNOWN
from player import CaseError, Session


@dataclass(frozen=True)
class Difference:
    """What was seen differently after a step."""

    step: str
    what: str
    reference: object
    ours: object

    def __str__(self):
        return (
            f"after {self.step}: {self.what}\n"
            f"    reference: {shortened(self.reference)}\n"
            f"    rpktgen:   {shortened(self.ours)}"
        )


def shortened(value):
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]} ... ({len(text)} characters)"


def differences(reference, ours):
    """The differences of two traces; one that stays is reported once."""
    found = []
    last = {}
    # In the order of the reference; what only rpktgen shows comes at the end.
    for key in reference | ours:
        pair = reference.get(key), ours.get(key)
        step, what = key
        if pair[0] != pair[1] and last.get(what) != pair:
            found.append(Difference(step, what, *pair))
        last[what] = pair
    return found


def known_of(case):
    """The differences that the table says a case has, with their names."""
    return {
        Difference(row.step, row.what, row.reference, row.ours): row.name
        for row in KNOWN
        if row.case == case
    }


@dataclass
class Verdict:
    """What came of a case."""

    name: str
    error: str = ""
    unnamed: tuple = ()
    missing: tuple = ()
    met: int = 0

    @property
    def good(self):
        return not (self.error or self.unnamed or self.missing)

    def rows(self):
        """The unnamed differences as rows for known.py."""
        return [
            f"    Known(NAME, {self.name!r}, {one.step!r}, {one.what!r}, {one.reference!r}, {one.ours!r}),"
            for one in self.unnamed
        ]

    def __str__(self):
        lines = [f"{self.name}: {'as wanted' if self.good else 'FAILED'}"]
        if self.error:
            lines.append(f"  {self.error}")
        lines += [f"  {difference}" for difference in self.unnamed]
        for name, difference in self.missing:
            lines.append(f"  known difference '{name}' did not show: {difference}")
        return "\n".join(lines)


def judge(case, name, capture, reference_tree, our_tree):
    """Plays a case to the reference and then to rpktgen."""
    traces = []
    for tree, settles in ((reference_tree, True), (our_tree, False)):
        try:
            traces.append(Session(tree, capture, case, settles).play())
        except (CaseError, OSError, RuntimeError) as error:
            return Verdict(name, error=f"{tree.label}: {error}")
    known = known_of(name)
    found = differences(*traces)
    return Verdict(
        name,
        unnamed=tuple(one for one in found if one not in known),
        missing=tuple((known[one], one) for one in known if one not in found),
        met=sum(one in known for one in found),
    )
