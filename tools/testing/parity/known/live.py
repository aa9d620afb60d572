# SPDX-License-Identifier: GPL-2.0
"""Commands while a run lasts."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("first-queue", "live/queues", "run",
        ("frames: queue", (2, 1, 2), (1, 2, 1)),
        ("v0: cur_queue_map", "     cur_queue_map: 2\n", "     cur_queue_map: 1\n"),
    ),
    *rows("first-queue", "live/queues beyond those there are", "join",
        ("frames: queue", (1, 2, 3), (2, 3, 0)),
        ("v0: cur_queue_map", "     cur_queue_map: 3\n", "     cur_queue_map: 0\n"),
    ),
    *rows("first-delay", "live/the first delay", "pause of 0.4 s",
        ("v0: pkts-sofar", "     pkts-sofar: 2", "     pkts-sofar: 1"),
        ("v0: seq_num", "     seq_num: 3", "     seq_num: 2"),
    ),
    *rows("first-delay", "live/the first delay in bursts", "pause of 0.4 s",
        ("d0: pkts-sofar", "     pkts-sofar: 4", "     pkts-sofar: 2"),
        ("d0: seq_num", "     seq_num: 5", "     seq_num: 3"),
    ),
    *rows("stop-in-delay", "live/stopped between packets", "join",
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
    *real_size("live/size range", "join"),
)
