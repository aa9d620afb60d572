# SPDX-License-Identifier: GPL-2.0
"""The sequences that are played to both modules, in groups of a topic each."""

from cases import (
    addresses,
    control,
    files,
    flows,
    frags,
    grammar,
    imix,
    ipv6,
    live,
    macs,
    memory,
    modes,
    pacing,
    ports,
    queues,
    runs,
    sizes,
    tags,
    threads,
)

GROUPS = {
    "grammar": grammar.CASES,
    "control": control.CASES,
    "files": files.CASES,
    "sizes": sizes.CASES,
    "pacing": pacing.CASES,
    "addresses": addresses.CASES,
    "ipv6": ipv6.CASES,
    "macs": macs.CASES,
    "tags": tags.CASES,
    "ports": ports.CASES,
    "queues": queues.CASES,
    "imix": imix.CASES,
    "frags": frags.CASES,
    "flows": flows.CASES,
    "memory": memory.CASES,
    "modes": modes.CASES,
    "runs": runs.CASES,
    "live": live.CASES,
    "threads": threads.CASES,
}

for group, cases in GROUPS.items():
    names = [case.name for case in cases]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"{group}: cases of the same name: {', '.join(sorted(twice))}")
