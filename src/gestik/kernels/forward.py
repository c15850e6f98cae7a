"""Forward kinematics: where every joint is, in the world, for given angles.  The only switch over row kinds."""

from __future__ import annotations

from gestik.kernels.arrays import PRISMATIC, REVOLUTE, FloatArray, SkeletonArrays
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4, multiply, rotate, store4
from gestik.kernels.vector import add, load3, scale, store3


@kernel
def forward_rows(skeleton: SkeletonArrays, angles: FloatArray, positions: FloatArray, rotations: FloatArray) -> None:
    """World frames of all rows.  positions [row, 3] m and rotations [row, 4] w first are overwritten.

    The rest transform comes first, then the row's own motion; a mimic row follows another's degree of freedom.
    """
    forward_part(skeleton, angles, 0, len(skeleton.parent), positions, rotations)


@kernel
def forward_part(
    skeleton: SkeletonArrays, angles: FloatArray, first: int, last: int, positions: FloatArray, rotations: FloatArray
) -> None:
    """World frames of the rows from `first` to before `last`, whose parents are placed already.

    Arrays are taken out of the table once: to hand the table to a function costs more than to place a row.
    """
    parents, kinds, dofs, gains, biases = skeleton.parent, skeleton.kind, skeleton.dof, skeleton.gain, skeleton.bias
    axes, rest_positions, rest_rotations = skeleton.axis, skeleton.rest_position, skeleton.rest_rotation
    for row in range(first, last):
        parent, kind = parents[row], kinds[row]
        position, rotation = load3(rest_positions, row), load4(rest_rotations, row)
        if parent >= 0:
            above = load4(rotations, parent)
            position = add(load3(positions, parent), rotate(above, position))
            rotation = multiply(above, rotation)
        if kind == REVOLUTE:
            value = gains[row] * angles[dofs[row]] + biases[row]
            rotation = multiply(rotation, from_axis_angle(load3(axes, row), value))
        elif kind == PRISMATIC:
            value = gains[row] * angles[dofs[row]] + biases[row]
            position = add(position, rotate(rotation, scale(load3(axes, row), value)))
        store3(positions, row, position)
        store4(rotations, row, rotation)
