"""Packing goals and options for the Jacobian methods.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gestik.goals.goal import Goal
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import PRISMATIC, FloatArray
from gestik.model.chain import CutTree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.report import REPORT_WIDTH
from gestik.solvers.spec import Filled
from gestik.solvers.stepping.settings import FIXED_DAMPING, MACIEJEWSKI, Settings
from gestik.solvers.tasks.bind import pack_tasks

Options = Mapping[str, float | int | str]


class BoundStepping:
    """A Jacobian method bound to one tree: stateless and safe to share between threads."""

    def __init__(
        self,
        method: str,
        rule: int,
        skeleton: Skeleton,
        goals: Sequence[Goal],
        posture: Posture | None,
        options: Options,
    ) -> None:
        packed = pack_tasks(skeleton, goals, method)
        tree = packed.tree
        holds = posture is not None and posture.weight > 0.0 and options.get("hold", "all") != "nothing"
        self.widths = [*packed.widths, *([skeleton.dof_count] if posture is not None else [])]
        self._skeleton = skeleton
        self._posture_column = sum(packed.widths) if posture is not None else -1
        self._everywhere = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])
        settings = _settings(rule, tree, options, self._posture_column if holds else -1)
        self._flat = (
            *tree.arrays,
            packed.codes,
            packed.table,
            packed.bodies,
            frozen_floats(settings),
            frozen_floats(_drawn(tree, str(options.get("hold", "all")))),
            tree.dofs,
            frozen_integers(_endless(tree)),
        )

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets."""
        return self.follow(targets, starts, *self._everywhere)

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve every row of starts inside its box."""
        from gestik.solvers.stepping.entry import solve_rows

        count, column = len(targets), self._posture_column
        # Joints off the tree stay where they are, or take the posture as far as their limits allow.
        answers = np.empty((count, self._skeleton.dof_count))
        np.clip(starts if column < 0 else targets[:, column:], low, high, out=answers)
        errors, report = np.empty((count, len(self.widths))), np.empty((count, REPORT_WIDTH))
        solve_rows(*self._flat, targets, starts, low, high, answers, errors, report)
        if column >= 0:
            apart = answers - targets[:, column:]
            turns = apart[:, self._skeleton.endless]
            apart[:, self._skeleton.endless] = turns - 2.0 * np.pi * np.round(turns / (2.0 * np.pi))
            errors[:, -1] = np.sqrt((apart * apart).mean(axis=1))
        return Filled(answers, errors, report)


def _settings(rule: int, tree: CutTree, options: Options, posture_offset: int) -> Settings:
    """The settings, with lengths in metres."""
    reach = float(np.linalg.norm(tree.arrays.table[:, ct.REST_POSITION : ct.REST_POSITION + 3], axis=1).sum())
    is_fixed = options.get("damping_rule", "maciejewski") == "fixed"
    return Settings(
        rule,
        int(options["max_iterations"]),
        FIXED_DAMPING if is_fixed else MACIEJEWSKI,
        float(options.get("damping", 0.0)),
        float(options.get("bound", 1.0)),
        float(options["largest_step"]),
        float(options["clamp_place"]) * max(reach, 1e-6),
        float(options["clamp_turn"]),
        posture_offset,
        float(options.get("posture_gain", 1.0)),
        int(options["patience"]),
        int(options.get("form", "svd") == "svd"),
    )


def _endless(tree: CutTree) -> list[int]:
    """1 for each coordinate of the tree that turns without limits, for which a whole turn is none."""
    slides = set(tree.arrays.codes[tree.arrays.codes[:, ct.KIND] == PRISMATIC, ct.DOF].tolist())
    lower, upper = tree.arrays.limits
    free = np.flatnonzero(np.isinf(lower) & np.isinf(upper)).tolist()
    return [int(dof in free and dof not in slides) for dof in range(len(tree.dofs))]


def _drawn(tree: CutTree, hold: str) -> FloatArray:
    """1 for each coordinate that the posture holds: all, or all but twists at the base and at the ends."""
    drawn = np.ones(len(tree.dofs))
    if hold != "shape":
        return drawn
    codes, table = tree.arrays.codes, tree.arrays.table
    for joint, (code, entry) in enumerate(zip(codes, table, strict=True)):
        is_end = joint not in codes[:, ct.PARENT]
        axis, bone = entry[ct.AXIS : ct.AXIS + 3], entry[ct.BONE : ct.BONE + 3]
        is_twist = bone.any() and np.linalg.norm(np.cross(axis, bone)) < 1e-6
        if is_twist and (code[ct.PARENT] < 0 or is_end):
            drawn[code[ct.DOF]] = 0.0
    return drawn
