# SPDX-License-Identifier: GPL-2.0
"""imix_weights: a table of sizes, of which each packet draws one."""

from cases.draws import OneOf
from cases.steps import Join, Launch, Release, Start, System, case

TWENTY = " ".join(f"{size},1" for size in range(100, 120))
MANY = 1000

# Each from a known table, which a refused list replaces by what it has read by then.
GOOD = (
    "0,7 576,4 1500,1",
    "64,1",
    "42,1 43,2",
    "41,1 0,1 ,1",
    "64,1\n",
    "64,1 576,2\n",
    "64,1\0",
    "64,1\t576,2",
    "64,1;576,2",
    "64,1,576,2",
    "64,1.5 576,2",
    "64,1 576,2x 1500,3",
    "64,1-576,2",
    "0064,0001",
    "9999999999,1",
    "65536,1",
    "64,9999999999",
    "64,12345678901 70,1",
    "12345678901,1",
    "64,1 64,1",
    TWENTY,
    TWENTY + "\n",
    TWENTY + "\n200,1",
    TWENTY + ",200,1",
)
BAD = (
    "",
    "\n",
    "0",
    "0,",
    "64",
    "64,",
    "64,0",
    "64,x",
    "64,-1",
    "64, 1",
    "64 ,1",
    "64;1",
    "x,1",
    "-1,1",
    "64,1 ",
    "64,1  576,2",
    "64,1 \n",
    "64,1 576",
    "64,1 576,",
    "64,1 576,0",
    "64,1 576,0 1500,1",
    "64,0000000000",
    TWENTY + " ",
    TWENTY + " 200,1",
    TWENTY + " x",
    " ".join(f"{size},1" for size in range(100, 200)),
    "64,1 \xff,1",
    "\0",
    "64\0,1",
    "64,\0" + "1",
    " \0",
    "\0 \n",
    " \0" + "1",
)
SEPARATORS = ("imix_weights=64,1", "imix_weights\t64,2", '"imix_weights" 64,3', "imix_weights =\n64,4 65,1")


def shares(*sizes, distinct=None):
    """Frames of an IPv4 packet have 58 bytes at least."""
    values = tuple(sizes) + tuple(max(size, 58) for size in sizes)
    return {"length": OneOf(tuple(sorted(set(values))), distinct or len(sizes))}


def draws(name, weights, sizes, *steps, **options):
    return case(
        name, f"count {MANY}", "pkt_size 60", f"imix_weights {weights}", *steps, Start(MANY),
        random=shares(*sizes), **options,
    )  # fmt: skip


