#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the IPsec suite needs beside a shell: sockets of the receiver, a capture, and a look at
frames that trusts no kernel.

    ipsec.py listen ADDRESS...    count datagrams until asked, see `heard`
    ipsec.py heard                ask the listener of this namespace to end
    ipsec.py encapsulate          take ESP in UDP for the kernel, until killed
    ipsec.py capture COUNT        the next frames of v1, one in hex a line
    ipsec.py inspect L2-LENGTH    take frames from standard input apart
    ipsec.py algorithm TYPE NAME  make the kernel instantiate aead or hash NAME

Those that wait create the file "ready" first.
"""

import errno
import hashlib
import hmac
import select
import socket
import struct
import sys
import time

PORT = 9
CONTROL = ("127.0.0.1", 10)
MAGIC = bytes.fromhex("be9be955")
LARGEST = 1 << 16
SO_RCVBUFFORCE = 33


def ready():
    with open("ready", "w", encoding="ascii"):
        pass


def udp_socket(address):
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
    sock.bind(address)
    return sock


def listen(*addresses):
    """Prints how many datagrams of which lengths came, and whether they are the generator's, in
    its order and without a gap.
    """
    control = udp_socket(CONTROL)
    sockets = {sock.fileno(): sock for sock in (udp_socket((a, PORT)) for a in addresses)}
    poller = select.poll()
    for fd in (control.fileno(), *sockets):
        poller.register(fd, select.POLLIN)
    seen = []
    ready()
    asked = False
    # What was on its way when asked arrives, too.
    while (events := poller.poll(100)) or not asked:
        for fd, _ in events:
            if fd == control.fileno():
                control.recv(1)
                asked = True
            else:
                seen.append(sockets[fd].recv(LARGEST))
    lengths = sorted({len(data) for data in seen})
    numbers = [int.from_bytes(data[4:8], "big") for data in seen]
    right = all(data[:4] == MAGIC and not any(data[16:]) for data in seen)
    # The sockets are read in no particular order.
    if len(addresses) != 1:
        numbers.sort()
    right = right and all(b == a + 1 for a, b in zip(numbers, numbers[1:]))
    print(len(seen), "of", *lengths, "right" if right else "wrong")


def heard():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", CONTROL)


def encapsulate():
    udp_encap, udp_encap_espinudp = 100, 2
    sock = udp_socket(("0.0.0.0", 4500))
    sock.setsockopt(socket.IPPROTO_UDP, udp_encap, udp_encap_espinudp)
    ready()
    time.sleep(600)


def capture(count):
    eth_p_all = 3
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(eth_p_all))
    sock.bind(("v1", eth_p_all))
    ready()
    for _ in range(int(count)):
        print(sock.recv(LARGEST).hex())


def algorithm(kind, name):
    """By netlink: the kernel has no other way to ask for cryptd."""
    netlink_crypto, newalg = 21, 0x10
    request_ack = 5
    kinds = {"aead": (0x3, 0xF), "hash": (0xE, 0xE)}
    body = struct.pack("64s64s64s4I", name.encode(), name.encode(), b"", *kinds[kind], 0, 0)
    header = struct.pack("IHHII", 16 + len(body), newalg, request_ack, 1, 0)
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, netlink_crypto)
    error = errno.EAGAIN
    # It is made while one waits, and the next one to ask is told that it is there.
    for _ in range(20):
        sock.send(header + body)
        error = -struct.unpack_from("i", sock.recv(LARGEST), 16)[0]
        if error != errno.EAGAIN:
            break
        time.sleep(0.1)
    if error not in (0, errno.EEXIST):
        raise OSError(error, f"the kernel makes no {name}")


class Packets:
    """Takes packets apart as RFC 4302 and RFC 4303 have them: AH, or ESP without encryption,
    with HMAC-SHA1-96 and the key 00 01 02... Every length, checksum and ICV must be right.
    """

    ICV = 12
    KEY = bytes(range(20))

    def __init__(self):
        self.numbers = []

    def frame(self, data, l2_len):
        print("link", data[:l2_len].hex())
        self.ipv4(data[l2_len:])

    def ipv4(self, data):
        head, rest = data[:20], data[20:]
        check(head[0] == 0x45, "IPv4 header", head)
        check(ones_sum(head) == 0xFFFF, "IPv4 checksum", head)
        check(number(head[2:4]) == len(data), "IPv4 total length", head)
        # Without length, protocol and checksum, which are checked and follow.
        print("ipv4", head[1:2].hex(), head[4:9].hex(), head[12:].hex())
        self.payload(head, head[9], rest)

    def payload(self, head, proto, data):
        if proto == socket.IPPROTO_UDP:
            self.udp(head, data)
        elif proto == socket.IPPROTO_ESP:
            self.esp(head, data)
        elif proto == socket.IPPROTO_AH:
            self.authentication(head, data)
        elif proto == socket.IPPROTO_IPIP:
            self.ipv4(data)
        else:
            raise ValueError(f"protocol {proto}")

    def esp(self, head, data):
        signed, icv = data[: -self.ICV], data[-self.ICV :]
        self.check_icv(signed, icv)
        self.numbers.append(number(signed[4:8]))
        pad, proto = signed[-2:]
        inner, padding = signed[8 : -2 - pad], signed[-2 - pad : -2]
        check(padding == bytes(range(1, pad + 1)), "padding", padding)
        check(len(signed) % 4 == 0, "ESP alignment", signed[:8])
        print("esp", signed[:4].hex(), "padding", pad)
        self.payload(head, proto, inner)

    def authentication(self, head, data):
        length = 4 * (data[1] + 2)
        fixed, icv = data[:12], data[12 : 12 + self.ICV]
        self.numbers.append(number(fixed[8:]))
        # TOS, flags and offset, TTL and checksum change on the way.
        constant = head[:1] + bytes(1) + head[2:6] + bytes(3) + head[9:10] + bytes(2) + head[12:]
        self.check_icv(constant + fixed + bytes(length - 12) + data[length:], icv)
        print("ah", fixed[:8].hex())
        self.payload(head, fixed[0], data[length:])

    def check_icv(self, data, icv):
        check(icv == hmac.digest(self.KEY, data, hashlib.sha1)[: self.ICV], "ICV", icv)

    def udp(self, head, data):
        ports, length, checksum = data[:4], number(data[4:6]), number(data[6:8])
        check(length == len(data), "UDP length", data[:8])
        if checksum:
            pseudo = head[12:] + struct.pack("!HH", socket.IPPROTO_UDP, length)
            check(ones_sum(pseudo + data) == 0xFFFF, "UDP checksum", data[:8])
        # Without the time.
        print("udp", ports.hex(), "checksum" if checksum else "-", data[8:16].hex(), data[24:].hex())


def number(data):
    return int.from_bytes(data, "big")


def ones_sum(data):
    """The 16-bit one's complement sum."""
    data += bytes(len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def check(good, what, data):
    if not good:
        raise ValueError(f"{what} is wrong: {data.hex()}")


def inspect(l2_len):
    """Prints the fields that do not depend on number and time; the numbers go to a file."""
    packets = Packets()
    for line in sys.stdin:
        packets.frame(bytes.fromhex(line), int(l2_len))
    with open("numbers", "w", encoding="ascii") as file:
        print(*packets.numbers, file=file)


COMMANDS = (listen, heard, encapsulate, capture, inspect, algorithm)

if __name__ == "__main__":
    {command.__name__: command for command in COMMANDS}[sys.argv[1]](*sys.argv[2:])
