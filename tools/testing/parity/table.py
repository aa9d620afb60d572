# SPDX-License-Identifier: GPL-2.0
"""Plays cases to both generators: one group, or all of them side by side, each in a process with
a network namespace of its own. The C module sleeps most of the time.
"""

import multiprocessing

import network
from capture import Capture
from cases import GROUPS
from compare import judge

PROCESSES = 4


def play(trees, group, name=None, rows=False):
    """Plays a group, or its case of that name; prints what is not as wanted. True if all are."""
    cases = [case for case in GROUPS[group] if name in (None, case.name)]
    if not cases:
        raise SystemExit(f"parity: no case '{name}' in {group}")
    verdicts = []
    capture = Capture(network.QUEUES)
    for case in cases:
        verdict = judge(case, f"{group}/{case.name}", capture, *trees)
        verdicts.append(verdict)
        if not verdict.good:
            print("\n".join(verdict.rows()) if rows else verdict, flush=True)
    failed = sum(not verdict.good for verdict in verdicts)
    met = sum(verdict.met for verdict in verdicts)
    print(f"{group}: {len(verdicts)} cases, {failed} failed, {met} known differences", flush=True)
    return failed == 0


def play_all(make_trees):
    """Plays all groups. True if all cases are as wanted."""
    with multiprocessing.Pool(PROCESSES, maxtasksperchild=1) as pool:
        # The longest first.
        groups = sorted(GROUPS, key=lambda group: -len(GROUPS[group]))
        good = pool.starmap(in_process, [(make_trees, group) for group in groups], chunksize=1)
    print(f"{sum(map(len, GROUPS.values()))} cases, {good.count(False)} groups with failures")
    return all(good)


def in_process(make_trees, group):
    return play(make_trees(), group)
