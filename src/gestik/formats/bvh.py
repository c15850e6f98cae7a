"""BVH, the motion capture format: a tree of joints that turn, y up, degrees, and one line of numbers for each frame.

Read: any order of channels, positions on any joint, joints that turn about one or two axes only, end sites (as
frames), several roots.  A position is told in the parent's frame.  Programs disagree whether it counts from the joint's
OFFSET or takes its place; `_counts_from_offset` looks at the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError
from gestik.formats.bvh_text import BvhJoint, BvhMotion, Channel, read_motion, read_tree
from gestik.formats.foreign_names import plain_names
from gestik.kernels.arrays import FloatArray
from gestik.model.builder import SkeletonBuilder
from gestik.model.checks import LARGEST
from gestik.model.clip import Clip
from gestik.model.euler import CONVENTIONS, angle_labels
from gestik.model.joints import JointKind

DEGREE = math.pi / 180.0
ALL_SLIDES = ["x", "y", "z"]


class Part(NamedTuple):
    """One joint of ours; some joints of a file are several in a row."""

    name: str
    kind: JointKind
    axes: str  # an axis, or the convention of a ball or free joint; empty for a fixed one
    dofs: tuple[tuple[Channel, str], ...]  # which channel moves which degree of freedom


def describe(path: Path) -> SkeletonBuilder:
    """Return a builder that holds the skeleton and every fault found, or raise FormatError where there is none."""
    return _describe(read_tree(path), path)


def read_clips(path: Path) -> dict[str, Clip]:
    """The motion of a file on its skeleton, named after the file."""
    joints, motion = read_motion(path)
    if len(motion.values) * motion.frame_time > LARGEST:
        raise FormatError(f"{str(path)!r}: frames of {motion.frame_time:g} s lead beyond {LARGEST:g} s")
    skeleton = _describe(joints, path).build()
    angles: FloatArray = np.zeros((len(motion.values), skeleton.dof_count))
    replaces = not _counts_from_offset(joints, motion)
    column = 0
    for joint, name in zip(joints, _names(joints), strict=True):
        dof_of = {channel: dof for part in _parts(name, joint.channels) for channel, dof in part.dofs}
        for channel in _in_turn(joint.channels):
            values: FloatArray = motion.values[:, column] * (1.0 if channel.slides else DEGREE)
            if channel.slides and replaces:
                values = values - joint.offset["xyz".index(channel.axis[0])]
            angles[:, skeleton.dof_names.index(dof_of[channel])] = values
            column += 1
    times: FloatArray = np.arange(len(motion.values), dtype=np.float64) * motion.frame_time
    return {path.stem: Clip(path.stem, skeleton, times, angles)}


def _describe(joints: Sequence[BvhJoint], path: Path) -> SkeletonBuilder:
    """A builder for the joints."""
    builder = SkeletonBuilder(path.stem, up="y", source=str(path))
    names = _names(joints)
    for joint, name in zip(joints, names, strict=True):
        parent, offset = names[joint.parent] if joint.parent >= 0 else None, joint.offset
        for part in _parts(name, joint.channels):
            _add_part(builder, part, parent, offset)
            parent, offset = part.name, (0.0, 0.0, 0.0)
        for number, end in enumerate(joint.ends, start=1):
            builder.frame(f"{name}.end{number if number > 1 else ''}", parent=name, position=end)
    return builder


def _names(joints: Sequence[BvhJoint]) -> list[str]:
    """What the joints are called here."""
    return plain_names([joint.name for joint in joints])


def _parts(name: str, channels: Sequence[Channel]) -> list[Part]:
    """The joint, or the joints in a row, that move as the channels say; the last one has the name."""
    in_turn = _in_turn(channels)
    slides = [channel for channel in in_turn if channel.slides]
    turns = [channel for channel in in_turn if not channel.slides]
    if not in_turn:
        return [Part(name, JointKind.FIXED, "", ())]
    convention = "".join(channel.axis[0] for channel in turns).upper()
    if convention not in CONVENTIONS:
        return _row_of_parts(name, [*slides, *turns])
    turning = list(zip(turns, angle_labels(convention), strict=True))
    if sorted(channel.axis for channel in slides) == ALL_SLIDES:
        labelled = [*((channel, f"t{channel.axis}") for channel in slides), *turning]
        dofs = tuple((channel, f"{name}.{label}") for channel, label in labelled)
        return [Part(name, JointKind.FREE, convention, dofs)]
    ball = Part(name, JointKind.BALL, convention, tuple((channel, f"{name}.{label}") for channel, label in turning))
    return [*_row_of_parts(name, slides, named=False), ball]


def _row_of_parts(name: str, channels: Sequence[Channel], *, named: bool = True) -> list[Part]:
    """One joint for each channel; if `named`, the last one has the name itself."""
    parts = []
    for number, channel in enumerate(channels):
        is_last = named and number == len(channels) - 1
        own = name if is_last else f"{name}.{'t' if channel.slides else ''}{channel.axis}"
        kind = JointKind.PRISMATIC if channel.slides else JointKind.CONTINUOUS
        parts.append(Part(own, kind, channel.axis[0], ((channel, own),)))
    return parts


def _in_turn(channels: Sequence[Channel]) -> list[Channel]:
    """The channels, an axis that comes again with a 2 behind it."""
    seen: set[Channel] = set()
    told_apart = []
    for channel in channels:
        told_apart.append(channel._replace(axis=f"{channel.axis}2") if channel in seen else channel)
        seen.add(channel)
    return told_apart


def _add_part(builder: SkeletonBuilder, part: Part, parent: str | None, offset: tuple[float, float, float]) -> None:
    """Put one joint into the builder."""
    if part.kind is JointKind.FIXED:
        builder.joint(part.name, kind=part.kind, parent=parent, position=offset)
    elif part.kind.is_compound:
        builder.joint(part.name, kind=part.kind, parent=parent, position=offset, convention=part.axes)
    elif part.kind is JointKind.PRISMATIC:
        free = math.inf
        builder.joint(
            part.name, kind=part.kind, parent=parent, position=offset, axis=part.axes, lower=-free, upper=free
        )
    else:
        builder.joint(part.name, kind=part.kind, parent=parent, position=offset, axis=part.axes)


def _counts_from_offset(joints: Sequence[BvhJoint], motion: BvhMotion) -> bool:
    """Whether positions are added to the OFFSETs of their joints; else they take their place.

    Where they take it they lie around the offset, where they are added around zero: the middle one of all joints that
    tell both decides by its place along its offset.
    """
    shares = []
    column = 0
    for joint in joints:
        along: FloatArray = np.zeros(len(motion.values))
        for channel in joint.channels:
            if channel.slides:
                along = along + motion.values[:, column] * joint.offset["xyz".index(channel.axis)]
            column += 1
        length = sum(joint.offset["xyz".index(channel.axis)] ** 2 for channel in joint.channels if channel.slides)
        if length > 0.0:
            shares.append(float(np.median(along)) / length)
    return not shares or float(np.median(shares)) < 0.5
