"""Pack a skeleton and goals for FABRIK on bodies.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gestik.goals.goal import Goal
from gestik.kernels.arrays import FloatArray
from gestik.model.freezing import frozen_floats
from gestik.model.reach import reach
from gestik.model.skeleton import Skeleton
from gestik.solvers.coordinate_descent.bind import cones_of, lone_coordinates
from gestik.solvers.fabrik.groups import cut_groups
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Capability, Filled, Option
from gestik.solvers.tasks.bind import moved_tasks, pack_tasks

CAPABILITIES = (
    Capability.POSITION
    | Capability.SEVERAL_GOALS
    | Capability.SEVERAL_LIMBS
    | Capability.JOINT_MASK
    | Capability.LIMITS
    | Capability.FOLLOWS
)
MAX_ITERATIONS = Option("max_iterations", 300, "iterations of two passes each at most", lowest=1, highest=1_000_000)
FAR = 1e300  # m, how far reaches a body that goes where it likes


class BoundFabrik:
    """FABRIK bound to a tree: stateless and safe to share between threads."""

    def __init__(
        self, method: str, skeleton: Skeleton, goals: Sequence[Goal], max_iterations: int, *, limits_in_both: bool
    ) -> None:
        packed = pack_tasks(skeleton, goals, method)
        self.widths = packed.widths
        tree = packed.tree
        shells = [reach(skeleton, goal.bind(skeleton).frame) for goal in goals]
        spans = frozen_floats([(*shell.centre, min(shell.most, FAR)) for shell in shells])
        self._flat = (
            *tree.arrays,
            packed.codes,
            packed.table,
            *cut_groups(packed),
            moved_tasks(packed),
            lone_coordinates(tree),
            *cones_of(tree),
            spans,
            tree.dofs,
            limits_in_both,
            max_iterations,
        )
        self._skeleton = skeleton
        self._low, self._high = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self.follow(targets, starts, self._low, self._high)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        from gestik.solvers.fabrik.entry import solve_rows

        begun = np.clip(starts, low, high)
        if self._skeleton.cones:  # ball joints stay inside their cones if they begin there
            begun = np.array([self._skeleton.clamp(angles) for angles in begun])
        answers = np.array(np.broadcast_to(begun, (len(targets), starts.shape[1])), order="C")
        errors, report = np.empty((len(targets), len(self.widths))), np.empty((len(targets), REPORT_WIDTH))
        solve_rows(*self._flat, targets, low, high, answers, errors, report)
        return Filled(answers, errors, report)
