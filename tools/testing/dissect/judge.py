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
esp.spi esp.sequence esp.iv esp.pad_len esp.icv_good ah.spi ah.sequence
ipv6.tclass ipv6.flow ipv6.plen ipv6.nxt ipv6.hlim ipv6.src ipv6.dst
udp.srcport udp.dstport udp.length udp.checksum udp.checksum.status
pktgen.magic pktgen.seqnum pktgen.tvsec pktgen.tvusec
""".split()
PREFERENCES = (
    "ip.check_checksum:TRUE",
    "udp.check_checksum:TRUE",
    # Whatever the port is that of, the data is pktgen's.
    "udp.try_heuristic_first:TRUE",
    # Every variant begins again; the suite compares the numbers.
    "esp.do_esp_sequence_analysis:FALSE",
    "esp.enable_encryption_decode:TRUE",
    "esp.enable_authentication_check:TRUE",
)
# The SPIs of encrypted and plain ESP, and what tshark calls their algorithms.
CIPHERS = (("0x00000100", "AES-CBC [RFC3602]"), ("0x00000200", "NULL"))
AUTHENTICATION = "HMAC-SHA-1-96 [RFC2404]"
ABSENT = ("_ws.malformed", "eth.padding", "eth.trailer", "vlan.trailer")
STATUS_GOOD, STATUS_NOT_PRESENT, STATUS_ILLEGAL = "1", "3", "4"
SEVERITY_CHAT, SEVERITY_ERROR = "2097152", "8388608"
MAGIC = "0xbe9be955"
TTL = "32"
IPV4_FIELDS = (
    ("ip.version", "4"),
    ("ip.hdr_len", "20"),
    ("ip.flags", "0x00"),
    ("ip.frag_offset", "0"),
    ("ip.checksum.status", STATUS_GOOD),
)
IP_PROTOCOLS = {"udp": "17", "esp": "50", "ah": "51"}
# HMAC-SHA-1-96
ICV_LEN = 12
# The UDP header and pktgen's.
SMALLEST_DATAGRAM = "24"
# RFC 3032: what follows a label below 16 is said by the label, not by the first four bits.
RESERVED_LABELS = 16
# From the making of a packet to its capture.
LATEST_SECONDS = 5


def associations(cipher_key, icv_key):
    """The lines of tshark's table of ESP associations."""
    for spi, cipher in CIPHERS:
        key = "" if cipher == "NULL" else cipher_key
        words = ("IPv4", "*", "*", spi, cipher, key, AUTHENTICATION, icv_key, "32-bit", "")
        yield "uat:esp_sa:" + ",".join(f'"{word}"' for word in words)


def dissect(files, cipher_key, icv_key):
    """Yields for each of the files its name and frames. tshark takes longer to start than to read
    a thousand frames, so it is started once: pcapng files may simply be joined, and each of these
    names itself as the interface.
    """
    command = ["tshark", "-n", "-r", "-", "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for preference in (*PREFERENCES, *associations(cipher_key, icv_key)):
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
    if ":ipv6:" in protocols:
        ipv6_right(row)
    else:
        ipv4_right(row, number, protocols)
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
    if ":ipv6:" in protocols:
        length -= 40
        expect(row, "ipv6.plen", str(length))
        expect(row, "udp.length", str(length))
        return
    lengths = []
    for layer in re.findall(":(ip|esp|ah)(?=:)", protocols):
        if layer == "ip":
            lengths.append(str(length))
        length -= header_length(row, layer)
    expect(row, "ip.len", ",".join(lengths))
    expect(row, "udp.length", str(length))


def header_length(row, layer):
    """Of what is around the next layer, a trailer included."""
    if layer == "ip":
        return 20
    if layer == "ah":
        return 12 + ICV_LEN
    # SPI and sequence number; padding, its length and the next header.
    return 8 + len(bytes.fromhex(row["esp.iv"])) + int(row["esp.pad_len"]) + 2 + ICV_LEN


def ipv4_right(row, number, protocols):
    """Of two headers, the inner one is the generator's."""
    inside = re.findall(":ip:(?=([a-z]+))", protocols)
    for field, value in IPV4_FIELDS:
        expect(row, field, ",".join([value] * len(inside)))
    expect(row, "ip.proto", ",".join(IP_PROTOCOLS[layer] for layer in inside))
    for field, value in ("ip.id", f"{number & 0xFFFF:#06x}"), ("ip.ttl", TTL):
        if row[field].split(",")[-1] != value:
            raise Wrong(f"{field} is '{row[field]}', wanted '{value}'")
    expect(row, "esp.icv_good", "True" if "esp" in inside else "")


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
    # Ports that traceroute uses are as good as any other; there is a remark for each of the two.
    if row["udp.possible_traceroute"]:
        remarks += [SEVERITY_CHAT] * len(row["udp.possible_traceroute"].split(","))
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


def judge(directory, cipher_key, icv_key):
    """NAME.want has what is wanted of NAME.pcapng, a word a line: the number of frames, the
    layers up to UDP, properties and checks. Writes NAME.right or NAME.wrong, which says why.
    """
    missing = {os.path.basename(path).removesuffix(".want") for path in glob.glob(f"{directory}/*.want")}
    for name, rows in dissect(sorted(glob.glob(f"{directory}/*.pcapng")), cipher_key, icv_key):
        write_verdict(f"{directory}/{name}", rows)
        missing.discard(name)
    for name in missing:
        write_verdict(f"{directory}/{name}", [])
