# SPDX-License-Identifier: GPL-2.0
"""Deliberate differences from the C module: defects of it that rpktgen does not have.

Each row is one place where such a difference shows. The comparison wants exactly these: one
that is not in the table is a failure, and so is one of the table that does not show any more.
What the names stand for is in Documentation/parity.rst. "parity run --rows GROUP" prints rows.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Known:
    """A difference: its name, where it shows, and both values."""

    name: str
    case: str
    step: str
    what: str
    reference: object
    ours: object


def rows(name, case, step, *places):
    """What differs after one step of a case: (what, reference, ours) each."""
    return tuple(Known(name, case, step, *place) for place in places)


FLAGS = "IPV6, IPSRC_RND, IPDST_R"
ALL_FLAGS = (
    "IPV6, IPSRC_RND, IPDST_RND, TXSIZE_RND, UDPSRC_RND, UDPDST_RND, UDPCSUM, NO_TIMESTAMP, MPLS_RND, "
    "QUEUE_MAP_RND, QUEUE_MAP_CPU, FLOW_SEQ, IPSEC, MACSRC_RND, MACDST_RND, VID_RND, SVID_RND, NODE, SHARED\n"
)
OUR_FLAGS = ALL_FLAGS.replace("FLOW_SEQ, IPSEC, ", "").replace("NODE, ", "")

# Every row of a table stays a line.
# fmt: off
KNOWN = (
    *rows(
        "large-numbers", "grammar/clone_skb on d0", "'clone_skb 4294967297'",
        ("d0: clone_skb", "  clone_skb: 1", "  clone_skb: 2147483647"),
        ("d0: Result", "Result: OK: clone_skb=1\n", "Result: OK: clone_skb=2147483647\n"),
    ),
    *rows(
        "large-numbers", "grammar/burst on d0", "'burst 12345678901'",
        ("d0: burst", "     burst: 1234567890\n", "     burst: 65535\n"),
        ("d0: Result", "Result: OK: burst=1234567890\n", "Result: OK: burst=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/burst on d0", "'burst 4294967297'",
        ("d0: burst", None, "     burst: 65535\n"),
        ("d0: Result", "Result: OK: burst=1\n", "Result: OK: burst=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/pkt_size", "'pkt_size 12345678901'",
        ("v0: min_pkt_size", "  min_pkt_size: 1234567890", "  min_pkt_size: 65535"),
        ("v0: max_pkt_size", "  max_pkt_size: 1234567890\n", "  max_pkt_size: 65535\n"),
        ("v0: Result", "Result: OK: pkt_size=1234567890\n", "Result: OK: pkt_size=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/pkt_size", "'pkt_size 4294967297'",
        ("v0: min_pkt_size", "  min_pkt_size: 1", "  min_pkt_size: 65535"),
        ("v0: max_pkt_size", "  max_pkt_size: 1\n", "  max_pkt_size: 65535\n"),
        ("v0: Result", "Result: OK: pkt_size=1\n", "Result: OK: pkt_size=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/min_pkt_size", "'min_pkt_size 12345678901'",
        ("v0: min_pkt_size", "  min_pkt_size: 1234567890", "  min_pkt_size: 65535"),
        ("v0: Result", "Result: OK: min_pkt_size=1234567890\n", "Result: OK: min_pkt_size=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/min_pkt_size", "'min_pkt_size 4294967297'",
        ("v0: min_pkt_size", "  min_pkt_size: 1", "  min_pkt_size: 65535"),
        ("v0: Result", "Result: OK: min_pkt_size=1\n", "Result: OK: min_pkt_size=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/max_pkt_size", "'max_pkt_size 12345678901'",
        ("v0: max_pkt_size", "  max_pkt_size: 1234567890\n", "  max_pkt_size: 65535\n"),
        ("v0: Result", "Result: OK: max_pkt_size=1234567890\n", "Result: OK: max_pkt_size=65535\n"),
    ),
    *rows(
        "large-numbers", "grammar/max_pkt_size", "'max_pkt_size 4294967297'",
        ("v0: max_pkt_size", "  max_pkt_size: 1\n", "  max_pkt_size: 65535\n"),
        ("v0: Result", "Result: OK: max_pkt_size=1\n", "Result: OK: max_pkt_size=65535\n"),
    ),
    *rows("flags-to-come", "grammar/flag", "'flag'", (f"v0: {FLAGS}", ALL_FLAGS, OUR_FLAGS)),
    *rows("flags-to-come", "live/refused while it runs", "'flag nonsense'", (f"v0: {FLAGS}", ALL_FLAGS, OUR_FLAGS)),
    *rows(
        "write-limit", "grammar/long writes", "'count" + " " * 53 + "... (65537 bytes)",
        ("v0: Params", "Params: count 8", "Params: count 0"),
        ("v0: Result", "Result: OK: count=8\n", "Result: OK: count=0\n"),
    ),
    *rows(
        "write-limit", "grammar/long writes", "'count" + " " * 53 + "... (70006 bytes)",
        ("v0: Params", "Params: count 9", "Params: count 0"),
        ("v0: Result", "Result: OK: count=9\n", "Result: OK: count=0\n"),
    ),
    *rows(
        "long-alternative-name", "control/an alternative name", "thread 0: 'add_device another-name-of-v0'",
        ("returns", "ENODEV", "29"),
        ("kpktgend_0: Stopped", "Stopped: short-name \n", "Stopped: another-name-of-v0 short-name \n"),
        ("kpktgend_0: Result", "Result: ERROR: can not add device another-name-of-v0\n", "Result: OK: add_device=another-name-of-v0\n"),
    ),
    *rows("turns", "control/two devices of a thread run", "run", ("order", (80, 80, 80, 9, 9), (80, 9, 80, 9, 80))),
    *rows("turns", "runs/two devices of one netdev", "run", ("order", (80, 80, 80, 9, 9), (80, 9, 80, 9, 80))),
    *rows("turns", "runs/two devices of one netdev", "run (2)", ("order", (80, 80, 80, 9), (80, 9, 80, 80))),
    *rows("turns", "runs/three netdevs", "run", ("order", ("lo", "lo", "lo", "lo", "v1", "v1"), ("lo", "v1", "lo", "v1", "lo", "lo"))),
    *rows("first-queue", "queues/clamped", "run", ("frames: queue", (1, 2, 3), 3)),
    *rows(
        "first-queue", "queues/maximum clamped", "run",
        ("frames: queue", (1, 2, 3, 0, 1, 2, 3, 0, 1), (0, 1, 2, 3, 0, 1, 2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 1\n", "     cur_queue_map: 0\n"),
    ),
    *rows(
        "first-queue", "queues/sequence", "run",
        ("frames: queue", (1, 2, 3, 0, 1, 2, 3, 0, 1), (0, 1, 2, 3, 0, 1, 2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 1\n", "     cur_queue_map: 0\n"),
    ),
    *rows(
        "first-queue", "queues/sequence goes on in the next run", "run",
        ("frames: queue", (1, 2, 3), (0, 1, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows(
        "first-queue", "queues/sequence from above the first", "run",
        ("frames: queue", (1, 2, 3, 2, 3, 2, 3), (2, 3, 2, 3, 2, 3, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows("first-queue", "queues/one queue", "run", ("frames: queue", (1, 2, 3, 3, 3), 3)),
    *rows(
        "first-queue", "queues/to a lower range after a run", "run",
        ("frames: queue", (1, 2, 3, 0), (0, 1, 2, 3)),
        ("v0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 3\n"),
    ),
    *rows(
        "first-queue", "queues/to a lower range after a run", "run (2)",
        ("frames: queue", (1, 0, 1, 0), (0, 1, 0, 1)),
        ("v0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 1\n"),
    ),
    *rows(
        "first-queue", "queues/of the CPU", "run (2)",
        ("frames: queue", (1, 2, 3), (2, 3, 2)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 2\n"),
    ),
    *rows("first-queue", "queues/on dummy", "run", ("d0: cur_queue_map", "     cur_queue_map: 0\n", "     cur_queue_map: 2\n")),
    *rows(
        "first-queue", "live/queues", "run",
        ("frames: queue", (2, 1, 2), (1, 2, 1)),
        ("v0: cur_queue_map", "     cur_queue_map: 2\n", "     cur_queue_map: 1\n"),
    ),
    *rows(
        "first-queue", "live/queues beyond those there are", "join",
        ("frames: queue", (1, 2, 3), (2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 0\n"),
    ),
    *rows(
        "mac-base", "macs/sources from the device's address", "run",
        (
            "frames: eth.src",
            ("02:00:00:00:00:00", "02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:00"),
            ("02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "02:00:00:00:00:01"),
        ),
    ),
    *rows(
        "mac-base", "macs/no source count after a run", "run",
        (
            "frames: eth.src",
            ("02:00:00:00:00:00", "02:00:00:00:00:01", "02:00:00:00:00:02"),
            ("02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03"),
        ),
    ),
    *rows("mac-left-over", "macs/lower count after a run", "run (2)", ("frames: eth.src", "02:00:00:00:00:12", "02:00:00:00:00:10")),
    *rows(
        "random-label", "tags/random label", "run",
        ("mpls varies", "bits 000ffeff, the others are 00000100", "bits fffff000, the others are 0000012a"),
    ),
    *rows(
        "first-delay", "live/the first delay", "pause of 0.4 s",
        ("v0: pkts-sofar", "     pkts-sofar: 2", "     pkts-sofar: 1"),
        ("v0: seq_num", "     seq_num: 3", "     seq_num: 2"),
    ),
    *rows(
        "first-delay", "live/the first delay in bursts", "pause of 0.4 s",
        ("d0: pkts-sofar", "     pkts-sofar: 4", "     pkts-sofar: 2"),
        ("d0: seq_num", "     seq_num: 5", "     seq_num: 3"),
    ),
    *rows(
        "stop-in-delay", "live/stopped between packets", "join",
        ("sent", "v0 2 packets 116 bytes", "v0 1 packets 58 bytes"),
        ("frames", 2, 1),
        ("frames: ip.id", (1, 2), 1),
        ("frames: ip.csum", ("0x9ac1", "0x9ac0"), "0x9ac1"),
        ("frames: pktgen.seq_num", (1, 2), 1),
        ("v0: pkts-sofar", "     pkts-sofar: 2", "     pkts-sofar: 1"),
        ("v0: seq_num", "     seq_num: 3", "     seq_num: 2"),
        ("v0: Result", "Result: OK: T usec, 2 (58byte,0frags)\n", "Result: OK: T usec, 1 (58byte,0frags)\n"),
    ),
    *rows("no-source-mac", "live/source MAC to none", "join", ("frames: eth.src", "00:00:00:00:00:00", "02:00:00:00:00:01")),
    *rows(
        "own-address", "addresses/the device's address, point to point", "run",
        ("frames: ip.csum", ("0xd4a7", "0xd4a6"), ("0xd4a8", "0xd4a7")),
        ("frames: ip.src", "198.18.0.8", "198.18.0.7"),
        ("v0: cur_saddr", "     cur_saddr: 198.18.0.8", "     cur_saddr: 198.18.0.7"),
    ),
    *rows(
        "last-address", "addresses/range to the last address", "run",
        (
            "frames: ip.csum",
            ("0x9ac3", "0x9ac1", "0x9ac0", "0x9abe", "0x9abc", "0x9aba"),
            ("0x9ac3", "0x9ac1", "0x9ac2", "0x9ac0", "0x9abe", "0x9abf"),
        ),
        (
            "frames: ip.dst",
            ("255.255.255.254", "255.255.255.255", "0.0.0.0", "0.0.0.1", "0.0.0.2", "0.0.0.3"),
            ("255.255.255.254", "255.255.255.255", "255.255.255.253", "255.255.255.254", "255.255.255.255", "255.255.255.253"),
        ),
        ("v0: cur_daddr", "  cur_daddr: 0.0.0.3\n", "  cur_daddr: 255.255.255.253\n"),
    ),
)
# fmt: on
