# SPDX-License-Identifier: GPL-2.0
"""Threads on two CPUs. These need two."""

from cases.steps import Control, Start, Thread, Write, case

BOTH = (
    Thread("add_device v0@1", cpu=1),
    Write("udp_dst_min 80", file="v0@1"),
    Write("udp_dst_max 80", file="v0@1"),
)

CASES = (
    case("the second thread alone", "count 3", Start(3), Start(3), cpu=1),
    case("queue of the second CPU", "count 3", "flag QUEUE_MAP_CPU", Start(3), cpu=1),
    case(
        "queue of a CPU beyond the queues of lo",
        "count 3", "flag QUEUE_MAP_CPU", Start(3),
        cpu=1,
        device="lo",
    ),
    case("netif_receive on the second CPU", "count 3", "xmit_mode netif_receive", Start(3), cpu=1),
    case(
        "a name is taken on every thread",
        Thread("add_device v0", cpu=1), Thread("add_device v0@1", cpu=1), Thread("add_device v0@1"),
    ),
    case(
        "rem_device_all is for one thread",
        *BOTH, Thread("rem_device_all", cpu=1), Write("count 1", file="v0@1"), *BOTH,
        Thread("rem_device_all"), Write("count 1", file="v0@1"), Control("reset"),
    ),
    case(
        "both send, each on the queue of its CPU",
        *BOTH, "count 3", "flag QUEUE_MAP_CPU", Write("count 4", file="v0@1"),
        Write("flag QUEUE_MAP_CPU", file="v0@1"), Start(7), Write("clear_counters", file="v0@1"), Start(7),
        stream="udp.dst",
        ordered=False,
    ),
    case("max_before_softirq", Thread("max_before_softirq 7", cpu=1), Thread("max_before_softirq")),
)  # fmt: skip
