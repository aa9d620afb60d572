# SPDX-License-Identifier: GPL-2.0
"""What the files show, made comparable: times and rates differ from run to run and become
letters, provided that they agree with each other. Everything else stays as it is.
"""

import functools
import re

TIMES = re.compile(r"     started: (\d+)us  stopped: (\d+)us idle: (\d+)us")

SUMMARY = re.compile(
    r"OK: (?P<total>\d+)\(c(?P<busy>\d+)\+d(?P<idle>\d+)\) usec, "
    r"(?P<sofar>\d+) \((?P<size>-?\d+)byte,(?P<frags>-?\d+)frags\)\n"
    r"  (?P<pps>\d+)pps (?P<mbps>\d+)Mb/sec \((?P<bps>\d+)bps\) errors: (?P<errors>\d+)"
    # The difference "ended", see ends().
    r"(?:\n  ended: (?P<ended>.+))?"
)


IMIX_COUNTS = re.compile(r"(?<=imix_size_counts: )((?:\d+,\d+ )+)")


def normalise(text, judged=None, sent_bytes=None):
    """A device file's text without what depends on the time. Summaries that were judged before,
    when what they are made from could still be seen, are found in `judged`; new ones are added.
    """
    judged = {} if judged is None else judged
    text = TIMES.sub(times, text)
    counts = imix_counts(text)
    return SUMMARY.sub(
        lambda match: judged.setdefault(match[0], summary(match, sent_bytes, counts)), text
    )


def ends(text):
    """How the runs ended whose summaries are in a text, None where it is not said."""
    return [match["ended"] for match in SUMMARY.finditer(text)]


def imix_counts(text):
    """Sizes and counts of the table of sizes, if there is one."""
    found = IMIX_COUNTS.search(text)
    return [tuple(map(int, pair.split(","))) for pair in found[0].split()] if found else None


def times(match):
    started, stopped, idle = map(int, match.groups())
    if (started, stopped, idle) == (0, 0, 0):
        return match[0]
    if started and started <= stopped:
        return "     started: T  stopped: T idle: T"
    if started == 0 and stopped == 0:
        return "     started: 0us  stopped: 0us idle: T"
    # Started anew: the stop of the run before is earlier.
    return "     started: T  stopped: before idle: T"


def summary(match, sent_bytes, counts):
    run = {key: int(value) for key, value in match.groupdict().items() if key != "ended"}
    wrong, rates = disagreements(run, sent_bytes, counts)
    if wrong:
        return f"{match[0]} [does not agree: {', '.join(wrong)}]"
    return (
        f"OK: T usec, {match['sofar']} ({match['size']}byte,{match['frags']}frags)\n"
        f"  rates: {rates}  errors: {match['errors']}"
    )


def disagreements(run, sent_bytes=None, counts=None):
    """Which figures of a summary do not follow from the others, and what the rates are made of."""
    wrong = []
    # The C module counts some idle time twice, and the rest then wraps below zero.
    busy = run["busy"] - (1 << 64) // 1000 if run["busy"] > 1 << 53 else run["busy"]
    if abs(run["total"] - run["idle"] - busy) > 1:
        wrong.append("usec")
    # The total is cut to microseconds, rates are made from nanoseconds.
    shortest, longest = max(run["total"] * 1000, 1), run["total"] * 1000 + 999

    def per_second(amount, rate):
        return amount * 10**9 // longest <= rate <= amount * 10**9 // shortest

    if not per_second(run["sofar"], run["pps"]):
        wrong.append("pps")
    counted = sum(size * count for size, count in counts or ())
    rates = ""
    of_size = run["bps"] == run["pps"] * 8 * run["size"]
    of_bytes = sent_bytes is not None and per_second(8 * sent_bytes, run["bps"])
    # Where both fit, the sizes' is exact in short runs, the bytes' in long ones: there are few a second.
    if of_size and sent_bytes in (None, run["sofar"] * run["size"]):
        rates = "of what was sent"
    elif of_bytes and (not of_size or run["total"] >= 1000):
        rates = "of what was sent"
    elif of_size:
        rates = "of the last size"
    elif counts and per_second(8 * counted, run["bps"]):
        rates = "of the table of sizes"
    else:
        wrong.append("bps")
    if run["mbps"] != run["bps"] // 10**6:
        wrong.append("Mb/sec")
    return wrong, rates


# Which lines show a random field's current value, and where in them it is.
SHOWN = {
    "ip.src": re.compile(r"(?<=cur_saddr: )\S+"),
    "ip.dst": re.compile(r"(?<=cur_daddr: )\S+"),
    "udp.src": re.compile(r"(?<=cur_udp_src: )\S+"),
    "udp.dst": re.compile(r"(?<=cur_udp_dst: )\S+"),
    "queue": re.compile(r"(?<=cur_queue_map: )\S+"),
    "length": re.compile(r"(?<=[0-9] \()-?\d+(?=byte,)"),
    "vlan": re.compile(r"(?<= vlan_id: )\S+"),
    "svlan": re.compile(r"(?<= svlan_id: )\S+"),
    "mpls": re.compile(r"(?<= mpls: )\S+"),
    "errors": re.compile(r"(?<= errors: )\d+"),
    # How many lives flows had.
    "lives": re.compile(r"(?<=\n     flows: )\d+(?=\n)"),
    "src_mac_offset": re.compile(r"(?<=cur_src_mac_offset: )\S+"),
    "dst_mac_offset": re.compile(r"(?<=cur_dst_mac_offset: )\S+"),
}


def mask(text, random):
    """Replaces the current values of random fields that are in their range."""
    for name, draw in random.items():
        if name in SHOWN:
            text = SHOWN[name].sub(
                lambda match, draw=draw: "random" if draw.holds(match[0]) else match[0], text
            )
    if "length" in random:
        text = IMIX_COUNTS.sub(lambda match: all_counts(match[0]), text)
    return text


def all_counts(counts):
    """How often each size was drawn is chance, how often any was is not."""
    pairs = [pair.split(",") for pair in counts.split()]
    return f"{' '.join(size for size, _ in pairs)}, {sum(int(count) for _, count in pairs)} in all "


# Two spaces part the fields of a line.
FIELD = re.compile(r"(?:(?<=\S)|(?<=\S ))(?=  \w+: )")


@functools.lru_cache(maxsize=64)
def parts(text):
    """Labels and texts of a text's fields, in order. The texts joined are the text."""
    found = []
    seen = {}
    for number, line in enumerate(text.splitlines(keepends=True)):
        for piece in FIELD.split(line):
            label = piece.strip().split(":")[0][:24] or f"line {number + 1}"
            seen[label] = seen.get(label, 0) + 1
            if seen[label] > 1:
                label = f"{label} ({seen[label]})"
            found.append((label, piece))
    return found
