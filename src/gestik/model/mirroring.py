"""The other side of a motion: left and right change places, and every turn is seen in a mirror.

A mirror whose normal is n leaves the angle of a turn as it is and leads its axis a to 2 (n . a) n - a, because axes are
pseudovectors; ways it leads to d - 2 (n . d) n.  Frames are those at the zero of all angles, which must be symmetric.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FIXED, PRISMATIC, FloatArray
from gestik.model import checks
from gestik.model.quaternion_stacks import inverses, turned
from gestik.model.skeleton import Skeleton

if TYPE_CHECKING:
    from gestik.model.clip import Clip

# What stands for one side in a name, and what for the other.
SIDES = (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
LETTERS = re.compile(r"(?:(?<=[._ -])|^)([LlRr])(?=$|[._ -]|[A-Z])")
OTHER_LETTER = {"L": "R", "R": "L", "l": "r", "r": "l"}
# Axes that differ by a larger sine are no mirror images of each other.
ALIKE = 1e-3


def mirrored_angles(clip: Clip, across: ArrayLike | None) -> FloatArray:
    """The angles [moment, dof] of the motion in a mirror."""
    from gestik.kernels.euler import ball_rotation, turn_ball

    skeleton = clip.skeleton
    partners = [_partner(name, skeleton.joint_names) for name in skeleton.joint_names]
    normal = _normal(skeleton, partners, across)
    pose = skeleton.forward(np.zeros(skeleton.dof_count))
    out = np.tile(skeleton.rest, (len(clip), 1))
    arrays = skeleton.arrays
    for joint, other in enumerate(partners):
        if skeleton.joint_kinds[joint].row_kinds != skeleton.joint_kinds[other].row_kinds:
            names = skeleton.joint_names[joint], skeleton.joint_names[other]
            raise InputError(f"{names[0]!r} and {names[1]!r} do not move alike; {skeleton.name!r} has no other side")
        rows, others = _rows(skeleton, joint), _rows(skeleton, other)
        turns = skeleton.turns_of(joint)
        if len(turns) == 3:
            frame, other_frame = pose.row_rotations[turns[0]], pose.row_rotations[skeleton.turns_of(other)[0]]
            for angles, made in zip(clip.angles, out, strict=True):
                turn = np.array(ball_rotation(arrays, turns[0], angles))
                axis = turned(frame, turn[1:])
                seen = turned(inverses(other_frame), 2.0 * (axis @ normal) * normal - axis)
                turn_ball(arrays, skeleton.turns_of(other)[0], (float(turn[0]), *seen.tolist()), made)
            rows, others = rows[:-3], others[:-3]
        for row, other_row in zip(rows, others, strict=True):
            if arrays.kind[row] == FIXED or row not in skeleton.dof_rows:
                continue
            sign = _sign(skeleton, row, other_row, normal, pose.row_rotations)
            values = sign * clip.angles[:, arrays.dof[row]]
            # The partner may be a mimic: what it follows is moved so that it comes out right.
            out[:, arrays.dof[other_row]] = (values - arrays.bias[other_row]) / (arrays.gain[other_row] or 1.0)
    return out


def _rows(skeleton: Skeleton, joint: int) -> list[int]:
    """The rows of a joint."""
    return [int(row) for row in np.flatnonzero(skeleton.row_joints == joint)]


def _sign(skeleton: Skeleton, row: int, other: int, normal: FloatArray, rotations: FloatArray) -> float:
    """By what the value of a hinge or slide is multiplied for that of its partner."""
    axis = turned(rotations[row], skeleton.arrays.axis[row])
    partner = turned(rotations[other], skeleton.arrays.axis[other])
    seen = axis - 2.0 * (axis @ normal) * normal
    if skeleton.arrays.kind[row] != PRISMATIC:
        seen = -seen
    if np.linalg.norm(np.cross(seen, partner)) > ALIKE:
        names = [skeleton.joint_names[skeleton.row_joints[k]] for k in (row, other)]
        raise InputError(f"{names[0]!r} in the mirror is not {names[1]!r}: {skeleton.name!r} has no two equal sides")
    return float(np.sign(seen @ partner))


def _partner(name: str, names: Sequence[str]) -> int:
    """The joint of the other side, or the joint itself where there is none."""
    for first, second in SIDES:
        for here, there in ((first, second), (second, first)):
            if here in name and name.replace(here, there) in names:
                return names.index(name.replace(here, there))
    swapped = LETTERS.sub(lambda found: OTHER_LETTER[found[1]], name)
    return names.index(swapped if swapped in names else name)


def _normal(skeleton: Skeleton, partners: Sequence[int], across: ArrayLike | None) -> FloatArray:
    """The normal of the mirror: from one side to the other, or as it is given."""
    if across is not None:
        try:
            return np.array(checks.axis(across if isinstance(across, str) else np.asarray(across, dtype=float)))
        except (TypeError, ValueError) as fault:
            raise InputError(f"across {fault}") from fault
    positions = skeleton.forward(np.zeros(skeleton.dof_count)).positions
    pairs = [(joint, other) for joint, other in enumerate(partners) if joint < other]
    gaps = [positions[joint] - positions[other] for joint, other in pairs]
    widest = max(gaps, key=lambda gap: float(np.linalg.norm(gap)), default=np.zeros(3))
    length = float(np.linalg.norm(widest))
    if length < checks.SHORTEST_AXIS:
        raise InputError(f"{skeleton.name!r} has no left and right by its names; say across='x'")
    unit: FloatArray = widest / length
    return unit
