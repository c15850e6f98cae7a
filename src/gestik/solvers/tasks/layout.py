"""The layout of tasks: one row of two tables for each goal, three rows of residual and Jacobian for each task.

A method packs its goals with `bind.pack_tasks`, reads the targets of one problem with `targets.read_targets` into
`wanted` [task, TARGET_WIDTH], poses the tree with `kernels.chain.pose_chain` into `pose` [joint, POSE_WIDTH], and has
`residuals.stack_tasks` overwrite

    residual [3 task]        what is missing, weighted, in the axes of the reference: m, or rad along a turn's axis
    jacobian [3 task, dof]   how the residual changes with each coordinate of the tree
    sizes [task]             the error of each goal in its own unit, without its weight
    gathered [joint + 1, 4]  what each joint carries of all that weighs, as many rows as `bodies`

so that a step dq of Gauss and Newton solves ``jacobian . dq = -residual``.  The length of a task's part of the residual
is weight * error: the cost is 1/2 sum of (weight * error)^2, and its gradient jacobian^T . residual.

This module imports no numba.
"""

from __future__ import annotations

from typing import NamedTuple

from gestik.kernels.arrays import FloatArray, IntArray

# Columns of Tasks.codes.
KIND = 0  # POSITION_GOAL, ORIENTATION_GOAL, AIM_AT_POINT or AIM_ALONG
JOINT = 1  # the tree's joint that carries the frame, -1 for the base, WHOLE_BODY for the centre of mass
REFERENCE = 2  # the joint that carries what the target is given in, -1 for the base, WORLD for the world
SYMMETRIC = 3  # 1 where half a turn about AXIS is as good
AXES = 4  # bits 1, 2, 4: x, y, z of the reference count
OFFSET = 5  # where its numbers begin in a row of targets
PRIORITY = 6  # its level: 0 comes first, and none is left out
CODE_WIDTH = 7

WORLD = -2
WHOLE_BODY = -3
ALL_AXES = 7

# Columns of Tasks.table.
TOOL = 0  # 3, m, the frame's origin in its joint's frame
TOOL_ROTATION = 3  # 4, likewise
AXIS = 7  # 3, unit, in the frame: where an eye looks, the axis of symmetry
SEAT = 10  # 3, m, the reference's origin in its joint's frame
SEAT_ROTATION = 13  # 4, likewise
WEIGHT = 17
TOLERANCE = 18  # m or rad
SLACK = 19  # 4, m or rad: all around, then along each axis
TASK_WIDTH = 23

ROWS = 3  # of the residual for each task

# Columns of bodies [joint + 1, 4], the base last; it has no rows where no task is about the centre of mass.
SHARE = 0  # of all mass, on this joint
MOMENT = 1  # 3, m, where its centre is in the joint's frame, times that share
BODY_WIDTH = 4


class Tasks(NamedTuple):
    """What is asked of frames of a tree, one row per goal."""

    codes: IntArray  # [task, CODE_WIDTH]
    table: FloatArray  # [task, TASK_WIDTH]
