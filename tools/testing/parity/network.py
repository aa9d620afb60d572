# SPDX-License-Identifier: GPL-2.0
"""The devices that packets are sent on, in a network namespace of their own.

    v0 ======== v1      veth: does not take one buffer several times; frames arrive at v1
    d0                  dummy: takes buffers several times
    lo                  frames come back

The namespace goes with the process, and so does everything in it.
"""

import os
import subprocess

QUEUES = 4
MACS = {
    "v0": "02:00:00:00:00:01",
    "v1": "02:00:00:00:00:02",
    "d0": "02:00:00:00:00:03",
}


def run(command):
    """A command line of iproute2 or ethtool."""
    done = subprocess.run(command.split(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr.strip() or done.stdout.strip()}")


def sysctl(name, value):
    """Sets a parameter and returns what it was."""
    path = f"/proc/sys/{name}"
    with open(path, encoding="ascii") as file:
        before = file.read().strip()
    with open(path, "w", encoding="ascii") as file:
        file.write(str(value))
    return before


def set_up():
    """Moves the process to a new namespace and makes the devices."""
    os.unshare(os.CLONE_NEWNET)
    # Neighbour discovery would send frames of its own.
    for scope in ("all", "default"):
        sysctl(f"net/ipv6/conf/{scope}/disable_ipv6", 1)
    number = f"numtxqueues {QUEUES} numrxqueues {QUEUES}"
    run(f"ip link add v0 {number} type veth peer name v1 {number}")
    run(f"ip link add d0 numtxqueues {QUEUES} type dummy")
    for name, mac in MACS.items():
        run(f"ip link set {name} address {mac} arp off up")
    run("ip link set lo up")


def counters():
    """Transmitted packets and bytes of each device."""
    found = {}
    with open("/proc/net/dev", encoding="ascii") as file:
        for line in file.readlines()[2:]:
            name, figures = line.split(":")
            figures = figures.split()
            found[name.strip()] = (int(figures[9]), int(figures[8]))
    return found


def sent_since(before, chatter, lengths):
    """What each device transmitted since, as text, without the kernel's own packets. Devices
    that sent nothing are left out.
    """
    changes = []
    for name, (packets, length) in sorted(counters().items()):
        own = chatter.get(name, (0, 0))
        packets -= before[name][0] + own[0]
        length -= before[name][1] + own[1]
        if packets or length:
            changes.append(f"{name} {packets} packets" + (f" {length} bytes" if lengths else ""))
    return ", ".join(changes)
