"""A gaze: an axis of a frame that shall point at something."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import BoundGoal, read_amount, read_axis, read_target
from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT
from gestik.goals.terms import GoalTerms
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, compose


@dataclass(frozen=True, eq=False)
class Aim(GoalTerms):
    """Look at a point, or along a direction, from an eye.

    A frame that is an eye brings its own axis and place; for any other both are required, because an eye that is
    left out of account looks past its target.

    Raises InputError when a value is missing, not finite, or has the wrong shape.
    """

    frame: str
    _: KW_ONLY
    at: ArrayLike | None = None  # [3] or, for a batch, [n, 3], m: a point in the world, or in `relative_to`
    along: ArrayLike | None = None  # [3] or [n, 3]: a direction likewise, of any length
    axis: str | ArrayLike | None = None  # the looking direction, in the frame
    eye: ArrayLike | None = None  # m, where the eye is, in the frame
    weight: float = 1.0
    tolerance: float = 1e-3  # rad, within which it counts as reached

    def __post_init__(self) -> None:
        if (self.at is None) == (self.along is None):
            raise InputError(f"the aim of {self.frame!r} takes at=point or along=direction, one of the two")
        if self.at is not None:
            object.__setattr__(self, "at", read_target(f"at of {self.frame!r}", self.at, 3))
        else:
            object.__setattr__(self, "along", _directions(f"along of {self.frame!r}", self.along))
        if self.axis is not None:
            object.__setattr__(self, "axis", read_axis("axis of an aim", self.axis))
        if self.eye is not None:
            object.__setattr__(self, "eye", read_target("eye of an aim", self.eye, 3))
        object.__setattr__(self, "weight", read_amount("weight of an aim", self.weight))
        object.__setattr__(self, "tolerance", read_amount("tolerance of an aim", self.tolerance))
        self.read_terms()

    @property
    def target(self) -> FloatArray:
        """[3] or [n, 3]: the point in m, or the direction at length one."""
        return self.at if self.at is not None else self.along  # type: ignore[return-value]  # arrays since __post_init__

    def bind(self, skeleton: Skeleton) -> BoundGoal:
        """Look up the frame; take what is not given from the eye it is."""
        frame = skeleton.frame(self.frame)
        axis: Vector | None = frame.axis if self.axis is None else self.axis  # type: ignore[assignment]
        if axis is None or (self.eye is None and frame.axis is None):
            raise InputError(
                f"{self.frame!r} is not an eye: give axis=, its looking direction in the frame, and eye=, its place [m]"
            )
        if self.eye is not None:
            x, y, z = np.asarray(self.eye).tolist()
            position, _ = compose(frame.position, frame.rotation, (x, y, z), IDENTITY)
            frame = frame.__class__(frame.name, frame.kind, frame.row, position, frame.rotation, frame.axis)
        kind = AIM_AT_POINT if self.at is not None else AIM_ALONG
        return self.add_terms(skeleton, BoundGoal(kind, frame, axis, False, self.weight, self.tolerance))


def _directions(what: str, values: ArrayLike | None) -> FloatArray:
    """Read directions [3] or [n, 3] and bring them to length one."""
    array = read_target(what, values if values is not None else (), 3)
    lengths = np.linalg.norm(array, axis=-1, keepdims=True)
    if (lengths < 1e-12).any():
        raise InputError(f"{what} holds a direction without length")
    return frozen_floats(array / lengths)
