# SPDX-License-Identifier: GPL-2.0
"""Prints the IPv4 destinations of the first frames that arrive on a device.

    destinations.py DEVICE COUNT

Makes the file "listening" in the current directory when it is ready.
"""

import pathlib
import socket
import sys

ETH_P_IP = 0x0800


def main():
    device, count = sys.argv[1], int(sys.argv[2])
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_IP)) as sock:
        sock.bind((device, ETH_P_IP))
        pathlib.Path("listening").touch()
        frames = [sock.recv(1 << 16) for _ in range(count)]
    print(*(socket.inet_ntoa(frame[30:34]) for frame in frames))
    pathlib.Path("listening").unlink()


if __name__ == "__main__":
    main()
