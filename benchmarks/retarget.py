"""Retargeting: a captured session and a cartoon walk, played by the puppet, a doll of balls and a robot of hinges.

    python -m benchmarks.retarget --figure docs/motion/retarget-feet.svg

Measured are limb directions against the source, the way travelled, feet that slide while the source's stand, what
becomes of the motion when the clip is cut, and frames a second. Contacts are labelled here, on the source, by height
and speed. Exits with 1 when a bar is missed. Needs the files of tests/formats/shared_data.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from benchmarks.verdict import Verdict, report_console
from gestik.pictures.curves import Panel, curves_svg
from tests.formats.shared_data import SHARED
from tests.motion.bodies import doll, robot

FloatArray = NDArray[np.float64]

TALL = 1.7  # m, the session's actor
PUPPET = 0.45  # m, its height
BONES = [("thigh", "shin"), ("shin", "foot"), ("upper arm", "forearm"), ("forearm", "hand")]
SIDES = ("left", "right")
# A foot of the source stands: so slow [m/s] and so near its lower places [m], so long [s].
SLOW, LOW, LONG = 0.15, 0.03, 0.1
FADING = 0.5  # s, that a contact may be felt before and after
SHOWN = 0.6  # m/s, in the figure
AT_A_LIMIT = 1e-6  # rad

DIRECTION_BAR = 10.0  # degrees, where limits allow
TRAVEL_BAR = 0.02
SLIDE_BAR = 0.01  # m in a contact
CUT_BAR = 1e-6  # m
RATE_BAR = 500.0  # frames a second


class Case(NamedTuple):
    """One clip on one body."""

    name: str
    clip: gk.Clip
    body: gk.Skeleton
    limbs: gk.LimbMap


def positions(clip: gk.Clip, frames: list[str]) -> dict[str, FloatArray]:
    """Where frames are [frame, 3]."""
    poses = [clip.skeleton.forward(angles) for angles in clip.angles]
    return {name: np.array([pose.of(name).position for pose in poses]) for name in set(frames)}


def turn_between(up: FloatArray, other: FloatArray) -> FloatArray:
    """The matrix that leads one way up to another."""
    axis, cosine = np.cross(up, other), float(up @ other)
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + cross + cross @ cross / (1.0 + cosine)


def stands(places: FloatArray, up: FloatArray, times: FloatArray) -> list[tuple[int, int]]:
    """When a foot of the source stands: low and slow for a while."""
    speed = np.linalg.norm(np.gradient(places, times, axis=0), axis=1)
    height = places @ up
    still = (speed < SLOW) & (height < np.quantile(height, 0.05) + LOW)
    found, begin = [], None
    for frame, is_still in enumerate([*still, False]):
        if is_still and begin is None:
            begin = frame
        elif not is_still and begin is not None:
            if times[frame - 1] - times[begin] >= LONG:
                found.append((begin, frame - 1))
            begin = None
    return found


def free_of_limits(body: gk.Skeleton, played: gk.Clip, frame: str) -> NDArray[np.bool_]:
    """The frames in which no joint between the base and a frame stands at a limit."""
    dofs = sorted({int(body.arrays.dof[row]) for row in body.chain(frame)} - {-1})
    angles = played.angles[:, dofs]
    gap = np.minimum(angles - body.lower[dofs], body.upper[dofs] - angles)
    return np.asarray((gap > AT_A_LIMIT).all(axis=1))


def judge(case: Case, verdict: Verdict) -> None:
    """Measure one case."""
    gk.retarget(case.clip, case.body, limbs=case.limbs)
    began = time.perf_counter()
    played = gk.retarget(case.clip, case.body, limbs=case.limbs)
    rate = len(case.clip) / (time.perf_counter() - began)
    turn = turn_between(case.clip.skeleton.up, case.body.up)
    own = {name: places @ turn.T for name, places in positions(case.clip, [p[0] for p in case.limbs.values()]).items()}
    new = positions(played, [pair[1] for pair in case.limbs.values()])
    worst = 0.0
    for side in SIDES:
        for start, end in BONES:
            if f"{side} {start}" in case.limbs and f"{side} {end}" in case.limbs:
                (a, c), (b, d) = case.limbs[f"{side} {start}"], case.limbs[f"{side} {end}"]
                first, second = own[b] - own[a], new[d] - new[c]
                lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
                off = np.degrees(np.arccos(np.clip((first * second).sum(axis=1) / lengths, -1, 1)))
                free = free_of_limits(case.body, played, d)
                most = float(off[free].max(initial=0.0))
                told = f"{off.mean():.2f} deg mean, {off.max():.2f} at most, {most:.2f} where no limit holds"
                print(f"  {side} {start}: {told}")
                worst = max(worst, most)
    verdict.at_most(f"{case.name}: limb directions", worst, DIRECTION_BAR, "deg")
    travelled(case, own, new, verdict)
    verdict.at_most(f"{case.name}: slide in a contact", slide(case, own, new), SLIDE_BAR, "m")
    verdict.at_most(f"{case.name}: after a cut", cut_difference(case, played), CUT_BAR, "m")
    verdict.at_least(f"{case.name}: frames a second", rate, RATE_BAR, "/s")


def scale_of(case: Case) -> float:
    """The ratio of the legs, measured here once more."""
    lengths = []
    for skeleton, which in ((case.clip.skeleton, 0), (case.body, 1)):
        pose = skeleton.forward(skeleton.rest)
        at = {name: pose.of(pair[which]).position for name, pair in case.limbs.items()}
        legs = [at[f"{side} {a}"] - at[f"{side} {b}"] for side in SIDES for a, b in BONES[:2]]
        lengths.append(np.linalg.norm(legs, axis=1).sum())
    return float(lengths[1] / lengths[0])


def travelled(case: Case, own: dict[str, FloatArray], new: dict[str, FloatArray], verdict: Verdict) -> None:
    """Compare the ways of the hips, scaled."""
    source, target = (places[case.limbs["hips"][k]] for k, places in enumerate((own, new)))
    expected = scale_of(case) * np.linalg.norm(np.diff(source, axis=0), axis=1).sum()
    way = np.linalg.norm(np.diff(target, axis=0), axis=1).sum()
    verdict.at_most(f"{case.name}: way of the hips", abs(way / expected - 1.0), TRAVEL_BAR)


def slide(case: Case, own: dict[str, FloatArray], new: dict[str, FloatArray]) -> float:
    """The longest way a foot goes [m] while the source's stands."""
    longest = 0.0
    for side in SIDES:
        source, target = case.limbs[f"{side} foot"]
        found = stands(own[source], case.body.up, case.clip.times)
        ways = [float(np.ptp(new[target][begin : end + 1], axis=0).max()) for begin, end in found]
        print(f"  {side} foot: {len(found)} contacts, slides {max(ways, default=0.0) * 1000:.1f} mm at most")
        longest = max([longest, *ways])
    return longest


