# SPDX-License-Identifier: GPL-2.0
"""Plays random sequences on all CPUs: each of several processes has a network namespace, devices
and both generators of its own, and every so many-th sequence. The C module sleeps a lot, so
there are more processes than CPUs.
"""

import multiprocessing
import os
import time
from collections import Counter

import sequences

PROCESSES_PER_CPU = 3
KINDS = ("writes", "control", "run", "unsteady")


class Tally:
    """How many sequences of each kind were played, by all processes."""

    def __init__(self):
        self.counts = multiprocessing.Array("q", len(KINDS))

    def count(self, which):
        with self.counts.get_lock():
            self.counts[KINDS.index(which)] += 1

    def __str__(self):
        played = Counter(dict(zip(KINDS, self.counts)))
        return (
            f"{played['writes']} of writes to device files, {played['control']} of writes to threads and pgctrl, "
            f"{played['run']} with runs; {played['unsteady']} more that the C module did otherwise once"
        )

    def total(self):
        return sum(self.counts)


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
    print(f"{tally.total()} sequences in {seconds:.0f} s, {tally.total() / seconds:.1f}/s: {tally}")
    print("no difference" if good else "not all were played, for a difference or an error")
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
