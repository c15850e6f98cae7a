"""Slow twin of FABRIK on points: Algorithms 1 and 3 of the FABRIK summary with NumPy, corrected as our page says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tests.reference.measures_twin import turn_matrix

FloatArray = NDArray[np.float64]


def fabrik(points: ArrayLike, target: ArrayLike, most: int, tolerance: float) -> tuple[FloatArray, int] | None:
    """Algorithm 1; the points and how many iterations it took, or None where the printed test finds no reach."""
    p = np.array(points, dtype=np.float64)
    wanted = np.asarray(target, dtype=np.float64)
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1)
    if np.linalg.norm(wanted - p[0]) > lengths.sum():
        return None
    base = p[0].copy()
    for count in range(most):
        if np.linalg.norm(p[-1] - wanted) <= tolerance:
            return p, count
        p[-1] = wanted
        for i in reversed(range(len(lengths))):
            share = lengths[i] / np.linalg.norm(p[i + 1] - p[i])
            p[i] = (1 - share) * p[i + 1] + share * p[i]
        p[0] = base
        for i in range(len(lengths)):
            share = lengths[i] / np.linalg.norm(p[i + 1] - p[i])
            p[i + 1] = (1 - share) * p[i] + share * p[i + 1]
    return p, most


def constrained_angles(frame: FloatArray, link: FloatArray, limits: FloatArray) -> tuple[float, float]:
    """Algorithm 2 for both axes, limits [2, 2] rad: x in the plane of z and x, y the elevation, each the closest."""
    v = frame.T @ link
    x, y = np.arctan2(v[0], v[2]), np.arctan2(v[1], np.hypot(v[0], v[2]))
    turns = [x + 2.0 * np.pi * k for k in (-1, 0, 1)]
    if not any(limits[0, 0] <= turn <= limits[0, 1] for turn in turns):
        x = min(limits[0], key=lambda limit: np.abs(np.angle(np.exp(1j * (limit - x)))))
    return x, np.clip(y, *limits[1])


def direction(x: float, y: float) -> FloatArray:
    """What two angles mean, in the joint's frame."""
    return np.array([np.cos(y) * np.sin(x), np.sin(y), np.cos(y) * np.cos(x)])


def swing(x: float, y: float) -> FloatArray:
    """The turn of a link by its angles, as a matrix."""
    return turn_matrix((0, 1, 0), x) @ turn_matrix((1, 0, 0), -y)


def constrained_passes(
    points: ArrayLike, target: ArrayLike, limits: FloatArray, rest: FloatArray, count: int, *, carried: bool
) -> tuple[FloatArray, FloatArray]:
    """So many iterations of Algorithm 3 without its tests; points [n, 3] and angles [n - 1, 2].

    rest [n - 1, 3, 3]: the joints' frames.
    """
    p = np.array(points, dtype=np.float64)
    lengths = np.linalg.norm(np.diff(p, axis=0), axis=1)
    base, wanted = p[0].copy(), np.asarray(target, dtype=np.float64)
    angles = np.zeros((len(lengths), 2))
    frames = rest.copy()
    for i in range(len(lengths)):
        if carried and i:
            frames[i] = frames[i - 1] @ swing(*angles[i - 1]) @ rest[i - 1].T @ rest[i]
        wide = np.array([[-np.pi, np.pi], [-np.pi / 2, np.pi / 2]])
        angles[i] = constrained_angles(frames[i], p[i + 1] - p[i], wide)
    for _ in range(count):
        p[-1] = wanted
        for i in reversed(range(len(lengths))):
            x, y = constrained_angles(frames[i], p[i + 1] - p[i], limits[i])
            p[i] = p[i + 1] - lengths[i] * frames[i] @ direction(x, y)
        p[0] = base
        for i in range(len(lengths)):
            if carried and i:
                frames[i] = frames[i - 1] @ swing(*angles[i - 1]) @ rest[i - 1].T @ rest[i]
            angles[i] = constrained_angles(frames[i], p[i + 1] - p[i], limits[i])
            p[i + 1] = p[i] + lengths[i] * frames[i] @ direction(*angles[i])
    return p, angles
