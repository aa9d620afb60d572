# SPDX-License-Identifier: GPL-2.0
"""What can be done to a file beside a plain write and a plain read: modes of opening, positions,
several segments, pieces, bad memory, and files that are gone.
"""

import ctypes
import fcntl
import mmap
import os
import select
from dataclasses import dataclass

from cases.steps import Control, Start, Thread, Write, case
from tree import outcome

TERMINAL_ATTRIBUTES = 0x5401
FILES = ("v0", "kpktgend_0", "pgctrl")
LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Access:
    """Does something with a file of the tree; what that returns is compared, and the text after
    it. Without a file it is for the device.
    """

    act: object
    file: str = None

    def __str__(self):
        return f"{self.file or 'device'}: {self.act.__name__}"

    def play(self, session):
        name = self.file or session.case.device
        session.note("returns", self.act(os.path.join(session.tree.path, name)))
        session.show(name)


@dataclass(frozen=True)
class Gone:
    """Removes the device while its file is open, in part read or not, and uses it then."""

    read_before: int

    def __str__(self):
        return f"removed after {self.read_before} bytes"

    def play(self, session):
        fd = os.open(os.path.join(session.tree.path, session.case.device), os.O_RDWR)
        try:
            session.note("before", os.read(fd, self.read_before))
            session.command("kpktgend_0", b"rem_device_all")
            session.note("read", outcome(lambda: os.read(fd, 100)))
            session.note("write", outcome(lambda: os.write(fd, b"count 5")))
            session.note("seek", outcome(lambda: os.lseek(fd, 0, os.SEEK_SET)))
            session.note("read from the start", outcome(lambda: os.read(fd, 100)))
            session.note("mode", outcome(lambda: os.fstat(fd).st_mode))
        finally:
            os.close(fd)
        session.show("kpktgend_0")


def opened(flags):
    """Makes a function of a path one of an open file."""

    def wrap(act):
        def wrapped(path):
            try:
                fd = os.open(path, flags)
            except OSError as error:
                return f"open: {os.strerror(error.errno)}"
            try:
                return act(fd)
            finally:
                os.close(fd)

        wrapped.__name__ = act.__name__
        return wrapped

    return wrap


@opened(os.O_WRONLY | os.O_TRUNC | os.O_CREAT)
def truncated(fd):
    return outcome(lambda: os.write(fd, b"count 5\n"))


@opened(os.O_WRONLY | os.O_APPEND)
def appended(fd):
    return outcome(lambda: os.write(fd, b"count 6\n")), outcome(lambda: os.write(fd, b"count 7\n"))


@opened(os.O_WRONLY | os.O_CREAT | os.O_EXCL)
def created(fd):
    return fd > 0


@opened(os.O_RDWR | os.O_NONBLOCK)
def not_blocking(fd):
    return outcome(lambda: os.write(fd, b"count 8")), len(os.read(fd, 5))


@opened(os.O_RDWR)
def at_positions(fd):
    """Writes at positions, and a write in the middle of the file."""
    found = [outcome(lambda at=at: os.pwrite(fd, b"count 9", at)) for at in (0, 3)]
    os.lseek(fd, 50, os.SEEK_SET)
    return *found, outcome(lambda: os.write(fd, b"count 10")), os.read(fd, 20)


@opened(os.O_RDWR)
def written_and_read(fd):
    """A write does not move the position."""
    first = outcome(lambda: os.write(fd, b"count 11"))
    part = os.read(fd, 30)
    return first, part, outcome(lambda: os.write(fd, b"count 12")), os.read(fd, 1 << 16)


@opened(os.O_WRONLY)
def segments(fd):
    """Each segment is a command; the first that fails ends the write."""
    lists = (
        [b"count 13", b"delay 14"],
        [b"count 15\n", b"nonsense", b"count 16"],
        [b"nonsense", b"count 17"],
        [b"", b"count 18"],
        [b"count", b" 19"],
        [b"max_before_softirq", b"max_before_softirq\n"],
        [b"stop", b"stop"],
    )
    return [outcome(lambda parts=parts: os.writev(fd, parts)) for parts in lists]


