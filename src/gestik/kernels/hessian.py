"""Exact second derivatives: how the Jacobian's columns change with each degree of freedom.

Erleben & Andrews 2017, "Inverse kinematics problems with exact Hessian matrices", sec. 3.2.  Corrected:

- eq. 21a, ``w x v x dp``: a cross product is not associative; it is ``w x (v x dp)``.
- eq. 18b and 21, for any i and j: they hold only when w is the axis nearer the root.  Here the outer axis always is.
- Algorithm 4, lines 15-18, fills all nine products of a joint with itself: those whose outer axis comes first hold.
"""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays, Vector
from gestik.kernels.forward import forward_rows
from gestik.kernels.jacobian import row_velocity
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import load4, rotate
from gestik.kernels.vector import add, cross, dot, load3


@kernel
def collect_columns(
    skeleton: SkeletonArrays,
    positions: FloatArray,
    rotations: FloatArray,
    row: int,
    world_point: Vector,
    columns: FloatArray,
    dofs: IntArray,
) -> int:
    """The Jacobian column of every single row that moves a world point fixed to `row`, the nearest to the point first.

    columns [6, row], linear then angular, and dofs [row] are overwritten; returns how many there are.
    """
    count = 0
    while row >= 0:
        if skeleton.dof[row] >= 0:
            linear, angular = row_velocity(skeleton, positions, rotations, row, world_point)
            for k in range(3):
                columns[k, count] = linear[k]
                columns[3 + k, count] = angular[k]
            dofs[count] = skeleton.dof[row]
            count += 1
        row = skeleton.parent[row]
    return count


@kernel
def add_jacobian(columns: FloatArray, dofs: IntArray, count: int, jacobian: FloatArray) -> None:
    """Add the columns to a Jacobian [6, dof]: rows that share a degree of freedom add up."""
    for number in range(count):
        for k in range(6):
            jacobian[k, dofs[number]] += columns[k, number]


@kernel
def add_hessian(columns: FloatArray, dofs: IntArray, count: int, hessian: FloatArray) -> None:
    """Add to hessian [6, dof, dof] the derivative of each Jacobian column (middle index) by each dof (last index).

    The linear part, eq. 21 corrected, is the same for both orders of a pair.  The angular part is not: an outer row
    turns the axes of inner ones, an inner row leaves the axes of outer ones in place.
    """
    for outer in range(count):
        w = columns[3, outer], columns[4, outer], columns[5, outer]
        j = dofs[outer]
        for inner in range(outer + 1):
            i = dofs[inner]
            bent = cross(w, (columns[0, inner], columns[1, inner], columns[2, inner]))
            turned = cross(w, (columns[3, inner], columns[4, inner], columns[5, inner]))
            for k in range(3):
                hessian[k, i, j] += bent[k]
                hessian[3 + k, i, j] += turned[k]
                if inner != outer:
                    hessian[k, j, i] += bent[k]


@kernel
def add_cost_derivatives(
    columns: FloatArray,
    dofs: IntArray,
    count: int,
    slope: FloatArray,
    curvature: FloatArray,
    gradient: FloatArray,
    hessian: FloatArray,
) -> None:
    """Add the gradient [dof] and the exact Hessian [dof, dof] of a cost of one frame.

    slope [6] is how the cost rises with the linear and angular velocity of the frame.  curvature [6, 6] is what two
    small motions add to it, the outer one, made last, from the left: for outer column o and inner column i the Hessian
    is ``o . curvature . i + slope . (angular part of o) x (linear part of i)``.
    """
    force = slope[0], slope[1], slope[2]
    for outer in range(count):
        rise = 0.0
        for k in range(6):
            rise += slope[k] * columns[k, outer]
        gradient[dofs[outer]] += rise
        w = columns[3, outer], columns[4, outer], columns[5, outer]
        linear = add(_times_columns(columns, outer, curvature, 0), cross(force, w))
        angular = _times_columns(columns, outer, curvature, 3)
        for inner in range(outer + 1):
            bend = dot(linear, (columns[0, inner], columns[1, inner], columns[2, inner]))
            bend += dot(angular, (columns[3, inner], columns[4, inner], columns[5, inner]))
            hessian[dofs[inner], dofs[outer]] += bend
            if inner != outer:
                hessian[dofs[outer], dofs[inner]] += bend


@kernel
def _times_columns(columns: FloatArray, number: int, matrix: FloatArray, first: int) -> Vector:
    """A column, as a row, times three columns of a matrix [6, 6]."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(6):
        x += columns[k, number] * matrix[k, first]
        y += columns[k, number] * matrix[k, first + 1]
        z += columns[k, number] * matrix[k, first + 2]
    return x, y, z


@kernel
def frame_hessian(
    skeleton: SkeletonArrays, angles: FloatArray, row: int, row_point: FloatArray, hessian: FloatArray
) -> None:
    """Hessian [6, dof, dof] (overwritten) of the point `row_point` [3] m given in the frame of `row`."""
    rows = len(skeleton.parent)
    positions, rotations = np.empty((rows, 3)), np.empty((rows, 4))
    columns, dofs = np.empty((6, rows)), np.empty(rows, dtype=np.int32)
    hessian[:, :, :] = 0.0
    forward_rows(skeleton, angles, positions, rotations)
    if row < 0:
        return
    arm = rotate(load4(rotations, row), (row_point[0], row_point[1], row_point[2]))
    point = add(load3(positions, row), arm)
    add_hessian(columns, dofs, collect_columns(skeleton, positions, rotations, row, point, columns, dofs), hessian)
