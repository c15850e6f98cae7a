"""A hundred thousand targets of a Panda: what a second thread brings, and that it changes nothing.

    uv run --with example-robot-data python -m benchmarks.batch

Chunks that take a second or more are solved by one thread and by two, in turns; the best of five turns counts, and the
load of the machine is told, because other work spoils the ratio. Exits with 1 when two threads are less than 1.8 times
as fast, or when an answer differs in any bit from that of one thread or of a loop of single solves.
"""

from __future__ import annotations

import os
import sys
import time
import warnings

import numpy as np
from rich.table import Table

import gestik as gk
from benchmarks.calibration import calibrate
from benchmarks.peers.robots import published
from benchmarks.verdict import Verdict, report_console

SEED = 4
TARGETS = 100_000
CHUNKS = 2
TURNS = 5
SINGLES = 2_000  # of the targets, solved one by one as well
BAR = 1.8


def main() -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = report_console(), Verdict()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        panda = gk.load(published("panda_description/urdf/panda.urdf"))
    places, turns = reachable(panda, "link:panda_link8")
    chunks = [
        [gk.Position("link:panda_link8", part), gk.Orientation("link:panda_link8", turn)]
        for part, turn in zip(np.split(places, CHUNKS), np.split(turns, CHUNKS), strict=True)
    ]
    gk.solve_batch(panda, chunks[0][:1], "newton", threads=1)
    best, answers = {1: np.inf, 2: np.inf}, {}
    for _ in range(TURNS):
        for threads in (1, 2):
            began = time.perf_counter()
            solved = [gk.solve_batch(panda, goals, "newton", threads=threads) for goals in chunks]
            best[threads] = min(best[threads], time.perf_counter() - began)
            answers[threads] = np.concatenate([part.angles for part in solved])
    first = [gk.Position("link:panda_link8", places[0]), gk.Orientation("link:panda_link8", turns[0])]
    prepared = gk.prepare(panda, first, "newton")
    alone = np.array([prepared.solve(places[i], turns[i]).angles for i in range(SINGLES)])
    table = Table(title=f"{TARGETS} targets; load {os.getloadavg()[0]:.1f}; calibration loop {calibrate():.3f} us")
    for heading in ("threads", "seconds", "us per target"):
        table.add_column(heading, justify="right")
    for threads, seconds in best.items():
        table.add_row(str(threads), f"{seconds:.2f}", f"{1e6 * seconds / TARGETS:.1f}")
    console.print(table)
    verdict.at_least("two threads", best[1] / best[2], BAR, "times one")
    verdict.at_most("answers of two threads that differ", float((answers[1] != answers[2]).any(axis=1).sum()), 0)
    verdict.at_most("answers of a loop that differ", float((answers[1][:SINGLES] != alone).any(axis=1).sum()), 0)
    console.print(f"two threads are {best[1] / best[2]:.2f} times as fast as one")
    return verdict.tell(console)


def reachable(skeleton: gk.Skeleton, frame: str) -> tuple[np.ndarray, np.ndarray]:
    """Places and rotations of a frame at configurations uniform inside the limits."""
    angles = np.random.default_rng(SEED).uniform(skeleton.lower, skeleton.upper, (TARGETS, skeleton.dof_count))
    seen = [skeleton.forward(q).of(frame) for q in angles]
    return np.array([place.position for place in seen]), np.array([place.rotation for place in seen])


if __name__ == "__main__":
    sys.exit(main())
