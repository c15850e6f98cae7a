"""Packing goals into the tables of layout.py.  No compiler is needed until something is solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gestik.errors import CapabilityError
from gestik.goals.goal import WORLD as WORLD_FRAME
from gestik.goals.goal import BoundGoal, Goal
from gestik.goals.kinds import POSITION_GOAL
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import PARENT
from gestik.model.chain import CutTree, Place, cut_tree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Frame, FrameKind, Mass
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN
from gestik.model.tree import way_down
from gestik.solvers.tasks.layout import BODY_WIDTH, JOINT, SHARE, TASK_WIDTH, WHOLE_BODY, WORLD


@dataclass(frozen=True, eq=False)
class PackedTasks:
    """Goals on the tree of the joints that move them."""

    tree: CutTree
    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]
    bodies: FloatArray  # [joint + 1, BODY_WIDTH], or [0, BODY_WIDTH]
    widths: tuple[int, ...]  # how many numbers each goal's target has


def pack_tasks(skeleton: Skeleton, goals: Sequence[Goal], method: str) -> PackedTasks:
    """Cut the tree of the joints that move the goals' frames, and pack the goals."""
    if not goals:
        raise CapabilityError(f"method {method!r} needs at least one goal besides a posture")
    bound = [goal.bind(skeleton) for goal in goals]
    references = [goal.reference for goal in bound if goal.reference is not WORLD_FRAME]
    masses = next((goal.masses for goal in bound if goal.masses), ())
    carriers = [Frame("a mass", FrameKind.FRAME, mass.row, mass.position) for mass in masses]
    tree = cut_tree(skeleton, [*(goal.frame for goal in bound), *references, *carriers])
    widths = tuple(goal.target.shape[-1] for goal in goals)
    offsets = np.concatenate(([0], np.cumsum(widths))).tolist()
    levels = sorted({goal.priority for goal in bound})
    codes = [
        (*_codes(tree, goal), offset, levels.index(goal.priority)) for goal, offset in zip(bound, offsets, strict=False)
    ]
    table = np.zeros((len(bound), TASK_WIDTH))
    for row, goal in zip(table, bound, strict=True):
        row[:] = _numbers(tree, goal)
    bodies = _bodies(tree, masses, carriers)
    return PackedTasks(tree, frozen_integers(codes), frozen_floats(table), frozen_floats(bodies), widths)


def _codes(tree: CutTree, goal: BoundGoal) -> tuple[int, ...]:
    """The integer codes of a task, but for what comes of those before it."""
    joint, reference = tree.seat(goal.frame).joint, _reference(tree, goal).joint
    axes = sum(bit for bit, counts in zip((1, 2, 4), goal.axes, strict=True) if counts)
    if goal.masses:
        # To the kernels a place, one that every joint moves.
        return POSITION_GOAL, WHOLE_BODY, reference, 0, axes
    if joint < 0 and reference < 0:
        raise CapabilityError(f"frame {goal.frame.name!r} is fixed to what it is seen from; no joint moves it")
    return goal.kind, joint, reference, int(goal.symmetric), axes


def _bodies(tree: CutTree, masses: Sequence[Mass], carriers: Sequence[Frame]) -> FloatArray:
    """What each joint of the tree carries of all that weighs, the base in the last row."""
    bodies = np.zeros((len(tree.rows) + 1 if masses else 0, BODY_WIDTH))
    for mass, carrier in zip(masses, carriers, strict=True):
        seat = tree.seat(carrier)
        bodies[seat.joint] += mass.mass * np.array((1.0, *seat.position))
    return np.asarray(bodies / max(1e-300, bodies[:, SHARE].sum()))


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
