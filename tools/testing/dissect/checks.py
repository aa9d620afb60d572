# SPDX-License-Identifier: GPL-2.0
"""What a test wants of one field in all frames of its variant:

    FIELD=VALUE             it has this value, or these, separated by commas
    FIELD=seq:LOW..HIGH     it counts from LOW to HIGH and begins again
    FIELD=seqN:LOW..HIGH    it does so every N frames
    FIELD=rnd:LOW..HIGH     it is spread over the range, not in order
    FIELD=mix:V/P,V/P...    it is V in about P percent of the frames
    FIELD=once:VALUE        it has this value in exactly one frame

FIELD[N] is the value number N of a field that is there several times, from 0. LOW and HIGH are
numbers, MAC or IP addresses.
"""

import re
import socket


class Wrong(Exception):
    """A frame, or all of them, are not as they should be."""


def number_of(text):
    """A number, MAC or IP address as a number, so that there are ranges of them."""
    if re.fullmatch(r"([0-9a-f]{2}:){5}[0-9a-f]{2}", text):
        return int(text.replace(":", ""), 16)
    if ":" in text:
        return int.from_bytes(socket.inet_pton(socket.AF_INET6, text), "big")
    if "." in text:
        return int.from_bytes(socket.inet_aton(text), "big")
    return int(text, 0)


def sequence_right(values, low, high, length):
    for start in range(0, len(values), length):
        if len(set(values[start : start + length])) != 1:
            raise Wrong(f"not the same in frames {start + 1} to {start + length}")
    values = values[::length]
    for before, value in zip(values, values[1:]):
        if value != (before + 1 if before < high else low):
            raise Wrong(f"{before} is followed by {value}")
    if min(values) != low or max(values) != high:
        raise Wrong(f"from {min(values)} to {max(values)}, not from {low} to {high}")


def random_right(values, low, high):
    if min(values) < low or max(values) > high:
        raise Wrong(f"from {min(values)} to {max(values)}, not from {low} to {high}")
    size = high - low + 1
    # So many of the values are expected to show.
    expected = size * (1 - (1 - 1 / size) ** len(values)) if size < 1 << 32 else len(values)
    different = len(set(values))
    if different < 0.9 * expected:
        raise Wrong(f"only {different} different values of about {expected:.0f}")
    steps = sum(value == before + 1 for before, value in zip(values, values[1:]))
    if steps > len(values) / 2:
        raise Wrong("in order")


def mix_right(values, text):
    wanted = {}
    for part in text.split(","):
        value, percent = part.split("/")
        wanted[value] = int(percent) / 100
    if others := set(values) - set(wanted):
        raise Wrong(f"also {', '.join(sorted(others))}")
    for value, share in wanted.items():
        got = values.count(value)
        # Six standard deviations.
        if abs(got - share * len(values)) > 6 * (share * (1 - share) * len(values)) ** 0.5:
            raise Wrong(f"{value} in {got} of {len(values)} frames")


def once_right(values, wanted):
    if values.count(wanted) != 1:
        raise Wrong(f"{wanted} in {values.count(wanted)} frames")


def same(values, wanted):
    if others := set(values) - {wanted}:
        raise Wrong(f"also {', '.join(sorted(others)[:5])}, wanted {wanted}")


def range_right(values, kind, length, text):
    low, high = (number_of(end) for end in text.split(".."))
    numbers = [number_of(value) for value in values]
    if kind == "seq":
        sequence_right(numbers, low, high, int(length or 1))
    else:
        random_right(numbers, low, high)


def check_right(rows, check):
    """Raises Wrong if the frames, a dictionary of fields each, are not as the check says."""
    field, wanted = check.split("=", 1)
    name, index = re.fullmatch(r"([a-z0-9_.]+)(?:\[(\d+)\])?", field).groups()
    values = [row[name] for row in rows]
    kind, length, text = re.fullmatch(r"(?:(seq|rnd|mix|once)(\d*):)?(.*)", wanted).groups()
    try:
        if index is not None:
            values = [value.split(",")[int(index)] for value in values]
        if kind == "mix":
            mix_right(values, text)
        elif kind == "once":
            once_right(values, text)
        elif kind:
            range_right(values, kind, length, text)
        else:
            same(values, text)
    except (Wrong, ValueError, IndexError, OSError) as wrong:
        raise Wrong(f"{field}: {wrong}") from None
