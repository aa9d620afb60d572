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
)


@functools.lru_cache(maxsize=64)
def normalise(text):
    """A device file's text without what depends on the time."""
    text = TIMES.sub(times, text)
    return SUMMARY.sub(summary, text)


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


def summary(match):
    wrong = disagreements({key: int(value) for key, value in match.groupdict().items()})
    if wrong:
        return f"{match[0]} [does not agree: {', '.join(wrong)}]"
    return (
        f"OK: T usec, {match['sofar']} ({match['size']}byte,{match['frags']}frags)\n"
        f"  rates errors: {match['errors']}"
    )


def disagreements(run):
    """Which figures of a summary do not follow from the others."""
    wrong = []
    # The C module counts some idle time twice, and the rest then wraps below zero.
    busy = run["busy"] - (1 << 64) // 1000 if run["busy"] > 1 << 53 else run["busy"]
    if abs(run["total"] - run["idle"] - busy) > 1:
        wrong.append("usec")
    # The total is cut to microseconds, the rate is made from nanoseconds.
    shortest = max(run["total"] * 1000, 1)
    longest = run["total"] * 1000 + 999
    if not run["sofar"] * 10**9 // longest <= run["pps"] <= run["sofar"] * 10**9 // shortest:
        wrong.append("pps")
    if run["bps"] != run["pps"] * 8 * run["size"]:
        wrong.append("bps")
    if run["mbps"] != run["bps"] // 10**6:
        wrong.append("Mb/sec")
    return wrong


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
    return text


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
