# SPDX-License-Identifier: GPL-2.0
"""Plays a case on one generator and notes everything that can be seen of it."""

import re
import threading
import time
from collections import Counter

import frame
import network
import texts
from cases.steps import as_step


# A command that removes devices. The C module returns before it has, now and then.
REMOVAL = re.compile(rb'["\n\r\t =]*(reset|rem_device_all)')


class CaseError(Exception):
    """The case itself did not go as it says; there is nothing to compare."""


class LostRequest(CaseError):
    """The C module did not heed a start or a stop: it loses one, now and then."""


class Session:
    """One case on one generator. `trace` maps (step, what) to what was seen."""

    def __init__(self, tree, capture, case, settles):
        self.tree = tree
        self.capture = capture
        self.case = case
        # The C module ends its runs a moment before their results are there.
        self.settles = settles
        self.trace = {}
        self.undo = []
        self.step = ""
        self.steps_seen = {}
        self.run = None
        # When each device was last started, before the run.
        self.started = []
        # Summaries of runs, and what they come to.
        self.summaries = {}

    def note(self, what, value):
        self.trace[self.step, what] = value

    def begin(self, label):
        count = self.steps_seen[label] = self.steps_seen.get(label, 0) + 1
        self.step = label if count == 1 else f"{label} ({count})"

    def play(self):
        try:
            self.tree.forget()
            if not self.case.bare:
                self.begin("add")
                self.note("returns", self.add())
                self.show_all()
            for step in map(as_step, self.case.steps):
                self.begin(str(step))
                step.play(self)
            if self.run:
                raise CaseError("a run was launched and not joined")
        finally:
            self.end()
        return self.trace

    def add(self):
        command = f"add_device {self.case.device}".encode()
        return self.tree.write(f"kpktgend_{self.case.cpu}", command)

    def end(self):
        """Leaves nothing behind, whatever happened."""
        self.tree.clean()
        if self.run:
            self.run.thread.join(5)
        if self.settles:
            # A start that an idle thread heeds late is for what clean() adds.
            self.capture.frames(0)
        for undo in reversed(self.undo):
            undo()

    # Texts

    def show(self, name):
        text = self.tree.read(name)
        for end in texts.ends(text):
            # The difference "ended" is everywhere; noted is only what is none.
            if (end is None) == self.tree.says_ends:
                self.note(f"{name}: ended", end)
        text = texts.normalise(text, self.summaries)
        text = texts.mask(text, self.case.random)
        for label, part in texts.parts(text):
            self.note(f"{name}: {label}", part)

    def show_all(self):
        self.show("pgctrl")
        for name in self.tree.threads():
            self.show(name)
        if not self.case.bare:
            self.show(self.case.device)

    def command(self, name, data):
        """A write, and for the C module the wait for what it is not done with on return."""
        outcome = self.tree.write(name, data)
        self.note("returns", outcome)
        if self.settles and outcome.isdigit() and REMOVAL.match(data):
            self.tree.settle(name, data)

    # Runs

    def launch(self):
        # Frames of something else must not be taken for the run's.
        strays = self.capture.frames(0)
        if strays:
            raise CaseError(f"{len(strays)} frames came before the run")
        self.started = self.tree.starts()
        self.run = Run(self.tree)

    def wait_running(self):
        name = f"kpktgend_{self.case.cpu}"
        text = self.tree.wait_until(name, lambda text: f"Running: {self.case.device}" in text)
        if f"Running: {self.case.device}" not in text:
            raise self.lost(f"{self.case.device} does not start: {text!r}")

    def lost(self, what):
        return LostRequest(what) if self.settles else CaseError(what)

    def join(self, expected):
        run, self.run = self.run, None
        if not run.wait():
            self.run = run
            raise self.lost(f"the run does not end: {self.tree.read(self.case.device)!r}")
        if self.settles and not self.tree.wait_idle():
            raise self.lost("a device runs on")
        if self.settles and set(self.started) & set(self.tree.starts()):
            raise self.lost("a device did not start")
        if self.settles and not self.case.bare:
            self.tree.wait_until(self.case.device, lambda text: "Result: Starting" not in text)
        frames = self.capture.frames()
        self.note("returns", run.outcome)
        lengths = "length" not in self.case.random
        self.note("sent", network.sent_since(run.before, self.capture.chatter, lengths))
        self.note("frames", len(frames))
        if self.settles and expected not in (None, len(frames)):
            raise CaseError(f"{len(frames)} frames were captured, {expected} are expected")
        self.note_frames(frames, run.began_ns)
        if not (self.case.bare or self.case.stream):
            self.note_rates(frames, run)
        self.show_all()

    def note_rates(self, frames, run):
        """Judges the result, whose bytes are those of this run."""
        text = self.tree.read(self.case.device)
        lengths = seen_once(frames)
        # What dummy sends is not seen, but counted.
        before, now = (counters[self.case.device][1] for counters in (run.before, network.counters()))
        texts.normalise(text, self.summaries, sum(lengths) if lengths else now - before)
        counts = texts.imix_counts(text)
        if counts and lengths:
            # Frames are never shorter than their headers.
            seen = Counter(lengths)
            counted = Counter()
            for size, count in counts:
                counted[max(size, min(seen))] += count
            self.note("sizes counted", "as captured" if +counted == seen else "otherwise")

    def note_frames(self, frames, began_ns):
        """Field by field, over all frames of the run. Streams of frames that mix are told apart
        by a field; their order is then a note of its own.
        """
        now_ns = time.time_ns()
        stream = self.case.stream
        columns = {}
        drawn = {name: [] for name in self.case.random if name in frame.DEPENDENT}
        order = []
        for captured in frames:
            found = frame.fields(captured, began_ns, now_ns)
            for name, values in drawn.items():
                values.append(found.get(name))
            if stream:
                order.append(found.get(stream))
            name = f"frames of {stream} {order[-1]}" if stream else "frames"
            for field, value in frame.mask(found, self.case.random).items():
                columns.setdefault(f"{name}: {field}", []).append(value)
        if stream:
            self.note("order", tuple(order if self.case.ordered else sorted(order)))
        for name, values in columns.items():
            self.note(name, values[0] if len(set(values)) == 1 else tuple(values))
        for name, values in drawn.items():
            for what, value in self.case.random[name].notes(values):
                if self.settles and str(value).startswith("only "):
                    raise CaseError(f"{name} does not vary: {value}")
                self.note(f"{name} {what}", value)


def seen_once(frames):
    """The lengths of all frames. One may be seen twice, when it leaves and when it arrives."""
    places = {}
    for captured in frames:
        places.setdefault((captured.device, captured.kind == "outgoing"), []).append(len(captured.data))
    return max(places.values(), key=len, default=[])


class Run:
    """A `start` under way: writing it blocks until the run is over."""

    def __init__(self, tree):
        self.before = network.counters()
        self.began_ns = time.time_ns()
        self.outcome = None
        self.thread = threading.Thread(target=self.write, args=(tree,), daemon=True)
        self.thread.start()

    def write(self, tree):
        self.outcome = tree.write("pgctrl", b"start")

    def wait(self):
        self.thread.join(10)
        return not self.thread.is_alive()
