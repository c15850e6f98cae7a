"""What is done to clips by hand: parts, sequences, mixtures, loops.  `Clip` has each as a method of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.faults import shown
from gestik.model.joints import JointKind
from gestik.model.quaternion_stacks import turned
from gestik.model.skeleton import Skeleton

if TYPE_CHECKING:
    from gestik.model.clip import Clip

# Moments nearer than this [s] are one.
SAME_MOMENT = 1e-6
MOST_ROUNDS = 10_000


def part(clip: Clip, begin: float, end: float) -> tuple[FloatArray, FloatArray]:
    """Times and angles from one moment to another, both of them included."""
    first, last = _number("begin", begin), _number("end", end)
    if not clip.start <= first <= last <= clip.end:
        raise InputError(
            f"{clip.name!r} goes from {clip.start:g} to {clip.end:g} s and has no part from {first:g} to {last:g} s"
        )
    inner = clip.times[(clip.times > first + SAME_MOMENT) & (clip.times < last - SAME_MOMENT)]
    times = np.concatenate(([first], inner, [last] if last > first + SAME_MOMENT else []))
    return times, clip.at(times)


def sequence(clip: Clip, other: Clip, blend: float) -> tuple[FloatArray, FloatArray]:
    """One clip after another, its beginning mixed into the end over `blend` [s]; a free body goes on where it is."""
    _check_same_skeleton(clip, other)
    seconds = _number("blend", blend)
    if not 0.0 <= seconds <= min(clip.duration, other.duration):
        shorter = min(clip.duration, other.duration)
        raise InputError(f"blend is {seconds:g} s, outside 0 to {shorter:g} s, which the shorter of both clips lasts")
    gap = _step(clip) if seconds == 0.0 else 0.0
    begin = clip.end - seconds
    shift = begin + gap - other.start
    times = _united(clip.times, other.times + shift)
    first, second = clip.at(times), other.at(times - shift)
    here, there = clip.at(begin if seconds else clip.end), other.angles[0]
    second = second + level_travel(clip.skeleton, here - there)
    weight = _eased((times - begin) / seconds) if seconds else (times > clip.end + SAME_MOMENT).astype(float)
    return times, mixed(clip.skeleton, first, second, weight)


def mixture(clip: Clip, other: Clip, weight: float) -> tuple[FloatArray, FloatArray]:
    """Both at once: each moment of the one with that of the other which is as far through it."""
    _check_same_skeleton(clip, other)
    share = _number("weight", weight)
    if not 0.0 <= share <= 1.0:
        raise InputError(f"weight is {share:g}, outside 0 to 1")
    duration = (1.0 - share) * clip.duration + share * other.duration
    phases = _united(_phases(clip), _phases(other))
    first, second = (each.at(each.start + phases * each.duration) for each in (clip, other))
    return clip.start + phases * duration, mixed(clip.skeleton, first, second, np.full(len(phases), share))


def loop(clip: Clip, count: object, blend: float) -> tuple[FloatArray, FloatArray]:
    """Several rounds, each of whose ends leads over `blend` [s] into the beginning; a free body travels on."""
    seconds = _number("blend", blend)
    if not 0.0 < seconds <= clip.duration:
        raise InputError(f"blend is {seconds:g} s, not above 0 and up to the {clip.duration:g} s of {clip.name!r}")
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_ROUNDS:
        raise InputError(f"count is {shown(count)}, not a whole number from 1 to {MOST_ROUNDS}")
    skeleton = clip.skeleton
    way = level_travel(skeleton, clip.angles[-1] - clip.angles[0])
    change = skeleton.difference(clip.angles[-1], clip.angles[0] + way)
    weights = _eased((clip.times - (clip.end - seconds)) / seconds)
    pairs = zip(clip.angles, weights, strict=True)
    one = np.array([skeleton.step(angles, weight * change) for angles, weight in pairs])
    one[-1] = clip.angles[0] + way
    times, angles = [clip.times], [one]
    for number in range(1, count):
        times.append(clip.times[1:] + number * clip.duration)
        angles.append(one[1:] + number * way)
    return np.concatenate(times), np.concatenate(angles)


def mixed(skeleton: Skeleton, first: FloatArray, second: FloatArray, weights: FloatArray) -> FloatArray:
    """Postures [n, dof] between two on the shortest ways, by weights [n] from 0 to 1."""
    from gestik.kernels.sampling import between_postures

    out, change = np.array(first), np.empty(skeleton.dof_count)
    for k, weight in enumerate(weights.tolist()):
        if weight >= 1.0:
            out[k] = second[k]
        elif weight > 0.0:
            arguments = skeleton.arrays, skeleton.ball_rows, skeleton.endless, first[k], second[k], weight
            between_postures(*arguments, change, out[k])
    return out


def level_travel(skeleton: Skeleton, change: FloatArray) -> FloatArray:
    """Of a change [dof] the part that carries a free body along level ground; zero for one that stands fixed."""
    kept = np.zeros(skeleton.dof_count)
    for joint in np.flatnonzero(skeleton.parents < 0).tolist():
        if skeleton.joint_kinds[joint] is JointKind.FREE:
            first = skeleton.turns_of(joint)[0] - 3
            dofs = skeleton.arrays.dof[first : first + 3]
            back = skeleton.arrays.rest_rotation[first] * np.array([1.0, -1.0, -1.0, -1.0])
            up = turned(back, skeleton.up)
            kept[dofs] = change[dofs] - (change[dofs] @ up) * up
    return kept


def _check_same_skeleton(clip: Clip, other: object) -> None:
    """Raise InputError where the other is no clip, or of another body."""
    if not isinstance(other, type(clip)):
        raise InputError(f"a Clip is expected, not {shown(other)}")
    if other.skeleton is not clip.skeleton and other.skeleton.dof_names != clip.skeleton.dof_names:
        raise InputError(
            f"{clip.name!r} moves {clip.skeleton.name!r} and {other.name!r} moves {other.skeleton.name!r}; "
            "retarget one of them first"
        )


def _step(clip: Clip) -> float:
    """How long a posture of the clip lasts [s]."""
    return 1.0 / clip.rate if clip.rate > 0.0 else 1.0 / 30.0


def _phases(clip: Clip) -> FloatArray:
    """How far through the clip each of its moments is, 0 to 1."""
    if clip.duration == 0.0:
        return np.zeros(1)
    phases: FloatArray = (clip.times - clip.start) / clip.duration
    return phases


def _united(times: FloatArray, others: FloatArray) -> FloatArray:
    """All moments in their order, those that are nearly the same once."""
    united = np.unique(np.concatenate((times, others)))
    kept: FloatArray = united[np.append(True, np.diff(united) > SAME_MOMENT)]
    return kept


def _eased(progress: FloatArray) -> FloatArray:
    """From 0 to 1, level at both ends."""
    share = np.clip(progress, 0.0, 1.0)
    weight: FloatArray = share * share * (3.0 - 2.0 * share)
    return weight


def _number(what: str, value: object) -> float:
    """Read a finite number."""
    try:
        return checks.finite(value)
    except ValueError as fault:
        raise InputError(f"{what} {fault}") from fault
