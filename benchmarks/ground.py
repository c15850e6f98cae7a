"""Ground: a walk made for level ground, over steps and a slope.

    python -m benchmarks.ground --figure docs/motion/ground-feet.svg

The walk is RobotExpressive's, which walks on the spot, played by a doll and by the captured actor's skeleton and set
in motion by its own standing foot. Measured are how far soles are below the ground at any time and above it in the
source's contacts (labelled here, on level ground), which way knees bend, and frames a second. Exits with 1 when a bar
is missed. Needs the files of tests/formats/shared_data.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from benchmarks.verdict import Verdict, report_console
from gestik.motion.terrain import Height
from gestik.pictures.curves import Panel, curves_svg
from tests.formats.shared_data import SHARED
from tests.motion.bodies import doll

FloatArray = NDArray[np.float64]

SIDES = ("left", "right")
CYCLES = 6
RATE = 60.0  # Hz
# The source stands where its sole is this near the ground [m] and so slow [m/s].
NEAR, SLOW = 0.01, 0.15

BENT = 0.1  # sine of a bend that shows which way a knee goes

BELOW_BAR, ABOVE_BAR = 1e-3, 1e-2  # m
RATE_BAR = 500.0


class Body(NamedTuple):
    """Who walks, and what of each foot touches the ground."""

    skeleton: gk.Skeleton
    soles: dict[str, list[str]]
    legs: dict[str, tuple[str, str, str]]


def doll_body() -> Body:
    """Balls in the hips, hinges in the knees."""
    return Body(
        doll(),
        {side: [f"{side} foot", f"{side} toe", f"{side} sole", f"{side} tip"] for side in SIDES},
        {side: (f"{side} thigh", f"{side} shin", f"{side} foot") for side in SIDES},
    )


def actor_body() -> Body:
    """Balls everywhere, so that only care keeps knees from bending the other way."""
    skeleton = gk.load(SHARED / "cmu_01_01.bvh", scale=1.7 / 26)
    names = {"left": "Left", "right": "Right"}
    return Body(
        skeleton,
        {side: [f"{name}Foot", f"{name}ToeBase", f"{name}ToeBase.end"] for side, name in names.items()},
        {side: (f"{name}UpLeg", f"{name}Leg", f"{name}Foot") for side, name in names.items()},
    )


def steps_and_slope(x: FloatArray, z: FloatArray) -> FloatArray:
    """Level, three steps up of 12 cm, level, then a slope of 1 in 6 down; the same across the way."""
    del x
    stairs = 0.12 * np.clip(np.floor((z - 0.6) / 0.35) + 1.0, 0.0, 3.0)
    return np.asarray(stairs - np.clip((z - 2.2) / 6.0, 0.0, 0.3))


def rolling(x: FloatArray, z: FloatArray) -> FloatArray:
    """Hills of 8 cm."""
    return np.asarray(0.08 * np.sin(2.0 * z) * np.cos(1.5 * x))


def travelling_walk() -> gk.Clip:
    """The walk on the spot, six times, moved on as its standing foot asks for."""
    clip = gk.load_clips(SHARED / "RobotExpressive.glb")["Walking"].sampled(RATE)
    robot = clip.skeleton
    angles = np.vstack([clip.angles[:-1]] * CYCLES)
    feet = [[robot.forward(posture).of(name).position for name in ("Foot.L", "Foot.R")] for posture in angles]
    places = np.array(feet)
    lower = np.argmin(places[:, :, 1], axis=1)[:-1]
    frames = np.arange(len(lower))
    moved = places[frames + 1, lower] - places[frames, lower]
    way = np.vstack((np.zeros(3), -np.cumsum(moved * [1.0, 0.0, 1.0], axis=0)))
    # What is free beside the body goes along with it: feet and the targets knees point to.
    base = robot.forward(robot.rest)
    for joint, kind in enumerate(robot.joint_kinds):
        if kind == "free" and robot.joint_names[robot.parents[joint]] == "Bone":
            first = int(robot.joint_ends[joint]) - 5
            turn = matrix(base.row_rotations[first])
            angles[:, robot.arrays.dof[first : first + 3]] += way @ turn
    return gk.Clip("walk", robot, np.arange(len(angles)) / RATE, angles)


def matrix(quaternion: FloatArray) -> FloatArray:
    """The matrix of a turn."""
    w, *v = quaternion.tolist()
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.asarray(np.eye(3) + 2 * w * cross + 2 * cross @ cross)


def walk(body: Body) -> gk.Clip:
    """The walk played by a body, whose soles touch level ground at 0 where they stand."""
    played = gk.retarget(travelling_walk(), body.skeleton)
    heights = []
    for side in SIDES:
        soles = soles_of(played, body, side)
        heights.append(soles[:, :, 1].min(axis=1)[slowness(soles, played.times) < SLOW])
    up = int(np.flatnonzero(body.skeleton.dof_slides)[1])
    angles = played.angles.copy()
    angles[:, up] -= np.median(np.concatenate(heights))
    return gk.Clip("walk", body.skeleton, played.times, angles)


def soles_of(clip: gk.Clip, body: Body, side: str) -> FloatArray:
    """What touches the ground [frame, place, 3]."""
    poses = [clip.skeleton.forward(angles) for angles in clip.angles]
    return np.array([[pose.of(name).position for name in body.soles[side]] for pose in poses])


def clearance(soles: FloatArray, height: Height) -> FloatArray:
    """How far the lowest place of a foot is above the ground [frame]."""
    return np.asarray((soles[:, :, 1] - height(soles[:, :, 0], soles[:, :, 2])).min(axis=1))


def stands(soles: FloatArray, times: FloatArray) -> NDArray[np.bool_]:
    """The frames in which a foot of the source stands on level ground."""
    low = soles[:, :, 1].min(axis=1) < NEAR
    return np.asarray(low & (slowness(soles, times) < SLOW))


def slowness(soles: FloatArray, times: FloatArray) -> FloatArray:
    """The speed [frame] m/s of the slowest place of a foot."""
    return np.asarray(np.linalg.norm(np.gradient(soles, times, axis=0), axis=2).min(axis=1))


def bends(clip: gk.Clip, body: Body, side: str) -> FloatArray:
    """The axis a knee is bent about [frame, 3], as long as the sine of the bend."""
    found = []
    for angles in clip.angles:
        pose = clip.skeleton.forward(angles)
        hip, knee, ankle = (pose.of(name).position for name in body.legs[side])
        first, second = knee - hip, ankle - knee
        found.append(np.cross(first, second) / (np.linalg.norm(first) * np.linalg.norm(second)))
    return np.array(found)


def judge(name: str, body: Body, height: Height, verdict: Verdict) -> tuple[gk.Clip, gk.Clip]:
    """Measure one walk on one ground."""
    clip = walk(body)
    gk.clamp_to_ground(clip, height)
    began = time.perf_counter()
    clamped = gk.clamp_to_ground(clip, height)
    rate = len(clip) / (time.perf_counter() - began)
    below, above, flips, contacts = 0.0, 0.0, 0, 0
    for side in SIDES:
        before, after = soles_of(clip, body, side), soles_of(clamped, body, side)
        clear = clearance(after, height)
        standing = stands(before, clip.times)
        below, above = max(below, float(-clear.min())), max(above, float(clear[standing].max(initial=0.0)))
        contacts += int(standing.sum())
        bent, was = bends(clamped, body, side), bends(clip, body, side)
        seen = (np.linalg.norm(bent, axis=1) > BENT) & (np.linalg.norm(was, axis=1) > BENT)
        flips += int((seen & ((bent * was).sum(axis=1) < 0.0)).sum())
    print(f"{name}: {contacts} foot frames in contact, {below * 1e3:.2f} mm below, {above * 1e3:.2f} mm above at most")
    verdict.at_most(f"{name}: below the ground", below, BELOW_BAR, "m")
    verdict.at_most(f"{name}: above it in contacts", above, ABOVE_BAR, "m")
    verdict.at_most(f"{name}: knees that flip", flips, 0, "frames")
    verdict.at_least(f"{name}: frames in contact", contacts, 50)
    verdict.at_least(f"{name}: frames a second", rate, RATE_BAR, "/s")
    return clip, clamped


def figure(clip: gk.Clip, clamped: gk.Clip, body: Body) -> str:
    """Each foot's lowest place over time, before and after, with the ground under it."""
    panels = []
    for side in SIDES:
        before, after = soles_of(clip, body, side), soles_of(clamped, body, side)
        centre = after.mean(axis=1)
        curves = {
            "made for level ground": before[:, :, 1].min(axis=1),
            "clamped": after[:, :, 1].min(axis=1),
            "ground under the foot": steps_and_slope(centre[:, 0], centre[:, 2]),
        }
        panels.append(Panel(f"{side} sole [m]", curves))
    return curves_svg(clip.times, panels)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ground", description=__doc__)
    parser.add_argument("--figure", type=Path, help="where to draw the feet before and after")
    options = parser.parse_args()
    verdict = Verdict()
    for who, body in (("doll", doll_body()), ("actor", actor_body())):
        for ground, height in (("steps and a slope", steps_and_slope), ("hills", rolling)):
            pair = judge(f"{who} on {ground}", body, height, verdict)
            if options.figure and who == "doll" and height is steps_and_slope:
                options.figure.write_text(figure(*pair, body), encoding="utf-8")
    return verdict.tell(report_console())


if __name__ == "__main__":
    sys.exit(main())
