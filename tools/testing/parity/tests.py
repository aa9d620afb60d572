# SPDX-License-Identifier: GPL-2.0
"""The comparison itself: what it must notice, and what it must not make anything of."""

import dataclasses
import itertools
import math
import random
import struct
import unittest
import unittest.mock

import compare
import distribution
import frame
import purpose
import random_control
import random_runs
import random_writes
import rounds
import sequences
import texts
from capture import Frame
from cases.draws import Bits, Draw, Fresh, OneOf
from distribution import Sample

SUMMARY = (
    "Result: OK: 1000(c900+d100) usec, 10 (60byte,0frags)\n"
    "  10000pps 4Mb/sec (4800000bps) errors: 0\n"
)  # fmt: skip


def udp_frame(checksum=0, seconds=100, payload=b"\0" * 2):
    """A frame as pktgen makes it, with the right IPv4 checksum."""
    hour = struct.pack("!IIII", 0xBE9BE955, 1, seconds, 7)
    length = 8 + len(hour) + len(payload)
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + length, 3, 0, 32, 17, 0) + bytes([10, 0, 0, 1, 10, 0, 0, 2])
    total = ~frame.ones_sum(header) & 0xFFFF
    header = header[:10] + struct.pack("!H", total) + header[12:]
    datagram = struct.pack("!HHHH", 9, 9, length, checksum) + hour + payload
    return bytes(range(12)) + b"\x08\x00" + header + datagram


def captured(data, partial=False):
    return Frame("v1", "host", 0x0800, 0, 0, partial, data, 0)


def fields(data, partial=False):
    return frame.fields(captured(data, partial), 99 * 10**9, 101 * 10**9)


class Texts(unittest.TestCase):
    def test_figures_that_agree(self):
        self.assertEqual(texts.normalise(SUMMARY), "Result: OK: T usec, 10 (60byte,0frags)\n  rates: of what was sent  errors: 0\n")

    def test_how_it_ended(self):
        said = SUMMARY.rstrip("\n") + "\n  ended: no carrier\n"
        self.assertEqual(texts.normalise(said), texts.normalise(SUMMARY))
        self.assertEqual(texts.ends(said + SUMMARY), ["no carrier", None])

    def test_figures_that_do_not_agree(self):
        for right, wrong, what in (
            ("c900", "c800", "usec"),
            ("10000pps", "11000pps", "pps"),
            ("4800000bps", "4800001bps", "bps"),
            (" 4Mb", " 5Mb", "Mb/sec"),
        ):
            self.assertIn(f"[does not agree: {what}", texts.normalise(SUMMARY.replace(right, wrong)))

    def test_what_rates_are_made_of(self):
        # 10 packets of 60, 70 or 64 bytes on average, in a millisecond.
        line = "  10000pps {}Mb/sec ({}bps) errors: 0\n"
        text = SUMMARY.splitlines()[0] + "\n" + line.format(5, 5120000)
        self.assertIn("rates: of what was sent", texts.normalise(text, sent_bytes=640))
        self.assertIn("[does not agree: bps", texts.normalise(text, sent_bytes=700))
        self.assertIn("rates: of the last size", texts.normalise(SUMMARY, sent_bytes=640))
        # In a run of seconds both may fit: 4 packets, the last of 73 bytes, all of about 292.
        slow = "Result: OK: 1000000(c900+d999100) usec, 4 (73byte,0frags)\n  4pps 0Mb/sec (2336bps) errors: 0\n"
        self.assertIn("rates: of what was sent", texts.normalise(slow, sent_bytes=292))
        self.assertIn("rates: of the last size", texts.normalise(slow, sent_bytes=291))
        slow = "Result: OK: 1333333(c900+d1332433) usec, 4 (73byte,0frags)\n  3pps 0Mb/sec (1752bps) errors: 0\n"
        self.assertIn("rates: of the last size", texts.normalise(slow, sent_bytes=291))
        self.assertIn("rates: of what was sent", texts.normalise(slow.replace("73byte", "74byte"), sent_bytes=292))
        counts = "     imix_size_counts: 60,6 70,4 \n"
        self.assertIn("rates: of the table of sizes", texts.normalise(counts + text))
        self.assertIn("[does not agree: bps", texts.normalise(counts + text.replace("5120000", "5320000")))

    def test_judged_once(self):
        judged = {}
        once = texts.normalise(SUMMARY, judged, 640)
        self.assertEqual(texts.normalise(SUMMARY, judged), once)

    def test_counts_of_sizes(self):
        text = "     imix_size_counts: 60,6 70,4 \n"
        self.assertEqual(texts.mask(text, {"length": OneOf((60, 70))}), "     imix_size_counts: 60 70, 10 in all \n")
        self.assertEqual(texts.mask(text, {}), text)
        self.assertEqual(texts.imix_counts(text), [(60, 6), (70, 4)])

    def test_times(self):
        line = "     started: {}us  stopped: {}us idle: 5us"
        self.assertIn("started: T  stopped: T", texts.normalise(line.format(10, 20)))
        self.assertIn("before", texts.normalise(line.format(20, 10)))
        self.assertEqual(texts.normalise(line.format(0, 0).replace("5", "0")), line.format(0, 0).replace("5", "0"))

    def test_parts_are_the_text(self):
        text = "Params: count 1  min_pkt_size: 0\n     dst_min:   dst_max: \n     Flags: A  B  \nResult: x"
        self.assertEqual("".join(part for _, part in texts.parts(text)), text)
        self.assertIn(("dst_max", "  dst_max: \n"), texts.parts(text))

    def test_random_values(self):
        text = "     cur_udp_dst: 5  cur_udp_src: 7\n"
        self.assertEqual(texts.mask(text, {"udp.dst": Draw(5, 6)}), "     cur_udp_dst: random  cur_udp_src: 7\n")
        self.assertEqual(texts.mask(text, {"udp.dst": Draw(6, 7)}), text)


