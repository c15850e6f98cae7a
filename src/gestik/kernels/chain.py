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
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for joint in range(len(chain.codes)):
        parent = chain.codes[joint, PARENT]
        if parent != joint - 1:
            position, rotation = frame_of_parent(parent, pose)
        position, rotation = move_on(chain, joint, q, position, rotation, pose)


@kernel
def place_joint(chain: Chain, joint: int, q: FloatArray, pose: FloatArray) -> None:
    """Forward kinematics of one joint, from the pose of the one it sits on; its row of `pose` is overwritten."""
    position, rotation = frame_of_parent(chain.codes[joint, PARENT], pose)
    move_on(chain, joint, q, position, rotation, pose)


@kernel
def frame_of_parent(parent: int, pose: FloatArray) -> tuple[Vector, Quaternion]:
    """Where the joint is that another one sits on; -1 stands for the base."""
    if parent < 0:
        return (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    return load3_at(pose, parent, POSITION), load4_at(pose, parent, ROTATION)


@kernel
def move_on(
    chain: Chain, joint: int, q: FloatArray, position: Vector, rotation: Quaternion, pose: FloatArray
) -> tuple[Vector, Quaternion]:
    """From the frame of its parent to the frame of a joint; its row of `pose` is overwritten."""
    codes, table = chain.codes, chain.table
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
    return position, rotation
