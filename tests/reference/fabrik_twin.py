"""Slow twin of FABRIK on points: Algorithms 1 and 3 of the FABRIK summary with NumPy, corrected as our page says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