class Frames(unittest.TestCase):
    def test_fields(self):
        found = fields(udp_frame())
        self.assertEqual((found["ip.csum is"], found["udp.csum is"]), ("right", "none"))
        self.assertEqual((found["pktgen.time"], found["data"]), ("now", "2 zeros"))

    def test_wrong_sums(self):
        good = udp_frame()
        self.assertEqual(fields(good[:24] + b"\0\0" + good[26:])["ip.csum is"], "wrong")
        self.assertEqual(fields(udp_frame(checksum=1))["udp.csum is"], "wrong")
        self.assertEqual(fields(udp_frame(checksum=1), partial=True)["udp.csum is"], "partial, wrong")

    def test_wrong_sums_are_not_masked(self):
        draw = {"udp.src": Draw(0, 65535)}
        self.assertEqual(frame.mask(fields(udp_frame(checksum=1)), draw)["udp.csum"], "0x0001")

    def test_times(self):
        self.assertEqual(fields(udp_frame(seconds=0).replace(b"\0\0\0\7", b"\0\0\0\0"))["pktgen.time"], "none")
        self.assertIn("not in", fields(udp_frame(seconds=98))["pktgen.time"])

    def test_every_byte_counts(self):
        good = udp_frame(payload=bytes(range(4)))
        for at in range(len(good)):
            changed = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
            ours, theirs = frame.mask(fields(changed), {}), frame.mask(fields(good), {})
            # But for the time stamp, within the time of the run.
            if not 50 <= at < 58 or ours["pktgen.time"] != "now":
                self.assertNotEqual(ours, theirs, f"byte {at}")

    def test_short_frames(self):
        for length in range(len(udp_frame()) - 2):
            self.assertIn("broken", fields(udp_frame()[:length]))

    def test_draws(self):
        self.assertTrue(Draw("10.0.0.1", "10.0.0.9").holds("10.0.0.9"))
        self.assertFalse(Draw("10.0.0.1", "10.0.0.9").holds("10.0.0.10"))
        self.assertEqual(dict(Draw(1, 9, 3).notes([1, 2, 2]))["varies"], "only 2 values")
        self.assertEqual(dict(Draw(1, 9, 2).notes([1, 2, 2]))["drawn"], Sample((1, 2, 2)))
        self.assertTrue(OneOf((60, 70)).holds(60))
        self.assertFalse(OneOf((60, 70)).holds(61))
        fresh = Fresh("10.0.0.1", "10.0.0.9")
        self.assertEqual(dict(fresh.notes(["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.3"]))["comes up"], "one after the other")
        self.assertEqual(dict(fresh.notes(["10.0.0.1", "10.0.0.3"]))["comes up"], "not one after the other")
        notes = dict(Bits().notes(["00000101", "00001101"]))
        self.assertEqual(notes["varies"], "bits 00001000, the others are 00000101")


