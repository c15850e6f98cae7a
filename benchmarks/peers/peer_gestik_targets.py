"""Targets as gestik takes them."""

from __future__ import annotations

import numpy as np


def as_place_and_turn(place):
    """A target as gestik takes it: a point and a quaternion."""
    weights, axes = np.linalg.eigh(davenport(place[:3, :3]))
    return place[:3, 3].copy(), axes[:, np.argmax(weights)]


def davenport(turn):
    """The matrix whose largest eigenvector is a rotation's quaternion, w first."""
    skew = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    matrix = np.empty((4, 4))
    matrix[0, 0] = np.trace(turn)
    matrix[0, 1:] = matrix[1:, 0] = skew
    matrix[1:, 1:] = turn + turn.T - np.trace(turn) * np.eye(3)
    return matrix
