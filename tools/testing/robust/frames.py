#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# frames.py DEVICE COUNT SIZE HEADERS: takes the next COUNT frames that come in on
# DEVICE and accounts for each byte: HEADERS are the bytes in front of the payload, which
# begins with 16 bytes of pktgen's own; all behind them is zeros. Prints how many there
# were and the first thing that is wrong. The file "listening" appears when it listens.

import socket
import struct
import sys

MAGIC = 0xBE9BE955
SO_RCVBUFFORCE = 33
SOL_PACKET, PACKET_AUXDATA = 263, 8
TP_STATUS_VLAN_VALID = 1 << 4


def whole(frame, ancillary):
    """The frame as it was sent: the receive path keeps the outer tag beside it."""
    for level, kind, data in ancillary:
        if (level, kind) == (SOL_PACKET, PACKET_AUXDATA):
            status, _, _, _, _, tci, tpid = struct.unpack("IIIHHHH", data)
            if status & TP_STATUS_VLAN_VALID:
                return frame[:12] + struct.pack("!HH", tpid, tci) + frame[12:]
    return frame


def wrong(frame, size, headers, number):
    """What is wrong with a frame, or nothing."""
    if len(frame) != size:
        return f"{len(frame)} bytes long, not {size}"
    if size < headers + 16:
        return "no room for a payload"
    magic, sequence, _, usec = struct.unpack("!IIII", frame[headers:headers + 16])
    if magic != MAGIC or usec >= 1000000:
        return f"payload begins with {frame[headers:headers + 16].hex()}"
    if sequence != number:
        return f"sequence number {sequence}, not {number}"
    rest = frame[headers + 16:]
    if rest.count(0) != len(rest):
        at = next(i for i, byte in enumerate(rest) if byte)
        return f"byte {headers + 16 + at} of {size} is {rest[at]:#04x}"
    # Ethernet, IPv4 and UDP: every field is known but the addresses.
    if headers == 42:
        # EtherType, version and TOS, length, flags and offset, TTL and protocol.
        known = b"\x08\x00\x45\x00" + struct.pack("!H", size - 14), b"\x00\x00\x20\x11"
        if (frame[12:18], frame[20:24]) != known:
            return f"headers {frame[:42].hex()}"
        if struct.unpack("!HHHH", frame[34:42]) != (9, 9, size - 34, 0):
            return f"UDP header {frame[34:42].hex()}"
    return None


def main():
    device, count, size, headers = sys.argv[1], *map(int, sys.argv[2:])
    capture = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    capture.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
    capture.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    capture.bind((device, 0))
    capture.settimeout(5)
    with open("listening", "w", encoding="ascii"):
        pass
    seen, complaint = 0, ""
    try:
        while seen < count:
            frame, ancillary, _, address = capture.recvmsg(70000, 64)
            if address[2] == socket.PACKET_OUTGOING:
                continue
            seen += 1
            complaint = complaint or wrong(whole(frame, ancillary), size, headers, seen)
    except socket.timeout:
        complaint = complaint or "no more came"
    print(seen, complaint or "right")


main()