def drawn(draw, count=1000):
    """A sample of so many draws."""
    return Sample(tuple(draw() for _ in range(count)))


class Distributions(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(7)

    def below(self, limit):
        return lambda: self.random.randrange(limit)

    def test_chances_are_exact(self):
        for _ in range(500):
            total = self.random.randrange(1, 120)
            inside, mine = self.random.randrange(total + 1), self.random.randrange(total + 1)
            least, most = max(0, inside + mine - total), min(inside, mine)
            at = self.random.randrange(least, most + 1)
            side = range(least, at + 1) if at * total < inside * mine else range(at, most + 1)
            ways = sum(math.comb(inside, one) * math.comb(total - inside, mine - one) for one in side)
            exact = min(1, 2 * ways / math.comb(total, mine))
            self.assertAlmostEqual(distribution.chance(total, inside, mine, at) / exact, 1, 6)

    def test_one_distribution(self):
        for limit in (1, 2, 3, 16, 100, 4096, 2**48, 2**128):
            self.assertEqual(drawn(self.below(limit)).unlike(drawn(self.below(limit))), "", limit)

    def test_false_alarms_are_as_rare_as_said(self):
        with unittest.mock.patch.object(distribution, "FALSE_ALARM", 0.1):
            alarms = sum(
                bool(drawn(self.below(16), 60).unlike(drawn(self.below(16), 60))) for _ in range(300)
            )
        # Each half of the test may have 30 of 600; 60 would be a matter of one in 10^7.
        self.assertLess(alarms, 60)

    def test_other_distributions(self):
        reference = drawn(self.below(4096))
        for name, draw in (
            ("a smaller range", self.below(3400)),
            ("even numbers", lambda: self.random.randrange(4096) & ~1),
            ("without one bit", lambda: self.random.randrange(4096) & ~0x200),
            ("towards the middle", lambda: (self.random.randrange(4096) + self.random.randrange(4096)) // 2),
            ("a constant", lambda: 17),
        ):
            self.assertTrue(reference.unlike(drawn(draw)), name)

    def test_few_values(self):
        reference = drawn(self.below(16))
        for name, draw in (
            ("the last is missing", self.below(15)),
            ("the first is missing", lambda: self.random.randrange(1, 16)),
            ("one comes five times as often", lambda: max(0, self.random.randrange(-4, 16))),
        ):
            self.assertTrue(reference.unlike(drawn(draw)), name)

    def test_sequences(self):
        for step in (1, 3):
            values = itertools.count(0, step)
            in_turn = drawn(lambda values=values: next(values) % 16)
            self.assertIn("neighbours", drawn(self.below(16)).unlike(in_turn))

    def test_as_text(self):
        self.assertEqual(str(Sample((5, 5, 5, 5))), "mostly 5")
        self.assertEqual(str(Sample((5, 5, 5, 5, 6))), "mostly 5")
        self.assertEqual(str(Sample((5, 6, 7))), "spread")
        self.assertEqual(str(Sample(())), "nothing")

    def test_difference_of_samples(self):
        reference, ours = drawn(self.below(16)), drawn(lambda: 3)
        found = compare.differences({("run", "port drawn"): reference}, {("run", "port drawn"): ours})
        self.assertEqual([(one.reference, one.ours) for one in found], [("spread", "mostly 3")])
        self.assertEqual(compare.differences({("run", "x"): reference}, {("run", "x"): reference}), [])


class Comparison(unittest.TestCase):
    def test_differences(self):
        found = compare.differences({("a", "x"): 1, ("a", "y"): 2}, {("a", "x"): 1, ("a", "z"): 3})
        self.assertEqual([(one.what, one.reference, one.ours) for one in found], [("y", 2, None), ("z", None, 3)])

    def test_one_that_stays_is_one(self):
        reference = {("a", "x"): 1, ("b", "x"): 1, ("c", "x"): 2}
        self.assertEqual(len(compare.differences(reference, {key: 9 for key in reference})), 2)

    def test_verdict(self):
        one = compare.Difference("a", "x", 1, 2)
        self.assertTrue(compare.Verdict("case", met=1).good)
        self.assertFalse(compare.Verdict("case", unnamed=(one,)).good)
        self.assertFalse(compare.Verdict("case", missing=(("name", one),)).good)
        self.assertFalse(compare.Verdict("case", error="broken").good)


def sequence(seed, number):
    """A random sequence as text."""
    which, draw = sequences.kind(seed, number)
    make = {"writes": random_writes.sequence, "control": random_control.sequence}
    return str(make[which](draw) if which in make else random_runs.case(draw, "name"))


class Twice:
    """A player that finds a difference at first only, in which rpktgen did the same or not."""

    def __init__(self, *ours):
        self.left = list(ours)
        self.ours = None

    def difference(self, _made):
        self.ours = self.left.pop(0)
        return "a difference" if self.left else ""

    same = sequences.Control.same


class Sequences(unittest.TestCase):
    def test_a_difference_that_does_not_show_again(self):
        for player, unsteady in (
            (Twice(["a"], ["a", "b"]), True),
            (Twice(["a", "c"], ["a", "b"]), False),
            (Twice(["a"], ["a"], ["a"]), False),
        ):
            player.difference(None)
            self.assertEqual(sequences.unsteady(player, None), unsteady)

    def test_writes_are_never_unsteady(self):
        self.assertFalse(sequences.Writes(()).same([]))

    def test_the_seed_decides(self):
        for number in range(200):
            self.assertEqual(sequence(1, number), sequence(1, number))
            self.assertNotEqual(sequence(1, number), sequence(2, number))

    def test_all_kinds_come(self):
        self.assertEqual({sequences.kind(1, number)[0] for number in range(200)}, {"writes", "control", "run"})

    def test_unfit_writes_do_not_come(self):
        for number in range(200):
            _, made = random_writes.sequence(random.Random(number))
            self.assertFalse([data for data in made if purpose.unfit(data)])

    def test_no_start_and_no_slash(self):
        for number in range(500):
            for file, data in random_control.sequence(random.Random(number)):
                self.assertFalse(file == "pgctrl" and data.strip(b"\n\0") == b"start", data)
                self.assertFalse(file != "pgctrl" and random_control.warns(data), data)

    def test_starts(self):
        for data, starts in ((b"start", True), (b"start\n", True), (b"start\0x", True), (b"start ", False)):
            self.assertEqual(random_control.starts(data), starts, data)

    def test_slashes(self):
        for data, warns in (
            (b"add_device v0@/", True),
            (b"add_device=lo@a/b more", True),
            (b"add_device v0/x", False),
            (b"add_device a/b", False),
            (b"add_device v0@" + b"1" * 28 + b"/", False),
        ):
            self.assertEqual(random_control.warns(data), warns, data)

    def test_unfit_writes(self):
        for data, unfit in (
            (b"node 4294967296", True),
            (b"node 4294967295", False),
            (b"debug 1", True),
            (b"debug\t4294967296", True),
            (b"debug 0", False),
            (b"debug", False),
            (b"", False),
        ):
            self.assertEqual(purpose.unfit(data), unfit, data)


def told(text, *lines):
    """What a write returned, and a text with this result."""
    return "9", b"\n".join((b"Params: count 0", *lines, b"Result: " + text + b"\n"))


class OnPurpose(unittest.TestCase):
    def named(self, data, before, reference, ours):
        found = purpose.of_write(data, before[1], reference, ours)
        return found and found[0]

    def test_names_are_of_the_table(self):
        self.assertEqual(purpose.checked("real-size"), "real-size")
        self.assertRaises(ValueError, purpose.checked, "real-sizes")
        tally = rounds.Tally()
        tally.count({"run": 1, "steps": 9, "compared": 8, "real-size": 2})
        self.assertRaises(ValueError, tally.count, {"real-sizes": 1})
        self.assertIn("1 sequences, 8 of 9 steps compared", str(tally))
        self.assertEqual(tally.named(), "real-size 2")

    def test_rates(self):
        one = compare.Difference("run", "v0: rates", "  rates: of the last size", "  rates: of what was sent")
        self.assertEqual(purpose.of_run(one), "real-size")
        counted = dataclasses.replace(one, reference="  rates: of the table of sizes")
        self.assertEqual(purpose.of_run(counted), "imix-counts")
        self.assertIsNone(purpose.of_run(dataclasses.replace(one, ours="  rates: of the last size")))
        self.assertIsNone(purpose.of_run(dataclasses.replace(one, what="v0: Result")))

    def test_addresses(self):
        before = told(b"OK", b" dst_min: 10.0.0.1")
        reference = told(b"OK: dst_min=10.1", b" dst_min: 10.1")
        ours = told(b"ERROR: dst: not an IPv4 address", b" dst_min: 10.0.0.1")
        self.assertEqual(self.named(b"dst 10.1\0x", before, reference, ours), "no-address")
        # Something else was refused, or changed, or returned.
        self.assertIsNone(self.named(b"dst_max 10.1", before, reference, ours))
        self.assertIsNone(self.named(b"dst 10.2", before, reference, ours))
        self.assertIsNone(self.named(b"dst 10.1", told(b"OK", b" dst_min: 10.0.0.2"), reference, ours))
        self.assertIsNone(self.named(b"dst 10.1", before, reference, ("EINVAL", ours[1])))
        self.assertIsNone(self.named(b"dst 10.1", before, ours, reference))

    def test_ipv6_addresses(self):
        line = b"     daddr: fd00::1  min_daddr: ::"
        before, reference = told(b"OK", line), told(b"OK: dst6=fd00::1", line)
        ours = told(b"ERROR: dst6: not an IPv6 address", line)
        found = purpose.of_write(b"dst6 x", before[1], reference, ours)
        self.assertEqual(found, ("no-address", (b"dst6 fd00::1", b"flag !IPV6")))
        # It was an address for the C module.
        other = told(b"OK: dst6=fd00::2", line.replace(b"fd00::1", b"fd00::2"))
        self.assertIsNone(self.named(b"dst6 x", before, other, ours))
        self.assertIsNone(self.named(b"dst6 x", before, ours, reference))

    def test_large_numbers(self):
        before = told(b"OK")
        for data, reference, ours, name in (
            (b"burst 65536", b"OK: burst=65536", b"OK: burst=65535", "large-numbers"),
            (b'="burst"\t"4294967297"', b"OK: burst=1", b"OK: burst=65535", "large-numbers"),
            (b"frags 2147483648", b"OK: frags=-2147483648", b"OK: frags=2147483647", "large-numbers"),
            (b"src_mac_count 4294967297", b"OK: src_mac_count=1", b"OK: src_mac_count=-1", "large-numbers"),
            (b"burst 65535", b"OK: burst=65534", b"OK: burst=65535", None),
            (b"burst 65536", b"OK: burst=65536", b"OK: burst=65534", None),
            (b"burst 65536", b"OK: burst=7", b"OK: burst=65535", None),
            (b"count 9999999999", b"OK: count=1", b"OK: count=4294967295", None),
        ):
            self.assertEqual(self.named(data, before, told(reference), told(ours)), name, data)

    def test_sizes(self):
        before = told(b"OK", b" imix_weights: 80,1 ")
        half = "EINVAL", told(b"OK", b" imix_weights: 64,1 ")[1]
        kept = "EINVAL", before[1]
        self.assertEqual(self.named(b"imix_weights 64,1 x", before, half, kept), "imix-error")
        self.assertIsNone(self.named(b"imix_weights 64,1 x", before, kept, half))
        reference, ours = told(b"OK", b" imix_weights: 65536,70000 "), told(b"OK", b" imix_weights: 65535,70000 ")
        self.assertEqual(self.named(b"imix_weights 65536,70000", before, reference, ours), "large-numbers")
        self.assertIsNone(self.named(b"imix_weights 65536,70000", before, reference, before))


if __name__ == "__main__":
    unittest.main()
