"""erik on the ERIK paper's problem and skeletons A to G, beside poise on the same measure, sample by sample.

    python -m benchmarks.erik_paper --skeleton CEF --count 1000 --seed 1
    python -m benchmarks.erik_paper --options

Problems: postures on a grid of 15 degrees inside the limits, root and tip twist 0; orientations Ry(yaw) Rx(pitch)
Ry(roll), uniform in [-pi, pi]; symmetric end-point, weights 1 and 0.2, aggravation 1.  Every answer is measured with
matrices.  Prints one row per skeleton and exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import gestik as gk
from benchmarks.calibration import Timing, budget, calibrate
from benchmarks.oracle.paper import Y, combined_error, pose
from benchmarks.timed_solving import time_solving
from benchmarks.verdict import Verdict, report_console
from gestik.evaluation.sets import RandomSet, random_set
from gestik.evaluation.skeletons import LAYOUTS, skeleton
from tests.reference.measures_twin import orientation_measure, rotation_matrix

FloatArray = NDArray[np.float64]

MEAN_BARS = {"A": 0.225, "B": 0.056, "C": 0.030, "D": 0.028, "E": 0.026, "F": 0.023, "G": 0.021}
TIME_BAR = 5.0  # us on the development machine
POISE_SLACK = 1e-6  # combined error by which poise may be worse in a sample
THRESHOLD = 0.04  # the paper's, of the combined error
CHANGES: dict[str, dict[str, float | str]] = {
    "nothing": {},
    "latitude_step 1 degree": {"latitude_step": np.radians(1.0)},
    "avoid_edges off": {"avoid_edges": "off"},
    "offset_trick on": {"offset_trick": "on"},
    "ccd_trick off": {"ccd_trick": "off"},
    "refresh off": {"refresh": "off"},
    "twist_parent on": {"twist_parent": "on"},
    "tie 0": {"tie": 0.0},
    "ccd_precision 1e-3": {"ccd_precision": 1e-3},
    "threshold 0.01": {"threshold": 0.01},
    "max_iterations 1": {"max_iterations": 1},
}
COLUMNS = (
    "combined mean",
    "bar",
    f"<= {THRESHOLD}",
    "orientation",
    "iterations",
    "limits broken",
    "in a batch",
    "one by one",
    "poise mean",
    "poise worse",
    "by at most",
)


class Judgement(NamedTuple):
    """What came out on one skeleton."""

    errors: FloatArray  # [n], combined
    orientation: FloatArray  # [n]
    iterations: float  # mean
    broken_limits: int  # samples
    poise: FloatArray  # [n], combined errors of poise by the paper's measure
    batch: Timing  # per solve, one thread, many in one call
    single: Timing  # per solve, one call each


def judge(letter: str, problems: RandomSet) -> Judgement:
    """Solve every problem with both methods, measure the answers with matrices, and time erik."""
    axes, _ = LAYOUTS[letter]
    body = skeleton(letter)
    postures, targets = problems
    goals = [gk.Orientation("tip", targets, symmetric=True), gk.Posture(postures)]
    found = gk.solve_batch(body, goals, method="erik", threads=1)
    poise = gk.solve_batch(body, goals, method="poise", measure="paper", threads=1).angles
    broken = np.any((found.angles < body.lower) | (found.angles > body.upper) | ~np.isfinite(found.angles), axis=1)
    return Judgement(
        combined_error(axes, found.angles, postures, targets),
        orientation_measure(pose(axes, found.angles).end, rotation_matrix(targets), Y),
        float(found.iterations.mean()),
        int(np.count_nonzero(broken)),
        combined_error(axes, poise, postures, targets),
        *time_solving(gk.prepare(body, goals, method="erik"), targets, postures),
    )


def check(letter: str, found: Judgement, verdict: Verdict) -> list[str]:
    """Hold one skeleton's judgement against its bars; return its row of the table."""
    mean, worse = float(found.errors.mean()), found.poise - found.errors
    met = verdict.at_most(f"{letter}: combined mean", mean, MEAN_BARS[letter])
    verdict.at_most(f"{letter}: samples that break a limit", found.broken_limits, 0)
    verdict.at_most(f"{letter}: time", found.batch.multiples, budget(TIME_BAR), "multiples")
    verdict.at_most(f"{letter}: poise worse than erik", float(worse.max()), POISE_SLACK)
    colour = "green" if met else "red"
    return [
        letter,
        f"[{colour}]{mean:.4f}[/{colour}]",
        f"{MEAN_BARS[letter]:.3f}",
        f"{np.mean(found.errors <= THRESHOLD):.1%}",
        f"{found.orientation.mean():.4f}",
        f"{found.iterations:.2f}",
        str(found.broken_limits),
        str(found.batch),
        str(found.single),
        f"{found.poise.mean():.4f}",
        str(int(np.count_nonzero(worse > POISE_SLACK))),
        f"{max(0.0, float(worse.max())):.1e}",
    ]


def print_table(letters: str, count: int, seed: int, console: Console, verdict: Verdict) -> None:
    """Judge skeletons and print what came out."""
    table = Table(title=f"erik, {count} problems each, seed {seed}")
    for heading in ("skeleton", *COLUMNS):
        table.add_column(heading, justify="right")
    for letter in letters:
        table.add_row(*check(letter, judge(letter, random_set(letter, count, seed)), verdict))
    console.print(table)
    console.print(f"one multiple: {calibrate():.4f} us, forward kinematics of 7 joints in C")


def print_options(letters: str, count: int, seed: int, console: Console) -> None:
    """Print the combined mean with one hyperparameter changed at a time."""
    table = Table(title=f"erik, combined mean with one option changed, {count} problems each, seed {seed}")
    for heading in ("changed", *letters):
        table.add_column(heading, justify="left" if heading == "changed" else "right")
    for name, options in CHANGES.items():
        means = []
        for letter in letters:
            postures, targets = random_set(letter, count, seed)
            goals = [gk.Orientation("tip", targets, symmetric=True), gk.Posture(postures)]
            angles = gk.solve_batch(skeleton(letter), goals, method="erik", threads=1, **options).angles
            means.append(f"{combined_error(LAYOUTS[letter].axes, angles, postures, targets).mean():.4f}")
        table.add_row(name, *means)
    console.print(table)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.erik_paper", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the random problems")
    parser.add_argument("--count", type=int, default=1000, help="problems per skeleton")
    parser.add_argument("--skeleton", default="ABCDEFG", help="letters of the skeletons to judge on")
    parser.add_argument("--options", action="store_true", help="print what each hyperparameter does instead")
    options = parser.parse_args()
    console, verdict = report_console(), Verdict()
    if options.options:
        print_options(options.skeleton, options.count, options.seed, console)
        return 0
    print_table(options.skeleton, options.count, options.seed, console, verdict)
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
