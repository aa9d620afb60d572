# SPDX-License-Identifier: GPL-2.0
"""Starts a run and keeps the frames that arrive, as pcapng."""

import os
import select
import socket
import struct
import sys

import capture

CONTROL = "/proc/net/pktgen/pgctrl"
PACKET_STATISTICS = 6
PACKET_IGNORE_OUTGOING = 23


def block(kind, body):
    """A block of the pcapng format."""
    body += b"\0" * (-len(body) % 4)
    length = 12 + len(body)
    return struct.pack("=II", kind, length) + body + struct.pack("=I", length)


def option(code, value):
    return struct.pack("=HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


def section(name):
    """The head of a pcapng file with one Ethernet interface and nanoseconds."""
    options = option(2, name.encode()) + option(9, b"\x09") + option(0, b"")
    return block(0x0A0D0D0A, struct.pack("=IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(
        1, struct.pack("=HHI", 1, 0, 0) + options
    )


def packet(frame):
    high, low = divmod(frame.seen_ns, 1 << 32)
    length = len(frame.data)
    return block(6, struct.pack("=IIIII", 0, high, low, length, length) + frame.data)


def open_tap(device):
    """A socket that gets what comes in at a device, and holds a whole run."""
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 0)
    sock.setsockopt(socket.SOL_SOCKET, capture.SO_RCVBUFFORCE, 128 << 20)
    sock.setsockopt(capture.SOL_PACKET, capture.PACKET_AUXDATA, 1)
    sock.setsockopt(capture.SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    sock.setsockopt(socket.SOL_SOCKET, capture.SO_TIMESTAMPNS, 1)
    sock.bind((device, capture.ETH_P_ALL))
    return sock


def frames_of(tap):
    """What came in during a run that has ended: nothing is longer on its way than a softirq takes."""
    frames = []
    while select.select([tap], [], [], 0.05)[0]:
        frames.append(capture.receive(tap, 0))
    _, lost = struct.unpack("=II", tap.getsockopt(capture.SOL_PACKET, PACKET_STATISTICS, 8))
    if lost:
        raise RuntimeError(f"the capture lost {lost} frames")
    return frames


def one_run(path, taps):
    """Starts what is configured, and writes what comes in at the last of the taps. Returns for
    each how many frames came in whose checksum was still to be completed.
    """
    with open(CONTROL, "wb", buffering=0) as control:
        control.write(b"start")
    seen = [frames_of(tap) for tap in taps]
    name = os.path.basename(path).removesuffix(".pcapng")
    with open(path, "wb") as file:
        file.write(section(name))
        file.writelines(packet(frame) for frame in seen[-1])
    return [sum(frame.partial for frame in frames) for frames in seen]


def record(*devices):
    """Serves many runs, as opening and closing packet sockets takes the kernel a while: reads
    lines of a file and of the devices to look at, and answers each with a line.
    """
    taps = {device: open_tap(device) for device in devices}
    for line in sys.stdin:
        path, *names = line.split()
        try:
            print(*one_run(path, [taps[name] for name in names]), flush=True)
        except (OSError, RuntimeError) as error:
            print(f"{path}: {error}", flush=True)
