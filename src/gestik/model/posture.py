"""What the animator drew: a whole body at one moment, by angles or by places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Posture:
    """A posture to hold; it may break limits.  Exactly one of `angles` and `positions` is given.

    Raises InputError when a value is not finite or has the wrong number of axes.
    """

    angles: Mapping[str, float] | ArrayLike | None = None  # [dof] or [n, dof], rad or m; or by joint name
    _: KW_ONLY
    positions: ArrayLike | None = None  # [point, 3] or [n, point, 3], m, in the world
    weight: float = 0.2  # how much it counts beside other goals, 0 or more

    def __post_init__(self) -> None:
        if (self.angles is None) == (self.positions is None):
            raise InputError("a posture is given by angles or by positions, one of the two")
        if isinstance(self.angles, Mapping):
            object.__setattr__(self, "angles", {name: _finite(name, angle) for name, angle in self.angles.items()})
        elif self.angles is not None:
            object.__setattr__(self, "angles", _finite_array("angles", self.angles, (1, 2)))
        elif self.positions is not None:
            positions = _finite_array("positions", self.positions, (2, 3))
            if positions.shape[-1] != 3:
                raise InputError(f"positions of a posture have shape {positions.shape}, not (points, 3)")
            object.__setattr__(self, "positions", positions)
        try:
            object.__setattr__(self, "weight", checks.finite_not_negative(self.weight))
        except ValueError as fault:
            raise InputError(f"weight of a posture {fault}") from fault

    def angles_for(self, skeleton: Skeleton) -> FloatArray:
        """Return its angles [dof] or [n, dof] on `skeleton`; joints it does not name are at their rest."""
        if isinstance(self.angles, Mapping):
            return skeleton.angles_from(self.angles)
        if self.angles is None:
            raise InputError("this posture is given by positions; it has no angles")
        angles = np.array(self.angles, dtype=np.float64)
        if angles.shape[-1] != skeleton.dof_count:
            raise InputError(
                f"a posture of {angles.shape[-1]} angles does not fit {skeleton.name!r}, which has "
                f"{skeleton.dof_count}: {', '.join(skeleton.dof_names) or 'none'}"
            )
        return angles


def _finite(name: object, angle: object) -> float:
    """Read one named angle."""
    try:
        return checks.finite(angle)
    except ValueError as fault:
        raise InputError(f"angle of {shown(name)} in a posture {fault}") from fault


def _finite_array(what: str, values: ArrayLike, axes: tuple[int, int]) -> FloatArray:
    """Read a finite array with one of two numbers of axes, read-only."""
    try:
        array = frozen_floats(values)
    except (TypeError, ValueError, OverflowError) as fault:
        raise InputError(f"{what} of a posture are {shown(values)}, not numbers") from fault
    if array.ndim not in axes:
        raise InputError(
            f"{what} of a posture have shape {array.shape}; {axes[0]} or, for many, {axes[1]} axes are right"
        )
    if not np.isfinite(array).all():
        raise InputError(f"{what} of a posture hold NaN or infinity")
    return array
