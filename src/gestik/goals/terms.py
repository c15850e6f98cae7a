"""What a goal may say besides its target: seen from where, along which axes, how exactly, in which order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.goal import WORLD, BoundGoal, read_amount
from gestik.model.faults import shown
from gestik.model.skeleton import Skeleton

AXIS_NAMES = "xyz"
LOWEST_PRIORITY = 99


@dataclass(frozen=True, eq=False, kw_only=True)
class GoalTerms:
    """Terms every goal may have."""

    relative_to: str | None = None  # the frame a target is given in, and moves with; None: the world
    slack: float = 0.0  # m or rad: nearer to its target than this, it is as good as at it
    priority: int = 0  # goals of a lower number come first, for methods that know priorities

    def read_terms(self) -> None:
        """Check the terms; called by each goal once it is made."""
        object.__setattr__(self, "slack", read_amount("slack of a goal", self.slack))
        priority: object = self.priority
        if (
            not isinstance(priority, (int, np.integer))
            or isinstance(priority, bool)
            or not 0 <= priority <= LOWEST_PRIORITY
        ):
            raise InputError(f"priority is {shown(self.priority)}; it is a whole number from 0 to {LOWEST_PRIORITY}")

    def add_terms(self, skeleton: Skeleton, bound: BoundGoal) -> BoundGoal:
        """A bound goal with these terms."""
        reference = WORLD if self.relative_to is None else skeleton.frame(self.relative_to)
        return bound._replace(reference=reference, slack=(self.slack, 0.0, 0.0, 0.0), priority=int(self.priority))


@dataclass(frozen=True, eq=False, kw_only=True)
class AxisTerms(GoalTerms):
    """Terms of a goal that may count along or about some axes only."""

    axes: str = AXIS_NAMES  # of the frame the target is given in: those that count, such as "xz"
    slack: float | ArrayLike = 0.0  # type: ignore[assignment]  # also one number for each axis: a box of room

    def read_terms(self) -> None:
        """Check the terms; three slacks are a box."""
        axes: object = self.axes
        if not isinstance(axes, str) or not axes or not set(axes) <= set(AXIS_NAMES):
            raise InputError(f"axes is {shown(self.axes)}; write some of {AXIS_NAMES!r}, such as 'xz'")
        slack = self.slack
        if np.ndim(slack) == 0:
            super().read_terms()
            return
        object.__setattr__(self, "slack", 0.0)
        super().read_terms()
        box = np.asarray(slack)
        if box.shape != (3,):
            raise InputError(f"slack is {shown(slack)}; it is one number, or three, one for each axis")
        object.__setattr__(self, "slack", tuple(read_amount("slack of an axis", value) for value in box.tolist()))

    def add_terms(self, skeleton: Skeleton, bound: BoundGoal) -> BoundGoal:
        """A bound goal with these terms."""
        box = self.slack if isinstance(self.slack, tuple) else (0.0, 0.0, 0.0)
        ball = 0.0 if isinstance(self.slack, tuple) else float(self.slack)  # type: ignore[arg-type]  # a number
        reference = WORLD if self.relative_to is None else skeleton.frame(self.relative_to)
        return bound._replace(
            reference=reference,
            axes=("x" in self.axes, "y" in self.axes, "z" in self.axes),
            slack=(ball, *box),
            priority=int(self.priority),
        )
