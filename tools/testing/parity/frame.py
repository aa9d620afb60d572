# SPDX-License-Identifier: GPL-2.0
"""Takes a captured frame apart: every byte of it belongs to exactly one field, so that equal
fields are equal frames.

Time stamps become "now" if they are from the time of the run. Checksums are verified: a right
one that covers masked bytes can then be masked as well.
"""

import socket
import struct

VLAN, MPLS, IPV4, IPV6 = 0x8100, 0x8847, 0x0800, 0x86DD
UDP = 17


def ones_sum(data):
    """The 16-bit one's complement sum."""
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def mac(data):
    return data.hex(":")


class Reader:
    """Hands out a frame's bytes, each once."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, count):
        part = self.data[self.at : self.at + count]
        if len(part) < count:
            raise ValueError("the frame ends early")
        self.at += count
        return part

    def peek(self):
        return self.data[self.at] if self.at < len(self.data) else 0

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def rest(self):
        return self.take(len(self.data) - self.at)


def fields(frame, earliest_ns, latest_ns):
    """The fields of a captured frame in the order of the bytes, and what is known beside them."""
    found = {
        "device": frame.device,
        "kind": frame.kind,
        "protocol": f"{frame.protocol:#06x}",
        "queue": frame.queue,
        "priority": frame.priority,
        "length": len(frame.data),
    }
    reader = Reader(frame.data)
    try:
        ethernet(reader, found, frame.partial, earliest_ns, latest_ns)
    except ValueError as error:
        found["broken"] = f"{error}: {frame.data.hex()}"
    return found


def ethernet(reader, found, partial, earliest_ns, latest_ns):
    found["eth.dst"] = mac(reader.take(6))
    found["eth.src"] = mac(reader.take(6))
    kind = reader.number(2)
    found["eth.type"] = f"{kind:#06x}"
    tags = []
    while kind == VLAN:
        tags.append(reader.number(2))
        kind = reader.number(2)
    for name, tag in zip(("vlan", "svlan", "third tag"), reversed(tags)):
        found[name] = tag
    if tags:
        found["tagged type"] = f"{kind:#06x}"
    if kind == MPLS:
        kind = labels(reader, found)
    if kind == IPV4:
        pseudo = ipv4(reader, found)
    elif kind == IPV6:
        pseudo = ipv6(reader, found)
    else:
        raise ValueError("not IP")
    udp(reader, found, pseudo, partial)
    payload(reader, found, earliest_ns, latest_ns)


def labels(reader, found):
    words = []
    while not words or not words[-1] & 0x100:
        words.append(reader.number(4))
    found["mpls"] = " ".join(f"{word:08x}" for word in words)
    return IPV4 if reader.peek() >> 4 == 4 else IPV6


def ipv4(reader, found):
    header = reader.data[reader.at : reader.at + 20]
    found["ip.version"] = reader.number(1)
    found["ip.tos"] = f"{reader.number(1):#04x}"
    found["ip.length"] = reader.number(2)
    found["ip.id"] = reader.number(2)
    found["ip.fragment"] = f"{reader.number(2):#06x}"
    found["ip.ttl"] = reader.number(1)
    found["ip.protocol"] = reader.number(1)
    found["ip.csum"] = f"{reader.number(2):#06x}"
    found["ip.csum is"] = "right" if ones_sum(header) == 0xFFFF else "wrong"
    found["ip.src"] = socket.inet_ntoa(reader.take(4))
    found["ip.dst"] = socket.inet_ntoa(reader.take(4))
    return header[12:20]


def ipv6(reader, found):
    found["ip.flow"] = f"{reader.number(4):#010x}"
    found["ip.length"] = reader.number(2)
    found["ip.protocol"] = reader.number(1)
    found["ip.ttl"] = reader.number(1)
    source, destination = reader.take(16), reader.take(16)
    found["ip.src"] = socket.inet_ntop(socket.AF_INET6, source)
    found["ip.dst"] = socket.inet_ntop(socket.AF_INET6, destination)
    return source + destination


def udp(reader, found, pseudo, partial):
    datagram = reader.data[reader.at :]
    found["udp.src"] = reader.number(2)
    found["udp.dst"] = reader.number(2)
    length = reader.number(2)
    found["udp.length"] = length
    checksum = reader.number(2)
    found["udp.csum"] = f"{checksum:#06x}"
    pseudo += struct.pack("!II", length, UDP)
    if partial:
        # Only the pseudo header is in the sum; the device adds the rest.
        found["udp.csum is"] = "partial" if checksum == ones_sum(pseudo) else "partial, wrong"
    elif checksum == 0:
        found["udp.csum is"] = "none"
    else:
        found["udp.csum is"] = "right" if ones_sum(pseudo + datagram) == 0xFFFF else "wrong"


def payload(reader, found, earliest_ns, latest_ns):
    found["pktgen.magic"] = f"{reader.number(4):#010x}"
    found["pktgen.seq_num"] = reader.number(4)
    seconds, microseconds = reader.number(4), reader.number(4)
    found["pktgen.time"] = time_of_day(seconds, microseconds, earliest_ns, latest_ns)
    rest = reader.rest()
    found["data"] = rest.hex() if any(rest) else f"{len(rest)} zeros"


def time_of_day(seconds, microseconds, earliest_ns, latest_ns):
    if (seconds, microseconds) == (0, 0):
        return "none"
    time_us = seconds * 1_000_000 + microseconds
    if microseconds < 1_000_000 and earliest_ns // 1000 <= time_us <= latest_ns // 1000:
        return "now"
    return f"{seconds}.{microseconds:06}, not in {earliest_ns}..{latest_ns} ns"


# Fields that change with a random one.
DEPENDENT = {
    "length": ("ip.length", "udp.length", "data"),
    "ip.src": (),
    "ip.dst": (),
    "udp.src": (),
    "udp.dst": (),
    "queue": (),
    "eth.src": (),
    "eth.dst": (),
    "vlan": (),
    "svlan": (),
    "mpls": (),
}


def mask(found, random):
    """Replaces random fields that are in their range, and what depends on them, if it is right."""
    masked = dict(found)
    for name, draw in random.items():
        if name in DEPENDENT and draw.holds(found.get(name)):
            masked[name] = "random"
            for dependent in DEPENDENT[name]:
                masked[dependent] = "random"
    if random and found.get("ip.csum is") == "right":
        masked["ip.csum"] = "right"
    # The time is in the sum over the whole datagram, but not in that over the pseudo header.
    timed = found.get("pktgen.time") == "now"
    kind = found.get("udp.csum is")
    if kind == "right" and (random or timed) or kind == "partial" and random:
        masked["udp.csum"] = kind
    if "length" in random and "data" in found:
        masked["data"] = "zeros" if found["data"].endswith("zeros") else found["data"]
        # The three lengths must agree with each other.
        overhead = found["length"] - found["ip.length"], found["ip.length"] - found["udp.length"]
        masked["ip.length"] = f"length - {overhead[0]}"
        masked["udp.length"] = f"ip.length - {overhead[1]}"
    return masked
