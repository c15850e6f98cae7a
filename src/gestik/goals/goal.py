"""What all goals share: a frame, a target that may come in many, a weight, a tolerance."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.checks import LARGEST, axis, finite_not_negative
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.joints import Frame, FrameKind, Mass
from gestik.model.skeleton import Skeleton

# What a target is given in when nothing is said.
WORLD = Frame("world", FrameKind.FRAME, -1)


class BoundGoal(NamedTuple):
    """A goal with its names looked up: what a method packs for its kernel."""

    kind: int  # a code of goals/kinds.py
    frame: Frame
    axis: Vector  # unit, in the frame: where an eye looks, the axis of symmetry, else the bone; zero for none
    symmetric: bool  # half a turn about the axis makes no difference
    weight: float
    tolerance: float  # in the goal's own unit
    reference: Frame = WORLD  # what the target is given in, and moves with
    axes: tuple[bool, bool, bool] = (True, True, True)  # of the reference: along or about which it counts
    slack: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # m or rad: all around, then along each axis
    priority: int = 0  # lower numbers first
    masses: tuple[Mass, ...] = ()  # whose centre it is about, in place of the frame


@runtime_checkable
class Goal(Protocol):
    """Something asked of one frame."""

    @property
    def target(self) -> FloatArray:
        """One target [width], or one for each problem of a batch [n, width]."""
        ...

    def bind(self, skeleton: Skeleton) -> BoundGoal:
        """Look up the names on a skeleton."""
        ...


def read_target(what: str, values: ArrayLike, width: int) -> FloatArray:
    """Read a target [width] or [n, width], finite and read-only."""
    try:
        array = frozen_floats(values)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what} is {shown(values)}, not {width} numbers") from fault
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise InputError(f"{what} has shape {array.shape}, not ({width},) or (n, {width})")
    if not (np.abs(array) <= LARGEST).all():  # also true of NaN
        raise InputError(f"{what} is {shown(array.tolist())}, not finite and within {LARGEST:g}")
    return array


def read_quaternions(what: str, values: ArrayLike) -> FloatArray:
    """Read quaternions [4] or [n, 4], w first, and bring them to length one."""
    array = read_target(what, values, 4)
    lengths = np.linalg.norm(array, axis=-1, keepdims=True)
    if (lengths < 1e-6).any():
        raise InputError(f"{what} holds a quaternion without length; no rotation is (1, 0, 0, 0)")
    return frozen_floats(array / lengths)


def read_amount(what: str, value: float) -> float:
    """Read a weight or a tolerance: finite, 0 or more."""
    try:
        return finite_not_negative(value)
    except ValueError as fault:
        raise InputError(f"{what} {fault}") from fault


def read_axis(what: str, value: object) -> Vector:
    """Read an axis, one of x y z -x -y -z or three numbers, and bring it to length one."""
    try:
        return axis(value)
    except ValueError as fault:
        raise InputError(f"{what} {fault}") from fault
