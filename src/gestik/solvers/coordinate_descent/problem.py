"""What the kernels of coordinate descent read and trample on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gestik.goals.evaluate import TARGET_WIDTH
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import POSE_WIDTH, Chain
from gestik.kernels.jit import kernel
from gestik.solvers.task_frames import FRAME_WIDTH
from gestik.solvers.tasks.layout import Tasks


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    chain: Chain
    tasks: Tasks
    moves: IntArray  # [joint, task], 1 where the joint moves the task's frame
    alone: IntArray  # [dof], 1 where the coordinate drives one joint only, and as it is
    cone_of: IntArray  # [joint], the cone it turns in, -1 for none
    cones: FloatArray  # [cone, CONE_WIDTH]


class Scratch(NamedTuple):
    """The targets of one solve, and memory that kernels trample on."""

    wanted: FloatArray  # [task, TARGET_WIDTH], rotations being those of the joint
    box: FloatArray  # [2, dof], rad or m: the least and the most each coordinate may be
    pose: FloatArray  # [joint, POSE_WIDTH]
    frames: FloatArray  # [task, FRAME_WIDTH], where the tasks' frames are now
    best: FloatArray  # [dof], the best coordinates so far


@kernel
def empty_scratch(joints: int, dofs: int, tasks: int) -> Scratch:
    """Memory for one thread's solves."""
    return Scratch(
        np.empty((tasks, TARGET_WIDTH)),
        np.empty((2, dofs)),
        np.empty((joints, POSE_WIDTH)),
        np.empty((tasks, FRAME_WIDTH)),
        np.empty(dofs),
    )
