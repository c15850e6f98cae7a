"""Packing goals into the tables of layout.py.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gestik.errors import CapabilityError
from gestik.goals.goal import WORLD as WORLD_FRAME
from gestik.goals.goal import BoundGoal, Goal
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import PARENT
from gestik.model.chain import CutTree, Place, cut_tree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN
from gestik.model.tree import way_down
from gestik.solvers.tasks.layout import JOINT, TASK_WIDTH, WORLD


@dataclass(frozen=True, eq=False)
class PackedTasks:
    """Goals on the tree of the joints that move them."""

    tree: CutTree
    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]
    widths: tuple[int, ...]  # how many numbers each goal's target has


def pack_tasks(skeleton: Skeleton, goals: Sequence[Goal], method: str) -> PackedTasks:
    """Cut the tree of the joints that move the goals' frames, and pack the goals."""
    if not goals:
        raise CapabilityError(f"method {method!r} needs at least one goal besides a posture")
    bound = [goal.bind(skeleton) for goal in goals]
    references = [goal.reference for goal in bound if goal.reference is not WORLD_FRAME]
    tree = cut_tree(skeleton, [*(goal.frame for goal in bound), *references])
    widths = tuple(goal.target.shape[-1] for goal in goals)
    offsets = np.concatenate(([0], np.cumsum(widths))).tolist()
    levels = sorted({goal.priority for goal in bound})
    codes = [
        (*_codes(tree, goal), offset, levels.index(goal.priority)) for goal, offset in zip(bound, offsets, strict=False)
    ]
    table = np.zeros((len(bound), TASK_WIDTH))
    for row, goal in zip(table, bound, strict=True):
        row[:] = _numbers(tree, goal)
    return PackedTasks(tree, frozen_integers(codes), frozen_floats(table), widths)


def _codes(tree: CutTree, goal: BoundGoal) -> tuple[int, ...]:
    """The integer codes of a task, but for what comes of those before it."""
    joint, reference = tree.seat(goal.frame).joint, _reference(tree, goal).joint
    if joint < 0 and reference < 0:
        raise CapabilityError(f"frame {goal.frame.name!r} is fixed to what it is seen from; no joint moves it")
    axes = sum(bit for bit, counts in zip((1, 2, 4), goal.axes, strict=True) if counts)
    return goal.kind, joint, reference, int(goal.symmetric), axes


def _reference(tree: CutTree, goal: BoundGoal) -> Place:
    """Where what the target is given in sits on the tree."""
    return Place(WORLD, ORIGIN, IDENTITY) if goal.reference is WORLD_FRAME else tree.seat(goal.reference)


def _numbers(tree: CutTree, goal: BoundGoal) -> tuple[float, ...]:
    """The numbers of a task."""
    seat, reference = tree.seat(goal.frame), _reference(tree, goal)
    return (
        *seat.position,
        *seat.rotation,
        *goal.axis,
        *reference.position,
        *reference.rotation,
        goal.weight,
        goal.tolerance,
        *goal.slack,
    )


def moved_tasks(packed: PackedTasks) -> IntArray:
    """Which tasks' frames each joint of the tree moves [joint, task], as 1 or 0."""
    moves = np.zeros((len(packed.tree.rows), len(packed.codes)))
    for task, joint in enumerate(packed.codes[:, JOINT].tolist()):
        moves[way_down(packed.tree.arrays.codes[:, PARENT].tolist(), joint), task] = 1
    return frozen_integers(moves)
