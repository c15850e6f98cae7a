"""poise on chains of any make: 4 to 9 joints with random axes, lengths and limits that are not symmetric.

    python -m benchmarks.poise_any_chain --count 50 --chains 3 --seed 1

Every target is what a random pose inside the limits does, so every target can be met; the posture is another random
pose.  Heavy search says how low the shape error can be where the target is met within 1e-3 rad.  Two real robots look
at points, all their offsets kept: the SO-101 arm along its gripper, and Adelino, the robot of the ERIK paper's
author, where their files lie in ../shared/data.  Exits with 1 when a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import Timing, budget, calibrate, time_beside
from benchmarks.oracle.remembered import remembered
from benchmarks.oracle.sighted import best_looks, best_orientations, shape_errors
from benchmarks.timed_solving import SLICE
from benchmarks.verdict import Verdict, report_console
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import named_frame
from tests.reference.measures_twin import orientation_angle, rotation_matrix

FloatArray = NDArray[np.float64]

ON_TARGET = 0.01  # measure of the missing angle
ON_TARGET_BAR = 0.99
GAP_BAR = 1.02  # times heavy search's shape error
TIME_BAR = 100.0  # us on the development machine, mean over all chains
GRANTED = 1e-3  # rad, of error in heavy search
JOINTS = range(4, 10)
NEAREST, FARTHEST = 0.3, 3.0  # m
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def random_chain(joints: int, generator: np.random.Generator) -> Skeleton:
    """A chain with random axes, bones 0.05 to 0.4 m long in random directions, and limits that are not symmetric."""
    builder = SkeletonBuilder(f"chain of {joints}", up="z")
    end = (0.0, 0.0, 0.0)
    for joint in range(joints):
        axis, bone = generator.normal(size=3), generator.normal(size=3)
        bone *= generator.uniform(0.05, 0.4) / np.linalg.norm(bone)
        builder.joint(
            f"joint{joint}",
            parent=f"joint{joint - 1}" if joint else None,
            kind="revolute",
            axis=(axis / np.linalg.norm(axis)).tolist(),
            position=end,
            lower=-generator.uniform(0.3, 2.6),
            upper=generator.uniform(0.3, 2.6),
            segment=bone.tolist(),
        )
        end = bone.tolist()
    builder.frame("end", parent=f"joint{joints - 1}", position=end)
    return builder.build()


def adelino(file: Path) -> Skeleton:
    """Adelino from its kinematics: five joints, every one from -90 to 90 degrees, an eye on the head."""
    builder, known = SkeletonBuilder("Adelino", up="z"), json.loads(file.read_text(encoding="utf-8"))
    carried_by = {joint["child"]: joint["name"] for joint in known["joints"]}
    quarter = 0.5 * np.pi
    for joint in known["joints"]:
        parent, place = carried_by.get(joint["parent"]), joint["offset"]
        axis = joint["axis"]
        builder.joint(
            joint["name"], parent=parent, kind="revolute", axis=axis, position=place, lower=-quarter, upper=quarter
        )
    builder.frame("eye", parent=known["joints"][-1]["name"], position=(0.0, -0.03, 0.04), kind="eye", axis="-y")
    return builder.build()


class Problems(NamedTuple):
    """Postures to hold, and what a random pose does."""

    postures: FloatArray  # [n, dof]
    turns: FloatArray  # [n, 4], orientations of the end
    points: FloatArray  # [n, 3], m, what its eye looks at


def draw_problems(body: Skeleton, end: str, count: int, generator: np.random.Generator) -> Problems:
    """Draw postures and targets, both inside the limits."""
    poses, postures = generator.uniform(body.lower, body.upper, size=(2, count, body.dof_count))
    places = np.array([named_frame(body, pose, end) for pose in poses])
    distances = generator.uniform(NEAREST, FARTHEST, size=(count, 1))
    turns = np.array([np.asarray(body.forward(pose).of(end).rotation) for pose in poses])
    return Problems(postures, turns, places[:, :3, 3] + distances * (places[:, :3, :3] @ looking(body, end)))


class Judgement(NamedTuple):
    """How poise did on one body."""

    on_target: NDArray[np.bool_]  # [n]
    shapes: FloatArray  # [n], degrees
    best: FloatArray  # [n], degrees, heavy search's
    broken: int
    timing: Timing


def judge(body: Skeleton, end: str, problems: Problems, looks: bool) -> Judgement:
    """Solve with poise, compare with heavy search, and time the solving."""
    postures, turns, points = problems
    axis = looking(body, end)
    goal = gk.Aim(end, at=points, axis=axis, eye=(0.0, 0.0, 0.0)) if looks else gk.Orientation(end, turns)
    goals = [goal, gk.Posture(postures)]
    solutions = gk.solve_batch(body, goals, method="poise", threads=1)
    search, wanted = (best_looks, points) if looks else (best_orientations, turns)
    _, best = remembered(
        f"any-{body.name.replace(' ', '-')}",
        lambda: search(body, end, postures, wanted, GRANTED),
        postures,
        wanted,
        *(np.asarray(part, dtype=np.float64) for part in body.arrays),
        GRANTED,
    )
    if looks:
        places = np.array([named_frame(body, q, end) for q in solutions.angles])
        gaps, ahead = points - places[:, :3, 3], places[:, :3, :3] @ axis
        missing = np.arctan2(np.linalg.norm(np.cross(ahead, gaps), axis=1), (ahead * gaps).sum(axis=1))
    else:
        frames = np.array([named_frame(body, q, end)[:3, :3] for q in solutions.angles])
        missing = orientation_angle(frames, rotation_matrix(turns))
    measures = np.sqrt(2.0) * np.sin(missing / 4.0)
    broken = np.any((solutions.angles < body.lower) | (solutions.angles > body.upper), axis=1)
    prepared = gk.prepare(body, goals, method="poise")
    rows, start = prepared.pack_rows(), prepared.pack_start(None)
    parts = [partial(prepared.solve_rows, rows[a : a + SLICE], start) for a in range(0, len(rows), SLICE)]
    return Judgement(
        measures <= ON_TARGET,
        shape_errors(body, end, solutions.angles, postures),
        best,
        int(np.count_nonzero(broken)),
        time_beside(parts, len(rows)),
    )


def looking(body: Skeleton, end: str) -> FloatArray:
    """Where a frame looks: along its own axis if it is an eye, else along its z."""
    return np.array(body.frame(end).axis or (0.0, 0.0, 1.0))


def together(parts: Sequence[Judgement]) -> Judgement:
    """Put several bodies' judgements together; the time is their mean."""
    us, multiples = (float(np.mean([part.timing[k] for part in parts])) for k in range(2))
    return Judgement(
        np.concatenate([part.on_target for part in parts]),
        np.concatenate([part.shapes for part in parts]),
        np.concatenate([part.best for part in parts]),
        sum(part.broken for part in parts),
        Timing(us, multiples),
    )


