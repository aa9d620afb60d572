# SPDX-License-Identifier: GPL-2.0
"""Plays random sequences on all CPUs: each of several processes has a network namespace, devices
and both generators of its own, and every so many-th sequence. The C module sleeps a lot, so
there are more processes than CPUs.
"""

import multiprocessing
import os
import time

import sequences
from known import NAMES

PROCESSES_PER_CPU = 3
KINDS = ("writes", "control", "run", "unsteady")
COUNTED = KINDS + ("steps", "compared") + NAMES


class Tally:
    """What all processes have played: sequences of each kind, steps, differences on purpose."""

    def __init__(self):
        self.counts = multiprocessing.Array("q", len(COUNTED))

    def count(self, amounts):
        """Adds to what amounts names; anything else is an error."""
        with self.counts.get_lock():
            for what, amount in amounts.items():
                self.counts[COUNTED.index(what)] += amount

    def played(self):
        return dict(zip(COUNTED, self.counts))

    def __str__(self):
        played = self.played()
        return (
            f"{self.total()} sequences, {played['compared']} of {played['steps']} steps compared\n"
            f"{played['writes']} of writes to device files, {played['control']} of writes to threads and pgctrl, "
            f"{played['run']} with runs; {played['unsteady']} more that the C module did otherwise once"
        )

    def named(self):
        """How often each difference on purpose showed."""
        played = self.played()
        return ", ".join(f"{name} {played[name]}" for name in NAMES if played[name]) or "none"

    def total(self):
        return sum(self.played()[kind] for kind in KINDS)


def play(make_trees, seed, rounds, first=0, processes=None):
    """Plays the sequences from `first` on; True if there is no difference."""
    processes = min(processes or PROCESSES_PER_CPU * os.cpu_count(), max(rounds, 1))
    print(f"seed {seed}, sequences {first} to {first + rounds - 1}", flush=True)
    tally = Tally()
    workers = [
        multiprocessing.Process(
            target=work, args=(make_trees, seed, range(first + part, first + rounds, processes), tally), daemon=True
        )
        for part in range(processes)
    ]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    good = wait(workers, tally, began)
    seconds = time.monotonic() - began
    print(f"{seconds:.0f} s, {tally.total() / seconds:.1f} sequences a second")
    print(tally)
    print(f"differences of the table that showed, by name: {tally.named()}")
    print("no other difference" if good else "not all were played, for a difference or an error")
    return good


def work(make_trees, seed, numbers, tally):
    """What a process does; its exit status says whether it was good."""
    raise SystemExit(0 if sequences.play(make_trees(), seed, numbers, tally.count) else 1)


def wait(workers, tally, began):
    """Until all are done, or one is not good: then the others are ended."""
    told = began
    while any(worker.is_alive() for worker in workers):
        if any(worker.exitcode for worker in workers):
            break
        time.sleep(0.2)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{tally.total()} after {told - began:.0f} s", flush=True)
    good = not any(worker.exitcode or worker.is_alive() for worker in workers)
    for worker in workers:
        if worker.is_alive():
            worker.terminate()
        worker.join()
    return good
