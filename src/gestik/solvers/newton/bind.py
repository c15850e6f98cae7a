"""Pack a skeleton, goals and options into the flat arrays of newton's entry kernel.

No compiler is needed until something is solved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np

from gestik.errors import CapabilityError
from gestik.goals.goal import BoundGoal, Goal
from gestik.kernels.arrays import FloatArray
from gestik.model.chain import CutTree, cut_tree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import rotate
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled

MODELS = ("hybrid", "exact", "gauss_newton", "bfgs", "gradient")


SAMPLES = 512  # places on the map of starts


class BoundNewton:
    """Newton bound to one tree: stateless and safe to share between threads."""

    def __init__(
        self,
        skeleton: Skeleton,
        goals: Sequence[Goal],
        posture: Posture | None,
        options: Mapping[str, float | int | str],
    ) -> None:
        bound = [goal.bind(skeleton) for goal in goals]
        tree = cut_tree(skeleton, [goal.frame for goal in bound])
        self.widths = [goal.target.shape[-1] for goal in goals] + ([skeleton.dof_count] if posture else [])
        self._dofs, self._posture, self._tree = skeleton.dof_count, posture, tree
        offsets = np.concatenate(([0], np.cumsum(self.widths))).tolist()
        model, steps = MODELS.index(str(options["model"])), int(options["max_iterations"])
        header = (len(tree.rows), len(tree.dofs), len(goals), model, steps, int(options["restarts"]))
        self._codes = frozen_integers(
            [
                *header,
                offsets[len(goals)] if posture else -1,
                skeleton.dof_count,
                *tree.arrays.codes.ravel(),
                *(code for goal, at in zip(bound, offsets, strict=False) for code in (*_codes(tree, goal), at)),
                *tree.dofs,
            ]
        )
        self._numbers = frozen_floats(
            np.concatenate(
                [
                    [0.0 if posture is None else posture.weight**2],
                    tree.arrays.table.ravel(),
                    tree.arrays.limits.ravel(),
                    *(_task(tree, goal) for goal in bound),
                    np.stack((skeleton.lower, skeleton.upper), axis=1).ravel(),
                ]
            )
        )

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self._run(0, targets, starts, starts, starts)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        return self._run(1, targets, starts, low, high)

    @cached_property
    def _entry(self) -> Callable[..., None]:
        """The compiled entry; looked up once, because an import inside a function costs as much as a step."""
        from gestik.solvers.newton.entry import solve_rows

        return solve_rows

    @cached_property
    def _map(self) -> FloatArray:
        """Places to begin at again, and where the goals' frames are there."""
        from gestik.solvers.newton.entry import RESTARTS, map_starts
        from gestik.solvers.newton.search import SIGHT_WIDTH

        size, goals = len(self._tree.dofs), len(self.widths) - (self._posture is not None)
        places = np.zeros((SAMPLES if self._codes[RESTARTS] > 0 else 0, size + goals * SIGHT_WIDTH))
        places[:, :size] = _samples(self._tree, len(places))
        map_starts(self._codes, self._numbers, places)
        return frozen_floats(places)

    def _run(self, mode: int, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        dofs = self._dofs
        out = np.empty((len(targets), dofs + len(self.widths) + REPORT_WIDTH))
        self._entry(self._codes, self._numbers, self._map, mode, targets, starts, low, high, out)
        return Filled(out[:, :dofs], out[:, dofs:-REPORT_WIDTH], out[:, -REPORT_WIDTH:])


def _codes(tree: CutTree, goal: BoundGoal) -> tuple[int, int, int]:
    """A task's integer codes: kind, joint, symmetric."""
    return goal.kind, tree.place(goal.frame).joint, int(goal.symmetric)


def _task(tree: CutTree, goal: BoundGoal) -> tuple[float, ...]:
    """A task's numbers: tool position and rotation, looking direction in the joint's frame, weight, tolerance."""
    place = tree.place(goal.frame)
    looking = rotate(place.rotation, goal.axis)
    return (*place.position, *place.rotation, *looking, goal.weight**2, goal.tolerance)


def _samples(tree: CutTree, count: int) -> FloatArray:
    """Quasi-random angles inside the limits [count, dof]: the additive sequence with the most even spread.

    Roberts 2018: the steps are powers of the root of x^(d+1) = x + 1.  Unlimited joints are drawn in [-pi, pi].
    """
    dofs = len(tree.dofs)
    root = 2.0
    for _ in range(40):
        root = (1.0 + root) ** (1.0 / (dofs + 1))
    steps = root ** -np.arange(1, dofs + 1)
    spread = (0.5 + np.outer(np.arange(1, count + 1), steps)) % 1.0
    lower, upper = tree.arrays.limits
    lower = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2.0 * np.pi, -np.pi))
    upper = np.where(np.isfinite(upper), upper, lower + 2.0 * np.pi)
    starts: FloatArray = lower + spread * (upper - lower)
    return starts


def bind(
    skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
) -> BoundNewton:
    """Bind newton; goals may lie on any limbs."""
    if not goals:
        raise CapabilityError("newton needs at least one goal besides the posture")
    if posture is not None and posture.positions is not None:
        raise CapabilityError("newton holds postures given as angles; give places as Position goals")
    return BoundNewton(skeleton, goals, posture, options)
