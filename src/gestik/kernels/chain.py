"""Forward kinematics of a cut chain or tree, the inner loop of every method that iterates."""

from __future__ import annotations

from gestik.kernels.arrays import PRISMATIC, FloatArray, Quaternion, Vector
from gestik.kernels.chain_table import (
    AXIS,
    BIAS,
    BONE,
    DIRECTION,
    DOF,
    GAIN,
    KIND,
    PARENT,
    POSITION,
    REST_POSITION,
    REST_ROTATION,
    ROTATION,
    WORLD_AXIS,
    Chain,
)
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate, store4_at
from gestik.kernels.vector import add, load3_at, scale, store3_at


@kernel
def pose_chain(chain: Chain, q: FloatArray, pose: FloatArray) -> None:
    """Forward kinematics of the chain or tree for its coordinates q [dof] rad or m; `pose` is overwritten.

    Position and rotation run along in registers, because reading them back from memory would double the time; only
    where a new limb begins they are fetched.
    """
    codes, table = chain.codes, chain.table
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(codes)):
        parent = codes[joint, PARENT]
        if parent != joint - 1:
            position, rotation = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
            if parent >= 0:
                position, rotation = load3_at(pose, parent, POSITION), load4_at(pose, parent, ROTATION)
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
