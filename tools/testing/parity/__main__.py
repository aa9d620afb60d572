# SPDX-License-Identifier: GPL-2.0
"""Compares rpktgen with the C module. Both are loaded already, in a lab kernel:

    parity groups               the names of the groups of cases, with their numbers of cases
    parity run GROUP [CASE]     plays them to both
    parity table                plays all of them
    parity random               plays random sequences to both, on all CPUs
    parity doc FILE             compares a document's table of differences with those of known/
"""

import argparse
import functools
import os
import random
import sys

import doc
import network
import rounds
import table
from cases import GROUPS
from tree import Tree


def main():
    parser = argparse.ArgumentParser(prog="parity", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("groups", help="list the groups of cases")
    run = commands.add_parser("run", help="play a group of cases to both modules")
    run.add_argument("group", choices=sorted(GROUPS))
    run.add_argument("case", nargs="?")
    run.add_argument("--rows", action="store_true", help="print differences as rows for known/")
    document = commands.add_parser("doc", help="compare a document's table with known/")
    document.add_argument("file")
    everything = commands.add_parser("table", help="play all groups to both modules, side by side")
    fuzz = commands.add_parser("random", help="play random sequences to both modules")
    fuzz.add_argument("--seed", type=int, default=None, help="default: a new one")
    fuzz.add_argument("--rounds", type=int, default=1000, help="number of sequences (default: 1000)")
    fuzz.add_argument("--first", type=int, default=0, help="number of the first sequence")
    fuzz.add_argument("--processes", type=int, default=None, help="default: three for each CPU")
    for command in (run, everything, fuzz):
        command.add_argument("--reference", default="pktgen", help="directory of the C module")
        command.add_argument("--ours", default="rpktgen", help="directory of rpktgen")
    options = parser.parse_args()
    actions = {
        "groups": list_groups, "run": run_group, "table": run_table, "doc": check_document, "random": run_random,
    }  # fmt: skip
    return actions[options.command](options)


def list_groups(_options):
    for name, cases in GROUPS.items():
        print(name, len(cases))
    return 0


def check_document(options):
    wrong = doc.disagreements(options.file)
    print("\n".join(wrong))
    return 1 if wrong else 0


def trees(options):
    """Both generators, in a new namespace with devices."""
    network.set_up()
    found = []
    for directory, label in ((options.reference, "reference"), (options.ours, "rpktgen")):
        if not os.path.exists(f"/proc/net/{directory}/pgctrl"):
            sys.exit(f"parity: /proc/net/{directory} is not there: load the {label} module first")
        found.append(Tree(directory, label))
    return found


def run_random(options):
    seed = random.randrange(10**6) if options.seed is None else options.seed
    good = rounds.play(functools.partial(trees, options), seed, options.rounds, options.first, options.processes)
    return 0 if good else 1


def run_table(options):
    return 0 if table.play_all(functools.partial(trees, options)) else 1


def run_group(options):
    return 0 if table.play(trees(options), options.group, options.case, options.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
