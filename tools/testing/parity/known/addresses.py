# SPDX-License-Identifier: GPL-2.0
"""Sources and ranges of addresses."""

from known.rows import real_size, rows

# Every row stays a line.
# fmt: off
KNOWN = (
    *rows("own-address", "addresses/the device's address, point to point", "run",
        ("frames: ip.csum", ("0xd4a7", "0xd4a6"), ("0xd4a8", "0xd4a7")),
        ("frames: ip.src", "198.18.0.8", "198.18.0.7"),
        ("v0: cur_saddr", "     cur_saddr: 198.18.0.8", "     cur_saddr: 198.18.0.7"),
    ),
    *rows("last-address", "addresses/range to the last address", "run",
        ("frames: ip.csum", ("0x9ac3", "0x9ac1", "0x9ac0", "0x9abe", "0x9abc", "0x9aba"), ("0x9ac3", "0x9ac1", "0x9ac2", "0x9ac0", "0x9abe", "0x9abf")),
        ("frames: ip.dst", ("255.255.255.254", "255.255.255.255", "0.0.0.0", "0.0.0.1", "0.0.0.2", "0.0.0.3"), ("255.255.255.254", "255.255.255.255", "255.255.255.253", "255.255.255.254", "255.255.255.255", "255.255.255.253")),
        ("v0: cur_daddr", "  cur_daddr: 0.0.0.3\n", "  cur_daddr: 255.255.255.253\n"),
    ),
    *rows("no-address", "addresses/spilling components", "'src_min 300.1.1.1'",
        ("v0: src_min", "     src_min: 300.1.1.1", "     src_min: "),
        ("v0: cur_saddr", "     cur_saddr: 44.1.1.1", "     cur_saddr: 0.0.0.0"),
        ("v0: Result", "Result: OK: src_min=300.1.1.1\n", "Result: ERROR: src_min: not an IPv4 address\n"),
    ),
    *rows("no-address", "addresses/spilling components", "'dst 1.2.3.999'",
        ("v0: dst_min", "     dst_min: 1.2.3.999", "     dst_min: "),
        ("v0: cur_daddr", "  cur_daddr: 1.2.3.231\n", "  cur_daddr: 0.0.0.0\n"),
        ("v0: Result", "Result: OK: dst_min=1.2.3.999\n", "Result: ERROR: dst: not an IPv4 address\n"),
    ),
    *rows("no-address", "addresses/spilling components", "run",
        ("frames: ip.csum", ("0x68d7", "0x68d6"), ("0x9ac2", "0x9ac1")),
        ("frames: ip.src", "44.1.1.1", "0.0.0.0"),
        ("frames: ip.dst", "1.2.3.231", "0.0.0.0"),
    ),
    *real_size("addresses/UDP checksum in software, sizes and addresses in sequence", "run"),
)
