"""Forward kinematics: where every joint is, in the world, for given angles.  The only switch over row kinds."""

from __future__ import annotations

from gestik.kernels.arrays import PRISMATIC, REVOLUTE, FloatArray, Quaternion, SkeletonArrays, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4, multiply, rotate, store4
from gestik.kernels.vector import add, load3, scale, store3


@kernel
def row_value(skeleton: SkeletonArrays, angles: FloatArray, row: int) -> float:
    """How far a moving row is turned [rad] or slid [m]; a mimic row follows another's degree of freedom."""
    return float(skeleton.gain[row] * angles[skeleton.dof[row]] + skeleton.bias[row])


@kernel
def move_row(
    skeleton: SkeletonArrays, row: int, value: float, parent_position: Vector, parent_rotation: Quaternion
) -> tuple[Vector, Quaternion]:
    """World position and rotation of a row from its parent's: rest transform first, then the row's own motion."""
    position = add(parent_position, rotate(parent_rotation, load3(skeleton.rest_position, row)))
    rotation = multiply(parent_rotation, load4(skeleton.rest_rotation, row))
    kind = skeleton.kind[row]
    if kind == REVOLUTE:
        rotation = multiply(rotation, from_axis_angle(load3(skeleton.axis, row), value))
    elif kind == PRISMATIC:
        position = add(position, rotate(rotation, scale(load3(skeleton.axis, row), value)))
    return position, rotation


@kernel
def forward_rows(skeleton: SkeletonArrays, angles: FloatArray, positions: FloatArray, rotations: FloatArray) -> None:
    """World frames of all rows.  positions [row, 3] m and rotations [row, 4] w first are overwritten."""
    for row in range(len(skeleton.parent)):
        parent = skeleton.parent[row]
        value = row_value(skeleton, angles, row) if skeleton.dof[row] >= 0 else 0.0
        if parent < 0:
            position, rotation = move_row(skeleton, row, value, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
        else:
            position, rotation = move_row(skeleton, row, value, load3(positions, parent), load4(rotations, parent))
        store3(positions, row, position)
        store4(rotations, row, rotation)
