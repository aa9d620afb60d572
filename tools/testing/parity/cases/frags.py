# SPDX-License-Identifier: GPL-2.0
"""frags: how many pieces a payload is in, which the result shows, and that the bytes are the
same as in one piece. A payload has pkt_size - 58 bytes after its header of 16.
"""

from cases.steps import Join, Launch, Release, Start, System, case

PAGE = 4096
FIXED = ("src6 fd00::1", "dst6 fd00::2")
GO = (Release("delay 0"), Join(2))


def sizes(name, frags, payloads, *steps, headers=58, **options):
    """Runs of two packets for each payload."""
    # What dummy sends is not seen.
    frames = 0 if options.get("device") == "d0" else 2
    runs = [step for payload in payloads for step in (f"pkt_size {payload + headers}", Start(frames))]
    return case(name, "count 2", f"frags {frags}", *steps, *runs, **options)


CASES = (
    sizes("none", 0, (0, 1, 100)),
    sizes("one", 1, (0, 1, 2, 100, 1456)),
    sizes("two", 2, (2, 3, 4, 5, 101)),
    sizes("three", 3, (3, 4, 5, 6, 7, 8, 100)),
    sizes("as many as bytes", 10, (10, 11, 19, 20, 21)),
    sizes("more than bytes", 10, (0, 1, 5, 9)),
    sizes("seventeen", 17, (17, 18, 100, 1456)),
    sizes("more than a packet may have", 18, (17, 34, 35, 100, 1456)),
    sizes("many more than a packet may have", 1000, (100, 1456)),
    sizes("the largest number", 2147483647, (100,)),
    sizes("the default size", 3, (0,), headers=58),
    sizes("around a page in one", 1, (PAGE - 1, PAGE, PAGE + 1, 2 * PAGE), device="lo"),
    sizes("around a page in two", 2, (PAGE - 1, PAGE, PAGE + 1), device="lo"),
    sizes("around two pages in two", 2, (2 * PAGE - 1, 2 * PAGE, 2 * PAGE + 1, 3 * PAGE), device="lo"),
    sizes("around three pages in three", 3, (3 * PAGE - 2, 3 * PAGE - 1, 3 * PAGE, 3 * PAGE + 5), device="lo"),
    sizes("large in seventeen", 17, (17 * 1000, 17 * 2000 + 16, 60000), device="lo"),
    sizes("large in three", 3, (60000,), device="lo"),
    sizes("on dummy", 4, (100, PAGE, 5 * PAGE), device="d0"),
    sizes("in bursts", 4, (100, 101), "burst 2", device="d0"),
    sizes("without SHARED", 4, (100,), "flag !SHARED"),
    sizes("with a VLAN", 4, (100, 101), "vlan_id 5"),
    sizes("with labels", 4, (100, 101), "mpls 0001000a,0002000a"),
    sizes("with IPv6", 4, (100, 101), *FIXED, headers=78),
    sizes("with checksums of the device", 4, (100, 101), "flag UDPCSUM"),
    sizes(
        "with checksums in software", 4, (0, 1, 100, 101, 103),
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "flag UDPCSUM",
    ),
    sizes(
        "with checksums in software and IPv6", 3, (100, 101, 103), *FIXED,
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "flag UDPCSUM", headers=78,
    ),
    sizes("with checksums over pages", 3, (2 * PAGE + 1, 3 * PAGE + 7), "flag UDPCSUM", device="lo"),
    sizes("without time stamps", 4, (100,), "flag NO_TIMESTAMP"),
    case("by netif_receive", "count 2", "frags 4", "pkt_size 200", "xmit_mode netif_receive", Start(2)),
    case(
        "by netif_receive to the device",
        "count 4", "frags 4", "pkt_size 200", "xmit_mode netif_receive", "burst 2", "dst_mac 02:00:00:00:00:01",
        Start(4),
    ),
    case(
        "put into one piece by the stack",
        "count 2", "frags 4", "pkt_size 200", "vlan_id 5", "xmit_mode queue_xmit", Start(2),
        device="d0",
    ),
    case("by queue_xmit", "count 2", "frags 4", "pkt_size 200", "xmit_mode queue_xmit", Start(4)),
    case("with clone_skb", "count 6", "frags 4", "pkt_size 200", "clone_skb 3", Start(0), device="d0"),
    case("with a sequence of sizes", "count 6", "frags 4", "min_pkt_size 70", "max_pkt_size 75", Start(6)),
    case("with a table of sizes", "count 3", "frags 4", "pkt_size 60", "imix_weights 200,1", Start(3)),
    case("other numbers between runs", "count 2", "pkt_size 200", Start(2), "frags 3", Start(2), "frags 0", Start(2)),
    case("while a run lasts", "count 2", "pkt_size 200", "delay 2147483647", Launch(), "frags 5", *GO, Start(2)),
    case("none after a run without", "frags 3", "count 0", "count 1", Start(1)),
    case("no carrier", "frags 3", "pkt_size 200", "count 1", System("ip link set v1 down", "ip link set v1 up"), Start(0)),
    case("with flag NODE", "flag NODE", "node 0", "frags 3", "pkt_size 200", "count 2", Start(2), "flag !NODE", Start(2)),
)  # fmt: skip