@opened(os.O_WRONLY)
def split(fd):
    """No state is kept from one write to the next."""
    return [outcome(lambda part=part: os.write(fd, part)) for part in (b"cou", b"nt 5", b"count ", b"7")]


@opened(os.O_RDONLY)
def pieces(fd):
    found = []
    while part := os.read(fd, 7):
        found.append(part)
    return len(found), b"".join(found), os.read(fd, 7)


@opened(os.O_RDONLY)
def positions(fd):
    found = []
    for at, whence in ((10, os.SEEK_SET), (5, os.SEEK_CUR), (0, os.SEEK_END), (-1, os.SEEK_SET), (9999, os.SEEK_SET)):
        found.append(outcome(lambda at=at, whence=whence: os.lseek(fd, at, whence)))
        found.append(os.read(fd, 9))
    return *found, os.pread(fd, 9, 4), os.pread(fd, 9, 0)


@opened(os.O_RDONLY)
def polled(fd):
    poller = select.poll()
    poller.register(fd, select.POLLIN | select.POLLOUT | select.POLLPRI)
    return [events for _, events in poller.poll(0)]


@opened(os.O_RDWR)
def mapped(fd):
    address = LIBC.mmap(None, ctypes.c_size_t(10), mmap.PROT_READ, mmap.MAP_PRIVATE, fd, ctypes.c_long(0))
    return address, os.strerror(ctypes.get_errno())


@opened(os.O_RDWR)
def controlled(fd):
    return outcome(lambda: fcntl.ioctl(fd, TERMINAL_ATTRIBUTES, b" " * 100))


@opened(os.O_RDWR)
def bad_memory(fd):
    """Pointers to where nothing is."""
    found = []
    for call in (LIBC.write, LIBC.read):
        for address, count in ((0, 7), (4096, 7), (4096, 0), (4096, 70000)):
            returned = call(fd, ctypes.c_void_p(address), ctypes.c_size_t(count))
            found.append((returned, os.strerror(ctypes.get_errno()) if returned < 0 else ""))
    return found


@opened(os.O_RDWR)
def cut_memory(fd):
    """A command that ends where the memory does."""
    size = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * size)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    memory[size - 8 : size] = b"count 20"
    return outcome(lambda: os.write(fd, memoryview(memory)[size - 8 : size])), address > 0


def status(path):
    found = os.stat(path)
    return oct(found.st_mode), found.st_uid, found.st_gid, found.st_size, found.st_nlink


def removed(path):
    return outcome(lambda: os.unlink(path))


def renamed(path):
    return outcome(lambda: os.rename(path, path + "x"))


ANYTHING = (
    truncated, appended, created, not_blocking, at_positions, written_and_read, segments, split, pieces, positions,
    polled, mapped, controlled, bad_memory, cut_memory, status, removed, renamed,
)  # fmt: skip


@dataclass(frozen=True)
class Directory:
    """What is in the tree."""

    def __str__(self):
        return "directory"

    def play(self, session):
        found = [(entry.name, entry.is_file()) for entry in os.scandir(session.tree.path)]
        session.note("entries", sorted(found))
        session.note("mode", oct(os.stat(session.tree.path).st_mode))


CASES = (
    case("of a device", *map(Access, ANYTHING)),
    case("of a thread", *(Access(act, file="kpktgend_0") for act in ANYTHING), bare=True),
    case("of pgctrl", *(Access(act, file="pgctrl") for act in ANYTHING), bare=True),
    case("of none", *(Access(act, file="none") for act in (truncated, created)), bare=True),
    case("removed and not read", Gone(0)),
    case("removed and half read", Gone(60)),
    case("removed and read", Gone(4096)),
    case(
        "the directory",
        Directory(), Thread("add_device d0@1"), Directory(), Thread("add_device none"), Directory(),
        Thread("rem_device_all"), Directory(),
    ),
    case("status after a run", "count 1", Start(1), *(Access(status, file=file) for file in FILES)),
    case(
        "reading changes nothing",
        "count 5", Access(pieces), Access(positions), Access(pieces, file="kpktgend_0"), "tos zz", Access(pieces),
        Write("clear_counters"), Control("stop"), Access(pieces),
    ),
)  # fmt: skip