def check(name: str, found: Judgement, verdict: Verdict) -> list[str]:
    """Hold a judgement against its bars; return its row of the table."""
    judged = found.on_target & np.isfinite(found.best)
    mean, best = float(found.shapes[judged].mean()), float(found.best[judged].mean())
    verdict.at_least(f"{name}: on target", float(found.on_target.mean()), ON_TARGET_BAR)
    verdict.at_most(f"{name}: shape error over heavy search's", mean / best, GAP_BAR)
    verdict.at_most(f"{name}: problems that break a limit", found.broken, 0)
    verdict.at_most(f"{name}: time", found.timing.multiples, budget(TIME_BAR), "multiples")
    share, gap = f"{found.on_target.mean():.1%}", f"{mean / best - 1.0:+.2%}"
    return [name, share, f"{mean:.2f}", f"{best:.2f}", gap, str(found.broken), str(found.timing)]


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.poise_any_chain", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the random chains and problems")
    parser.add_argument("--chains", type=int, default=3, help="of each number of joints")
    parser.add_argument("--count", type=int, default=50, help="problems for each chain")
    options = parser.parse_args()

    console, verdict = report_console(), Verdict()
    table = Table(title=f"poise on any chain, seed {options.seed}")
    for heading in ("body", f"error <= {ON_TARGET}", "shape error", "heavy search", "gap", "limits broken", "time"):
        table.add_column(heading, justify="right")
    generator = np.random.default_rng(options.seed)
    everything = []
    for joints in JOINTS:
        parts = []
        for _ in range(options.chains):
            chain = random_chain(joints, generator)
            problems = draw_problems(chain, "end", options.count, generator)
            parts.append(judge(chain, "end", problems, looks=False))
        everything += parts
        table.add_row(*check(f"{joints} joints", together(parts), Verdict()))
    table.add_row(*check("all random chains", together(everything), verdict))
    for body, eye in real_robots():
        problems = draw_problems(body, eye, 4 * options.count, generator)
        table.add_row(*check(body.name, judge(body, eye, problems, looks=True), verdict))
    console.print(table)
    console.print(f"shape errors in degrees; one multiple: {calibrate():.4f} us, forward kinematics of 7 joints in C")
    return verdict.tell(console)


def real_robots() -> list[tuple[Skeleton, str]]:
    """The robots whose files are at hand, each with the frame that looks."""
    robots = []
    if (DATA / "adelino_kinematics.json").exists():
        robots.append((adelino(DATA / "adelino_kinematics.json"), "eye"))
    if (DATA / "so101.urdf").exists():
        robots.append((gk.load(DATA / "so101.urdf"), "gripper_frame_link"))
    return robots


if __name__ == "__main__":
    sys.exit(main())
