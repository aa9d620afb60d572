# SPDX-License-Identifier: GPL-2.0
"""Which random writes are about a difference on purpose. The cases have these, and known/ says
what is to come of them; in random sequences the states would go apart.
"""

import re

SEPARATORS = b'"\n\r\t ='
INT, U32 = 2**31 - 1, 2**32 - 1
# Above these rpktgen takes the largest, or refuses.
LARGEST = {
    b"pkt_size": 65535, b"min_pkt_size": 65535, b"max_pkt_size": 65535, b"burst": 65535,
    b"clone_skb": INT, b"frags": INT, b"flowlen": U32, b"spi": U32, b"node": U32,
}  # fmt: skip
IPV4 = {b"dst", b"dst_min", b"dst_max", b"src_min", b"src_max"}


def differs(data):
    """Whether a write to a device file is one of those that known/ is about."""
    name, rest = token(data.lstrip(SEPARATORS), 15)
    rest = rest.lstrip(SEPARATORS)
    if name in IPV4:
        return not ipv4_or_none(token(rest, 31)[0])
    if name == b"imix_weights":
        return not mix_or_none(rest)
    number, _ = decimal(rest)
    # The C module then demands a NUL of every write, or what looks like one.
    if name == b"debug":
        return number % 2**32 != 0
    return name in LARGEST and number > LARGEST[name]


def token(data, limit):
    """A token up to a NUL, and what comes after the token."""
    length = 0
    while length < min(limit, len(data)) and data[length] not in SEPARATORS:
        length += 1
    return data[:length].split(b"\0")[0], data[length:]


def decimal(data):
    """A number of ten digits at most, and what comes after it."""
    digits = re.match(rb"[0-9]{0,10}", data)[0]
    return int(digits or b"0"), data[len(digits) :]


def ipv4_or_none(text):
    parts = text.split(b".")
    return not text or len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)


def mix_or_none(data):
    """Whether a list of sizes is good, or is none: of one with an error the C module keeps a part."""
    if not data:
        return True
    for _ in range(20):
        size, data = decimal(data)
        weight, after = decimal(data[1:])
        if data[:1] != b"," or weight == 0 or size > 65535:
            return False
        if after[:1] != b" ":
            return True
        data = after[1:]
    return False


def refuses(before, reference, ours):
    """Whether texts differ because rpktgen refuses what is no IPv6 address: the C module says
    that it took it, and has the one before.
    """
    name = re.search(rb"\nResult: ERROR: ((?:dst6|src6)\w*): not an IPv6 address\n", ours)
    if not name:
        return False
    label = {b"src6": b"saddr", b"dst6": b"daddr", b"dst6_min": b"min_daddr", b"dst6_max": b"max_daddr"}[name[1]]
    field = re.compile(rb" " + label + rb": (\S+)")
    stored = field.search(reference)
    told = re.search(rb"\nResult: OK: " + name[1] + rb"=(\S+)\n", reference)
    if not stored or not told or told[1] != stored[1]:
        return False
    # Without IPv6 the one before was not shown.
    shown = field.search(before)
    return shown is None or shown[1] == stored[1]
