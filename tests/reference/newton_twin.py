"""Slow twin of newton's local method: products of matrices, NumPy's solver, one equation after the other.

Erleben & Andrews 2017 for the derivatives of places, corrected as in `hessian_twin`; Levenberg and Marquardt's damping
with Nielsen's rule for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gestik.model.skeleton import Skeleton
from tests.reference.hessian_twin import frame_derivatives

FloatArray = NDArray[np.float64]


def derivatives(
    skeleton: Skeleton, angles: FloatArray, goals: Sequence[tuple[str, FloatArray]]
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Half the squared distances of frames from points, its gradient J^T r, J^T J, and J^T J + sum of r K."""
    cost, gradient = 0.0, np.zeros(len(angles))
    normal, exact = np.zeros((len(angles),) * 2), np.zeros((len(angles),) * 2)
    for name, point in goals:
        frame, first, second = frame_derivatives(skeleton, angles, name)
        beyond, jacobian = frame[:3, 3] - point, first[:, :3, 3]
        cost += 0.5 * float(beyond @ beyond)
        gradient += jacobian @ beyond
        normal += jacobian @ jacobian.T
        exact += jacobian @ jacobian.T + second[:, :, :3, 3] @ beyond
    return cost, gradient, normal, exact


def newton(
    skeleton: Skeleton, start: FloatArray, goals: Sequence[tuple[str, FloatArray]], steps: int, *, exact: bool
) -> FloatArray:
    """So many steps, tried ones included, of the damped method without limits; the angles after the last."""
    angles = np.array(start)
    cost, gradient, normal, full = derivatives(skeleton, angles, goals)
    damping, growth = 0.1 * (np.sqrt(cost) if exact else cost), 2.0
    for _ in range(steps):
        model = full if exact else normal
        while np.linalg.eigvalsh(model + damping * np.eye(len(angles)))[0] <= 0.0:
            damping = max(4.0 * damping, 0.1 * np.sqrt(cost))
        step = -np.linalg.solve(model + damping * np.eye(len(angles)), gradient)
        promise = -gradient @ step - 0.5 * step @ model @ step
        there, *ahead = derivatives(skeleton, angles + step, goals)
        if there < cost:
            ratio = (cost - there) / promise
            cost, (gradient, normal, full), angles = there, ahead, angles + step
            damping *= max(1.0 / 3.0, 1.0 - (2.0 * ratio - 1.0) ** 3)
            damping, growth = min(damping, 0.1 * np.sqrt(cost) if exact else cost), 2.0
        else:
            damping, growth = max(damping, 1e-9) * growth, 2.0 * growth
    return angles


def bfgs_update(estimate: FloatArray, step: FloatArray, change: FloatArray) -> FloatArray:
    """Powell's damped update, Nocedal & Wright 2006, procedure 18.2."""
    bend = step @ estimate @ step
    share = 1.0 if step @ change >= 0.2 * bend else 0.8 * bend / (bend - step @ change)
    kept = share * change + (1.0 - share) * estimate @ step
    down = np.outer(estimate @ step, step @ estimate) / bend
    return np.asarray(estimate - down + np.outer(kept, kept) / (step @ kept))
