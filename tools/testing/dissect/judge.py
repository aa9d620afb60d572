# SPDX-License-Identifier: GPL-2.0
"""What tshark makes of the frames: each must be dissected as what it was meant to be, with right
lengths and checksums, and with nothing that tshark remarks on.
"""

import glob
import itertools
import os
import re
import subprocess

from checks import Wrong, check_right

# What tshark is asked for, one column each.
NAME = "frame.interface_name"
FIELDS = f"""
{NAME} frame.number frame.time_epoch frame.len frame.cap_len frame.protocols
_ws.malformed _ws.expert.severity _ws.expert.message udp.checksum.zero udp.possible_traceroute
eth.dst eth.src eth.type eth.padding eth.trailer vlan.trailer
vlan.id vlan.priority vlan.dei vlan.etype mpls.label mpls.exp mpls.bottom mpls.ttl
ip.version ip.hdr_len ip.dsfield ip.len ip.id ip.flags ip.frag_offset ip.ttl ip.proto
ip.checksum.status ip.src ip.dst
ipv6.tclass ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst
udp.srcport udp.dstport udp.length udp.checksum udp.checksum.status
pktgen.magic pktgen.seqnum pktgen.tvsec pktgen.tvusec
""".split()
PREFERENCES = (
    "ip.check_checksum:TRUE",
    "udp.check_checksum:TRUE",
    # Whatever the port is that of, the data is pktgen's.
    "udp.try_heuristic_first:TRUE",
)
ABSENT = ("_ws.malformed", "eth.padding", "eth.trailer", "vlan.trailer")
STATUS_GOOD, STATUS_NOT_PRESENT, STATUS_ILLEGAL = "1", "3", "4"
SEVERITY_CHAT, SEVERITY_ERROR = "2097152", "8388608"
MAGIC = "0xbe9be955"
TTL = "32"
# The UDP header and pktgen's.
SMALLEST_DATAGRAM = "24"
# RFC 3032: what follows a label below 16 is said by the label, not by the first four bits.
RESERVED_LABELS = 16
# From the making of a packet to its capture.
LATEST_SECONDS = 5


