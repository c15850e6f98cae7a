"""The geometric Jacobian: how a point of a row, and the row's rotation, move with each degree of freedom.

Erleben & Andrews 2017, eq. 17: a revolute column is axis x (point - joint); a prismatic one is the axis (seed of the
family: Buss 2004, sec. 2).  Columns of joints that are not above the row are zero; mimic joints add to the column of
the joint they follow.
"""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import REVOLUTE, FloatArray, SkeletonArrays, Vector
from gestik.kernels.forward import forward_rows
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import load4, rotate
from gestik.kernels.vector import add, cross, load3, scale, subtract


@kernel
def row_velocity(
    skeleton: SkeletonArrays, positions: FloatArray, rotations: FloatArray, row: int, world_point: Vector
) -> tuple[Vector, Vector]:
    """Linear and angular velocity of a world point, and of what carries it, when the dof of a row above it moves."""
    # The row's own motion leaves its axis in place, so the moved frame gives the same world axis.
    axis = scale(rotate(load4(rotations, row), load3(skeleton.axis, row)), skeleton.gain[row])
    if skeleton.kind[row] == REVOLUTE:
        return cross(axis, subtract(world_point, load3(positions, row))), axis
    return axis, (0.0, 0.0, 0.0)


@kernel
def point_jacobian(
    skeleton: SkeletonArrays,
    positions: FloatArray,
    rotations: FloatArray,
    row: int,
    world_point: Vector,
    jacobian: FloatArray,
) -> None:
    """Jacobian of a world point fixed to `row`, from the frames of `forward_rows`.

    jacobian [6, dof] is overwritten: rows 0-2 the point's velocity, rows 3-5 the angular velocity, in the world.
    """
    jacobian[:, :] = 0.0
    while row >= 0:
        dof = skeleton.dof[row]
        if dof >= 0:
            linear, angular = row_velocity(skeleton, positions, rotations, row, world_point)
            for k in range(3):
                jacobian[k, dof] += linear[k]
                jacobian[3 + k, dof] += angular[k]
        row = skeleton.parent[row]


@kernel
def frame_jacobian(
    skeleton: SkeletonArrays, angles: FloatArray, row: int, row_point: FloatArray, jacobian: FloatArray
) -> None:
    """Jacobian [6, dof] (overwritten) of the point `row_point` [3] m given in the frame of `row`."""
    positions = np.empty((len(skeleton.parent), 3))
    rotations = np.empty((len(skeleton.parent), 4))
    forward_rows(skeleton, angles, positions, rotations)
    if row < 0:
        jacobian[:, :] = 0.0
        return
    arm = rotate(load4(rotations, row), (row_point[0], row_point[1], row_point[2]))
    point_jacobian(skeleton, positions, rotations, row, add(load3(positions, row), arm), jacobian)
