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
from gestik.solvers.coordinate_descent.layout import CONE_WIDTH
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


def cones_of(tree: CutTree, *, limited: bool = True) -> tuple[IntArray, FloatArray]:
    """The cone each joint of a tree turns in [joint], -1 for none, and the cones [cone, CONE_WIDTH]."""
    limits = tree.skeleton.limits
    cone_of = np.full(len(tree.rows), -1)
    cones: list[tuple[float, ...]] = []
    for cone, row in enumerate(limits.cone_rows.tolist() if limited else ()):
        if row in tree.rows:
            first = tree.rows.index(row)
            cone_of[first : first + 3] = len(cones)
            cones.append((first, *limits.cone_axes[cone].tolist(), *limits.cone_ranges[cone].tolist()))
    return frozen_integers(cone_of), frozen_floats(np.reshape(cones, (-1, CONE_WIDTH)))


class BoundDescent:
    """Coordinate descent bound to a tree: stateless and safe to share between threads."""

    def __init__(
        self, method: str, skeleton: Skeleton, goals: Sequence[Goal], order: int, max_iterations: int, *, limited: bool
    ) -> None:
        packed = pack_tasks(skeleton, goals, method)
        self.widths = packed.widths
        tree = packed.tree
        tasks = packed.codes, packed.table, moved_tasks(packed)
        self._flat = (
            *tree.arrays,
            *tasks,
            lone_coordinates(tree),
            *cones_of(tree, limited=limited),
            tree.dofs,
            order,
            max_iterations,
        )
        self._low, self._high = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])
        self._skeleton, self._is_limited = skeleton, limited
        if not limited:
            self._low, self._high = frozen_floats(self._low - np.inf), frozen_floats(self._high + np.inf)

    def _inside(self, starts: FloatArray) -> FloatArray:
        """Starts [n, dof] whose ball joints stand inside their cones, where those are kept."""
        if not self._skeleton.cones or not self._is_limited:
            return starts
        return np.array([self._skeleton.clamp(angles) for angles in starts])

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self.follow(targets, starts, self._low, self._high)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        from gestik.solvers.coordinate_descent.entry import solve_rows

        count = len(targets)
        answers = np.array(
            np.broadcast_to(self._inside(np.clip(starts, low, high)), (count, starts.shape[1])), order="C"
        )
        errors, report = np.empty((count, len(self.widths))), np.empty((count, REPORT_WIDTH))
        solve_rows(*self._flat, targets, low, high, answers, errors, report)
        return Filled(answers, errors, report)
