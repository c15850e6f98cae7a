"""A place for a frame."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from gestik.goals.goal import BoundGoal, read_amount, read_target
from gestik.goals.kinds import POSITION_GOAL
from gestik.goals.terms import AxisTerms
from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Position(AxisTerms):
    """Bring the origin of a frame to a point.

    Raises InputError when a value is not finite or has the wrong shape.
    """

    frame: str
    point: ArrayLike  # [3] or, for a batch, [n, 3], m, in the world or in `relative_to`
    weight: float = 1.0
    tolerance: float = 1e-4  # m, within which it counts as reached

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", read_target(f"point of {self.frame!r}", self.point, 3))
        object.__setattr__(self, "weight", read_amount("weight of a position", self.weight))
        object.__setattr__(self, "tolerance", read_amount("tolerance of a position", self.tolerance))
        self.read_terms()

    @property
    def target(self) -> FloatArray:
        """[3] or [n, 3], m."""
        return self.point  # type: ignore[return-value]  # an array since __post_init__

    def bind(self, skeleton: Skeleton) -> BoundGoal:
        """Look up the frame."""
        frame = skeleton.frame(self.frame)
        bound = BoundGoal(POSITION_GOAL, frame, (0.0, 0.0, 0.0), False, self.weight, self.tolerance)
        return self.add_terms(skeleton, bound)
