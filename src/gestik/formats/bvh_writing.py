"""Writing BVH, for any skeleton: y up, in metres and degrees, every joint's frame level where all angles are 0.

A skeleton whose frames are so already, as one read from BVH, keeps its channels and the very same angles.  Any other
gets three rotations for every joint, and positions where a joint slides: the same places at every frame, by other
angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FIXED, PRISMATIC, FloatArray
from gestik.model.clip import Clip
from gestik.model.quaternion_stacks import inverses, products, turned, without_leaps, zyx_angles
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_vector, between

# What moves less than this share of the skeleton's size does not slide.
STILL = 1e-9
# Of a degree or a metre.
DECIMALS = 10
# Steps that differ by less than this share are equal.
EVEN = 1e-6
UPRIGHT = (0.0, 1.0, 0.0)
POSITIONS = ("Xposition", "Yposition", "Zposition")
TURNS = ("Zrotation", "Yrotation", "Xrotation")


class Track(NamedTuple):
    """One joint as it is written."""

    offset: FloatArray  # [3], m
    channels: list[str]
    values: FloatArray  # [frame, channel], m or degrees
    end: FloatArray  # [3], m, where its bone ends, for joints that carry none


def write_bvh(clip: Clip, _: str) -> str:
    """The text of a clip; one of uneven steps is sampled at its usual rate first."""
    steps = np.diff(clip.times)
    if len(steps) and np.ptp(steps) > EVEN * steps.mean():
        clip = clip.sampled(clip.rate)
    skeleton = clip.skeleton
    tracks = _own_tracks(clip) if _is_level(skeleton) else _levelled_tracks(clip)
    lines = ["HIERARCHY"]
    order: list[int] = []
    _write_joints(skeleton, tracks, lines, order)
    step = clip.duration / (len(clip) - 1) if len(clip) > 1 else 1.0 / 60.0
    lines += ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {step:.12g}"]
    table = np.hstack([tracks[joint].values for joint in order])
    lines += map(_numbers, table)
    return "\n".join(lines) + "\n"


def _is_level(skeleton: Skeleton) -> bool:
    """Whether the skeleton is as BVH makes them: y up, no turned frames, axes along x, y and z, nothing mimicked."""
    arrays = skeleton.arrays
    moving = arrays.kind != FIXED
    along = arrays.axis[moving]
    return bool(
        (skeleton.up == UPRIGHT).all()
        and (arrays.rest_rotation == [1.0, 0.0, 0.0, 0.0]).all()
        and (np.sort(along, axis=1) == [0.0, 0.0, 1.0]).all()
        and moving.sum() == skeleton.dof_count
    )


def _own_tracks(clip: Clip) -> list[Track]:
    """Each joint with a channel for each of its motions."""
    skeleton, tracks = clip.skeleton, []
    arrays = skeleton.arrays
    dof_of = {int(row): dof for dof, row in enumerate(skeleton.dof_rows)}
    for joint in range(skeleton.joint_count):
        rows = [row for row in np.flatnonzero(skeleton.row_joints == joint).tolist() if row in dof_of]
        offset = arrays.rest_position[np.flatnonzero(skeleton.row_joints == joint)[0]]
        channels, columns = [], [np.empty((len(clip), 0))]
        for row in rows:
            axis, values = int(np.argmax(arrays.axis[row])), clip.angles[:, dof_of[row]]
            slides = arrays.kind[row] == PRISMATIC
            channels.append("XYZ"[axis] + ("position" if slides else "rotation"))
            columns.append((values + offset[axis] if slides else np.degrees(values))[:, None])
        tracks.append(_track(skeleton, joint, offset, channels, np.hstack(columns), skeleton.segments[joint]))
    return tracks


def _levelled_tracks(clip: Clip) -> list[Track]:
    """Each joint by its places and turns, seen from the one it sits on, in frames that are level at zero."""
    skeleton = clip.skeleton
    upright = np.array(between((0.0, 0.0, 0.0), as_vector(skeleton.up))[1])
    level = np.array(between((0.0, 0.0, 0.0), UPRIGHT)[1])
    to_level = products(level, inverses(upright))
    poses = [skeleton.forward(angles) for angles in (np.zeros(skeleton.dof_count), *clip.angles)]
    places = turned(to_level, np.array([pose.positions for pose in poses]))
    frames = products(to_level, np.array([pose.rotations for pose in poses]))
    turns = products(frames, inverses(frames[0]))
    size = float(np.ptp(places[0], axis=0).max()) or 1.0
    tracks = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        back = inverses(turns[:, parent]) if parent >= 0 else np.array([[1.0, 0.0, 0.0, 0.0]])
        base = places[:, parent] if parent >= 0 else np.zeros(3)
        local = turned(back, places[:, joint] - base)
        values = np.degrees(without_leaps(zyx_angles(products(back, turns[:, joint]))))
        channels = list(TURNS)
        if np.abs(local - local[0]).max() > STILL * size:
            channels, values = [*POSITIONS, *TURNS], np.hstack((local, values))
        end = turned(frames[0, joint], skeleton.segments[joint])
        tracks.append(_track(skeleton, joint, local[0], channels, values[1:], end))
    return tracks


def _track(
    skeleton: Skeleton, joint: int, offset: FloatArray, channels: list[str], values: FloatArray, end: FloatArray
) -> Track:
    """The parts of a track; a root that tells its place has no offset, because programs disagree what both mean."""
    tells_place = set(POSITIONS) <= set(channels) and skeleton.parents[joint] < 0
    return Track(np.zeros(3) if tells_place else offset, channels, values, end)


def _write_joints(skeleton: Skeleton, tracks: Sequence[Track], lines: list[str], order: list[int]) -> None:
    """The tree, as lines; `order` is filled with the joints in the order of their numbers."""
    children: dict[int, list[int]] = {joint: [] for joint in range(-1, skeleton.joint_count)}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        children[parent].append(joint)
    waiting = [(joint, 0) for joint in reversed(children[-1])]
    closing: list[int] = []
    while waiting:
        joint, depth = waiting.pop()
        while closing and closing[-1] >= depth:
            lines.append("\t" * closing.pop() + "}")
        track, tabs = tracks[joint], "\t" * depth
        lines.append(f"{tabs}{'JOINT' if depth else 'ROOT'} {_one_word(skeleton.joint_names[joint])}")
        lines += [f"{tabs}{{", f"{tabs}\tOFFSET {_numbers(track.offset)}"]
        lines.append(" ".join([f"{tabs}\tCHANNELS {len(track.channels)}", *track.channels]))
        order.append(joint)
        closing.append(depth)
        waiting += [(child, depth + 1) for child in reversed(children[joint])]
        if not children[joint]:
            lines += [f"{tabs}\tEnd Site", f"{tabs}\t{{", f"{tabs}\t\tOFFSET {_numbers(track.end)}", f"{tabs}\t}}"]
    lines += ["\t" * depth + "}" for depth in reversed(closing)]


def _numbers(values: FloatArray) -> str:
    """Numbers in a row, without digits that are rounding only; the sum turns -0 into 0."""
    return " ".join(f"{value:.14g}" for value in (np.round(values, DECIMALS) + 0.0).tolist())


def _one_word(name: str) -> str:
    """The name as programs read it that stop at a blank."""
    return "_".join(name.split())
