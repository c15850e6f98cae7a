"""Slow twins of the Jacobian methods' steps, by NumPy's own inverses, from Ribeiro & Paiva eq. 4 to 15 as corrected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
RANK = 1e-7


def transpose(J: FloatArray, e: FloatArray) -> FloatArray:
    """Eq. 4, with the step length of Buss 2004."""
    moved = J @ J.T @ e
    return (e @ moved) / (moved @ moved) * J.T @ e


def damped_inverse(J: FloatArray, damping: float) -> FloatArray:
    """Eq. 9; without damping the pseudoinverse, cut off at its rank."""
    if damping == 0.0:
        return np.linalg.pinv(J, rcond=RANK)
    return J.T @ np.linalg.inv(J @ J.T + damping**2 * np.eye(len(J)))


def maciejewski(J: FloatArray, e: FloatArray, bound: float) -> float:
    """Eq. 15, with the least singular value of those that are not zero."""
    sigma = np.linalg.svd(J)[1]
    least = sigma[sigma > RANK * sigma.max()].min()
    d = float(np.linalg.norm(e)) / bound
    if least <= d / 2:
        return d / 2
    return float(np.sqrt(least * (d - least))) if least < d else 0.0


def clamp_largest(v: FloatArray, most: float) -> FloatArray:
    """ClampMaxAbs."""
    return v * min(1.0, most / np.abs(v).max()) if v.any() else v


def sdls(J: FloatArray, e: FloatArray, most: float, rows: int = 3) -> FloatArray:
    """Eq. 11 and 12 as Buss & Kim 2005 have them: N and M are sums over end-effectors of `rows` rows each."""
    U, sigma, Vt = np.linalg.svd(J, full_matrices=False)
    ends = len(e) // rows
    rho = np.linalg.norm(J.reshape(ends, rows, -1), axis=1)
    total = np.zeros(J.shape[1])
    for i in range(int((sigma > RANK * sigma.max()).sum())):
        N = np.linalg.norm(U[:, i].reshape(ends, rows), axis=1).sum()
        M = sum((np.abs(Vt[i]) * rho[end]).sum() / sigma[i] for end in range(ends))
        gamma = min(1.0, N / M) * most
        total += clamp_largest((U[:, i] @ e) / sigma[i] * Vt[i], gamma)
    return clamp_largest(total, most)


def prioritised(levels: list[tuple[FloatArray, FloatArray]], damping: float) -> FloatArray:
    """Eq. 14: the projector of the stacked Jacobians above, by the undamped pseudoinverse."""
    count = levels[0][0].shape[1]
    step, above = np.zeros(count), np.zeros((0, count))
    for J, e in levels:
        P = np.eye(count) - (np.linalg.pinv(above, rcond=RANK) @ above if len(above) else 0.0)
        U, sigma, Vt = np.linalg.svd(J @ P, full_matrices=False)
        rank = sigma > 1e-6 * np.linalg.norm(J)
        step = step + (Vt[rank].T * (sigma[rank] / (sigma[rank] ** 2 + damping**2))) @ U[:, rank].T @ (e - J @ step)
        above = np.vstack([above, J])
    return step
