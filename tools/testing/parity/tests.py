# SPDX-License-Identifier: GPL-2.0
"""The comparison itself: what it must notice, and what it must not make anything of."""

import struct
import unittest

import compare
import frame
import sequences
import texts
from capture import Frame
from cases.steps import Bits, Draw

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
        self.assertEqual(texts.normalise(SUMMARY), "Result: OK: T usec, 10 (60byte,0frags)\n  rates errors: 0\n")

    def test_figures_that_do_not_agree(self):
        for right, wrong, what in (
            ("c900", "c800", "usec"),
            ("10000pps", "11000pps", "pps"),
            ("4800000bps", "4800001bps", "bps"),
            (" 4Mb", " 5Mb", "Mb/sec"),
        ):
            self.assertIn(f"[does not agree: {what}", texts.normalise(SUMMARY.replace(right, wrong)))

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
        self.assertEqual(Draw(1, 9, 3).variation([1, 2, 2]), "only 2 values")
        self.assertEqual(Bits().variation(["00000101", "00001101"]), "bits 00001000, the others are 00000101")


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


class Sequences(unittest.TestCase):
    def test_the_seed_decides(self):
        first, again, other = (sequences.Generator(*which).sequence() for which in ((1, 2), (1, 2), (1, 3)))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_no_run_is_started(self):
        for number in range(200):
            for data in sequences.Generator(7, number).sequence():
                self.assertFalse(sequences.differs_on_purpose(data), data)

    def test_what_differs_on_purpose(self):
        for data, differs in (
            (b"pkt_size 65535", False),
            (b"pkt_size 65536", True),
            (b'="burst"\t"9999999999"', True),
            (b"count 9999999999", False),
            (b"flag !NODE\n", True),
            (b"flag NODE_ALLOC", False),
            (b"frags\0x 4", True),
            (b"", False),
        ):
            self.assertEqual(sequences.differs_on_purpose(data), differs, data)


if __name__ == "__main__":
    unittest.main()
