#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# fields.py DEVICE FIELD COUNT: the values of a field in the next COUNT frames that come
# in on DEVICE; one "NUMBER VALUE" a line, by value. FIELD is size, smac or dmac (the last
# byte), vlan (the id), label (of the first MPLS entry), or src, dst, sport, dport of an
# untagged IPv4 frame. The file "listening" appears when it listens.

import collections
import socket
import struct
import sys

SO_RCVBUFFORCE = 33
SOL_PACKET, PACKET_AUXDATA = 263, 8


def number(frame, first, length):
    return int.from_bytes(frame[first:first + length], "big")


FIELDS = {
    "size": len,
    "dmac": lambda frame: frame[5],
    "smac": lambda frame: frame[11],
    "label": lambda frame: number(frame, 14, 3) >> 4,
    "src": lambda frame: number(frame, 26, 4),
    "dst": lambda frame: number(frame, 30, 4),
    "sport": lambda frame: number(frame, 34, 2),
    "dport": lambda frame: number(frame, 36, 2),
}


def vlan(ancillary):
    """The receive path keeps the tag beside the frame."""
    for level, kind, data in ancillary:
        if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
            return struct.unpack("IIIHHHH", data)[5] & 0xFFF
    sys.exit("fields.py: no auxiliary data")


def main():
    device, field, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    capture = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    capture.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 << 20)
    capture.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    capture.bind((device, 0))
    capture.settimeout(10)
    with open("listening", "w", encoding="ascii"):
        pass
    seen = collections.Counter()
    try:
        for _ in range(count):
            frame, ancillary, _, _ = capture.recvmsg(2048, 64)
            seen[vlan(ancillary) if field == "vlan" else FIELDS[field](frame)] += 1
    except socket.timeout:
        sys.exit(f"fields.py: {sum(seen.values())} frames instead of {count}")
    for value, times in sorted(seen.items()):
        print(times, value)


main()
