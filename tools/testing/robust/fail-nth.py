#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# fail-nth.py N write FILE TEXT | read FILE | load MODULE-FILE | namespace |
#             rename DEVICE NAME
#
# One system call in which the Nth allocation fails (the kernel's fail-nth). Prints "ok"
# or the name of the errno, and "injected", or "beyond" and what is left of N if there
# are not that many.

import ctypes
import errno
import fcntl
import os
import platform
import socket
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
SYS_FINIT_MODULE = {"x86_64": 313, "aarch64": 273}
CLONE_NEWNET = 0x40000000
SIOCSIFNAME = 0x8923


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")


def action(name, *args):
    """What is to be done, all that it needs besides made beforehand."""
    if name == "write":
        fd, text = os.open(args[0], os.O_WRONLY), args[1].encode()
        return lambda: os.write(fd, text)
    if name == "read":
        fd = os.open(args[0], os.O_RDONLY)
        return lambda: os.read(fd, 4096)
    if name == "load":
        fd, number = os.open(args[0], os.O_RDONLY), SYS_FINIT_MODULE[platform.machine()]
        return lambda: check(LIBC.syscall(number, fd, b"", 0))
    if name == "namespace":
        return lambda: check(LIBC.unshare(CLONE_NEWNET))
    if name == "rename":
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        request = struct.pack("16s16s", args[0].encode(), args[1].encode())
        return lambda: fcntl.ioctl(link, SIOCSIFNAME, request)
    sys.exit(f"fail-nth.py: unknown action {name}")


def main():
    run = action(*sys.argv[2:])
    nth = os.open("/proc/thread-self/fail-nth", os.O_RDWR)
    text = sys.argv[1].encode()
    outcome = "ok"
    os.write(nth, text)
    try:
        run()
    except OSError as error:
        outcome = errno.errorcode[error.errno]
    left = int(os.pread(nth, 16, 0))
    os.write(nth, b"0")
    print(outcome, f"beyond {left}" if left else "injected")


main()
