# SPDX-License-Identifier: GPL-2.0
"""What is behind the pktgen header of UDP packets over IPv4, which is to be zeros.

    payload.py frame DEVICE COUNT     the next COUNT frames that DEVICE receives
    payload.py socket ADDRESS         datagrams to port 10 of ADDRESS until none comes for 2 s,
                                      beside a socket on port 9 that takes ESP in UDP

Prints how many came, and how many of them were not zeros. Makes the file "ready" when it listens.
"""

import pathlib
import select
import socket
import sys

ETH_P_IP = 0x0800
UDP_ENCAP = 100
UDP_ENCAP_ESPINUDP = 2
PKTGEN_LEN = 16


def frames(device, count):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP)) as sock:
        sock.bind((device, ETH_P_IP))
        pathlib.Path("ready").touch()
        for _ in range(int(count)):
            yield sock.recv(1 << 17)[14 + 20 + 8 :]


def datagrams(address):
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as encapsulated,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plain,
    ):
        encapsulated.bind((address, 9))
        encapsulated.setsockopt(socket.IPPROTO_UDP, UDP_ENCAP, UDP_ENCAP_ESPINUDP)
        plain.bind((address, 10))
        pathlib.Path("ready").touch()
        while select.select([plain], [], [], 2)[0]:
            yield plain.recv(1 << 17)


def main():
    source = {"frame": frames, "socket": datagrams}[sys.argv[1]]
    changed = [any(payload[PKTGEN_LEN:]) for payload in source(*sys.argv[2:])]
    print(f"{len(changed)} came, {sum(changed)} changed")


if __name__ == "__main__":
    main()
