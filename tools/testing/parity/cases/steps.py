# SPDX-License-Identifier: GPL-2.0
"""What the sequences are made of. A plain string or bytes is a write to the case's device file."""

import time
from dataclasses import dataclass, field

import network


@dataclass(frozen=True)
class Case:
    """One sequence that is played to both generators."""

    name: str
    steps: tuple
    device: str = "v0"
    random: dict = field(default_factory=dict)
    # The field that tells the frames of several devices apart.
    stream: str = None
    # Two threads send at the same time: the order of the streams is a matter of chance.
    ordered: bool = True
    # Without a device the sequence adds its own.
    bare: bool = False
    cpu: int = 0


def case(name, *steps, **options):
    return Case(name, steps, **options)


def as_step(step):
    return step if hasattr(step, "play") else Write(step)


def as_bytes(data):
    return data if isinstance(data, bytes) else data.encode("latin-1")


def shown(data):
    """What was written, as a label."""
    text = repr(as_bytes(data))[1:]
    return text if len(text) <= 80 else f"{text[:59]}... ({len(as_bytes(data))} bytes)"


@dataclass(frozen=True)
class Write:
    """A command for a device file."""

    data: object
    file: str = None

    def __str__(self):
        name = f"{self.file}: " if self.file else ""
        return name + shown(self.data)

    def play(self, session):
        name = self.file or session.case.device
        session.command(name, as_bytes(self.data))
        session.show(name)


@dataclass(frozen=True)
class Thread:
    """A command for a thread's file."""

    data: object
    cpu: int = 0

    def __str__(self):
        return f"thread {self.cpu}: " + shown(self.data)

    def play(self, session):
        name = f"kpktgend_{self.cpu}"
        session.command(name, as_bytes(self.data))
        session.show(name)


@dataclass(frozen=True)
class Control:
    """A command for pgctrl."""

    data: object

    def __str__(self):
        return "pgctrl: " + shown(self.data)

    def play(self, session):
        session.command("pgctrl", as_bytes(self.data))
        session.show_all()


@dataclass(frozen=True)
class Release:
    """A command that ends a run or lets it go, now or a moment later: the texts change meanwhile
    and are not looked at. Without a file it is for the device.
    """

    data: object
    file: str = None

    def __str__(self):
        return "release " + shown(self.data)

    def play(self, session):
        session.command(self.file or session.case.device, as_bytes(self.data))


@dataclass(frozen=True)
class Start:
    """A run from start to end. `frames` are captured; a case that loses its sight of them fails.
    With None it is not known how many.
    """

    frames: int

    def __str__(self):
        return "run"

    def play(self, session):
        session.launch()
        session.join(self.frames)


@dataclass(frozen=True)
class Launch:
    """Starts a run that lasts. Without `look` it is not held, and the texts change meanwhile."""

    look: bool = True

    def __str__(self):
        return "launch"

    def play(self, session):
        session.launch()
        session.wait_running()
        if self.look:
            session.show_all()


@dataclass(frozen=True)
class Join:
    """Waits for the end of such a run."""

    frames: int

    def __str__(self):
        return "join"

    def play(self, session):
        session.join(self.frames)


@dataclass(frozen=True)
class Pause:
    """Lets a run with long delays come to rest. Without `look` it goes on meanwhile."""

    seconds: float
    look: bool = True

    def __str__(self):
        return f"pause of {self.seconds} s"

    def play(self, session):
        time.sleep(self.seconds)
        if self.look:
            session.show(session.case.device)


@dataclass(frozen=True)
class System:
    """Changes the network; undone at the end of the case by the step's own `undo`. A change that
    ends a run does so a moment later: the texts are then not looked at.
    """

    command: str
    undo: str
    ends_run: bool = False

    def __str__(self):
        return self.command

    def play(self, session):
        network.run(self.command)
        session.undo.append(lambda: network.run(self.undo))
        if not self.ends_run:
            session.show_all()


@dataclass(frozen=True)
class Sysctl:
    """Sets a kernel parameter until the end of the case."""

    name: str
    value: object

    def __str__(self):
        return f"{self.name} = {self.value}"

    def play(self, session):
        before = network.sysctl(self.name, self.value)
        session.undo.append(lambda: network.sysctl(self.name, before))