def dissect(files):
    """Yields for each of the files its name and frames. tshark takes longer to start than to read
    a thousand frames, so it is started once: pcapng files may simply be joined, and each of these
    names itself as the interface.
    """
    command = ["tshark", "-n", "-r", "-", "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for preference in PREFERENCES:
        command += ["-o", preference]
    for field in FIELDS:
        command += ["-e", field]
    with (
        subprocess.Popen(["cat", "--", *files], stdout=subprocess.PIPE) as joined,
        subprocess.Popen(command, stdin=joined.stdout, stdout=subprocess.PIPE, text=True) as tshark,
    ):
        rows = (dict(zip(FIELDS, line.rstrip("\n").split("\t"))) for line in tshark.stdout)
        for name, frames in itertools.groupby(rows, key=lambda row: row[NAME]):
            yield name, list(frames)
    if tshark.returncode:
        raise RuntimeError(f"tshark ended with status {tshark.returncode}")


def expect(row, field, wanted):
    if row[field] != wanted:
        raise Wrong(f"{field} is '{row[field]}', wanted '{wanted}'")


def frame_right(row, number, protocols, properties):
    """What holds for every frame of every variant."""
    # tshark does not name what is within MPLS, but dissects it.
    layers = re.sub(":mpls:ip(v6)?:", ":mpls:", protocols)
    more = ":data" if row["udp.length"] not in ("", SMALLEST_DATAGRAM) else ""
    expect(row, "frame.protocols", layers + ":pktgen" + more)
    for field in ABSENT:
        expect(row, field, "")
    lengths_right(row, protocols)
    if ":ip:" in protocols:
        ipv4_right(row, number)
    else:
        ipv6_right(row)
    checksum_right(row, "checksum" in properties)
    expect(row, "pktgen.magic", MAGIC)
    expect(row, "pktgen.seqnum", str(number + 1))
    time_right(row, "timeless" in properties)


def lengths_right(row, protocols):
    tags = protocols.count(":vlan")
    labels = row["mpls.bottom"].split(",") if row["mpls.bottom"] else []
    if labels and (set(labels[:-1]) - {"0"} or labels[-1] != "1"):
        raise Wrong(f"bottom of the stack: {row['mpls.bottom']}")
    length = int(row["frame.len"]) - 14 - 4 * (tags + len(labels))
    expect(row, "frame.cap_len", row["frame.len"])
    if ":ip:" in protocols:
        expect(row, "ip.len", str(length))
        length -= 20
    else:
        length -= 40
        expect(row, "ipv6.plen", str(length))
    expect(row, "udp.length", str(length))


def ipv4_right(row, number):
    expect(row, "ip.version", "4")
    expect(row, "ip.hdr_len", "20")
    expect(row, "ip.id", f"{number & 0xFFFF:#06x}")
    expect(row, "ip.flags", "0x00")
    expect(row, "ip.frag_offset", "0")
    expect(row, "ip.ttl", TTL)
    expect(row, "ip.proto", "17")
    expect(row, "ip.checksum.status", STATUS_GOOD)


def ipv6_right(row):
    expect(row, "ipv6.flow", "0x000000")
    expect(row, "ipv6.nxt", "17")
    expect(row, "ipv6.hlim", TTL)


def checksum_right(row, wanted):
    """The flag UDPCSUM is all that makes a checksum, also for IPv6, where tshark rightly says
    that none is an error (RFC 8200, 8.1). It must say so, and nothing else of any frame.
    """
    missing = not wanted and row["ipv6.plen"] != ""
    remarks = [SEVERITY_ERROR] if missing else []
    # The destination ports that traceroute uses are as good as any other.
    if row["udp.possible_traceroute"]:
        remarks.append(SEVERITY_CHAT)
    expect(row, "_ws.expert.severity", ",".join(remarks))
    if (row["udp.checksum.zero"] != "") != missing:
        raise Wrong("another error than that of a missing checksum")
    if wanted:
        expect(row, "udp.checksum.status", STATUS_GOOD)
        if row["udp.checksum"] == "0x0000":
            raise Wrong("a checksum of zero means that there is none")
    else:
        expect(row, "udp.checksum", "0x0000")
        expect(row, "udp.checksum.status", STATUS_ILLEGAL if missing else STATUS_NOT_PRESENT)


def time_right(row, none):
    if none:
        expect(row, "pktgen.tvsec", "0")
        expect(row, "pktgen.tvusec", "0")
        return
    made = int(row["pktgen.tvsec"]) + int(row["pktgen.tvusec"]) / 1e6
    # tshark's text has nine decimals, a float not quite.
    age = float(row["frame.time_epoch"]) - made
    if int(row["pktgen.tvusec"]) >= 1_000_000 or not -1e-6 <= age <= LATEST_SECONDS:
        raise Wrong(f"made {made:.6f}, captured {row['frame.time_epoch']}")


def frames_right(rows, wanted):
    """Returns a line of figures."""
    count, protocols, *others = wanted
    checks = [word for word in others if "=" in word]
    if len(rows) != int(count):
        raise Wrong(f"{len(rows)} frames dissected, {count} sent")
    told_by_label = 0
    for number, row in enumerate(rows):
        if int(row["mpls.label"].split(",")[-1] or RESERVED_LABELS) < RESERVED_LABELS:
            told_by_label += 1
            continue
        try:
            frame_right(row, number, protocols, set(others) - set(checks))
        except (Wrong, ValueError) as wrong:
            said = row["_ws.expert.message"]
            said = f" (tshark: {said})" if said else ""
            raise Wrong(f"frame {number + 1} of {len(rows)}, {row['frame.protocols']}: {wrong}{said}") from None
    # A random label is one of these in one of 65536 frames.
    if told_by_label > 2:
        raise Wrong(f"{told_by_label} frames with a reserved label")
    for check in checks:
        check_right(rows, check)
    lengths = [int(row["frame.len"]) for row in rows]
    return f"{len(rows)} frames of {min(lengths)} to {max(lengths)} bytes, {sum(lengths)} in all"


def write_verdict(path, rows):
    with open(path + ".want", encoding="ascii") as file:
        wanted = file.read().splitlines()
    try:
        verdict, text = ".right", frames_right(rows, wanted)
    except Wrong as wrong:
        verdict, text = ".wrong", str(wrong)
    with open(path + verdict, "w", encoding="utf-8") as file:
        file.write(text + "\n")


def judge(directory):
    """NAME.want has what is wanted of NAME.pcapng, a word a line: the number of frames, the
    layers up to UDP, properties and checks. Writes NAME.right or NAME.wrong, which says why.
    """
    missing = {os.path.basename(path).removesuffix(".want") for path in glob.glob(f"{directory}/*.want")}
    for name, rows in dissect(sorted(glob.glob(f"{directory}/*.pcapng"))):
        write_verdict(f"{directory}/{name}", rows)
        missing.discard(name)
    for name in missing:
        write_verdict(f"{directory}/{name}", [])
