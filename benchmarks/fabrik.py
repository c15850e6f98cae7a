"""FABRIK: what it costs on bare points, what it reaches under limits, and its iterations beside those of other methods.

python -m benchmarks.fabrik

Bars: 10 links, 1000 targets spread evenly in a ball of 0.9 of the reach, bent starts, 0.1 mm of 10 m: at most 3 us a
solve in the mean, and all are reached; under limits of 60, 45 and 30 degrees 100 of 100 feasible targets are reached.
The table of iterations has no bar: its paper does not say where its chains start.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import gestik as gk
from benchmarks.calibration import Timing, budget, calibrate, time_beside
from benchmarks.verdict import Verdict, report_console

FloatArray = NDArray[np.float64]

SEED = 2011
LINKS = 10
TARGETS = 1000
BEND = np.pi / 3.0  # rad, how far each link of a start is bent from the one before at the most
SHARE = 0.9  # of the reach, within which targets lie
TOLERANCE = 1e-4  # m
BAR = 3.0  # us
SLICE = 100  # targets timed at once

LIMITED_LINKS = 5
LIMITED_TARGETS = 100
DEGREES = (60.0, 45.0, 30.0)

# The paper's set-up: 10 joints, a chain of 900 mm, a target 600 mm away, 1e-3 mm, 20 runs, damping 1.1.
PAPER_JOINTS = 10
PAPER_REACH = 0.9  # m
PAPER_TARGET = 0.6  # m
PAPER_TOLERANCE = 1e-6  # m
PAPER_RUNS = 20
PAPER_DAMPING = 1.1
PAPER_STEPS = 20_000
# Table 1 of Aristidou & Lasenby 2011, reachable targets; read second-hand.
PAPER_ITERATIONS = {"FABRIK": 15.461, "CCD": 26.308, "transpose": 1311.190, "DLS": 998.648, "SVD-DLS": 808.797}


def directions(rng: np.random.Generator, count: int) -> FloatArray:
    """Unit vectors spread evenly [count, 3]."""
    drawn = rng.normal(size=(count, 3))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


def bent_chain(rng: np.random.Generator, links: int) -> FloatArray:
    """A chain of unit links, each bent from the one before by up to BEND to any side, [links + 1, 3]."""
    link = directions(rng, 1)[0]
    points = [np.zeros(3)]
    for side in directions(rng, links):
        across = side - (side @ link) * link
        angle = rng.uniform(0.0, BEND)
        link = np.cos(angle) * link + np.sin(angle) * across / np.linalg.norm(across)
        points.append(points[-1] + link)
    return np.array(points)


class Solved(NamedTuple):
    """What many solves on bare points came to."""

    timing: Timing
    iterations: FloatArray
    missing: FloatArray


def solve_points() -> Solved:
    """Solve and time the targets on bare points, many in each compiled call."""
    from gestik.solvers.fabrik.passes import reach_rows

    rng = np.random.default_rng(SEED)
    starts = np.array([bent_chain(rng, LINKS) for _ in range(TARGETS)])
    targets = directions(rng, TARGETS) * (SHARE * LINKS * rng.uniform(size=(TARGETS, 1)) ** (1.0 / 3.0))
    points, lengths, report = starts.copy(), np.empty(LINKS), np.empty((TARGETS, 3))

    def run(begin: int) -> None:
        part = slice(begin, begin + SLICE)
        points[part] = starts[part]
        reach_rows(points[part], lengths, targets[part], False, False, TOLERANCE, 1000, report[part])

    timing = time_beside([partial(run, begin) for begin in range(0, TARGETS, SLICE)], TARGETS)
    return Solved(timing, report[:, 0], report[:, 1])


def reached_under_limits(degrees: float, frames: str) -> tuple[int, FloatArray]:
    """How many targets are reached that some angles inside the limits reach, and the iterations."""
    from gestik.solvers.fabrik.limited import lay_out

    rng = np.random.default_rng(int(degrees))
    widest = np.radians(degrees)
    limits = widest * np.array([[-1.0, 1.0], [-1.0, 1.0]])
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (LIMITED_LINKS, 1))
    straight = np.column_stack((np.zeros((LIMITED_LINKS + 1, 2)), np.arange(LIMITED_LINKS + 1.0)))
    count, iterations = 0, []
    for _ in range(LIMITED_TARGETS):
        feasible = straight.copy()
        angles = rng.uniform(-widest, widest, (LIMITED_LINKS, 2))
        lay_out(feasible, np.ones(LIMITED_LINKS), upright, frames == "carried", upright.copy(), angles)
        answer = gk.fabrik_constrained(
            straight, feasible[-1], limits, orientations=upright, frames=frames, iterations=5000
        )
        if answer is not None:
            count += answer.reached and bool(np.abs(answer.angles).max() <= widest + 1e-9)
            iterations.append(answer.iterations)
    return count, np.array(iterations, dtype=np.float64)


def paper_chain() -> gk.Skeleton:
    """Ten ball joints in a row, 900 mm in all."""
    length = PAPER_REACH / PAPER_JOINTS
    builder = gk.SkeletonBuilder("ten joints", up="y")
    for number in range(PAPER_JOINTS):
        builder.joint(
            f"joint {number}",
            kind="ball",
            convention="ZYX",
            parent=f"joint {number - 1}" if number else None,
            position=(0.0, length if number else 0.0, 0.0),
        )
    builder.frame("end", parent=f"joint {PAPER_JOINTS - 1}", position=(0.0, length, 0.0))
    return builder.build()


def paper_counts() -> dict[str, tuple[float, int]]:
    """The mean iterations of each method of the paper's table that the library has, and how many runs arrived."""
    chain = paper_chain()
    rng = np.random.default_rng(SEED)
    starts = rng.uniform(-BEND / 4.0, BEND / 4.0, (PAPER_RUNS, chain.dof_count))
    targets = PAPER_TARGET * directions(rng, PAPER_RUNS)
    runs: dict[str, tuple[str, dict[str, object]]] = {
        "FABRIK": ("fabrik", {}),
        "CCD": ("ccd", {}),
        "transpose": ("transpose", {}),
        "DLS": ("dls", {"damping_rule": "fixed", "damping": PAPER_DAMPING}),
        "SVD-DLS": ("dls", {"damping_rule": "fixed", "damping": PAPER_DAMPING, "form": "svd"}),
    }
    counts = {}
    for name, (method, options) in runs.items():
        goal = gk.Position("end", targets, tolerance=PAPER_TOLERANCE)
        answers = gk.solve_batch(chain, goal, method=method, start=starts, max_iterations=PAPER_STEPS, **options)
        counts[name] = float(np.mean(answers.iterations)), int(np.sum(answers.reached))
    return counts


