"""poise on the bundled lamp: its eye looks at points all around while it holds a posture, judged by heavy search.

    python -m benchmarks.poise_lamp --count 1000 --seed 1

Half of the postures come from the lamp's library, half are drawn uniformly within its limits. Points lie in all
directions, uniformly on the sphere, 0.3 to 5 body lengths from where the base turns; a body length is the length of
all bones. A point is reachable when heavy search finds a pose whose eye error is at most 0.5 degrees. Exits with 1 when
a bar is missed.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import budget, calibrate
from benchmarks.oracle.remembered import remembered
from benchmarks.oracle.sighted import DEFAULT_STARTS, best_looks, shape_errors
from benchmarks.timed_solving import time_solving
from benchmarks.verdict import Verdict, report_console
from gestik.model.character import Character
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import bones, joint_frames, looking_error, moving_rows

FloatArray = NDArray[np.float64]

ALLOWED = 0.5  # degrees of eye error
REACHED_BAR = 0.995  # of the reachable points
SHAPE_BAR = 1.07  # times the mean of heavy search
TIME_BAR = 80.0  # us on the development machine
NEAREST, FARTHEST = 0.3, 5.0  # body lengths


def draw_problems(character: Character, count: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Draw postures [n, dof], library and random in turn, and points to look at [n, 3] m."""
    body, generator = character.skeleton, np.random.default_rng(seed)
    library = np.array([posture.angles_for(body) for posture in character.postures.values()])
    lower, upper = np.maximum(body.lower, -np.pi), np.minimum(body.upper, np.pi)
    postures = generator.uniform(lower, upper, size=(count, body.dof_count))
    postures[::2] = library[generator.integers(len(library), size=len(postures[::2]))]
    directions = generator.normal(size=(count, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    eye = character.eye or "eye"
    straight = np.zeros(body.dof_count)
    body_length = float(np.linalg.norm(bones(body, straight, eye), axis=1).sum())
    origin = joint_frames(body, straight)[moving_rows(body, eye)[0], :3, 3]
    distances = generator.uniform(NEAREST, FARTHEST, size=(count, 1)) * body_length
    return postures, origin + distances * directions


def best_shapes(
    body: Skeleton, eye: str, postures: FloatArray, points: FloatArray, starts: int = DEFAULT_STARTS, seed: int = 0
) -> FloatArray:
    """Shape errors [n, degrees] of the best poses that look at the points, infinite where there is none."""
    _, errors = remembered(
        f"looks-{body.name}",
        lambda: best_looks(body, eye, postures, points, np.radians(ALLOWED), starts, seed),
        postures,
        points,
        *(np.asarray(part) for part in body.arrays),
        starts,
        seed,
    )
    return errors


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.poise_lamp", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the random problems")
    parser.add_argument("--count", type=int, default=1000, help="problems")
    parser.add_argument("--doubling", action="store_true", help="also search with twice the starts")
    options = parser.parse_args()

    console, verdict = report_console(), Verdict()
    character = gk.load_character("lamp")
    body, eye = character.skeleton, character.eye or "eye"
    postures, points = draw_problems(character, options.count, options.seed)
    goals = [gk.Aim(eye, at=points), gk.Posture(postures)]
    angles = gk.solve_batch(body, goals, method="poise", threads=1).angles
    batch, single = time_solving(gk.prepare(body, goals, method="poise"), points, postures)
    oracle = best_shapes(body, eye, postures, points)
    reachable = np.isfinite(oracle)
    eye_errors = np.degrees([looking_error(body, q, eye, point) for q, point in zip(angles, points, strict=True)])
    shapes = shape_errors(body, eye, angles, postures)
    # Only a pose that looks where it should has a shape worth comparing.
    judged = reachable & (eye_errors <= ALLOWED)
    broken = int(np.count_nonzero(np.any((angles < body.lower) | (angles > body.upper), axis=1)))
    ratio = float(shapes[judged].mean() / oracle[judged].mean())

    table = Table(title=f"poise on the lamp, {options.count} problems, seed {options.seed}", show_header=False)
    rows = {
        "reachable points": f"{np.count_nonzero(reachable)}",
        f"eye error <= {ALLOWED} degrees on reachable": f"{np.mean(eye_errors[reachable] <= ALLOWED):.2%}",
        "largest eye error on reachable": f"{eye_errors[reachable].max():.3f} degrees",
        "shape error, heavy search": f"{oracle[judged].mean():.3f} degrees",
        "shape error, poise": f"{shapes[judged].mean():.3f} degrees, {ratio - 1.0:+.2%}",
        "  of it on library postures": f"{_ratio(shapes, oracle, judged, slice(0, None, 2)) - 1.0:+.2%}",
        "  of it on random postures": f"{_ratio(shapes, oracle, judged, slice(1, None, 2)) - 1.0:+.2%}",
        "better than heavy search by over 0.5 degrees": f"{np.count_nonzero((shapes - oracle)[judged] < -0.5)}",
        "problems that break a limit": f"{broken}",
        "time in a batch, one thread": str(batch),
        "time one by one": str(single),
        "one multiple": f"{calibrate():.4f} us, forward kinematics of 7 joints in C",
    }
    for what, value in rows.items():
        table.add_row(what, value)
    console.print(table)

    verdict.at_least("eye on target, of reachable", float(np.mean(eye_errors[reachable] <= ALLOWED)), REACHED_BAR)
    verdict.at_most("shape error over heavy search's", ratio, SHAPE_BAR)
    verdict.at_most("problems that break a limit", broken, 0)
    verdict.at_most("time", batch.multiples, budget(TIME_BAR), "multiples")
    if options.doubling:
        twice = best_shapes(body, eye, postures, points, starts=2 * DEFAULT_STARTS, seed=1)
        moved = float(abs(twice[judged].mean() / oracle[judged].mean() - 1.0))
        console.print(
            f"twice the starts: heavy search's mean moves by {moved:.4%}, "
            f"{np.count_nonzero(np.isfinite(twice) & ~reachable)} more points turn out reachable"
        )
        verdict.at_most("heavy search moved by twice the starts", moved, (SHAPE_BAR - 1.0) / 10.0)
    return verdict.tell(console)


def _ratio(shapes: FloatArray, oracle: FloatArray, judged: NDArray[np.bool_], part: slice) -> float:
    """Mean shape error over heavy search's on a part of the problems."""
    return float(shapes[part][judged[part]].mean() / oracle[part][judged[part]].mean())


if __name__ == "__main__":
    sys.exit(main())
