"""Poise by the paper's measure, with ERIK's answer as one more candidate where that may be the better one.

Poise insists on the orientation and searches the posture; beside a pole, a hair of orientation can be worth more
posture than it costs, and ERIK's heuristics sometimes stop just there.  On chains of four bends and more that is the
only place where ERIK was ever seen to do better (six in twenty thousand problems each on skeletons F and G, all within
24 degrees of a pole), so it is asked there only; on shorter ones always.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gestik.errors import CapabilityError
from gestik.goals.goal import WORLD, BoundGoal, Goal
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.goals.metrics import bones_that_count
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.chain import cut_chain
from gestik.model.freezing import read_only
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_quaternion, as_vector, rotate
from gestik.solvers.erik import SPEC as ERIK
from gestik.solvers.spec import Bound, Filled

MANY_BENDS = 4
POLAR = 0.917  # height of a bone of length one above which, or below minus which, a pole is near


class Rivalled:
    """Two bound methods that minimise the same cost; the better answer counts."""

    def __init__(self, first: Bound, rival: Bound, height: FloatArray | None) -> None:
        """Let `rival` compete everywhere, or where `height`, a form [4, 4] of the target, says that a pole is near."""
        self.widths = first.widths
        self._first, self._rival, self._height = first, rival, height

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets with the first, and with the rival where it competes; keep the better."""
        ours = self._first.solve(targets, starts)
        asked = self._contested(targets)
        if not len(asked):
            return ours
        theirs = self._rival.solve(targets[asked], starts if len(starts) == 1 else read_only(starts[asked]))
        won = theirs.cost < ours.cost[asked]
        if won.any():
            beaten = asked[won]
            ours.angles[beaten], ours.errors[beaten] = theirs.angles[won], theirs.errors[won]
            ours.cost[beaten] = theirs.cost[won]
        return ours

    def _contested(self, targets: FloatArray) -> NDArray[np.int64]:
        """Rows in which the rival competes."""
        if self._height is None:
            return np.arange(len(targets))
        turns = targets[:, :4]
        height = ((turns @ self._height) * turns).sum(axis=1)
        return np.flatnonzero(np.abs(height) > POLAR)

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
        return Rivalled(first, ERIK.bind(skeleton, goals, posture, settings), _height_form(skeleton, goals[0]))
    except CapabilityError:  # a chain with a joint that slides, say
        return first


def _height_form(skeleton: Skeleton, goal: Goal) -> FloatArray | None:
    """The form H [4, 4] with q H q the height of a target's bone along the root's axis; None for a short chain."""
    bound = goal.bind(skeleton)
    chain = cut_chain(skeleton, bound.frame)
    if bones_that_count(chain)[:, 0].sum() < MANY_BENDS:
        return None
    looking = rotate(chain.place(bound.frame).rotation, bound.axis)
    table = chain.arrays.table
    root = rotate(as_quaternion(table[0, ct.REST_ROTATION :][:4]), as_vector(table[0, ct.AXIS :][:3]))
    form = np.empty((4, 4))
    units = np.eye(4)
    # height(p + q) - height(p) - height(q) is twice the mixed part of a quadratic form.
    for i, j in np.ndindex(4, 4):
        both = _height(units[i] + units[j], looking, root)
        form[i, j] = 0.5 * (both - _height(units[i], looking, root) - _height(units[j], looking, root))
    return form


def _height(turn: FloatArray, looking: Vector, root: Vector) -> float:
    """The height of a bone turned by any quaternion, of length one or not."""
    vector, axis = turn[1:], np.array(looking)
    rotated = (turn[0] ** 2 - vector @ vector) * axis + 2.0 * (vector @ axis) * vector
    return float((rotated + 2.0 * turn[0] * np.cross(vector, axis)) @ np.array(root))


def _is_known(goal: BoundGoal) -> bool:
    """Whether a goal is what ERIK aims at: a whole orientation in the world."""
    return goal.kind == ORIENTATION_GOAL and goal.reference is WORLD and all(goal.axes) and not any(goal.slack)