def tell_paper(console: Console, counts: dict[str, tuple[float, int]]) -> None:
    """Print the iterations beside the paper's."""
    table = Table(title="10 joints, 900 mm, target 600 mm away, 1e-3 mm: mean iterations of 20 runs")
    for heading in ("method", "iterations", "times FABRIK's", "arrived", "paper", "times FABRIK's"):
        table.add_column(heading, justify="right")
    base, paper_base = counts["FABRIK"][0], PAPER_ITERATIONS["FABRIK"]
    for name, (mean, arrived) in counts.items():
        paper = PAPER_ITERATIONS[name]
        table.add_row(
            name,
            f"{mean:.1f}",
            f"{mean / base:.1f}",
            f"{arrived}/{PAPER_RUNS}",
            f"{paper:.1f}",
            f"{paper / paper_base:.1f}",
        )
    console.print(table)
    console.print(
        "The paper does not say where its chains start nor how long its steps are; compare ratios, not counts."
    )


def main() -> int:
    """Run everything, print what was found; 1 if a bar is missed."""
    console, verdict = report_console(), Verdict()
    console.print(f"calibration: {calibrate():.4f} us")
    solved = solve_points()
    console.print(
        f"{LINKS} links, {TARGETS} targets within {SHARE} of the reach: {solved.timing}, "
        f"{solved.iterations.mean():.2f} iterations in the mean, {solved.iterations.max():.0f} at most"
    )
    verdict.at_most("mean time on bare points", solved.timing.multiples, budget(BAR), "multiples")
    verdict.at_least("reached on bare points", int((solved.missing <= TOLERANCE).sum()), TARGETS)
    for frames in ("carried", "world"):
        for degrees in DEGREES:
            count, iterations = reached_under_limits(degrees, frames)
            console.print(
                f"limits of {degrees:.0f} degrees, frames {frames}: {count}/{LIMITED_TARGETS} reached, "
                f"{np.median(iterations):.0f} iterations in the median, {iterations.max():.0f} at most"
            )
            verdict.at_least(f"reached under {degrees:.0f} degrees, frames {frames}", count, LIMITED_TARGETS)
    tell_paper(console, paper_counts())
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
