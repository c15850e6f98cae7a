"""Slow twin of the closed form for two bones: the course notes' two steps with matrices, corrected.

Corrected as our page says: theta_1z from sine and cosine, beta from both components, the distance brought inside the
reach. Nothing is taken from the package.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tests.reference.measures_twin import turn_matrix

FloatArray = NDArray[np.float64]

X, Y, Z = np.eye(3)


def notes_angles(first: float, second: float, target: ArrayLike) -> tuple[float, float, float, float]:
    """beta, delta, theta_1z and theta_2z [rad] for a target [3] m seen from the first joint."""
    x, y, z = np.asarray(target, dtype=np.float64)
    r = np.clip(np.sqrt(x * x + y * y + z * z), abs(first - second), first + second)
    phi = np.arccos(np.clip((r * r - first**2 - second**2) / (-2.0 * first * second), -1.0, 1.0))
    theta_2z = phi - np.pi
    theta_1z = np.arctan2(-second * np.sin(theta_2z), first + second * np.cos(theta_2z))
    return np.arctan2(-z, x), np.arctan2(y, np.hypot(x, z)), theta_1z, theta_2z


def notes_points(first: float, second: float, angles: ArrayLike) -> FloatArray:
    """Root, middle and end [3, 3] m by forward kinematics of R_1 = R_y R_z R_z and R_2 = R_z."""
    beta, delta, theta_1z, theta_2z = np.asarray(angles, dtype=np.float64)
    r1 = turn_matrix(Y, beta) @ turn_matrix(Z, delta) @ turn_matrix(Z, theta_1z)
    middle = r1 @ (first * X)
    return np.array([np.zeros(3), middle, middle + r1 @ turn_matrix(Z, theta_2z) @ (second * X)])


def farthest_and_nearest(first: float, second: float) -> tuple[float, float]:
    """The shell [m] the end can be in."""
    return first + second, abs(first - second)
