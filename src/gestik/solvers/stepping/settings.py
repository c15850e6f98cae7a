"""What a Jacobian method is told, as flat numbers and as the tuple its kernels read.  This module imports no numba."""

from __future__ import annotations

from typing import NamedTuple

from gestik.kernels.arrays import FloatArray, IntArray

# Rules: how a step is made.
TRANSPOSE, PSEUDOINVERSE, DLS, SDLS, PRIORITISED = 0, 1, 2, 3, 4

# How damping is found.
FIXED_DAMPING, MACIEJEWSKI = 0, 1


class Settings(NamedTuple):
    """One method's settings, in the order they stand in its flat numbers."""

    rule: int
    iterations: int
    damping_rule: int
    damping: float  # lambda, in the unit of the Jacobian
    bound: float  # rad, b_max: the longest step Maciejewski's damping allows
    largest_step: float  # rad or m, of any coordinate in one iteration
    clamp_length: float  # m, D_max of places
    clamp_turn: float  # rad, D_max of turns and gazes
    posture_offset: int  # where the posture's angles begin in a row of targets, -1 for none
    posture_gain: float  # the part of the way to the posture that one step goes
    patience: int  # iterations without progress after which it has stalled
    by_svd: int  # 1: dls by singular values, 0: by elimination


class Work(NamedTuple):
    """Memory that kernels trample on; m rows of residual, n coordinates."""

    pose: FloatArray  # [joint, POSE_WIDTH]
    gathered: FloatArray  # [joint + 1, BODY_WIDTH], what each joint carries; no rows where nobody asks
    wanted: FloatArray  # [task, TARGET_WIDTH]
    residual: FloatArray  # [m]
    jacobian: FloatArray  # [m, n], how the frames move, which is minus how the residual changes
    sizes: FloatArray  # [task]
    error: FloatArray  # [m], the residual, clamped
    free_jacobian: FloatArray  # [m, n], with the columns of coordinates that are held at a limit empty
    free_error: FloatArray  # [m], without what those have done
    rows: FloatArray  # [m or n, n], factors
    left: FloatArray  # [m or n, m or n]
    sigma: FloatArray  # [m or n]
    square: FloatArray  # [m, m]
    short: FloatArray  # [m or n]
    projector: FloatArray  # [n, n], onto what no task so far feels
    posture: FloatArray  # [n]
    drawn: FloatArray  # [n], 1 where the posture counts
    pull: FloatArray  # [n], the way to the posture
    rested: FloatArray  # [n], what is left of it
    step: FloatArray  # [n]
    trial: FloatArray  # [n], how far coordinates went that are held at a limit
    free: IntArray  # [n], 1 where a coordinate may move
    best: FloatArray  # [n]
    costs: FloatArray  # [level]
    best_costs: FloatArray  # [level]
    marks: FloatArray  # [level], the best when there was progress last
