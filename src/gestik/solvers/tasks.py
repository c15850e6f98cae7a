"""Goals as the kernels of local methods read them: one row per goal on a cut tree.  This module imports no numba."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gestik.goals.goal import BoundGoal, Goal
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.chain import CutTree
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.transforms import rotate

# Columns of Tasks.codes.
TASK_KIND = 0  # a code of goals/kinds.py
TASK_JOINT = 1
SYMMETRIC = 2  # 1 where half a turn about the task's axis is as good
OFFSET = 3  # where its numbers begin in a row of targets
CODE_WIDTH = 4

# Columns of Tasks.table.
TOOL = 0  # 3, m, the goal frame's origin in its joint's frame
TOOL_ROTATION = 3  # 4, the goal frame in its joint's frame
LOOKING = 7  # 3, unit, joint frame: where the eye looks, or the axis of symmetry
TASK_WEIGHT = 10
TOLERANCE = 11  # m or rad
TASK_WIDTH = 12


class Tasks(NamedTuple):
    """What is asked of frames of the tree, one row per goal."""

    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]
    moves: IntArray  # [joint, task], 1 where the joint moves the task's frame


def pack_tasks(tree: CutTree, goals: Sequence[Goal], bound: Sequence[BoundGoal]) -> Tasks:
    """Look up where each goal's frame sits on the tree."""
    codes, table = [], []
    moves = np.zeros((len(tree.rows), len(bound)))
    offset = 0
    for task, (goal, about) in enumerate(zip(goals, bound, strict=True)):
        place = tree.place(about.frame)
        codes.append((about.kind, place.joint, int(about.symmetric), offset))
        looking = rotate(place.rotation, about.axis)
        table.append((*place.position, *place.rotation, *looking, about.weight, about.tolerance))
        offset += goal.target.shape[-1]
        joint = place.joint
        while joint >= 0:
            moves[joint, task] = 1
            joint = int(tree.arrays.codes[joint, ct.PARENT])
    return Tasks(frozen_integers(codes), frozen_floats(table), frozen_integers(moves))
