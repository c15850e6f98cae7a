"""A rotation for a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import BoundGoal, read_amount, read_axis, read_quaternions
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.goals.terms import AxisTerms
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.joints import Frame
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Orientation(AxisTerms):
    """Turn a frame to a rotation.

    `symmetric` names an axis of the frame about which half a turn makes no difference, as for a tool with two good
    sides; True stands for the direction of its joint's own bone.

    Raises InputError when a value is not finite or has the wrong shape.
    """

    frame: str
    quaternion: ArrayLike  # [4] or, for a batch, [n, 4], w first, in the world or in `relative_to`
    weight: float = 1.0
    tolerance: float = 1e-3  # rad, within which it counts as reached
    symmetric: bool | str | ArrayLike | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "quaternion", read_quaternions(f"quaternion of {self.frame!r}", self.quaternion))
        object.__setattr__(self, "weight", read_amount("weight of an orientation", self.weight))
        object.__setattr__(self, "tolerance", read_amount("tolerance of an orientation", self.tolerance))
        if self.symmetric is not None and not isinstance(self.symmetric, bool):
            object.__setattr__(self, "symmetric", read_axis("symmetric", self.symmetric))
        self.read_terms()

    @property
    def target(self) -> FloatArray:
        """[4] or [n, 4], unit, w first."""
        return self.quaternion  # type: ignore[return-value]  # an array since __post_init__

    def bind(self, skeleton: Skeleton) -> BoundGoal:
        """Look up the frame and the axis of symmetry."""
        frame = skeleton.frame(self.frame)
        symmetric = self.symmetric is not None and self.symmetric is not False
        axis = symmetry_axis(skeleton, frame, self.symmetric) if symmetric else bone_direction(skeleton, frame)
        bound = BoundGoal(ORIENTATION_GOAL, frame, axis, symmetric, self.weight, self.tolerance)
        return self.add_terms(skeleton, bound)


def bone_direction(skeleton: Skeleton, frame: Frame) -> Vector:
    """The direction, in the frame, of the bone of the joint it sits on; zero where that has none."""
    from gestik.kernels.quaternion import conjugate, rotate
    from gestik.kernels.vector import safe_normalise

    if frame.row < 0:
        return 0.0, 0.0, 0.0
    bone: FloatArray = skeleton.segments[skeleton.row_joints[frame.row]]
    return safe_normalise(rotate(conjugate(frame.rotation), (float(bone[0]), float(bone[1]), float(bone[2]))))


def symmetry_axis(skeleton: Skeleton, frame: Frame, symmetric: object) -> Vector:
    """The axis, in the frame, that a half turn about leaves an end-point as good."""
    if symmetric is not True:
        return read_axis("symmetric", symmetric)
    axis = bone_direction(skeleton, frame)
    if not np.any(axis):
        raise InputError(f"symmetric=True needs a bone, and the joint of {frame.name!r} has none; name an axis instead")
    return axis
