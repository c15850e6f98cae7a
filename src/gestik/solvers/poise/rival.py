"""Poise by the paper's measure, with ERIK's answer as one more candidate: it is never the worse of the two.

Poise insists on the orientation and searches the posture; beside a pole, a hair of orientation can be worth more
posture than it costs, and ERIK's heuristics sometimes stop just there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gestik.errors import CapabilityError
from gestik.goals.goal import WORLD, BoundGoal, Goal
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.erik import SPEC as ERIK
from gestik.solvers.spec import Bound, Filled


class Rivalled:
    """Two bound methods that minimise the same cost; the better answer counts."""

    def __init__(self, first: Bound, rival: Bound) -> None:
        self.widths = first.widths
        self._first, self._rival = first, rival

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets with both."""
        ours, theirs = self._first.solve(targets, starts), self._rival.solve(targets, starts)
        beaten = theirs.cost < ours.cost
        ours.angles[beaten], ours.errors[beaten] = theirs.angles[beaten], theirs.errors[beaten]
        ours.cost[beaten] = theirs.cost[beaten]
        return ours

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box: the first one's business alone."""
        return self._first.follow(targets, starts, low, high)


def with_rival(
    first: Bound,
    skeleton: Skeleton,
    goals: Sequence[Goal],
    posture: Posture | None,
    options: Mapping[str, float | int | str],
) -> Bound:
    """Let ERIK compete, where it knows the goals, the chain and the measure."""
    if posture is None or options["measure"] != "paper" or len(goals) != 1 or not _is_known(goals[0].bind(skeleton)):
        return first
    settings = ERIK.read_options({"aggravation": options["aggravation"]})
    try:
        return Rivalled(first, ERIK.bind(skeleton, goals, posture, settings))
    except CapabilityError:  # a chain with a joint that slides, say
        return first


def _is_known(goal: BoundGoal) -> bool:
    """Whether a goal is what ERIK aims at: a whole orientation in the world."""
    return goal.kind == ORIENTATION_GOAL and goal.reference is WORLD and all(goal.axes) and not any(goal.slack)
