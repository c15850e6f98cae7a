"""What newton's kernels read and trample on, and how it all lies in the two flat arrays that cross the border."""

from __future__ import annotations

from typing import NamedTuple

from gestik.goals.evaluate import TARGET_WIDTH
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import POSE_WIDTH, Chain
from gestik.kernels.jit import kernel

# Which curvature the model of the cost has.  The hybrid's is Gauss-Newton's while that gains well (Fletcher & Xu 1987).
HYBRID, EXACT, GAUSS_NEWTON, BFGS, GRADIENT = 0, 1, 2, 3, 4

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
SQUARED_WEIGHT = 10
TOLERANCE = 11  # m or rad
TASK_WIDTH = 12

# Columns of a joint's bends: how the cost of everything beyond it answers to a motion of the joint.  Motions are those
# of the world's origin, linear then angular, as if it were carried along.
SLOPE = 0  # 6
CURVATURE = 6  # 36: the outer of two motions chooses the row, the inner one the column
BEND_WIDTH = 42


class Tasks(NamedTuple):
    """What is asked of frames of the tree, one row per goal."""

    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    chain: Chain
    tasks: Tasks
    hold: float  # squared weight of the posture
    model: int  # EXACT, GAUSS_NEWTON, BFGS or GRADIENT
    steps: int  # at most, in one descent
    restarts: int  # at most, from places on the map


class Scratch(NamedTuple):
    """Memory that kernels trample on."""

    pose: FloatArray  # [joint, POSE_WIDTH]
    bends: FloatArray  # [joint + 1, BEND_WIDTH], the last row for one goal by itself
    columns: FloatArray  # [joint, 6], each joint's motion of the world's origin
    hessian: FloatArray  # [dof, dof], lower triangle
    factor: FloatArray  # [dof, dof]
    estimate: FloatArray  # [dof, dof], the Hessian as BFGS has seen it
    gradient: FloatArray  # [dof]
    before: FloatArray  # [dof], the gradient a step earlier
    right: FloatArray  # [dof]
    step: FloatArray  # [dof]
    trial: FloatArray  # [dof]
    targets: FloatArray  # [task, TARGET_WIDTH], rotations being those of the joint
    held: FloatArray  # [dof], the posture's angles
    free: IntArray  # [dof], 1 where no limit holds it


@kernel
def scratch_size(joints: int, dofs: int, tasks: int) -> int:
    """How many numbers a scratch holds."""
    return joints * (POSE_WIDTH + BEND_WIDTH + 6) + BEND_WIDTH + 3 * dofs * dofs + 6 * dofs + tasks * TARGET_WIDTH


@kernel
def carve_scratch(joints: int, dofs: int, tasks: int, memory: FloatArray, free: IntArray) -> Scratch:
    """Cut a scratch out of one piece of memory: seventeen pieces would take as long to get as a step."""
    a = joints * POSE_WIDTH
    b = a + (joints + 1) * BEND_WIDTH
    c = b + joints * 6
    square = dofs * dofs
    d = c + 3 * square
    e = d + 6 * dofs
    f = e + tasks * TARGET_WIDTH
    return Scratch(
        memory[:a].reshape((joints, POSE_WIDTH)),
        memory[a:b].reshape((joints + 1, BEND_WIDTH)),
        memory[b:c].reshape((joints, 6)),
        memory[c : c + square].reshape((dofs, dofs)),
        memory[c + square : c + 2 * square].reshape((dofs, dofs)),
        memory[c + 2 * square : d].reshape((dofs, dofs)),
        memory[d : d + dofs],
        memory[d + dofs : d + 2 * dofs],
        memory[d + 2 * dofs : d + 3 * dofs],
        memory[d + 3 * dofs : d + 4 * dofs],
        memory[d + 4 * dofs : d + 5 * dofs],
        memory[e:f].reshape((tasks, TARGET_WIDTH)),
        memory[d + 5 * dofs : e],
        free,
    )
