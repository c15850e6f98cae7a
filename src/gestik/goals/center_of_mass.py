"""A place for the centre of mass."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import BoundGoal, read_amount, read_target
from gestik.goals.kinds import CENTER_OF_MASS_GOAL
from gestik.goals.terms import AxisTerms
from gestik.kernels.arrays import FloatArray
from gestik.model.joints import Frame, FrameKind
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class CenterOfMass(AxisTerms):
    """Bring the centre of mass to a point: with `axes` of the ground only, over it, which is what keeps a body upright.

    The skeleton must know what weighs: `SkeletonBuilder.mass`, or the file it was read from, tells.

    Raises InputError when a value is not finite or has the wrong shape.
    """

    point: ArrayLike  # [3] or, for a batch, [n, 3], m, in the world or in `relative_to`
    weight: float = 1.0
    tolerance: float = 1e-4  # m, within which it counts as reached

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", read_target("point of the center of mass", self.point, 3))
        object.__setattr__(self, "weight", read_amount("weight of a center of mass", self.weight))
        object.__setattr__(self, "tolerance", read_amount("tolerance of a center of mass", self.tolerance))
        self.read_terms()

    @property
    def target(self) -> FloatArray:
        """[3] or [n, 3], m."""
        return self.point  # type: ignore[return-value]  # an array since __post_init__

    def bind(self, skeleton: Skeleton) -> BoundGoal:
        """Look up what weighs."""
        masses = tuple(mass for mass in skeleton.masses if mass.mass > 0.0)
        if not masses:
            raise InputError(f"{skeleton.name!r} knows nothing that weighs; tell its builder with mass()")
        frame = Frame("center of mass", FrameKind.FRAME, -1)
        goal = BoundGoal(CENTER_OF_MASS_GOAL, frame, (0.0, 0.0, 0.0), False, self.weight, self.tolerance)
        return self.add_terms(skeleton, goal)._replace(masses=masses)
