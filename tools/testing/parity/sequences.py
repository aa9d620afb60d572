# SPDX-License-Identifier: GPL-2.0
"""Random sequences of three kinds: writes to a device file, writes to the files of threads and
pgctrl, and configurations that are run. Outcomes, texts and frames are compared.

A sequence depends on the seed and its number alone. One that shows a difference is made as
short as it can be and printed as the steps of a case.
"""

import dataclasses
import os
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass

import purpose
import random_control
import random_runs
import random_writes
from capture import Capture
from compare import differences, judge
from network import QUEUES
from player import REMOVAL
from tree import outcome

# Each device of the C module has a table of 1.5 MiB.
DEVICES_PER_RESET = 100
# Of a run most differences follow from the first ones.
TOLD = 10
ERROR = "the case did not go as it says: "
# Runs and removals take a while.
KINDS = ("run",) * 3 + ("control",) * 5 + ("writes",) * 92


def kind(seed, number):
    """Which kind a sequence is of, and what it is drawn with."""
    draw = random.Random(f"{seed} {number}")
    return draw.choice(KINDS), draw


@dataclass
class Opened:
    """A device of one generator with its file open."""

    fd: int

    def step(self, data):
        """What a write returns, and the text after it."""
        return outcome(lambda: os.write(self.fd, data)), self.text()

    def text(self):
        os.lseek(self.fd, 0, os.SEEK_SET)
        return os.read(self.fd, 1 << 16)


class Player:
    """Plays sequences of a kind, and keeps what became of the last one."""

    def __init__(self, trees):
        self.trees = trees
        # How many of its steps were compared, and how often differences on purpose showed.
        self.compared = 0
        self.named = Counter()

    def begin(self):
        self.compared = 0
        self.named.clear()


class Writes(Player):
    """Plays writes to fresh devices of both generators."""

    def __init__(self, trees):
        super().__init__(trees)
        self.devices = 0
        self.ours = []

    def same(self, _before):
        """Whether rpktgen did the same as before. Nothing here depends on time: a difference that
        does not show again is one.
        """
        return False

    def made(self, draw, _name):
        return random_writes.sequence(draw)

    def difference(self, made):
        """The first step that differs, with what was seen, or nothing."""
        self.begin()
        device, sequence = made
        if self.devices % DEVICES_PER_RESET == 0:
            for tree in self.trees:
                tree.clean()
        self.devices += 1
        name = f"{device}@{self.devices}"
        both = []
        try:
            for tree in self.trees:
                returned = tree.write("kpktgend_0", b"add_device " + name.encode())
                if not returned.isdigit():
                    raise RuntimeError(f"{tree.label}: cannot add {name}: {returned}")
                both.append(Opened(os.open(f"{tree.path}/{name}", os.O_RDWR)))
            return self.compare(both, sequence)
        finally:
            for opened in both:
                os.close(opened.fd)

    def compare(self, both, sequence):
        texts = [opened.text() for opened in both]
        if texts[0] != texts[1]:
            return shown(*(("before all", text) for text in texts))
        before = texts[0]
        for data in sequence:
            seen = [opened.step(data) for opened in both]
            if seen[0] != seen[1]:
                purposeful = purpose.of_write(data, before, *seen)
                if not purposeful:
                    return shown(*seen)
                name, ending = purposeful
                self.named[name] += 1
                for write in ending:
                    seen = [opened.step(write) for opened in both]
                    if seen[0] != seen[1]:
                        return f"  after {data!r}, {name}: {write!r}\n{shown(*seen)}"
            self.compared += 1
            before = seen[0][1]
        return None

    @staticmethod
    def steps(made):
        return len(made[1])

    def shorter(self, made):
        device, sequence = made
        for at in range(len(sequence)):
            yield device, sequence[:at] + sequence[at + 1 :]

    def text(self, made):
        return f"on {made[0]}:\n    " + ", ".join(map(repr, made[1]))


def shown(reference, ours):
    """Where outcomes and texts are different."""
    lines = []
    (returned, text), (our_returned, our_text) = reference, ours
    if returned != our_returned:
        lines.append(f"  returns: reference {returned}, rpktgen {our_returned}")
    lists = [one.split(b"\n") for one in (text, our_text)]
    for number in range(max(map(len, lists))):
        line, our_line = (one[number] if number < len(one) else None for one in lists)
        if line != our_line:
            lines.append(f"  reference: {line!r}\n  rpktgen:   {our_line!r}")
    return "\n".join(lines)


