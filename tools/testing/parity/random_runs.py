# SPDX-License-Identifier: GPL-2.0
"""Random configurations that are run: what is sent is compared like that of the cases. What is
drawn from is such that the two modules do not differ on purpose; known/ has where they do.
"""

from cases.draws import Draw, OneOf
from cases.steps import Case, Join, Launch, Release, Start, System


# More than all headers, tags and labels, and 18 fragments.
SMALLEST = 200
OWN_MAC = {"v0": "02:00:00:00:00:01", "d0": "02:00:00:00:00:03", "lo": "00:00:00:00:00:00"}


class Maker:
    """Makes one case."""

    def __init__(self, draw):
        self.draw = draw
        self.device = draw.choice(("v0", "v0", "v0", "lo", "d0"))
        self.steps = []
        self.random = {}
        # More than one run would differ, or copies of a packet.
        self.once = False
        self.sized = self.copied = self.counted = False
        self.mode = draw.choice(("start_xmit", "start_xmit", "netif_receive", "queue_xmit"))

    def chance(self, share):
        return self.draw.random() < share

    def add(self, *commands):
        self.steps += commands

    def number(self, low, high):
        return self.draw.randrange(low, high + 1)

    def case(self, name):
        count = self.number(1, 40)
        self.add(f"count {count}")
        features = [
            self.addresses, self.ports, self.macs, self.tags, self.sizes, self.queues, self.flags, self.copies,
            self.marks,
        ]  # fmt: skip
        for feature in self.draw.sample(features, self.number(3, len(features))):
            feature()
        if not self.sized:
            self.add(f"pkt_size {self.number(SMALLEST, 400)}")
        if self.mode != "start_xmit":
            self.steps.insert(0, f"xmit_mode {self.mode}")
            if self.mode == "queue_xmit" and self.random:
                # The stack's choice, by a hash over what is random.
                self.random["queue"] = Draw(0, 3, 0)
        self.runs()
        return Case(name, tuple(self.steps), device=self.device, random=self.random, cpu=self.number(0, 1))

    def runs(self):
        for number in range(1 if self.once else self.number(1, 3)):
            if number:
                self.add(*(self.change() for _ in range(self.number(0, 3))))
            if self.chance(0.25):
                self.add("delay 2147483647", Launch(), *(self.change() for _ in range(self.number(0, 3))))
                self.add(Release("delay 0"), Join(None))
            else:
                self.add(Start(None))

    def change(self):
        """Something that may change between runs, and in one that has sent nothing yet."""
        mac = "nonsense" if self.counted else f"dst_mac 02:00:00:00:00:0{self.number(1, 9)}"
        return self.draw.choice((
            mac, f"tos {self.number(0, 255):02x}", f"traffic_class {self.number(0, 255):02x}", "flag NO_TIMESTAMP",
            "flag !NO_TIMESTAMP", "flag UDPCSUM", "flag !UDPCSUM", f"skb_priority {self.number(0, 99)}",
            f"count {self.number(1, 20)}", "flag NODE", "flag !NODE",
            self.frags(), "tos x", "flag x", "vlan_p 9", "max_before", "clear_counters",
        ))  # fmt: skip

    # What can be configured

    def addresses(self):
        if self.chance(0.3):
            self.addresses6()
            return
        for end, field, flag in (("src", "ip.src", "IPSRC_RND"), ("dst", "ip.dst", "IPDST_RND")):
            first = self.number(1, 200)
            low, high = f"198.18.{self.number(0, 9)}.{first}", f"198.18.9.{first + self.number(0, 40)}"
            self.add(f"{end}_min {low}")
            if self.chance(0.6):
                self.add(f"{end}_max {high}")
                if self.chance(0.4):
                    self.add(f"flag {flag}")
                    self.random[field] = Draw(low, high, 0)
        if self.chance(0.3) and "ip.dst" not in self.random:
            self.add("flag FLOW_SEQ", f"flows {self.number(1, 6)}", f"flowlen {self.number(0, 5)}")
            self.once = True

    def addresses6(self):
        self.add(f"src6 fd00::{self.number(1, 65535):x}")
        kind = self.number(0, 2)
        if kind == 0:
            self.add(f"dst6 fd00::{self.number(1, 65535):x}")
        elif kind == 1:
            fixed = f"fd00::{self.number(1, 65535):x}"
            self.add(f"dst6_min {fixed}", f"dst6_max {fixed}")
        else:
            self.add("dst6_min fd00::", "dst6_max fd00::ff")
            self.random["ip.dst"] = Draw("fd00::", "fd00::ff", 0)

    def ports(self):
        for end in ("src", "dst"):
            low = self.number(1, 60000)
            high = low + self.number(0, 30)
            self.add(f"udp_{end}_min {low}", f"udp_{end}_max {high}")
            if self.chance(0.4) and low < high:
                self.add(f"flag UDP{end.upper()}_RND")
                self.random[f"udp.{end}"] = Draw(low, high - 1, 0)

    def macs(self):
        for end in ("src", "dst"):
            if self.chance(0.5):
                self.add(f"{end}_mac 02:00:00:00:01:f0")
                if self.chance(0.5):
                    count = self.number(2, 40)
                    self.add(f"{end}_mac_count {count}")
                    self.counted = True
                    if self.chance(0.4):
                        self.add(f"flag MAC{end.upper()}_RND")
                        last = f"02:00:00:00:{(0x1F0 + count - 1) >> 8:02x}:{(0x1F0 + count - 1) & 255:02x}"
                        self.random[f"eth.{end}"] = Draw("02:00:00:00:01:f0", last, 0)
                        self.random[f"{end}_mac_offset"] = Draw(0, count, 0)
            elif end == "dst":
                self.add(f"dst_mac {OWN_MAC[self.device]}")

    def tags(self):
        if self.chance(0.5):
            labels = (f"{self.number(1, 2**20 - 1):05x}0{self.number(1, 255):02x}" for _ in range(self.number(1, 16)))
            self.add("mpls " + ",".join(labels))
            return
        self.tag("vlan", "VID_RND")
        if self.chance(0.5):
            self.tag("svlan", "SVID_RND")

    def tag(self, name, flag):
        self.add(f"{name}_id {self.number(0, 4095)}")
        if self.chance(0.3):
            self.add(f"flag {flag}")
            self.random[name] = Draw(0, 4095, 0)
        else:
            self.add(f"{name}_p {self.number(0, 7)}", f"{name}_cfi {self.number(0, 1)}")

    def sizes(self):
        self.sized = True
        low = self.number(SMALLEST, 400)
        high = low + self.number(0, 100)
        kind = self.number(0, 2 if self.copied else 3)
        if kind == 0:
            self.add(f"pkt_size {low}")
        elif kind == 1:
            self.add(f"min_pkt_size {low}", f"max_pkt_size {high}")
        elif kind == 2:
            self.add(f"min_pkt_size {low}", f"max_pkt_size {high + 1}", "flag TXSIZE_RND")
            self.random["length"] = Draw(low, high, 0)
        else:
            # Weights that make whole percents.
            self.add(f"pkt_size {low}", f"imix_weights {low},{self.draw.choice((1, 3, 4, 9, 99))} {high + 1},1")
            self.random["length"] = OneOf((low, high + 1), 0)
            self.once = True
        if self.chance(0.3):
            self.add(self.frags())

    def frags(self):
        # The stack may put a packet into one piece, of which only the C module's result tells.
        return f"frags {0 if self.mode == 'queue_xmit' else self.number(0, 30)}"

    def queues(self):
        if self.chance(0.5):
            self.add("flag QUEUE_MAP_CPU")
        else:
            low = self.number(0, 3)
            self.add(f"queue_map_min {low}", f"queue_map_max {self.number(low, 5)}", "flag QUEUE_MAP_RND")
            self.random["queue"] = Draw(0 if self.device == "lo" else low, 3, 0)

    def flags(self):
        for flag in ("UDPCSUM", "NO_TIMESTAMP", "NODE"):
            if self.chance(0.5):
                self.add(f"flag {flag}")
        if self.chance(0.3):
            self.add("node 0")
        if self.device == "v0" and self.chance(0.2):
            self.add(System("ethtool -K v0 tx off", "ethtool -K v0 tx on"))

    def copies(self):
        """Refused or not: both say the same. A table of sizes counts what it builds."""
        if self.once:
            return
        self.copied = True
        self.add(f"burst {self.number(0, 5)}")
        # There the C module queues a buffer that may still be in the queue.
        if self.mode != "queue_xmit":
            self.add(f"clone_skb {self.number(0, 4)}")
        if self.chance(0.2):
            self.add("flag !SHARED")
        if self.chance(0.2):
            self.add(f"delay {self.number(1, 2000)}")

    def marks(self):
        self.add(f"tos {self.number(0, 255):02x}", f"traffic_class {self.number(0, 255):02x}")
        if self.chance(0.5):
            self.add(f"skb_priority {self.number(0, 999)}")


def case(draw, name):
    """A case that depends on nothing but the draws."""
    return Maker(draw).case(name)
