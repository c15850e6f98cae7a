"""What a solve returns: angles, and an honest account of how well they do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gestik.goals.goal import BoundGoal
from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.solvers.explanation import explain_miss, limits_reached, out_of_reach
from gestik.solvers.report import SPENT, STALLED


class Status(StrEnum):
    """How a solve ended."""

    REACHED = "reached"  # every goal with a tolerance is within it
    OUT_OF_REACH = "out of reach"  # a target is farther away than the bones are long, or nearer than they fold
    CLOSEST = "closest"  # the method searched, and these angles come closest of all it tried
    STALLED = "stalled"  # a local method stands where no step of its own brings the goals closer
    OUT_OF_ITERATIONS = "out of iterations"  # a method was stopped while it was still getting closer


class Asked(NamedTuple):
    """What a solution answers: shared by all answers of a prepared problem."""

    skeleton: Skeleton
    goals: tuple[BoundGoal | None, ...]  # in the order given, None for the posture
    slots: tuple[slice, ...]  # where each one's numbers stand in a row of targets


@dataclass(frozen=True, eq=False)
class Solution:
    """The answer to one problem."""

    angles: FloatArray  # [dof], rad or m
    errors: FloatArray  # [goal], in the order given: m for a place, rad for a turn or gaze; a posture's by its method
    iterations: int  # the method's own count of its effort
    _ending: int  # how the method's own loop ended, a code of solvers/report.py
    _targets: FloatArray  # one row, as the method was given it
    _asked: Asked

    @property
    def skeleton(self) -> Skeleton:
        """What moves."""
        return self._asked.skeleton

    @property
    def reached(self) -> bool:
        """Whether every goal with a tolerance is within it; a held posture never counts."""
        return not self._missed()

    @property
    def status(self) -> Status:
        """How the solve ended."""
        missed = self._missed()
        if not missed:
            return Status.REACHED
        if any(out_of_reach(self.skeleton, goal, target) > 0.0 for goal, _, target in missed):
            return Status.OUT_OF_REACH
        return {STALLED: Status.STALLED, SPENT: Status.OUT_OF_ITERATIONS}.get(self._ending, Status.CLOSEST)

    @cached_property
    def at_limit(self) -> tuple[str, ...]:
        """Names of the degrees of freedom that stand at a limit."""
        return tuple(self.skeleton.dof_names[dof] for dof, _ in limits_reached(self.skeleton, self.angles))

    def named(self) -> dict[str, float]:
        """The angles by the names of their joints."""
        return self.skeleton.named(self.angles)

    def explain(self) -> str:
        """Say in one sentence whether the goals were met, and if not by how much, which limits hold, how it ended."""
        missed = self._missed()
        if not missed:
            return "every goal is reached"
        return explain_miss(self.skeleton, self.angles, missed, self._ending, self.iterations)

    def _missed(self) -> list[tuple[BoundGoal, float, FloatArray]]:
        """The goals that are not within their tolerance, each with its error and its target."""
        asked = self._asked
        return [
            (goal, error, self._targets[slot])
            for goal, error, slot in zip(asked.goals, self.errors.tolist(), asked.slots, strict=True)
            if goal is not None and not error <= goal.tolerance
        ]


@dataclass(frozen=True, eq=False)
class Solutions(Sequence[Solution]):
    """The answers to a batch; ``solutions[i]`` is a Solution."""

    angles: FloatArray  # [n, dof]
    errors: FloatArray  # [n, goal]
    iterations: FloatArray  # [n]
    _endings: FloatArray  # [n]
    _targets: FloatArray  # [n, width]
    _asked: Asked

    @property
    def skeleton(self) -> Skeleton:
        """What moves."""
        return self._asked.skeleton

    def __len__(self) -> int:
        return len(self.angles)

    def __iter__(self) -> Iterator[Solution]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: int) -> Solution:  # type: ignore[override]  # one answer, slices are not offered
        return Solution(
            self.angles[index],
            self.errors[index],
            int(self.iterations[index]),
            int(self._endings[index]),
            self._targets[index],
            self._asked,
        )

    @property
    def reached(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """[n], whether every goal with a tolerance is within it."""
        tolerances = np.array([np.inf if goal is None else goal.tolerance for goal in self._asked.goals])
        return np.asarray((self.errors <= tolerances).all(axis=1))

    @property
    def status(self) -> list[Status]:
        """[n], how each solve ended."""
        return [Status.REACHED if met else self[i].status for i, met in enumerate(self.reached.tolist())]
