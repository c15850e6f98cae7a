"""Pack a skeleton and goals into flat arrays.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gestik.goals.goal import Goal
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.chain import CutTree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.skeleton import Skeleton
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled
from gestik.solvers.tasks.bind import moved_tasks, pack_tasks


def lone_coordinates(tree: CutTree) -> IntArray:
    """Which coordinates of a tree drive one joint only, and as it is [dof], as 1 or 0."""
    drivers = tree.arrays.codes[:, ct.DOF].tolist()
    gains = tree.arrays.table[:, ct.GAIN].tolist()
    return frozen_integers(
        [drivers.count(dof) == 1 and gains[drivers.index(dof)] == 1.0 for dof in range(len(tree.dofs))]
    )


class BoundDescent:
    """Coordinate descent bound to a tree: stateless and safe to share between threads."""

    def __init__(
        self, method: str, skeleton: Skeleton, goals: Sequence[Goal], order: int, max_iterations: int, *, limited: bool
    ) -> None:
        packed = pack_tasks(skeleton, goals, method)
        self.widths = packed.widths
        tree = packed.tree
        tasks = packed.codes, packed.table, moved_tasks(packed)
        self._flat = (*tree.arrays, *tasks, lone_coordinates(tree), tree.dofs, order, max_iterations)
        self._low, self._high = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])
        if not limited:
            self._low, self._high = frozen_floats(self._low - np.inf), frozen_floats(self._high + np.inf)

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self.follow(targets, starts, self._low, self._high)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        from gestik.solvers.coordinate_descent.entry import solve_rows

        count = len(targets)
        answers = np.array(np.broadcast_to(np.clip(starts, low, high), (count, starts.shape[1])))
        errors, report = np.empty((count, len(self.widths))), np.empty((count, REPORT_WIDTH))
        solve_rows(*self._flat, targets, low, high, answers, errors, report)
        return Filled(answers, errors, report)