def cut_difference(case: Case, played: gk.Clip) -> float:
    """How far joints are from where they were [m] when the clip's first and last third are cut away.

    Left out is what lies within the contact next to a cut, and the fading after it.
    """
    count = len(case.clip)
    begin, end = count // 3, 2 * count // 3
    part = gk.Clip("cut", case.clip.skeleton, case.clip.times[begin:end], case.clip.angles[begin:end])
    again = gk.retarget(part, case.body, limbs=case.limbs)
    first, last = beyond_contacts(case, begin, end)
    away = 0.0
    for frame in range(first, last):
        one = case.body.forward(played.angles[frame]).positions
        other = case.body.forward(again.angles[frame - begin]).positions
        away = max(away, float(np.abs(one - other).max()))
    print(f"  cut: frames {first} to {last} of {begin} to {end} compared")
    return away


def beyond_contacts(case: Case, begin: int, end: int) -> tuple[int, int]:
    """The frames of a part that no contact at its ends reaches, nor the fading behind one."""
    times = case.clip.times
    first, last = begin, end
    own = positions(case.clip, [case.limbs[f"{side} foot"][0] for side in SIDES])
    for side in SIDES:
        found = stands(own[case.limbs[f"{side} foot"][0]], case.clip.skeleton.up, case.clip.times)
        inside = [stand for stand in found if stand[1] > begin and stand[0] < end]
        if len(inside) > 2:
            first = max(first, int(np.searchsorted(times, times[inside[0][1]] + FADING)))
            last = min(last, int(np.searchsorted(times, times[inside[-1][0]] - FADING)))
    return first, last


def figure(clip: gk.Clip, body: gk.Skeleton) -> str:
    """How fast the ankles of a body are [m/s] for four seconds of a clip, while its feet are kept and while not."""
    part = gk.Clip("part", clip.skeleton, clip.times[1300:1780], clip.angles[1300:1780])
    runs = {"limbs alone": gk.retarget(part, body, feet=False), "feet kept": gk.retarget(part, body)}
    panels = []
    for side in SIDES:
        curves = {}
        for name, run in runs.items():
            places = positions(run, [f"{side} foot"])[f"{side} foot"]
            curves[name] = np.minimum(np.linalg.norm(np.gradient(places, run.times, axis=0), axis=1), SHOWN)
        panels.append(Panel(f"{side} ankle [m/s]", curves))
    return curves_svg(part.times - part.start, panels)


def main() -> int:
    """Run the benchmark; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.retarget", description=__doc__)
    parser.add_argument("--figure", type=Path, help="where to draw how fast feet are, before and after they are kept")
    options = parser.parse_args()
    session = gk.load_clips(SHARED / "cmu_01_01.bvh", scale=TALL / 26.0)["cmu_01_01"]
    walk = gk.load_clips(SHARED / "RobotExpressive.glb")["Walking"]
    verdict = Verdict()
    with tempfile.TemporaryDirectory() as folder:
        for clip in (session, walk):
            for body in (gk.load("puppet", scale=TALL / PUPPET), doll(), robot(Path(folder))):
                name = f"{clip.name} on the {body.name}"
                print(name)
                judge(Case(name, clip, body, gk.match_limbs(clip.skeleton, body)), verdict)
    if options.figure:
        options.figure.write_text(figure(session, doll()), encoding="utf-8")
    return verdict.tell(report_console())


if __name__ == "__main__":
    sys.exit(main())
