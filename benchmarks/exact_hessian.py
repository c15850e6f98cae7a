"""What the exact Hessian is worth: newton's models on a motion-capture tree.

    python -m benchmarks.exact_hessian RECORDING.bvh [PICTURE.svg]

Two hundred frames of a recording, evenly apart. Hands, feet and head are asked to be where they are half a second
later; the start is the pose of the frame. Every model runs from the same starts, without restarts, until all five are
within a tenth of a millimetre or no step helps. Then the same with the five goals moved away from the body by a third
of its height, where nothing is reached and second derivatives do not vanish. PICTURE gets how the median of the cost
falls. Exits with 1 when a model with second derivatives or Gauss-Newton's misses a frame in reach, or when the exact
Hessian needs more steps than Gauss-Newton where the goals are out of reach.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import calibrate
from benchmarks.verdict import Verdict, report_console
from gestik.pictures.curves import Panel, curves_svg

FloatArray = NDArray[np.float64]

MODELS = ("hybrid", "exact", "gauss_newton", "bfgs", "gradient")
FRAMES = 200
LATER = 0.5  # s
AWAY = 1.0 / 3.0  # of the body's height
STEPS = 3000  # at most
ROUNDS = 3
DRAWN = 60  # steps
ENDS = ("LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head")
SMALLEST = 1e-12  # m^2, below which a cost is drawn as this


class Problems(NamedTuple):
    """The same skeleton and goals for many frames."""

    skeleton: gk.Skeleton
    goals: list[gk.Position]
    starts: FloatArray  # [frame, dof]


def problems_of(path: Path) -> dict[str, Problems]:
    """Goals in reach, and the same moved away."""
    clip = next(iter(gk.load_clips(path).values()))
    skeleton = clip.skeleton
    moments = np.linspace(clip.start, clip.end - LATER, FRAMES)
    starts, later = (clip.at(moments + ahead) for ahead in (0.0, LATER))
    poses = [skeleton.forward(angles) for angles in later]
    places = np.array([[pose.of(end).position for end in ENDS] for pose in poses])
    heights = np.array([np.ptp(pose.positions @ skeleton.up) for pose in poses])
    middle = places.mean(axis=1, keepdims=True)
    outward = (places - middle) / np.linalg.norm(places - middle, axis=2, keepdims=True)
    away = places + AWAY * np.median(heights) * outward
    return {
        name: Problems(skeleton, [gk.Position(end, asked[:, k]) for k, end in enumerate(ENDS)], starts)
        for name, asked in (("in reach", places), ("out of reach", away))
    }


class Result(NamedTuple):
    """How one model did."""

    steps: FloatArray  # [frame]
    cost: FloatArray  # [frame]
    reached: float  # share of the frames
    microseconds: float  # a frame


def solve(problems: Problems, model: str) -> Result:
    """Solve all frames, the quickest of some rounds."""
    prepared = gk.prepare(problems.skeleton, problems.goals, "newton", model=model, restarts=0, max_iterations=STEPS)
    rows, best = prepared.pack_rows(), np.inf
    for _ in range(ROUNDS):
        began = time.perf_counter()
        filled = prepared.solve_rows(rows, problems.starts)
        best = min(best, time.perf_counter() - began)
    tolerances = np.array([goal.tolerance for goal in problems.goals])
    reached = float((filled.errors <= tolerances).all(axis=1).mean())
    return Result(filled.iterations, filled.cost, reached, 1e6 * best / len(rows))


def falls(problems: Problems, model: str) -> FloatArray:
    """The median of the cost after 0 to DRAWN steps, as the logarithm to base 10 of m^2."""
    costs = [float(np.median(costs_at(problems, problems.starts)))]
    for steps in range(1, DRAWN + 1):
        options = {"model": model, "restarts": 0, "max_iterations": steps}
        prepared = gk.prepare(problems.skeleton, problems.goals, "newton", **options)
        costs.append(float(np.median(prepared.solve_rows(prepared.pack_rows(), problems.starts).cost)))
    return np.log10(np.maximum(costs, SMALLEST))


def costs_at(problems: Problems, angles: FloatArray) -> FloatArray:
    """The cost of every frame's goals at given angles [frame, dof]."""
    poses = [problems.skeleton.forward(row) for row in angles]
    ways = [np.array([pose.of(goal.frame).position for pose in poses]) - goal.point for goal in problems.goals]
    return 0.5 * (np.array(ways) ** 2).sum(axis=(0, 2))


def tell(name: str, results: dict[str, Result]) -> Table:
    """The table of one set of problems."""
    least = np.min([result.cost for result in results.values()], axis=0)
    table = Table(title=f"{FRAMES} frames, goals {name}; calibration loop {calibrate():.3f} us")
    for heading in (
        "model",
        "steps, median",
        "p95",
        "most",
        "reached %",
        "at the least cost %",
        "us a frame",
        "us a step",
    ):
        table.add_column(heading, justify="left" if heading == "model" else "right")
    for model, result in results.items():
        steps = (
            f"{np.median(result.steps):.0f}",
            f"{np.percentile(result.steps, 95):.0f}",
            f"{result.steps.max():.0f}",
        )
        best = 100 * float((result.cost <= 1.001 * least + 1e-8).mean())
        each = result.microseconds / max(1.0, float(result.steps.mean()))
        table.add_row(
            model, *steps, f"{100 * result.reached:.1f}", f"{best:.1f}", f"{result.microseconds:.1f}", f"{each:.2f}"
        )
    return table


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = report_console(), Verdict()
    sets = problems_of(Path(arguments[0]))
    results = {name: {model: solve(problems, model) for model in MODELS} for name, problems in sets.items()}
    for name, by_model in results.items():
        console.print(tell(name, by_model))
    for model in ("hybrid", "exact", "gauss_newton"):
        verdict.at_least(f"{model}: in reach, reached", 100 * results["in reach"][model].reached, 100, "%")
    far = results["out of reach"]
    mean = {model: float(result.steps.mean()) for model, result in far.items()}
    verdict.at_most(
        "out of reach, steps of the exact model", mean["exact"] / mean["gauss_newton"], 1.0, "x Gauss-Newton"
    )
    if len(arguments) > 1:
        panels = [
            Panel(f"log10 cost, {name}", {model: falls(problems, model) for model in MODELS})
            for name, problems in sets.items()
        ]
        Path(arguments[1]).write_text(curves_svg(np.arange(DRAWN + 1), panels, "steps"), encoding="utf-8")
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
