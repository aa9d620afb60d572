# SPDX-License-Identifier: GPL-2.0
"""Which differences of random sequences are on purpose, by the names of the tables of known/, and
what brings the two generators back into step.
"""

import re

from known import NAMES

SEPARATORS = b'"\n\r\t ='
INT, U32 = 2**31 - 1, 2**32 - 1
# Above these rpktgen takes the largest.
LARGEST = {
    b"pkt_size": 65535, b"min_pkt_size": 65535, b"max_pkt_size": 65535, b"burst": 65535,
    b"clone_skb": INT, b"frags": INT, b"flowlen": U32, b"spi": U32,
    b"src_mac_count": U32, b"dst_mac_count": U32,
}  # fmt: skip
# What the C module says it has stored.
IPV4 = {
    b"dst": b"dst_min", b"dst_min": b"dst_min", b"dst_max": b"dst_max", b"src_min": b"src_min", b"src_max": b"src_max",
}  # fmt: skip
# Where it shows what it has stored.
IPV6 = {b"src6": b"saddr", b"dst6": b"daddr", b"dst6_min": b"min_daddr", b"dst6_max": b"max_daddr"}
RESULT = re.compile(rb"\nResult: (.*)\n\Z", re.DOTALL)
SIZES = re.compile(rb"(?<= )(\d+)(?=,)")
# How rates are made: the C module's of the last size or of what it counts, ours of the bytes.
OUR_RATES = "  rates: of what was sent"
RATES = {"  rates: of the last size": "real-size", "  rates: of the table of sizes": "imix-counts"}


def checked(name):
    """A name, which must be one of the tables'."""
    if name not in NAMES:
        raise ValueError(f"'{name}' is not in known/")
    return name


def unfit(data):
    """Whether random sequences cannot have a write to a device file: it makes the C module read
    beyond its table of nodes, or, for debug, lose later writes.
    """
    command, rest = parted(data)
    number, _ = decimal(rest)
    return command == b"node" and number > U32 or command == b"debug" and number != 0


def of_write(data, before, reference, ours):
    """The name of the difference that a write to a device file shows, and the writes that end it;
    or nothing if it is none of those on purpose. Both have shown the text `before`.
    """
    command, rest = parted(data)
    (returned, text), (our_returned, our_text) = reference, ours
    if returned != our_returned:
        return None
    if command in IPV4 or command in IPV6:
        if refused(command, rest, before, text, our_text):
            return checked("no-address"), ending(command, result(text))
    elif command == b"imix_weights":
        # Refused; nothing of it is shown.
        if not returned.isdigit() and our_text == before:
            return checked("imix-error"), (b"imix_weights",)
        if returned.isdigit() and smaller_sizes(text) == our_text:
            return checked("large-numbers"), (b"imix_weights",)
    elif command in LARGEST and cut(command, rest, text, our_text):
        return checked("large-numbers"), (command + b" 0",)
    return None


def ending(command, told):
    """The writes after which an address that was refused makes no difference. The C module says
    what it has stored.
    """
    if command in IPV4:
        return command + b" 3.3.3.3", command
    # It has switched IPv6 on, and has begun with that address. Both do so now.
    return command + b" " + told.split(b"=")[1], b"flag !IPV6"


def refused(command, rest, before, reference, ours):
    """Whether texts differ because rpktgen refuses what is no address and leaves everything as it
    was, while the C module says that it took it.
    """
    version = b"4" if command in IPV4 else b"6"
    if result(ours) != b"ERROR: " + command + b": not an IPv" + version + b" address":
        return False
    if RESULT.sub(b"", ours) != RESULT.sub(b"", before):
        return False
    if command in IPV4:
        return result(reference) == b"OK: " + IPV4[command] + b"=" + token(rest, 31)[0]
    # IPv6 addresses stay with the C module, too.
    field = re.compile(rb" " + IPV6[command] + rb": (\S+)")
    stored, shown = field.search(reference), field.search(before)
    if not stored or result(reference) != b"OK: " + command + b"=" + stored[1]:
        return False
    # Without IPv6 the one before was not shown.
    return shown is None or shown[1] == stored[1]


def cut(command, rest, reference, ours):
    """Whether texts differ because the C module cuts a number to 32 bits or takes it all, where
    rpktgen takes the largest.
    """
    number, _ = decimal(rest)
    told, our_told = (re.fullmatch(rb"OK: " + command + rb"=(-?\d+)", result(text)) for text in (reference, ours))
    return (
        number > LARGEST[command]
        and told is not None
        and our_told is not None
        and (int(told[1]) - number) % 2**32 == 0
        and (int(our_told[1]) - LARGEST[command]) % 2**32 == 0
    )


def smaller_sizes(text):
    """A text with the sizes that rpktgen has for those of the C module."""
    lines = text.split(b"\n")
    for at, line in enumerate(lines):
        if line.lstrip().startswith(b"imix_"):
            lines[at] = SIZES.sub(lambda size: b"%d" % min(int(size[1]), 65535), line)
    return b"\n".join(lines)


def of_run(difference):
    """The name of a difference of runs that random configurations cannot avoid, or nothing."""
    name = RATES.get(difference.reference)
    if name and difference.what.endswith(": rates") and difference.ours == OUR_RATES:
        return checked(name)
    return None


def result(text):
    found = RESULT.search(text)
    return found[1] if found else b""


def parted(data):
    """A command and what comes after it."""
    command, rest = token(data.lstrip(SEPARATORS), 15)
    return command, rest.lstrip(SEPARATORS)


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
