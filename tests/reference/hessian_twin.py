"""Slow twin of first and second derivatives: products of 4x4 matrices, one or two factors of them differentiated."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.kernels.arrays import FIXED, REVOLUTE
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import frame_of
from tests.reference.measures_twin import rotation_matrix, turn_matrix

FloatArray = NDArray[np.float64]


def generator(kind: int, axis: FloatArray) -> FloatArray:
    """The matrix X with motion(v) = expm(v X), [4, 4].

    Erleben & Andrews 2017, eq. 4 and 5, corrected: as printed the matrix of a cross product is transposed.
    """
    matrix = np.zeros((4, 4))
    x, y, z = axis
    if kind == REVOLUTE:
        matrix[:3, :3] = (0, -z, y), (z, 0, -x), (-y, x, 0)
    else:
        matrix[:3, 3] = axis
    return matrix


def factors(skeleton: Skeleton, angles: ArrayLike, name: str) -> list[tuple[FloatArray, int, FloatArray, FloatArray]]:
    """For each row down to the frame: rest times motion, dof, and what the motion becomes when differentiated."""
    table, angles = skeleton.arrays, np.asarray(angles, dtype=np.float64)
    found = []
    for row in skeleton.chain(name):
        rest = frame_of(table.rest_position[row], rotation_matrix(table.rest_rotation[row]))
        if table.kind[row] == FIXED:
            found.append((rest, -1, np.zeros((4, 4)), np.zeros((4, 4))))
            continue
        value = table.gain[row] * angles[table.dof[row]] + table.bias[row]
        x = generator(table.kind[row], table.axis[row])
        motion = np.eye(4)
        if table.kind[row] == REVOLUTE:
            motion[:3, :3] = turn_matrix(table.axis[row], value)
        else:
            motion[:3, 3] = value * table.axis[row]
        moved = rest @ motion
        gain = table.gain[row]
        found.append((moved, int(table.dof[row]), gain * moved @ x, gain**2 * moved @ x @ x))
    return found


def frame_derivatives(skeleton: Skeleton, angles: ArrayLike, name: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The frame [4, 4], its first derivatives [dof, 4, 4] and its second ones [dof, dof, 4, 4]."""
    chain, frame = factors(skeleton, angles, name), skeleton.frame(name)
    tool = frame_of(frame.position, rotation_matrix(frame.rotation))

    def product(changed: dict[int, FloatArray]) -> FloatArray:
        """The frame with some of its factors replaced."""
        matrix = np.eye(4)
        for place, (moved, *_) in enumerate(chain):
            matrix = matrix @ changed.get(place, moved)
        return matrix @ tool

    count = skeleton.dof_count
    first, second = np.zeros((count, 4, 4)), np.zeros((count, count, 4, 4))
    for i, (_, dof_i, once_i, twice) in enumerate(chain):
        if dof_i < 0:
            continue
        first[dof_i] += product({i: once_i})
        second[dof_i, dof_i] += product({i: twice})
        for j, (_, dof_j, once_j, _) in enumerate(chain):
            if j != i and dof_j >= 0:
                second[dof_i, dof_j] += product({i: once_i, j: once_j})
    return product({}), first, second


def vector_part(matrix: FloatArray) -> FloatArray:
    """The vector w of a matrix of cross products w x, [..., 3]."""
    return np.stack((matrix[..., 2, 1], matrix[..., 0, 2], matrix[..., 1, 0]), axis=-1)


def jacobian(skeleton: Skeleton, angles: ArrayLike, name: str) -> FloatArray:
    """The Jacobian [6, dof]: the place's derivative, and the vector of dR R^T."""
    frame, first, _ = frame_derivatives(skeleton, angles, name)
    spins = vector_part(first[:, :3, :3] @ frame[:3, :3].T)
    return np.hstack((first[:, :3, 3], spins)).T


def hessian(skeleton: Skeleton, angles: ArrayLike, name: str) -> FloatArray:
    """How each column of the Jacobian changes with each dof, [6, dof, dof]: of dR R^T, by the product rule."""
    frame, first, second = frame_derivatives(skeleton, angles, name)
    rotation, turns = frame[:3, :3], first[:, :3, :3]
    spins = second[:, :, :3, :3] @ rotation.T + turns[:, None] @ turns[None, :].transpose(0, 1, 3, 2)
    return np.moveaxis(np.concatenate((second[:, :, :3, 3], vector_part(spins)), axis=-1), -1, 0)
