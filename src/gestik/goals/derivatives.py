"""The cost of a goal over all angles, with its gradient and its exact Hessian."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.evaluate import TARGET, TARGET_WIDTH, TWIN, goal_curvature
from gestik.goals.goal import Goal
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray, Quaternion, SkeletonArrays, Vector
from gestik.kernels.forward import forward_rows
from gestik.kernels.hessian import add_cost_derivatives, collect_columns
from gestik.kernels.jit import kernel
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import load4, multiply, rotate, store4_at
from gestik.kernels.vector import add, load3
from gestik.model.skeleton import Skeleton


class CostDerivatives(NamedTuple):
    """A cost, and how it changes with every angle."""

    cost: float  # m^2 or rad^2
    gradient: FloatArray  # [dof]
    hessian: FloatArray  # [dof, dof], symmetric, seldom positive


def cost_derivatives(skeleton: Skeleton, angles: ArrayLike, goal: Goal) -> CostDerivatives:
    """The cost 1/2 error^2 of one goal, the error in m or rad and without its weight, with its derivatives.

    Erleben & Andrews 2017, for positions; extended to rotations and gazes.  A Newton step needs a Hessian made
    positive first: far from the goal the exact one is indefinite.
    """
    checked = skeleton.check_angles(angles)
    if goal.target.ndim != 1:
        raise InputError(f"{len(goal.target)} targets are given; one cost is that of one")
    bound = goal.bind(skeleton)
    target = np.zeros((1, TARGET_WIDTH))
    target[0, TARGET : TARGET + goal.target.size] = goal.target
    if bound.kind == ORIENTATION_GOAL:
        w, x, y, z = goal.target.tolist()
        store4_at(target, 0, TWIN, symmetric_twin((w, x, y, z), bound.axis) if bound.symmetric else (w, x, y, z))
    gradient, hessian = np.zeros(skeleton.dof_count), np.zeros((skeleton.dof_count, skeleton.dof_count))
    place = bound.frame
    cost = frame_cost(
        skeleton.arrays,
        checked,
        place.row,
        place.position,
        place.rotation,
        bound.axis,
        bound.kind,
        target,
        gradient,
        hessian,
    )
    return CostDerivatives(float(cost), gradient, hessian)


@kernel
def frame_cost(
    skeleton: SkeletonArrays,
    angles: FloatArray,
    row: int,
    row_point: Vector,
    row_turn: Quaternion,
    axis: Vector,
    kind: int,
    target: FloatArray,
    gradient: FloatArray,
    hessian: FloatArray,
) -> float:
    """The cost of a goal [m^2 or rad^2] of a frame at `row_point` m and `row_turn` on a row, looking along `axis`.

    Its gradient [dof] and Hessian [dof, dof] are added to what is there.
    """
    rows = len(skeleton.parent)
    positions, rotations = np.empty((rows, 3)), np.empty((rows, 4))
    columns, dofs = np.empty((6, rows)), np.empty(rows, dtype=np.int32)
    slope, curvature = np.empty(6), np.empty((6, 6))
    forward_rows(skeleton, angles, positions, rotations)
    point, rotation, count = row_point, row_turn, 0
    if row >= 0:
        carried = load4(rotations, row)
        point, rotation = add(load3(positions, row), rotate(carried, row_point)), multiply(carried, row_turn)
        count = collect_columns(skeleton, positions, rotations, row, point, columns, dofs)
    cost = goal_curvature(kind, target, 0, point, rotate(rotation, axis), rotation, slope, curvature)
    add_cost_derivatives(columns, dofs, count, slope, curvature, gradient, hessian)
    return cost