CASES = (
    case("lists", *(f"imix_weights {text}" for text in GOOD), *SEPARATORS),
    case(
        "lists that are refused",
        *(step for text in BAD for step in ("imix_weights 80,1 90,2", f"imix_weights {text}")),
    ),
    case("no list switches it off", "imix_weights 80,1", "imix_weights", "count 3", "pkt_size 61", Start(3)),
    case("no list where there is none", "imix_weights", "imix_weights "),
    case("the result stays", "count 7", "imix_weights 64,1", "imix_weights x", "tos zz", "imix_weights 65,1"),
    case("names that are no command", "imix_weight 64,1", "imix_weightss 64,1", "IMIX_WEIGHTS 64,1", "imix 64,1"),
    case("none with clone_skb", "clone_skb 2", "imix_weights 64,1", "clone_skb 0", "imix_weights 64,1", device="d0"),
    case("no clone_skb with it", "imix_weights 64,1", "clone_skb 2", "clone_skb 1", "clone_skb 0", device="d0"),
    case(
        "clone_skb after it is off",
        "imix_weights 64,1", "imix_weights", "clone_skb 2", "imix_weights 64,1", "imix_weights",
        device="d0",
    ),
    case(
        "clone_skb and SHARED with it",
        "imix_weights 64,1", "flag !SHARED", "clone_skb 2", "flag SHARED", "clone_skb 2", "burst 2",
        device="d0",
    ),
    case("one size", "count 5", "pkt_size 60", "imix_weights 100,1", Start(5), Start(5), "clear_counters"),
    case("a size below the headers", "count 5", "pkt_size 60", "imix_weights 0,9", Start(5)),
    case("without any other size", "count 5", "imix_weights 100,1", Start(5)),
    draws("two sizes", "100,1 200,1", (100, 200)),
    draws("one to three", "100,1 200,3", (100, 200)),
    draws("the usual three", "64,7 570,4 1500,1", (64, 570, 1500)),
    draws("the smallest is raised", "0,7 576,4 1500,1", (42, 576, 1500)),
    draws("a size twice", "100,1 200,1 100,2", (100, 200)),
    draws("twenty of five percent", TWENTY, tuple(range(100, 120))),
    draws("hundredths", "100,1 200,99", (100, 200)),
    draws("large weights", "100,4000000000 200,6000000000", (100, 200)),
    # Shares that the C module makes nothing of.
    case(
        "less than a hundredth each",
        f"count {MANY}", "pkt_size 60", "imix_weights 100,1 200,1 300,1000", Start(MANY),
        random=shares(100, 200, 300, distinct=1),
    ),
    case(
        "less than a hundredth in the middle",
        f"count {MANY}", "pkt_size 60", "imix_weights 100,500 200,1 300,499", Start(MANY),
        random=shares(100, 200, 300, distinct=1),
    ),
    case(
        "less than a hundredth first",
        f"count {MANY}", "pkt_size 60", "imix_weights 100,1 200,1000", Start(MANY),
        random=shares(100, 200, distinct=1),
    ),
    case(
        "one to twenty",
        f"count {MANY}", "pkt_size 60", "imix_weights " + " ".join(f"{99 + one},{one}" for one in range(1, 21)),
        Start(MANY),
        random=shares(*range(100, 120), distinct=1),
    ),
    case("not with a range of sizes", "count 5", "min_pkt_size 60", "max_pkt_size 63", "imix_weights 100,1", Start(5)),
    case(
        "not with a random size",
        "count 1000", "min_pkt_size 60", "max_pkt_size 64", "flag TXSIZE_RND", "imix_weights 100,1", Start(1000),
        random={"length": OneOf((60, 61, 62, 63))},
    ),
    case(
        "on and off between runs",
        "count 3", "pkt_size 60", "imix_weights 100,1", Start(3), "imix_weights", Start(3), "imix_weights 90,1",
        Start(3),
    ),
    case(
        "another list between runs",
        "count 3", "pkt_size 60", "imix_weights 100,1", Start(3), "imix_weights 90,1", Start(3),
    ),
    case(
        "a refused list between runs",
        "count 3", "pkt_size 60", "imix_weights 100,1", Start(3), "imix_weights 90,1 x", Start(3),
    ),
    case("counts of two runs", "count 3", "pkt_size 60", "imix_weights 100,1", Start(3), Start(3)),
    case("counts cleared", "count 3", "pkt_size 60", "imix_weights 100,1", Start(3), "clear_counters", Start(3)),
    case("counts in bursts", "count 6", "pkt_size 60", "imix_weights 100,1", "burst 3", Start(0), device="d0"),
    draws("by netif_receive", "100,1 200,1", (100, 200), "xmit_mode netif_receive", "dst_mac 02:00:00:00:00:01"),
    case(
        "by netif_receive in bursts",
        "count 6", "pkt_size 60", "imix_weights 100,1", "xmit_mode netif_receive", "burst 3",
        "dst_mac 02:00:00:00:00:01", Start(6),
    ),
    case(
        "by queue_xmit",
        "count 3", "pkt_size 60", "imix_weights 100,1", "xmit_mode queue_xmit", Start(6),
    ),
    case("on dummy", "count 5", "pkt_size 60", "imix_weights 100,1", Start(0), Start(0), device="d0"),
    case("with a VLAN and checksums", "count 3", "vlan_id 5", "flag UDPCSUM", "imix_weights 100,1", "pkt_size 60", Start(3)),
    case(
        "with IPv6",
        "count 4", "src6 fd00::1", "dst6 fd00::2", "pkt_size 90", "imix_weights 100,1", Start(4), "imix_weights 70,1",
        Start(4),
    ),
    case(
        "checksums in software",
        System("ethtool -K v0 tx off", "ethtool -K v0 tx on"), "count 3", "pkt_size 60", "imix_weights 101,1",
        "flag UDPCSUM", Start(3),
    ),
    case("the rate is of the smallest size", "pkt_size 100", "imix_weights 1000,1", "rate 100"),
    case(
        "while a run lasts",
        "count 3", "pkt_size 60", "delay 2147483647", Launch(), "imix_weights 100,1", Release("delay 0"), Join(3),
        Start(3),
    ),
    case(
        "off while a run lasts",
        "count 3", "pkt_size 60", "imix_weights 100,1", "delay 2147483647", Launch(), "imix_weights",
        Release("delay 0"), Join(3), Start(3),
    ),
)  # fmt: skip
