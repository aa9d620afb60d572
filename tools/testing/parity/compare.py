# SPDX-License-Identifier: GPL-2.0
"""Plays cases to both generators and judges the differences."""

import itertools
from dataclasses import dataclass, field

from distribution import Sample
from known import KNOWN
from player import CaseError, LostRequest, Session


@dataclass(frozen=True)
class Difference:
    """What was seen differently after a step."""

    step: str
    what: str
    reference: object
    ours: object
    # What of two samples is too uneven for chance.
    uneven: str = field(default="", compare=False)

    def __str__(self):
        return (
            f"after {self.step}: {self.what}\n"
            f"    reference: {shortened(self.reference)}\n"
            f"    rpktgen:   {shortened(self.ours)}"
        ) + (f"\n    {self.uneven}" if self.uneven else "")


def shortened(value):
    text = repr(value)
    return text if len(text) <= 400 else f"{text[:400]} ... ({len(text)} characters)"


def quoted(value):
    """Like repr(), with double quotes where that makes no difference."""
    if isinstance(value, tuple):
        return f"({', '.join(map(quoted, value))})"
    text = repr(value)
    return f'"{text[1:-1]}"' if text.startswith("'") and '"' not in text else text


def differences(reference, ours):
    """The differences of two traces; one that stays is reported once."""
    found = []
    last = {}
    # In the order of the reference; what only rpktgen shows comes at the end.
    for key in reference | ours:
        pair = reference.get(key), ours.get(key)
        step, what = key
        if all(isinstance(value, Sample) for value in pair):
            uneven = pair[0].unlike(pair[1])
            if uneven:
                found.append(Difference(step, what, str(pair[0]), str(pair[1]), uneven))
        elif pair[0] != pair[1] and last.get(what) != pair:
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
    # The name for rows().
    kind: str = "NAME"
    # What rpktgen showed: nothing yet if the C module failed, None if rpktgen did.
    ours: dict = None

    @property
    def good(self):
        return not (self.error or self.unnamed or self.missing)

    def rows(self):
        """The unnamed differences as rows for the table of the group."""
        lines = []
        for step, places in itertools.groupby(self.unnamed, key=lambda one: one.step):
            places = [quoted((one.what, one.reference, one.ours)) for one in places]
            head = "    *rows(" + ", ".join(map(quoted, (self.kind, self.name, step)))
            if len(places) == 1 and len(head) + len(places[0]) < 150:
                lines.append(f"{head}, {places[0]}),")
            else:
                lines += [f"{head},", *(f"        {place}," for place in places), "    ),"]
        return lines

    def __str__(self):
        lines = [f"{self.name}: {'as wanted' if self.good else 'FAILED'}"]
        if self.error:
            lines.append(f"  {self.error}")
        lines += [f"  {difference}" for difference in self.unnamed]
        for name, difference in self.missing:
            lines.append(f"  known difference '{name}' did not show: {difference}")
        return "\n".join(lines)


def play(tree, capture, case, settles):
    """The trace of a case. The C module gets three chances to heed each request."""
    for _ in range(2):
        try:
            return Session(tree, capture, case, settles).play()
        except LostRequest:
            capture.frames()
    return Session(tree, capture, case, settles).play()


def judge(case, name, capture, reference_tree, our_tree):
    """Plays a case to the reference and then to rpktgen."""
    traces = []
    for tree, settles, ours in ((reference_tree, True, {}), (our_tree, False, None)):
        try:
            traces.append(play(tree, capture, case, settles))
        except (CaseError, OSError, RuntimeError) as error:
            return Verdict(name, error=f"{tree.label}: {error}", ours=ours)
    known = known_of(name)
    found = differences(*traces)
    return Verdict(
        name,
        unnamed=tuple(one for one in found if one not in known),
        missing=tuple((known[one], one) for one in known if one not in found),
        met=sum(one in known for one in found),
        ours=traces[1],
    )
