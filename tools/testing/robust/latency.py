#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# latency.py DEVICE STOPS: how long runs take to stop. Starts and stops them that
# often; for each the time from before stop is written until the writer of start is
# back. Prints the median, the 99th percentile and the largest in microseconds, and the
# 99th percentile of what a thread takes to wake another one, measured in between: what
# is the machine's own, where others use it too.

import os
import random
import sys
import threading
import time

PROC = "/proc/net/pktgen/"


def write(text):
    fd = os.open(PROC + "pgctrl", os.O_WRONLY)
    try:
        os.write(fd, text)
    finally:
        os.close(fd)


class Run(threading.Thread):
    """The writer of start."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ended = 0

    def run(self):
        write(b"start")
        self.ended = time.monotonic_ns()


def is_running(device):
    for name in os.listdir(PROC):
        if name.startswith("kpktgend_"):
            with open(PROC + name, encoding="ascii") as file:
                running = file.read().split("Running:")[1].split("\n")[0].split()
            if device in running:
                return True
    return False


def stop_once(device):
    run = Run()
    run.start()
    limit = time.monotonic() + 10
    while not is_running(device):
        if time.monotonic() > limit:
            sys.exit(f"{device} does not run")
        time.sleep(0.0005)
    # Anywhere in the wait for the next packet.
    time.sleep(random.uniform(0, 0.004))
    begin = time.monotonic_ns()
    write(b"stop")
    run.join(10)
    if not run.ended:
        sys.exit("not stopped within 10 s")
    return (run.ended - begin) // 1000


class Sleeper(threading.Thread):
    """Notes when it was woken through a pipe."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ends = os.pipe()
        self.woken = 0

    def run(self):
        os.read(self.ends[0], 1)
        self.woken = time.monotonic_ns()


def wake_once():
    sleeper = Sleeper()
    sleeper.start()
    time.sleep(0.002)
    begin = time.monotonic_ns()
    os.write(sleeper.ends[1], b"x")
    sleeper.join()
    for end in sleeper.ends:
        os.close(end)
    return (sleeper.woken - begin) // 1000


def percentile(times, percent):
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def main():
    device, stops = sys.argv[1], int(sys.argv[2])
    took, waking = [], []
    for _ in range(stops):
        took.append(stop_once(device))
        waking.append(wake_once())
    print(percentile(took, 50), percentile(took, 99), max(took), percentile(waking, 99))


main()
