# SPDX-License-Identifier: GPL-2.0
"""The files of one generator: of the C module or of rpktgen."""

import errno
import os
import re
import time

STARTED = re.compile(r"^     started: (\d+)us", re.MULTILINE)
IDLE = "Running: \n"
EMPTY = IDLE + "Stopped: \n"


def outcome(call):
    """What a call returns as text, or the name of its errno."""
    try:
        return str(call())
    except OSError as error:
        return errno.errorcode[error.errno]


class Tree:
    """A generator's directory below /proc/net."""

    def __init__(self, directory, label):
        self.path = os.path.join("/proc/net", directory)
        self.label = label
        # Summaries say how the run ended.
        self.says_ends = label == "rpktgen"

    def write(self, name, data):
        """One write(2). Returns its outcome: the count, or the name of the errno."""
        try:
            fd = os.open(os.path.join(self.path, name), os.O_WRONLY)
        except OSError as error:
            return "open: " + errno.errorcode[error.errno]
        try:
            return outcome(lambda: os.write(fd, data))
        finally:
            os.close(fd)

    def read(self, name):
        """The whole text. Latin-1 maps every byte to one character and back."""
        try:
            with open(os.path.join(self.path, name), "rb") as file:
                return file.read().decode("latin-1")
        except OSError as error:
            return "open: " + errno.errorcode[error.errno]

    def threads(self):
        return sorted(name for name in os.listdir(self.path) if name.startswith("kpktgend_"))

    def starts(self):
        """When each device was started last, with its name."""
        found = []
        for name in sorted(os.listdir(self.path)):
            started = STARTED.search(self.read(name))
            if started:
                found.append((name, started[1]))
        return found

    def wait_until(self, name, condition, seconds=5.0):
        """Reads a file until its text is as wanted; the last text, wanted or not."""
        end = time.monotonic() + seconds
        while True:
            text = self.read(name)
            if condition(text) or time.monotonic() > end:
                return text
            time.sleep(0.002)

    def wait_idle(self, seconds=5.0):
        """Waits until no device runs: the C module's start may return before. False if one does."""
        idle = [self.wait_until(name, lambda text: text.startswith(IDLE), seconds) for name in self.threads()]
        return all(text.startswith(IDLE) for text in idle)

    def is_empty(self, names=None, seconds=0.0):
        """Whether no thread, or none of those named, has a device, after a while at the latest."""
        texts = [self.wait_until(name, lambda text: text.startswith(EMPTY), seconds) for name in names or self.threads()]
        return all(text.startswith(EMPTY) for text in texts)

    def settle(self, file, data):
        """Waits for what a removal removes. The C module returns before it has removed anything,
        now and then, and forgets what it is asked for while it is not quite done: it is then asked
        again.
        """
        names = None if file == "pgctrl" else [file]
        for _ in range(5):
            if self.is_empty(names, 1):
                time.sleep(0.005)
                return
            self.write(file, data)
        raise RuntimeError(f"{self.path}: devices are left after {data!r}")

    def clean(self):
        """No run and no device is left. Nothing is asked for without need: the C module may heed
        it late, when there are other devices.
        """
        if not self.is_empty():
            self.mark(self.threads())
            for command in (b"stop", b"reset"):
                outcome = self.write("pgctrl", command)
                if outcome != str(len(command)):
                    raise RuntimeError(f"{self.path}: cannot {command.decode()}: {outcome}")
            self.settle("pgctrl", b"reset")

    def forget(self):
        """Results of threads are the same, whatever was before."""
        for name in self.threads():
            self.write(name, b"max_before_softirq")

    def mark(self, threads):
        """Gives threads a device each. When it is gone, the C module has heeded a removal, late
        as it may.
        """
        for number, name in enumerate(threads):
            self.write(name, f"add_device lo@marker{number}".encode())