class Control(Player):
    """Plays writes to the files of threads and to pgctrl, from nothing configured."""

    def __init__(self, trees):
        super().__init__(trees)
        # What rpktgen showed in the last sequence, up to the difference.
        self.ours = []

    def made(self, draw, _name):
        return random_control.sequence(draw)

    def same(self, before):
        return self.ours[: len(before)] == before

    def difference(self, made):
        self.begin()
        self.ours = []
        try:
            return self.first_difference(made)
        except RuntimeError as error:
            return f"{ERROR}{error}"

    def first_difference(self, made):
        for tree in self.trees:
            tree.clean()
            tree.forget()
        for file, data in made:
            seen = [self.step(tree, file, data) for tree in self.trees]
            self.ours.append(seen[1])
            if seen[0] != seen[1]:
                return shown(*seen)
            self.compared += 1
        return None

    @staticmethod
    def steps(made):
        return len(made)

    def step(self, tree, file, data):
        """What a write returns, and the texts of all threads and the names of all files then."""
        removal = REMOVAL.match(data)
        threads = tree.threads() if file == "pgctrl" else [file]
        if removal:
            tree.mark(threads)
        returned = tree.write(file, data)
        if removal and tree is self.trees[0] and returned.isdigit():
            tree.settle(file, data)
        names = sorted(os.listdir(os.fsencode(tree.path)))
        texts = [tree.read(name).encode("latin-1") for name in tree.threads()]
        return returned, b"".join(texts) + b"\n".join(names)

    def shorter(self, made):
        for at in range(len(made)):
            yield made[:at] + made[at + 1 :]

    def text(self, made):
        return "of\n    " + ", ".join(f"{file}: {data!r}" for file, data in made)


class Runs(Player):
    """Plays configurations and runs, as cases are."""

    def __init__(self, trees):
        super().__init__(trees)
        self.capture = Capture(QUEUES)
        # What rpktgen showed in the last case.
        self.ours = None

    def same(self, before):
        if before is None or self.ours is None:
            return False
        return not differences(before, {key: self.ours.get(key) for key in before})

    def made(self, draw, name):
        for tree in self.trees:
            tree.clean()
        return random_runs.case(draw, name)

    def difference(self, made):
        self.begin()
        verdict = judge(made, made.name, self.capture, *self.trees)
        self.ours = verdict.ours
        if verdict.error:
            return f"{ERROR}{verdict.error}"
        self.compared = self.steps(made)
        names = [purpose.of_run(one) for one in verdict.unnamed]
        self.named.update(filter(None, names))
        unnamed = [str(one) for one, name in zip(verdict.unnamed, names) if not name]
        return "\n".join(f"  {one}" for one in unnamed[:TOLD])

    @staticmethod
    def steps(made):
        return len(made.steps)

    def shorter(self, made):
        for at, step in enumerate(made.steps):
            # The count keeps runs short, the delay of "never" holds them; without a size they differ.
            if isinstance(step, str) and not re.match("count|delay|.*pkt_size", step):
                yield dataclasses.replace(made, steps=made.steps[:at] + made.steps[at + 1 :])

    def text(self, made):
        return f"on {made.device}:\n    {', '.join(map(repr, made.steps))}"


def unsteady(player, made):
    """Whether a difference comes from the C module's time: it loses requests, and returns before
    they are heeded. Then rpktgen does the same again, and the C module does as well.
    """
    ours = player.ours
    return not player.difference(made) and player.same(ours)


def shortened(player, made, found):
    """Without the steps that the difference does not need, and what it is then."""
    for shorter in player.shorter(made):
        left = player.difference(shorter)
        if left and subject(left) == subject(found):
            return shortened(player, shorter, left)
    return made, found


def subject(found):
    """What a difference is about: without another step it may show something else, which differs
    on purpose.
    """
    line = found.splitlines()[0]
    if line.startswith(ERROR):
        return ERROR
    return line.split(": ", 1)[1] if line.startswith("  after ") else ""


def play(trees, seed, numbers, count):
    """Plays sequences and has each counted by its kind, with its steps and the differences on
    purpose; True unless one differs otherwise, which is printed.
    """
    players = {"writes": Writes(trees), "control": Control(trees), "run": Runs(trees)}
    for number in numbers:
        which, draw = kind(seed, number)
        player = players[which]
        made = player.made(draw, f"{seed}/{number}")
        found = player.difference(made)
        if found and unsteady(player, made):
            print(f"sequence {number} of seed {seed}: the C module did otherwise at first:\n{found}", flush=True)
            which, found = "unsteady", ""
        if found:
            print(f"sequence {number} of seed {seed} differs {player.text(made)}\n{found}")
            made, shorter = shortened(player, made, found)
            print(f"shortened, {player.text(made)}\n{shorter}")
            sys.stdout.flush()
            return False
        count({which: 1, "steps": player.steps(made), "compared": player.compared, **player.named})
    for tree in trees:
        tree.clean()
    return True
