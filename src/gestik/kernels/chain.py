"""A serial chain cut out of a skeleton, fixed joints folded away: what chain methods read in their inner loops.

Everything about a joint stands in one row of one table.  Compiled functions receive an array as a header of seven or
more words, so a tuple of twenty arrays would cost more to hand over than a joint costs to place.
"""

from __future__ import annotations

from typing import NamedTuple

from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import add, load3_at, scale, store3_at

# Columns of Chain.codes.
KIND = 0  # REVOLUTE or PRISMATIC
DOF = 1  # the chain's own coordinate that drives the joint

# Columns of Chain.table.
REST_POSITION = 0  # 3, m, in the frame of the joint before, of the world for joint 0
REST_ROTATION = 3  # 4, the same
AXIS = 7  # 3, unit, joint frame
BONE = 10  # 3, unit direction of the bone in the joint frame, zero where it has none
GAIN = 13  # of a mimic joint, else 1
BIAS = 14  # rad or m
TABLE_WIDTH = 15

# Columns of a pose [joint, POSE_WIDTH]: the world frames of a chain for one set of angles.
POSITION = 0  # 3, m
ROTATION = 3  # 4
WORLD_AXIS = 7  # 3, unit times gain
DIRECTION = 10  # 3, unit direction of the bone
POSE_WIDTH = 13


class Chain(NamedTuple):
    """The moving joints from the base to the last goal frame; joint 0 hangs on the base."""

    codes: IntArray  # [joint, 2]
    table: FloatArray  # [joint, TABLE_WIDTH]
    limits: FloatArray  # [2, dof], rad or m: lower, upper


@kernel
def pose_chain(chain: Chain, q: FloatArray, pose: FloatArray) -> None:
    """Forward kinematics of the chain for its coordinates q [dof] rad or m; `pose` is overwritten.

    Position and rotation run along in registers: reading them back from memory would double the time.
    """
    codes, table = chain.codes, chain.table
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(codes)):
        position = add(position, rotate(rotation, load3_at(table, joint, REST_POSITION)))
        rotation = multiply(rotation, load4_at(table, joint, REST_ROTATION))
        local_axis = load3_at(table, joint, AXIS)
        axis = rotate(rotation, local_axis)
        gain = table[joint, GAIN]
        value = gain * q[codes[joint, DOF]] + table[joint, BIAS]
        if codes[joint, KIND] == PRISMATIC:
            position = add(position, scale(axis, value))
        else:
            rotation = multiply(rotation, from_axis_angle(local_axis, value))
        store3_at(pose, joint, POSITION, position)
        store4_at(pose, joint, ROTATION, rotation)
        store3_at(pose, joint, WORLD_AXIS, scale(axis, gain))
        store3_at(pose, joint, DIRECTION, rotate(rotation, load3_at(table, joint, BONE)))
