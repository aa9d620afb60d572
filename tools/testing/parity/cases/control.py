# SPDX-License-Identifier: GPL-2.0
"""pgctrl, the threads' files, and the devices on them."""

from cases.steps import Control, Start, System, Thread, Write, case

PGCTRL = (
    "", "\n", " ", "\0", "start ", " start", "start\n\n", "start\r\n", "start=", "Start", "STOP",
    "star", "startx", "stop\n", "stop\0", "stop\0x", "stop\0\n", "stop\nx", "reset\n", "reset\0",
    "reset", "stop", "stopreset", "\xff", "x" * 126, "x" * 127, "x" * 128, "x" * 5000, "1234",
    "stop" + "\0" * 122 + "\n", "stop" + "\n" * 123, "stop" + "\0" * 200,
)  # fmt: skip

THREAD = (
    "", " ", "\n", "\0", "add_devic", "add_devicex v0", "ADD_DEVICE v0", "rem_device_al",
    "forsureawrongcommand", "x" * 38, "x" * 39, "x" * 40, "\xff", "max_before_softirq",
    "max_before_softirq 10000", "max_before_softirq\0", "max_before_softirq=7\n", "max_before_softir",
    "rem_device_all", "rem_device_all now", "rem_device_all\0", "=rem_device_all=", "\0rem_device_all",
)  # fmt: skip

NAMES = (
    "v0", "v0@0", "v0@1", "v0@0", "v0@", "v0@x@y", "d0", "lo@lo", "none", "none@0", "", "@", "@v0",
    "v0 more", "v0\0x", "\"d0@1\"", "v0@" + "1" * 27, "v0@" + "1" * 28, "v0@" + "1" * 29,
    "v0@" + "2" * 60, "abcdefghijklmnopqrstuvwxyz", "V0", "v0@\xff", "v0@%s%n", "lo\n", "v0@1=2",
)  # fmt: skip


def alternative_name(name):
    command = "ip link property {} dev v0 altname " + name
    return System(command.format("add"), command.format("del"))


CASES = (
    case("pgctrl texts", *map(Control, PGCTRL)),
    case("thread texts", *map(Thread, THREAD), bare=True),
    case("names", *(Thread(f"add_device {name}") for name in NAMES), Thread("rem_device_all"), bare=True),
    case(
        "ways to write add_device",
        *(
            Thread(text)
            for text in (
                "add_device v0",
                "add_device=v0@1",
                "add_device = v0@2\n",
                '"add_device" "v0@3"',
                "\n\tadd_device\r\n v0@4",
                "add_device v0@5\0",
                "add_device\0x v0@6",
                "add_device v0@7\nadd_device v0@8",
                "add_device",
                "add_device\n",
                "add_device ",
            )
        ),
        bare=True,
    ),
    case(
        "names that are taken by the tree",
        *(Thread(f"add_device {name}") for name in ("pgctrl", "kpktgend_0", ".", "..")),
        bare=True,
    ),
    case(
        "a device that is down",
        System("ip link set d0 down", "ip link set d0 up"),
        Thread("add_device d0"),
        Thread("add_device d0@1"),
        Control("start"),
        bare=True,
    ),
    case(
        "an alternative name",
        alternative_name("another-name-of-v0"),
        alternative_name("short-name"),
        Thread("add_device short-name"), Thread("add_device another-name"),
        Thread("add_device another-name-of-v0"),
        bare=True,
    ),
    case(
        "the newest device comes first",
        Thread("add_device v0@1"),
        Thread("add_device d0@1"),
        Thread("add_device lo@1"),
        Write("count 2", file="v0@1"),
        Write("count 3", file="d0@1"),
        Write("count 4", file="lo@1"),
        Write("count 0", file="none"),
        Control("reset"),
        bare=True,
    ),
    case(
        "removed devices begin anew",
        Thread("add_device v0@1"),
        Write("count 7", file="v0@1"),
        Write("pkt_size 99", file="v0@1"),
        Thread("rem_device_all"),
        Write("count 8", file="v0@1"),
        Thread("add_device v0@1"),
        Write("clear_counters", file="v0@1"),
        Control("reset"),
        Control("reset"),
        Thread("rem_device_all"),
        bare=True,
    ),
    case("start without devices", Control("start"), Control("stop"), bare=True),
    case(
        "ways to write start",
        *map(Control, ("start\n", "start\0", "start\0x", "start\0\n", "start" + "\0" * 200, "start\0" + "x" * 5000)),
        bare=True,
    ),
    case("stop of a device that does not run", Control("stop"), "count 1", Control("stop\n")),
    case(
        "two devices of a thread run",
        Thread("add_device v0@2"),
        Write("count 3", file="v0@2"),
        Write("udp_dst_min 80", file="v0@2"),
        "count 2",
        Start(5),
        Write("clear_counters", file="v0@2"),
        stream="udp.dst",
    ),
)
