# SPDX-License-Identifier: GPL-2.0
"""Texts that are no addresses, of the group "grammar"."""

from known.rows import rows

# What the C module makes of a text.
IPV4 = {
    "10.1": "10.1.0.0",
    "10": "10.0.0.0",
    "1.2.3.4.5": "1.2.3.4",
    "300.1.1.1": "44.1.1.1",
    "1.300.1.1": "1.44.1.1",
    "1..2": "1.0.2.0",
    ".1": "0.1.0.0",
    "abc": "75.0.0.0",
    "10.0.0.1/8": "10.0.0.98",
    "0x0a.0.0.1": "81.0.0.1",
    "-1.0.0.0": "227.0.0.0",
    "1.2.3.4,5.6.7.8": "1.2.3.109",
    "10.0.0.1\xff": "10.0.0.217",
    "1" * 31: "199.0.0.0",
    "9" * 200: "255.0.0.0",
}
# Where the texts and the current addresses are shown.
SOURCE = "v0: cur_saddr", "     cur_saddr: {}"
DESTINATION = "v0: cur_daddr", "  cur_daddr: {}\n"
SHOWN4 = {
    "dst": ("v0: dst_min", "     dst_min: {}", *DESTINATION),
    "dst_min": ("v0: dst_min", "     dst_min: {}", *DESTINATION),
    "dst_max": ("v0: dst_max", "  dst_max: {}\n", *DESTINATION),
    "src_min": ("v0: src_min", "     src_min: {}", *SOURCE),
    "src_max": ("v0: src_max", "  src_max: {}\n", *SOURCE),
}

# The address that the C module says it has stored: the one before.
IPV6 = {
    "1::2::3": "fe80::1",
    "::1.2.3": "::102:304",
    "1.2.3.4": "::1:0:0:1:0:0",
    "a" * 127: "fd00::1",
}


def step(command, text):
    shown = repr(f"{command} {text}".encode("latin-1"))[1:]
    return shown if len(shown) <= 80 else f"{shown[:59]}... ({len(command) + 1 + len(text)} bytes)"


def refused4(command, text, address, case=None):
    name, form, current, current_form = SHOWN4[command]
    stored = "dst_min" if command == "dst" else command
    return rows(
        "no-address", case or f"grammar/{command}", step(command, text),
        (name, form.format(text[:31]), form.format("")),
        (current, current_form.format(address), current_form.format("0.0.0.0")),
        ("v0: Result", f"Result: OK: {stored}={text[:31]}\n", f"Result: ERROR: {command}: not an IPv4 address\n"),
    )  # fmt: skip


def refused6(command, label, stored):
    result = f"Result: OK: {command}={stored}\n", f"Result: ERROR: {command}: not an IPv6 address\n"
    return rows("no-address", f"grammar/{command}", label, ("v0: Result", *result))


# No address at all, or "d": what is left of a name that was cut at 15 bytes.
ODD6 = (
    refused6("dst6", "'dst6'", "fe80::dead:beef")
    + refused6("src6", "'src6'", "fe80::dead:beef")
    + refused6("dst6_min", "'dst6_min\\x00ignored ::ffff:1.2.3.4'", "1:2:3:4:5:6:7:8")
    + refused6("dst6_min", "'dst6_min'", "fe80::dead:beef")
    + refused6("dst6_max", "'dst6_max\\x00ignored ::ffff:1.2.3.4'", "1:2:3:4:5:6:7:8")
    + refused6("dst6_max", "'dst6_max'", "fe80::dead:beef")
)
OTHER = rows(
    "no-address", "grammar/dst6", "'dst FE80::DEAD:BEEF'",
    ("v0: Result", "Result: OK: dst_min=FE80::DEAD:BEEF\n", "Result: ERROR: dst: not an IPv4 address\n"),
) + refused4("dst_min", "1" * 70000, "199.0.0.0", case="grammar/long writes")  # fmt: skip

KNOWN = (
    sum((refused4(command, *pair) for command in SHOWN4 for pair in IPV4.items()), ())
    + sum(
        (
            refused6(command, step(command, text), stored)
            for command in ("dst6", "dst6_min", "dst6_max", "src6")
            for text, stored in IPV6.items()
        ),
        (),
    )
    + ODD6
    + OTHER
)
