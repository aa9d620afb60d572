# SPDX-License-Identifier: GPL-2.0
"""What arrives at the packet sockets of a namespace, with what the kernel knows of each frame.

There is a socket for each queue, in a fanout group by queue mapping, so that the queue of a
frame is known; time stamps put the frames of all sockets in order.
"""

import os
import select
import socket
import struct
from dataclasses import dataclass

ETH_P_ALL = 3
SOL_PACKET = 263
PACKET_AUXDATA = 8
PACKET_FANOUT = 18
PACKET_FANOUT_QM = 5
SO_TIMESTAMPNS = 35
SO_RCVPRIORITY = 82
SO_PRIORITY = 12
SO_RCVBUFFORCE = 33

STATUS_CSUM_NOT_READY = 1 << 3
STATUS_VLAN_VALID = 1 << 4
# struct tpacket_auxdata
AUXDATA = struct.Struct("=IIIHHHH")
TIMESPEC = struct.Struct("=qq")

LARGEST = 1 << 17
KINDS = {0: "host", 1: "broadcast", 2: "multicast", 3: "other host", 4: "outgoing"}


@dataclass(frozen=True)
class Frame:
    """A frame and where it was seen."""

    device: str
    kind: str
    protocol: int
    queue: int
    priority: int
    # The device was asked to complete the checksum.
    partial: bool
    data: bytes
    seen_ns: int


class Capture:
    """Sees every frame from its making on. Closing a packet socket takes the kernel a while, so
    one capture serves many runs.
    """

    def __init__(self, queues):
        self.sockets = []
        # Packets and bytes of each device in the last frames() that were the kernel's own.
        self.chatter = {}
        for _ in range(queues):
            # Of every device: a fanout group wants sockets that are bound alike.
            kind = socket.SOCK_RAW | socket.SOCK_NONBLOCK
            sock = socket.socket(socket.AF_PACKET, kind, socket.htons(ETH_P_ALL))
            self.sockets.append(sock)
            sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
            sock.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
            sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
            sock.setsockopt(socket.SOL_SOCKET, SO_RCVPRIORITY, 1)
            group = (os.getpid() & 0xFFFF) | PACKET_FANOUT_QM << 16
            sock.setsockopt(SOL_PACKET, PACKET_FANOUT, group)

    def frames(self, quiet=0.02):
        """What came since the last call, the earliest first, once none came for `quiet` seconds."""
        found = []
        self.chatter = {}
        poller = select.poll()
        queues = {}
        for queue, sock in enumerate(self.sockets):
            queues[sock.fileno()] = queue
            poller.register(sock, select.POLLIN)
        while ready := poller.poll(quiet * 1000):
            for fd, _ in ready:
                queue = queues[fd]
                frame = receive(self.sockets[queue], queue)
                if not is_chatter(frame.data):
                    found.append(frame)
                elif frame.kind == "outgoing":
                    packets, length = self.chatter.get(frame.device, (0, 0))
                    self.chatter[frame.device] = packets + 1, length + len(frame.data)
        return sorted(found, key=lambda frame: frame.seen_ns)


def is_chatter(data):
    """What the kernel sends by itself from a device with IPv6: ICMPv6, perhaps behind
    hop-by-hop options. Generated packets are UDP.
    """
    return data[12:14] == b"\x86\xdd" and data[20:21] in (b"\x3a", b"\x00")


def receive(sock, queue):
    """One frame, with a VLAN tag that the kernel took off put back."""
    data, messages, flags, address = sock.recvmsg(LARGEST, 512)
    if flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
        raise RuntimeError("a frame was cut off by the capture")
    priority = status = tci = tpid = seen_ns = 0
    for level, kind, payload in messages:
        if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
            status, _, _, _, _, tci, tpid = AUXDATA.unpack(payload)
        elif (level, kind) == (socket.SOL_SOCKET, SO_PRIORITY):
            (priority,) = struct.unpack("=I", payload)
        elif (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            seconds, nanoseconds = TIMESPEC.unpack(payload)
            seen_ns = seconds * 1_000_000_000 + nanoseconds
    if status & STATUS_VLAN_VALID:
        data = data[:12] + struct.pack("!HH", tpid, tci) + data[12:]
    name, protocol, packet_type = address[:3]
    return Frame(
        device=name,
        kind=KINDS.get(packet_type, str(packet_type)),
        protocol=protocol,
        queue=queue,
        priority=priority,
        partial=bool(status & STATUS_CSUM_NOT_READY),
        data=data,
        seen_ns=seen_ns,
    )
