"""What poise's kernels read: the chain, the tasks on it, how a posture is held, and the targets of one solve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.kernels.chain_table import POSE_WIDTH, Chain
from gestik.kernels.jit import kernel
from gestik.solvers.poise.plan import Plan

# Posture measures.
SHAPE = 0
PAPER = 1

# Columns of Tasks.codes.
TASK_KIND = 0  # a code of goals/kinds.py
TASK_JOINT = 1
SYMMETRIC = 2  # 1 where half a turn about the task's axis is as good
CODE_WIDTH = 3

# Columns of Tasks.table.
TOOL = 0  # 3, m, the goal frame's origin in its joint's frame
TOOL_ROTATION = 3  # 4, the goal frame in its joint's frame
LOOKING = 7  # 3, unit, joint frame: where the eye looks, the axis of symmetry, the bone
TASK_WEIGHT = 10
PER_METRE = 11  # turns a distance into a measure: one over the chain's reach
TASK_WIDTH = 12

# Columns of Problem.coordinates.
PULL = 0  # of a faint spring to the posture's own value; decides what the measures leave open
STRIDE = 1  # how far it may go where others go 1 rad: 1, and more for slides without limits
TURNED = 2  # its sign in the turned twin of a pose, see poise/starts.py
COORDINATE_WIDTH = 3

# Columns of Scratch.said: what the bones of limbs say to the joint they sit on, see poise/shape_model.py.
WEIGHT, ROW_X, ROW_Y, ROW_Z, TORQUE, YAW_LEVER, SLIP_LEVER = 0, 1, 4, 7, 10, 13, 16
SAID_WIDTH = 19


class Tasks(NamedTuple):
    """What is asked of frames of the chain, one row per goal."""

    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]


class Settings(NamedTuple):
    """How a posture is held."""

    measure: int  # SHAPE or PAPER
    posture_weight: float
    aggravation: float  # of the paper's measure
    up: Vector  # unit, world: the vertical a figure may turn about without changing its expression
    base: Vector  # the root bone at rest, which the paper measures the first bend from
    turning: int  # the joint that turns starts towards the first task, -1 for none


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    chain: Chain
    tasks: Tasks
    settings: Settings
    plan: Plan
    starts: FloatArray  # [start, dof], fixed quasi-random configurations inside the limits
    coordinates: FloatArray  # [dof, COORDINATE_WIDTH]


class Wanted(NamedTuple):
    """One solve's targets."""

    target: FloatArray  # [task, TARGET_WIDTH] of goals/evaluate.py, rotations being those of the joint
    drawn: FloatArray  # [joint, DRAWN_WIDTH], the posture's bones
    angles: FloatArray  # [dof], the posture's own angles, or the start where it was given as positions


class Scratch(NamedTuple):
    """Memory that kernels trample on."""

    pose: FloatArray  # [joint, POSE_WIDTH]
    normal: FloatArray  # [dof, dof]
    factor: FloatArray  # [dof, dof]
    columns: FloatArray  # [dof, 3]
    task_columns: FloatArray  # [task * dof, 3], how each task's residual changed at the last model
    task_weights: FloatArray  # [task], what it weighed there
    gradient: FloatArray  # [dof]
    step: FloatArray  # [dof]
    box: FloatArray  # [2, dof], the least and the largest step allowed
    trial: FloatArray  # [dof]
    row: FloatArray  # [dof]
    yaw: FloatArray  # [dof], how the best heading turns with each coordinate
    slip: FloatArray  # [dof], what each coordinate and the heading have in common
    said: FloatArray  # [joint, SAID_WIDTH], what limbs say to the joint they sit on; none on a chain of one limb
    free: IntArray  # [dof]


@kernel
def empty_scratch(joints: int, dofs: int, tasks: int, parting: int) -> Scratch:
    """Memory for one thread's solves; `parting` is the number of joints where limbs part, 0 for a serial chain."""
    return Scratch(
        np.empty((joints, POSE_WIDTH)),
        np.empty((dofs, dofs)),
        np.empty((dofs, dofs)),
        np.empty((dofs, 3)),
        np.empty((tasks * dofs, 3)),
        np.empty(tasks),
        np.empty(dofs),
        np.empty(dofs),
        np.empty((2, dofs)),
        np.empty(dofs),
        np.empty(dofs),
        np.empty(dofs),
        np.empty(dofs),
        np.empty((joints if parting > 0 else 0, SAID_WIDTH)),
        np.empty(dofs, np.int32),
    )
