"""What poise's kernels read: the chain, the tasks on it, how a posture is held, and the targets of one solve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.kernels.chain import POSE_WIDTH, Chain
from gestik.kernels.jit import kernel

# Kinds of task.
POSITION_TASK = 0
ORIENTATION_TASK = 1
AIM_AT_POINT = 2
AIM_ALONG = 3

# Posture measures.
SHAPE = 0
PAPER = 1

# Columns of Tasks.codes.
TASK_KIND = 0
TASK_JOINT = 1
SYMMETRIC = 2  # 1 where a half turn about the task's axis is as good

# Columns of Tasks.table.
TOOL = 0  # 3, m, the goal frame's origin in its joint's frame
LOOKING = 3  # 3, unit, joint frame: where the eye looks, or the axis of symmetry
TASK_WEIGHT = 6
PER_METRE = 7  # turns a distance into a measure: one over the chain's reach
TASK_WIDTH = 8

# Columns of Wanted.target.
TARGET = 0  # 4: a point, a direction, or the joint rotation that meets the wanted orientation
TWIN = 4  # 4: the joint rotation that is as good by symmetry; else the same
TARGET_WIDTH = 8


class Tasks(NamedTuple):
    """What is asked of frames of the chain, one row per goal."""

    codes: IntArray  # [task, 3]
    table: FloatArray  # [task, TASK_WIDTH]


class Settings(NamedTuple):
    """How a posture is held."""

    measure: int  # SHAPE or PAPER
    posture_weight: float
    aggravation: float  # of the paper's measure
    up: Vector  # unit, world: the vertical a figure may turn about without changing its expression
    base: Vector  # the root bone at rest, which the paper measures the first bend from


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    chain: Chain
    tasks: Tasks
    settings: Settings
    starts: FloatArray  # [start, dof], fixed quasi-random configurations inside the limits


class Wanted(NamedTuple):
    """One solve's targets."""

    target: FloatArray  # [task, TARGET_WIDTH]
    drawn: FloatArray  # [joint, DRAWN_WIDTH], the posture's bones
    angles: FloatArray  # [dof], the posture's own angles, or the start where it was given as positions


class Scratch(NamedTuple):
    """Memory that kernels trample on."""

    pose: FloatArray  # [joint, POSE_WIDTH]
    normal: FloatArray  # [dof, dof]
    factor: FloatArray  # [dof, dof]
    columns: FloatArray  # [dof, 3]
    gradient: FloatArray  # [dof]
    step: FloatArray  # [dof]
    box: FloatArray  # [2, dof], the least and the largest step allowed
    trial: FloatArray  # [dof]
    row: FloatArray  # [dof]
    free: IntArray  # [dof]


@kernel
def empty_scratch(joints: int, dofs: int) -> Scratch:
    """Memory for one thread's solves."""
    return Scratch(
        np.empty((joints, POSE_WIDTH)),
        np.empty((dofs, dofs)),
        np.empty((dofs, dofs)),
        np.empty((dofs, 3)),
        np.empty(dofs),
        np.empty(dofs),
        np.empty((2, dofs)),
        np.empty(dofs),
        np.empty(dofs),
        np.empty(dofs, np.int32),
    )
