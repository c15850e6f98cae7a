"""Whole clips aimed: the lamp's own clips and, where its file is at hand, those of RobotExpressive.

    python -m benchmarks.warp

Each clip, at 60 Hz, is aimed at targets around the character, fixed and moving.  Judged: the orientation error of the
gaze where the best pose of the single moment reaches the target; the shape error against those poses (poise moment by
moment, free to leap); the speed of every joint over its limit; what a second warp still changes.  Time is that of the
whole call, in seconds of its own thread, and counts in multiples of the calibration loop timed beside it.  Exits with 1
when a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import gestik as gk
from benchmarks.calibration import budget, calibrate
from benchmarks.verdict import Verdict, report_console
from gestik.model.transforms import rotate

FloatArray = NDArray[np.float64]

ROBOT = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "RobotExpressive.glb"
SPINE = ("Abdomen", "Torso", "Neck")  # what turns the robot's head; its root and its feet stay with the clip
RATE = 60.0
REACHED = np.radians(0.5)
ERROR_BAR, SHAPE_BAR, SPEED_BAR, SAME_BAR = 0.01, 1.10, 1.0 + 1e-9, 1e-6
FRAMES_BAR = 5000.0  # a second, on the development machine
REPEATS = 3


class Case(NamedTuple):
    """One character and how it looks."""

    name: str
    clips: Sequence[gk.Clip]
    aim: dict[str, object]  # frame, and what an Aim needs beside its target
    joints: tuple[str, ...] | None
    targets: Sequence[FloatArray]  # [3], m


class Judged(NamedTuple):
    """How one warp did."""

    frames: int
    microseconds: float  # a frame
    error: float  # mean orientation error where the target can be reached
    shape: float  # sum of shape errors [degrees]
    best_shape: float  # of the best poses of single moments
    speed: float  # the largest over its limit
    changed: float  # by a second warp, rad or m


def lamp_case() -> Case:
    """The lamp's own clips and targets all around it."""
    lamp = gk.load_character("lamp")
    clips = [clip.sampled(RATE) for clip in lamp.clips.values()]
    around = [(0.7, 0.3, 0.35), (0.3, -0.5, 0.6), (-0.6, -0.1, 0.4), (0.2, 0.7, 0.1), (0.9, -0.2, 0.2)]
    return Case("lamp", clips, {"frame": "eye"}, None, [np.array(point) for point in around])


def robot_case() -> Case:
    """RobotExpressive's clips, its head turned by the spine, targets in front of it."""
    clips = [clip.sampled(RATE) for clip in gk.load_clips(str(ROBOT)).values()]
    body = clips[0].skeleton
    head = body.forward(body.rest).of("Head")
    w, x, y, z = head.rotation.tolist()
    forwards = rotate((w, -x, -y, -z), (0.0, 0.0, 1.0))
    ahead = [head.position + np.array(way) for way in ((1.5, 0.3, 2.0), (-1.0, -0.5, 2.5), (0.0, 1.0, 3.0))]
    return Case("RobotExpressive", clips, {"frame": "Head", "axis": forwards, "eye": (0.0, 0.0, 0.0)}, SPINE, ahead)


def judge(case: Case, clip: gk.Clip, points: FloatArray) -> Judged:
    """Warp one clip to points [3] or [n, 3] and judge the result."""
    body, settings = clip.skeleton, dict(case.aim)
    frame = str(settings.pop("frame"))
    goal, taken = gk.Aim(frame, at=points, **settings), []
    for _ in range(REPEATS):
        began = time.thread_time()
        warped = gk.warp(clip, goal, joints=case.joints)
        taken.append(time.thread_time() - began)
    single = _single(clip, goal, case.joints)
    targets = np.broadcast_to(points, (len(clip), 3))

    def off(angles: FloatArray) -> FloatArray:
        pairs = zip(angles, targets, strict=True)
        return np.array([gk.metrics.aim_error(body, q, frame, at=p, **settings) for q, p in pairs])

    def shape(angles: FloatArray) -> FloatArray:
        pairs = zip(angles, clip.angles, strict=True)
        return np.array([gk.metrics.shape_error(body, q, drawn, frame) for q, drawn in pairs])

    reachable = off(single) <= REACHED
    errors = np.sqrt(2.0) * np.sin(0.25 * off(warped.angles))
    steps = np.abs(np.diff(warped.angles, axis=0)) / np.diff(clip.times)[:, None]
    again = gk.warp(warped, goal, joints=case.joints) if reachable.all() and off(warped.angles).max() < 1e-6 else warped
    return Judged(
        len(clip),
        min(taken) / len(clip) * 1e6,
        float(errors[reachable].mean()) if reachable.any() else 0.0,
        float(shape(warped.angles)[reachable].sum()),
        float(shape(single)[reachable].sum()),
        float((steps / body.speed).max()),
        float(np.abs(again.angles - warped.angles).max()),
    )


def _single(clip: gk.Clip, goal: gk.Aim, joints: tuple[str, ...] | None) -> FloatArray:
    """The best pose of every moment by itself."""
    prepared, body = gk.prepare(clip.skeleton, [goal, gk.Posture(clip.angles)], method="poise"), clip.skeleton
    rows = prepared.pack_rows()
    if joints is None:
        return prepared.solve_rows(rows, prepared.pack_start(None)).angles
    free = body.mask(joints)
    low, high = np.where(free, body.lower, clip.angles), np.where(free, body.upper, clip.angles)
    return prepared.follow_rows(rows, clip.angles, low, high).angles


def main() -> int:
    """Run the benchmark; return the exit code."""
    argparse.ArgumentParser(prog="python -m benchmarks.warp", description=__doc__).parse_args()
    console, verdict = report_console(), Verdict()
    cases = [lamp_case()] + ([robot_case()] if ROBOT.exists() else [])
    table = Table(title="whole clips aimed")
    for heading in ("character", "warps", "frames a second", "multiples a frame", "error", "shape", "speed", "again"):
        table.add_column(heading)
    for case in cases:
        judged, yardsticks = [], []
        for clip in case.clips:
            circle = 0.2 * np.stack((0.0 * clip.times, np.cos(2.0 * clip.times), np.sin(2.0 * clip.times)), axis=1)
            for points in (*case.targets, case.targets[0] + circle):
                yardsticks.append(calibrate(20))
                judged.append(judge(case, clip, points))
        frames = np.array([one.frames for one in judged], dtype=float)
        cost = float((frames * [one.microseconds for one in judged]).sum() / frames.sum())
        multiples = cost / float(np.mean(yardsticks))
        error = float((frames * [one.error for one in judged]).sum() / frames.sum())
        shape = sum(one.shape for one in judged) / sum(one.best_shape for one in judged)
        speed, again = max(one.speed for one in judged), max(one.changed for one in judged)
        table.add_row(
            case.name,
            str(len(judged)),
            f"{1e6 / cost:.0f}",
            f"{multiples:.0f}",
            f"{error:.5f}",
            f"{shape - 1.0:+.1%}",
            f"{speed:.6f}",
            f"{again:.1e}",
        )
        verdict.at_most(f"{case.name}: time a frame", multiples, budget(1e6 / FRAMES_BAR), "multiples")
        verdict.at_most(f"{case.name}: mean orientation error where reachable", error, ERROR_BAR)
        verdict.at_most(f"{case.name}: shape error over poise moment by moment", shape, SHAPE_BAR)
        verdict.at_most(f"{case.name}: fastest joint over its limit", speed, SPEED_BAR)
        verdict.at_most(f"{case.name}: changed by a second warp", again, SAME_BAR)
    console.print(table)
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
