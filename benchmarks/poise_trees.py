"""poise on bodies with several ends: a head looks and both hands point while a posture is held; and a sliding neck.

    python -m benchmarks.poise_trees --count 1000 --seed 1

Targets are reachable by construction: what a random pose inside the limits looks and points at, from 0.3 to 3 m away.
Postures are other random poses, from the middle half of every limit.  An error is the measure of the missing angle,
sqrt(2) sin(angle / 4).  The puppet's root is free.  Exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import Timing, budget, calibrate, time_beside
from benchmarks.timed_solving import SLICE
from benchmarks.verdict import Verdict, report_console
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import joint_frames, looking_error, moving_rows, named_frame
from tests.reference.measures_twin import shape_error

FloatArray = NDArray[np.float64]

ON_TARGET = 0.01  # measure of an angle, for every goal
ON_TARGET_BAR = 0.99  # share of the problems
TIME_BAR = 200.0  # us on the development machine
NEAREST, FARTHEST = 0.3, 3.0  # m
AROUND = 0.3  # m, how far from its rest a free root stands
RIVAL = "prioritised"  # the method whose shapes are to be bettered, where it is there and can do this


class Body(NamedTuple):
    """A skeleton, and who shall look or point somewhere: a frame, the direction in it, the place in it."""

    skeleton: Skeleton
    eyes: tuple[tuple[str, tuple[float, float, float], tuple[float, float, float]], ...]


def puppet() -> Body:
    """The bundled puppet: its eye, and both palms pointing on along the hands."""
    here, down = (0.0, 0.0, 0.0), (0.0, 0.0, -1.0)
    body = gk.load_character("puppet").skeleton
    return Body(
        body, (("eye", body.frame("eye").axis or down, here), ("left_hand", down, here), ("right_hand", down, here))
    )


def sliding_neck() -> Body:
    """A desk robot whose neck also slides out: a turn, a lean, a slide, a tilt, a roll and a turn of the head."""
    builder = SkeletonBuilder("sliding neck", up="z")
    builder.joint("turn", kind="revolute", axis="z", lower=-2.0, upper=2.0, segment=(0.0, 0.0, 0.1))
    builder.joint("lean", parent="turn", kind="revolute", axis="y", position=(0.0, 0.0, 0.1), lower=-0.6, upper=1.2)
    builder.joint("neck", parent="lean", kind="prismatic", axis="z", position=(0.0, 0.0, 0.2), lower=0.0, upper=0.15)
    builder.joint("tilt", parent="neck", kind="revolute", axis="y", position=(0.0, 0.0, 0.05), lower=-1.0, upper=1.5)
    builder.joint("roll", parent="tilt", kind="revolute", axis="x", position=(0.0, 0.0, 0.05), lower=-0.7, upper=0.7)
    end, bone = (0.0, 0.0, 0.02), (0.0, 0.0, 0.1)
    builder.joint("pan", parent="roll", kind="revolute", axis="z", position=end, lower=-1.0, upper=1.0, segment=bone)
    builder.frame("eye", parent="pan", position=(0.06, 0.0, 0.05), kind="eye", axis="x")
    return Body(builder.build(), (("eye", (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),))


BODIES: dict[str, Callable[[], Body]] = {"puppet": puppet, "sliding neck": sliding_neck}


class Problems(NamedTuple):
    """Postures to hold and what to look and point at."""

    postures: FloatArray  # [n, dof]
    targets: list[FloatArray]  # of each eye [n, 3], m


def draw_problems(body: Body, count: int, seed: int) -> Problems:
    """Draw postures and reachable targets."""
    skeleton, generator = body.skeleton, np.random.default_rng(seed)
    far = np.where(skeleton.dof_slides, AROUND, np.pi)
    lower = np.where(np.isfinite(skeleton.lower), skeleton.lower, skeleton.rest - far)
    upper = np.where(np.isfinite(skeleton.upper), skeleton.upper, skeleton.rest + far)
    # A free root leans by less than half a radian: who stands on its head holds no posture.
    leans = ~np.isfinite(skeleton.lower) & ~np.asarray(skeleton.dof_slides)
    leans[np.flatnonzero(leans)[:1]] = False
    lower, upper = np.where(leans, -0.5, lower), np.where(leans, 0.5, upper)
    shape = (count, skeleton.dof_count)
    poses = np.array([skeleton.clamp(q) for q in generator.uniform(lower, upper, size=shape)])
    middle = (lower + upper) / 2.0
    postures = np.array(
        [skeleton.clamp(q) for q in middle + 0.5 * (generator.uniform(lower, upper, size=shape) - middle)]
    )
    targets = []
    for frame, axis, _ in body.eyes:
        places = np.array([named_frame(skeleton, pose, frame) for pose in poses])
        distances = generator.uniform(NEAREST, FARTHEST, size=(count, 1))
        targets.append(places[:, :3, 3] + distances * (places[:, :3, :3] @ np.array(axis)))
    return Problems(postures, targets)


def shapes_of(body: Body, angles: FloatArray, postures: FloatArray) -> FloatArray:
    """Shape errors [n, degrees] over the bones of all limbs that look or point, each bone once."""
    drawn = np.array([_bones(body, q) for q in postures])
    found = np.array([_bones(body, q) for q in angles])
    errors: FloatArray = shape_error(found, drawn, body.skeleton.up)
    return errors


def _bones(body: Body, q: FloatArray) -> FloatArray:
    """Unit directions from joint to joint, and on to the end of each limb."""
    skeleton, begun, directions = body.skeleton, set(), []
    places = joint_frames(skeleton, q)[:, :3, 3]
    for frame, _, _ in body.eyes:
        way = moving_rows(skeleton, frame)
        points = [*places[way], named_frame(skeleton, q, frame)[:3, 3]]
        for row, here, there in zip(way, points[:-1], points[1:], strict=True):
            if row not in begun and np.linalg.norm(there - here) > 1e-9:
                directions.append((there - here) / np.linalg.norm(there - here))
            begun.add(row)
    return np.array(directions)


class Judgement(NamedTuple):
    """How a method did."""

    on_target: float
    shape: float  # degrees, mean
    broken: int
    timing: Timing


def judge(body: Body, problems: Problems, method: str) -> Judgement:
    """Solve every problem, judge the answers with matrices, time the solving."""
    skeleton = body.skeleton
    goals: list[object] = [
        gk.Aim(frame, at=points, axis=axis, eye=place)
        for (frame, axis, place), points in zip(body.eyes, problems.targets, strict=True)
    ]
    goals.append(gk.Posture(problems.postures))
    angles = gk.solve_batch(skeleton, goals, method=method, start=problems.postures, threads=1).angles
    met = np.ones(len(angles), dtype=bool)
    for (frame, axis, _), points in zip(body.eyes, problems.targets, strict=True):
        missing = [_missing(skeleton, q, frame, axis, point) for q, point in zip(angles, points, strict=True)]
        met &= np.sqrt(2.0) * np.sin(np.array(missing) / 4.0) <= ON_TARGET
    broken = sum(bool(skeleton.limit_excess(q)) for q in angles)
    prepared = gk.prepare(skeleton, goals, method=method)
    rows, starts = prepared.pack_rows(), problems.postures
    parts = [
        lambda a=a: prepared.solve_rows(rows[a : a + SLICE], starts[a : a + SLICE]) for a in range(0, len(rows), SLICE)
    ]
    timing = time_beside(parts, len(rows))
    return Judgement(float(met.mean()), float(shapes_of(body, angles, problems.postures).mean()), broken, timing)


def _missing(
    skeleton: Skeleton, q: FloatArray, frame: str, axis: tuple[float, float, float], point: FloatArray
) -> float:
    """Angle [rad] between where a frame points and where it should."""
    if skeleton.frame(frame).axis is not None:
        return looking_error(skeleton, q, frame, point)
    place = named_frame(skeleton, q, frame)
    gap, ahead = point - place[:3, 3], place[:3, :3] @ np.array(axis)
    return float(np.arctan2(np.linalg.norm(np.cross(ahead, gap)), ahead @ gap))


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.poise_trees", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the random problems")
    parser.add_argument("--count", type=int, default=1000, help="problems per body")
    options = parser.parse_args()

    console, verdict = report_console(), Verdict()
    table = Table(title=f"goals on several limbs, {options.count} problems each, seed {options.seed}")
    for heading in ("body", "method", f"all errors <= {ON_TARGET}", "shape error", "limits broken", "time"):
        table.add_column(heading, justify="right")
    known = {spec.name for spec in gk.list_solvers()}
    for name, build in BODIES.items():
        body = build()
        problems = draw_problems(body, options.count, options.seed)
        found = {method: judge(body, problems, method) for method in ("poise", RIVAL) if method in known}
        for method, one in found.items():
            shape = f"{one.shape:.2f} degrees"
            table.add_row(name, method, f"{one.on_target:.1%}", shape, str(one.broken), str(one.timing))
        ours = found["poise"]
        verdict.at_least(f"{name}: all errors on target", ours.on_target, ON_TARGET_BAR)
        verdict.at_most(f"{name}: problems that break a limit", ours.broken, 0)
        verdict.at_most(f"{name}: time", ours.timing.multiples, budget(TIME_BAR), "multiples")
        if RIVAL in found:
            verdict.at_most(f"{name}: shape error, {RIVAL}'s being the bar", ours.shape, found[RIVAL].shape)
    console.print(table)
    console.print(f"one multiple: {calibrate():.4f} us, forward kinematics of 7 joints in C")
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
