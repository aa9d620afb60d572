#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# removal.py WHAT TIMES COMMAND...: how long something takes to go away while a device
# with these commands runs on it. WHAT is "module" (MODULE_KO, loaded), "netdev" or
# "namespace". Prints the median, the 99th percentile and the largest in microseconds,
# and the 99th percentile of the same where nothing runs: what the machine takes anyway.

import os
import signal
import subprocess
import sys
import time

PROC = "/proc/net/pktgen/"
NETDEV = "gone0"
PEER = "gone1"


def write(name, text):
    fd = os.open(PROC + name, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def call(*command):
    subprocess.run(command, check=True)


def wait_until(condition, what):
    limit = time.monotonic() + 20
    while not condition():
        if time.monotonic() > limit:
            sys.exit(f"not within 20 s: {what}")
        time.sleep(0.0005)


def child(function):
    """The process that runs a function, and ends."""
    pid = os.fork()
    if pid == 0:
        try:
            function()
        except OSError as error:
            # What start is written to may go in the meantime.
            print(error, file=sys.stderr)
        os._exit(0)
    return pid


def configure(commands):
    write("kpktgend_0", f"add_device {NETDEV}")
    for command in commands:
        write(NETDEV, command)


def is_running():
    with open(PROC + "kpktgend_0", encoding="ascii") as file:
        return NETDEV in file.read().split("Stopped:")[0]


def timed(function):
    begin = time.monotonic_ns()
    function()
    return (time.monotonic_ns() - begin) // 1000


def running(commands, run):
    """The device, configured, and the process that waits for it to end, if it is to run."""
    configure(commands)
    if not run:
        return None
    starter = child(lambda: write("pgctrl", "start"))
    wait_until(is_running, "start")
    time.sleep(0.003)
    return starter


def netdev_goes(commands, run):
    call("ip", "link", "add", NETDEV, "type", "dummy")
    call("ip", "link", "set", NETDEV, "up")
    starter = running(commands, run)
    took = timed(lambda: call("ip", "link", "del", NETDEV))
    if starter:
        os.waitpid(starter, 0)
    return took


def module_goes(commands, run):
    call("ip", "link", "add", NETDEV, "type", "dummy")
    call("ip", "link", "set", NETDEV, "up")
    starter = running(commands, run)
    module = os.path.basename(os.environ["MODULE_KO"]).removesuffix(".ko")
    took = timed(lambda: call("rmmod", module))
    if starter:
        os.waitpid(starter, 0)
    call("insmod", os.environ["MODULE_KO"])
    call("ip", "link", "del", NETDEV)
    return took


def namespace_goes(commands, run):
    """From the end of its last process until its device is gone from the other end, too."""
    reader, writer = os.pipe()
    ours = os.getpid()

    def live():
        os.unshare(os.CLONE_NEWNET)
        call("ip", "link", "add", NETDEV, "type", "veth", "peer", "name", PEER, "netns", str(ours))
        call("ip", "link", "set", NETDEV, "up")
        wait_until(lambda: os.path.exists(f"/proc/{ours}/root/sys/class/net/{PEER}"), PEER)
        call("nsenter", "-t", str(ours), "-n", "ip", "link", "set", PEER, "up")
        configure(commands)
        os.write(writer, b"x")
        if run:
            write("pgctrl", "start")
        signal.pause()

    pid = child(live)
    os.close(writer)
    if os.read(reader, 1) != b"x":
        sys.exit("no namespace could be set up")
    os.close(reader)
    if run:
        thread = f"/proc/{pid}/net/pktgen/kpktgend_0"

        def starts():
            with open(thread, encoding="ascii") as file:
                return NETDEV in file.read().split("Stopped:")[0]

        wait_until(starts, "start")
        time.sleep(0.003)

    def end():
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        wait_until(lambda: not os.path.exists(f"/sys/class/net/{PEER}"), "the namespace")

    return timed(end)


def percentile(times, percent):
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def main():
    what, times, commands = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    goes = {"module": module_goes, "netdev": netdev_goes, "namespace": namespace_goes}[what]
    took, idle = [], []
    for _ in range(times):
        took.append(goes(commands, True))
        idle.append(goes(commands, False))
    print(percentile(took, 50), percentile(took, 99), max(took), percentile(idle, 99))


main()
