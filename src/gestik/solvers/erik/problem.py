"""What ERIK's kernels read and trample on: joint models, hyperparameters, one solve's target, working memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel

# Columns of Work.warped, one row per joint and a last one for the superpoint.
ANGLE = 0  # rad
BASIS = 1  # 4, the joint's frame before its own turn (Q)
WARPED_WIDTH = 5

# Columns of Work.wanted, one row per joint: what the forward phase asks of the backward phase.
WANTED = 0  # 4, the joint's frame after its own turn, as the joints above would have it
WANTED_WIDTH = 4

# Rows of Work.angles.
NOW, BEST, PREVIOUS, NEXT = 0, 1, 2, 3
ANGLE_ROWS = 4

# Places in Work.errors.
BEST_ERROR, LAST_ERROR, ONE_BEFORE, TWO_BEFORE = 0, 1, 2, 3

# Columns of Work.aim: the target aimed at, which the offset trick moves.
AIM_ROTATION, AIM_DIRECTION = 0, 4
AIM_WIDTH = 7

# Columns of Work.drawn.
BONE = 0  # 3, unit, world: what the posture says of each bone
COSINE = 3  # of its bend
SHARE = 4  # of its bend in the posture measure; 0 where it does not count
DRAWN_WIDTH = 5


class Settings(NamedTuple):
    """The hyperparameters (Lambda, Table 2) and which extensions are on (Xi, sec. 3.9)."""

    max_iterations: int  # MaxERIKIterations
    max_turns: int  # MaxCCDIterations, rounds of CCD and BWCD
    threshold: float  # combined error that is good enough
    orientation_weight: float
    posture_weight: float
    aggravation: float  # alpha
    disturbance: float  # rad
    ccd_precision: float  # of (1 - cosine) / 2
    precision: float  # CCD gives up when a round changes the cosine by less
    stall: float  # errors that differ by less count as equal when looking for non-convergence
    tie: float  # how much worse an answer may be and still be taken for being nearer to the previous solution
    seed: int  # of the offset trick; 0 offsets by the paper's formula
    extensions: int  # which of those for solves that do not converge are on, one bit each as in extensions.py
    avoid_edges: bool
    twist_parent: bool  # whether a twister may turn on to bring the next bone where it is wanted
    refresh: bool  # whether iterations after the first begin at the candidate solution
    symmetric_endpoint: bool
    tip_flips: bool  # half a turn of the last joint is half a turn about the axis of symmetry
    even_limits: bool  # every swing reaches as far to one side as to the other
    base: Vector  # the root's bone at rest, in the world
    symmetry: Vector  # axis of the end-point's symmetry, in the last joint's frame


class Problem(NamedTuple):
    """Everything that stays the same from solve to solve."""

    model: FloatArray  # [joint, MODEL_WIDTH] of joint_model.py
    tables: FloatArray  # [2 joint, entry, 2], the latitude tables, or no entries
    settings: Settings


class Work(NamedTuple):
    """One solve's posture and the solution in the making."""

    posture: FloatArray  # [joint], rad, the target posture's own angles
    drawn: FloatArray  # [joint, DRAWN_WIDTH]
    warped: FloatArray  # [joint + 1, WARPED_WIDTH]
    wanted: FloatArray  # [joint, WANTED_WIDTH]
    frames: FloatArray  # [joint + 1, 4], the solution's frames after each joint's turn; the base's first
    angles: FloatArray  # [ANGLE_ROWS, joint], rad
    errors: FloatArray  # [4], the best combined error, the last, and those at the end of the two iterations before
    aim: FloatArray  # [AIM_WIDTH]


class Target(NamedTuple):
    """What the end shall do (tau): an orientation of the last joint, and the direction its bone then has."""

    rotation: Quaternion
    direction: Vector


@kernel
def empty_work(joints: int) -> Work:
    """Memory for one thread's solves."""
    return Work(
        np.zeros(joints),
        np.empty((joints, DRAWN_WIDTH)),
        np.empty((joints + 1, WARPED_WIDTH)),
        np.empty((joints, WANTED_WIDTH)),
        np.empty((joints + 1, 4)),
        np.zeros((ANGLE_ROWS, joints)),
        np.empty(4),
        np.empty(AIM_WIDTH),
    )
