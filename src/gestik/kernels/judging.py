"""Judging many answers at once: how far orientation and posture of each are from what was asked."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Quaternion, Vector
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import DIRECTION, POSE_WIDTH, ROTATION, Chain
from gestik.kernels.jit import kernel, stage
from gestik.kernels.measures import (
    BENT,
    DRAWN_DIRECTION,
    DRAWN_WIDTH,
    SHAPED,
    angle_measure,
    bend_measure,
    shape_measure,
    symmetric_twin,
    turn_between,
)
from gestik.kernels.quaternion import load4_at, multiply
from gestik.kernels.vector import load3_at, store3_at

# Columns of a judgement.
ORIENTATION = 0  # the paper's measure, [0, 1]
POSTURE = 1  # the paper's measure, [0, 1]
SHAPE = 2  # rad, the sighted one
JUDGED_WIDTH = 3


@kernel
def orientation_measure(rotation: Quaternion, wanted: Quaternion, looking: Vector, symmetric: bool) -> float:
    """The paper's orientation error (eq. 20); with two good sides, of the nearer one."""
    angle = turn_between(wanted, rotation)
    if symmetric:
        angle = min(angle, turn_between(wanted, symmetric_twin(rotation, looking)))
    return angle_measure(angle)


@kernel
def same_row(rows: FloatArray, a: int, b: int) -> bool:
    """Whether two rows are equal."""
    differs = False
    for k in range(rows.shape[1]):
        differs |= rows[a, k] != rows[b, k]
    return not differs


@kernel
def draw(chain: Chain, q: FloatArray, counts: FloatArray, pose: FloatArray, drawn: FloatArray) -> None:
    """Write what a posture says of each bone of the chain."""
    pose_chain(chain, q, pose)
    for joint in range(len(counts)):
        store3_at(drawn, joint, DRAWN_DIRECTION, load3_at(pose, joint, DIRECTION))
        drawn[joint, BENT], drawn[joint, SHAPED] = counts[joint, 0], counts[joint, 1]


@stage
def judge_rows(
    codes: IntArray,
    table: FloatArray,
    limits: FloatArray,
    counts: FloatArray,
    joint: int,
    mounting: FloatArray,
    looking: FloatArray,
    symmetric: bool,
    aggravation: float,
    base: FloatArray,
    up: FloatArray,
    angles: FloatArray,
    postures: FloatArray,
    orientations: FloatArray,
    judged: FloatArray,
) -> None:
    """Judge angles [n, dof] against postures [n, dof] and quaternions [n, 4]; judged [n, 3] is overwritten.

    `mounting` is the judged frame's rotation on `joint`; what a posture draws is kept from row to row while it stays
    the same.
    """
    chain = Chain(codes, table, limits)
    joints = len(codes)
    pose, drawn = np.empty((joints, POSE_WIDTH)), np.zeros((joints, DRAWN_WIDTH))
    base_bone, upward, axis = (base[0], base[1], base[2]), (up[0], up[1], up[2]), (looking[0], looking[1], looking[2])
    mounted = (mounting[0], mounting[1], mounting[2], mounting[3])
    for row in range(len(angles)):
        if row == 0 or not same_row(postures, row, row - 1):
            draw(chain, postures[row], counts, pose, drawn)
        pose_chain(chain, angles[row], pose)
        rotation = multiply(load4_at(pose, joint, ROTATION), mounted)
        wanted = (orientations[row, 0], orientations[row, 1], orientations[row, 2], orientations[row, 3])
        judged[row, ORIENTATION] = orientation_measure(rotation, wanted, axis, symmetric)
        judged[row, POSTURE] = bend_measure(pose, DIRECTION, drawn, base_bone, aggravation)
        judged[row, SHAPE] = shape_measure(pose, DIRECTION, drawn, upward)
