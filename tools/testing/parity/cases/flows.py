# SPDX-License-Identifier: GPL-2.0
"""flows, flowlen and the flag FLOW_SEQ. The second "flows" of the text counts the lives."""

from cases.draws import Draw, Fresh
from cases.steps import Control, Join, Launch, Release, Start, Thread, case

RANGE = ("dst_min 10.0.0.0", "dst_max 10.0.255.255")
SEQUENCE = ("flag FLOW_SEQ", *RANGE)
RANDOM_DST = {"ip.dst": Draw("10.0.0.0", "10.0.255.254", 2)}


def lives(count, flows, length):
    """At random, a life is of `length` packets, but for the last one of each flow."""
    return {
        "ip.dst": Fresh("10.0.0.1", "10.0.255.255"),
        "lives": Draw(-(-count // length), count // length + flows),
    }


def sequence(name, flows, flowlen, count, *steps, frames=None, **options):
    frames = count if frames is None else frames
    return case(
        name, f"count {count}", *SEQUENCE, f"flows {flows}", f"flowlen {flowlen}", *steps, Start(frames), **options
    )


CASES = (
    case(
        "flags",
        "flag FLOW_SEQ", "flows 1", "flag FLOW_RND", "flag !FLOW_RND", "flag !FLOW_SEQ", "flag FLOW_SEQ", "flows 0",
        "flag FLOW_RND", "flag FLOW", "flag FLOW_RN", "flag flow_seq", "flag !!FLOW_SEQ",
    ),
    case("flows beyond the most", "flows 65535", "flows 65536", "flows 65537", "flows 4000000000", "flows 0"),
    case("not a flow", "count 4", *SEQUENCE, "flowlen 2", Start(4)),
    sequence("one at a time", 3, 2, 14),
    sequence("lives of one packet", 3, 1, 8),
    sequence("lives of none", 3, 0, 8),
    sequence("one flow", 1, 3, 8),
    sequence("one flow of one packet", 1, 1, 4),
    sequence("one flow for ever", 1, 4294967295, 5),
    sequence("longer than the run", 5, 100, 6),
    sequence("more than the packets", 65536, 1, 6),
    sequence("with sources in sequence", 2, 3, 9, "src_min 10.1.0.1", "src_max 10.1.0.4"),
    sequence("with ports in sequence", 2, 3, 9, "udp_dst_min 80", "udp_dst_max 84"),
    sequence("with sizes in sequence", 2, 3, 9, "min_pkt_size 60", "max_pkt_size 63", random={}),
    sequence("with MACs and queues of the CPU", 2, 2, 6, "dst_mac_count 3", "flag QUEUE_MAP_CPU"),
    sequence("with a table of sizes", 2, 2, 6, "pkt_size 60", "imix_weights 100,1"),
    sequence("with a VLAN", 2, 2, 6, "pkt_size 90", "vlan_id 5"),
    sequence("with frags", 2, 2, 6, "pkt_size 90", "frags 2"),
    sequence("with UDP checksums", 2, 2, 6, "flag UDPCSUM"),
    sequence("in netif_receive", 2, 2, 6, "xmit_mode netif_receive"),
    sequence("in netif_receive, bursts", 2, 2, 9, "xmit_mode netif_receive", "burst 3", "dst_mac 02:00:00:00:00:01"),
    sequence("in queue_xmit", 2, 2, 6, "xmit_mode queue_xmit", frames=12),
    # Nothing is seen of these but the count of lives and the last destination.
    sequence("on dummy", 3, 2, 13, frames=0, device="d0"),
    sequence("in bursts", 2, 2, 12, "burst 3", frames=0, device="d0"),
    sequence("with clone_skb", 2, 2, 12, "clone_skb 3", frames=0, device="d0"),
    sequence("in bursts with clone_skb", 2, 2, 24, "burst 2", "clone_skb 2", frames=0, device="d0"),
    case("no range", "count 6", "flag FLOW_SEQ", "dst 10.0.0.9", "flows 2", "flowlen 2", Start(6)),
    case("a range that is too short", "count 9", *SEQUENCE[:2], "dst_max 10.0.0.2", "flows 2", "flowlen 2", Start(9)),
    case(
        "random destinations for lives",
        "count 1000", *SEQUENCE, "flag IPDST_RND", "flows 5", "flowlen 1", Start(1000),
        random=RANDOM_DST,
    ),
    case(
        "IPv6 has none",
        "count 5", "flag FLOW_SEQ", "dst6 fd00::2", "src6 fd00::1", "flows 2", "flowlen 2", Start(5),
    ),
    case(
        "random order",
        "count 1000", *RANGE, "flows 3", "flowlen 9", Start(1000),
        random=lives(1000, 3, 10),
    ),
    case(
        "random order of short lives",
        "count 1000", *RANGE, "flows 4", "flowlen 0", Start(1000),
        random=lives(1000, 4, 1),
    ),
    case(
        "random order of many",
        "count 1000", *RANGE, "flows 20", "flowlen 2", Start(1000),
        random=lives(1000, 20, 3),
    ),
    case("random order of one", "count 9", *RANGE, "flows 1", "flowlen 2", Start(9)),
    case("random order of one, longer than the run", "count 5", *RANGE, "flows 1", "flowlen 9", Start(5)),
    case(
        "random order without a range",
        "count 50", "dst 10.0.0.9", "flows 3", "flowlen 2", Start(50),
        random={"lives": Draw(17, 20)},
    ),
    # What the next run does with the flows.
    sequence("a second run", 3, 2, 5, Start(5), Start(5)),
    sequence("a second run of whole lives", 2, 2, 4, Start(4)),
    sequence("a second run with another range", 2, 3, 4, Start(4), "dst_min 10.5.0.1", "dst_max 10.5.0.9"),
    sequence("a second run with fewer", 3, 2, 5, Start(5), "flows 2"),
    sequence("a second run with more", 2, 2, 5, Start(5), "flows 3"),
    sequence("a second run with longer ones", 2, 2, 5, Start(5), "flowlen 3"),
    sequence("a second run without", 2, 2, 5, Start(5), "flows 0"),
    sequence("none between two runs", 2, 2, 5, Start(5), "flows 0", Start(5), "flows 2"),
    sequence("clear_counters between two runs", 2, 2, 5, Start(5), "clear_counters"),
    sequence("the same number between two runs", 2, 2, 5, Start(5), "flows 2"),
    sequence(
        "a new device begins anew", 2, 2, 5, Start(5), Control("reset"), Thread("add_device v0"), "count 3", *SEQUENCE,
        "flows 2", "flowlen 2", frames=3,
    ),
    # While a run lasts: nothing was sent yet.
    case(
        "flows while a run lasts",
        "count 6", *SEQUENCE, "flowlen 2", "delay 2147483647", Launch(), "flows 2", Release("delay 0"), Join(6),
    ),
    case(
        "flowlen while a run lasts",
        "count 6", *SEQUENCE, "flows 2", "delay 2147483647", Launch(), "flowlen 3", Release("delay 0"), Join(6),
    ),
    case(
        "order while a run lasts",
        "count 6", *RANGE, "flows 2", "flowlen 3", "delay 2147483647", Launch(), "flag FLOW_SEQ", Release("delay 0"),
        Join(6),
    ),
)  # fmt: skip
