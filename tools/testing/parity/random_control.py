# SPDX-License-Identifier: GPL-2.0
"""Random writes to the files of threads and to pgctrl: devices of random names come and go.
Runs are not started.
"""

import random_writes
from purpose import SEPARATORS, token

LENGTH = 12
FILES = ("kpktgend_0", "kpktgend_0", "kpktgend_1", "pgctrl")
NETDEVS = ("v0", "d0", "lo", "v1")
NAMES = NETDEVS + ("V0", "none", "v", "v00", "", "@", "pgctrl", "kpktgend_0", ".", "..", "a/b", "/", "../v0", "x/v0")
SUFFIXES = ("", "", "@0", "@1", "@0", "@", "@@", "@0@1", "@lo", "@pgctrl", "@.", "@%n", "@\xff", "@" + "1" * 27)
SUFFIX_BYTES = "0123456789abcxyz@.-_:%!\xff\x7f"
REMOVALS = ("rem_device_all", "rem_device_all now", "=rem_device_all=\n", "\nrem_device_all\0")
OTHERS = (
    "max_before_softirq", "max_before_softirq 7", "max_before_softir", "rem_device_al", "add_devic", "add_devicex",
    "add_device\0x v0", "", " ", "\n", "\0", "start", "reset", "stop", "x" * 39, "x" * 40, "\xff",
)  # fmt: skip
CONTROL = ("stop", "stop\n", "stop\0x", "stopp", " stop", "stop ", "reset ", "Reset", "", "\n", "x" * 127, "x" * 128)
RESET = ("reset", "reset\n", "reset\0", "reset\0\n")


def sequence(draw):
    """Files and what is written to each."""
    made = []
    while len(made) < LENGTH:
        file, data = step(draw)
        if not (file.startswith("kpktgend_") and warns(data)) and not (file == "pgctrl" and starts(data)):
            made.append((file, data))
    return made


def step(draw):
    kind = draw.random()
    if kind < 0.05:
        # The file may be there or not.
        return draw.choice(NETDEVS) + draw.choice(("", "@0", "@1")), b"count 5"
    file = draw.choice(FILES)
    if file == "pgctrl":
        text = draw.choice(RESET if kind < 0.3 else CONTROL)
    elif kind < 0.15:
        text = draw.choice(REMOVALS)
    elif kind < 0.35:
        text = draw.choice(OTHERS)
    else:
        text = "add_device" + draw.choice(random_writes.SEPARATORS) + name(draw) + draw.choice(random_writes.ENDS)
    return file, random_writes.spoilt(draw, text.encode("latin-1"))


def name(draw):
    if draw.random() < 0.7:
        return draw.choice(NAMES) + draw.choice(SUFFIXES)
    suffix = "".join(draw.choice(SUFFIX_BYTES) for _ in range(draw.randrange(40)))
    return draw.choice(NETDEVS) + "@" + suffix


def starts(data):
    """Whether a write to pgctrl starts all devices."""
    return data[:127].removesuffix(b"\n").split(b"\0")[0] == b"start"


def warns(data):
    """Whether the C module asks for a file with a slash in its name, which the kernel's own
    warning tells of. rpktgen refuses it, as the suite of the threads tries.
    """
    command, rest = token(data.lstrip(SEPARATORS), 39)
    if command != b"add_device":
        return False
    device, _ = token(rest.lstrip(SEPARATORS), 31)
    return b"/" in device and device.split(b"@")[0] in [one.encode() for one in NETDEVS]
