"""What a solve returns: angles, and an honest account of how well they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from gestik.goals.goal import BoundGoal
from gestik.goals.kinds import POSITION_GOAL
from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton

AT_LIMIT = 1e-6  # rad or m: closer to a limit than this is at it


class Status(StrEnum):
    """How a solve ended."""

    REACHED = "reached"  # every goal with a tolerance is within it
    CLOSEST = "closest"  # the goals cannot all be met, or were not; these angles come closest of all that were tried


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to one problem."""

    skeleton: Skeleton
    angles: FloatArray  # [dof], rad or m
    errors: FloatArray  # [goal], in the order given: m for a position, rad for a turn or gaze, [0, 1] for a posture
    iterations: int  # the method's own count of its effort
    _goals: tuple[BoundGoal | None, ...]  # in the order given, None for the posture

    @property
    def reached(self) -> bool:
        """Whether every goal with a tolerance is within it; a held posture never counts."""
        return all(
            goal is None or error <= goal.tolerance
            for goal, error in zip(self._goals, self.errors.tolist(), strict=True)
        )

    @property
    def status(self) -> Status:
        """How the solve ended."""
        return Status.REACHED if self.reached else Status.CLOSEST

    @cached_property
    def at_limit(self) -> tuple[str, ...]:
        """Names of the degrees of freedom that stand at a limit."""
        skeleton = self.skeleton
        held = (self.angles <= skeleton.lower + AT_LIMIT) | (self.angles >= skeleton.upper - AT_LIMIT)
        return tuple(name for name, is_held in zip(skeleton.dof_names, held.tolist(), strict=True) if is_held)

    def named(self) -> dict[str, float]:
        """The angles by the names of their joints."""
        return self.skeleton.named(self.angles)

    def explain(self) -> str:
        """Say in one sentence whether the goals were met, and if not by how much and which limits hold."""
        if self.reached:
            return "every goal is reached"
        missed = [
            f"{goal.frame.name!r} is {_amount(goal, error)} off"
            for goal, error in zip(self._goals, self.errors.tolist(), strict=True)
            if goal is not None and error > goal.tolerance
        ]
        held = f", with {', '.join(self.at_limit)} at a limit" if self.at_limit else ""
        return " and ".join(missed) + held


def _amount(goal: BoundGoal, error: float) -> str:
    """An error in words."""
    return f"{1000.0 * error:.3g} mm" if goal.kind == POSITION_GOAL else f"{np.degrees(error):.3g} degrees"


@dataclass(frozen=True, eq=False)
class Solutions(Sequence[Solution]):
    """The answers to a batch; ``solutions[i]`` is a Solution."""

    skeleton: Skeleton
    angles: FloatArray  # [n, dof]
    errors: FloatArray  # [n, goal]
    iterations: FloatArray  # [n]
    _goals: tuple[BoundGoal | None, ...]

    def __len__(self) -> int:
        return len(self.angles)

    def __iter__(self) -> Iterator[Solution]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: int) -> Solution:  # type: ignore[override]  # one answer, slices are not offered
        return Solution(self.skeleton, self.angles[index], self.errors[index], int(self.iterations[index]), self._goals)

    @property
    def reached(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """[n], whether every goal with a tolerance is within it."""
        tolerances = np.array([np.inf if goal is None else goal.tolerance for goal in self._goals])
        return np.asarray((self.errors <= tolerances).all(axis=1))

    @property
    def status(self) -> list[Status]:
        """[n], how each solve ended."""
        return [Status.REACHED if reached else Status.CLOSEST for reached in self.reached.tolist()]
