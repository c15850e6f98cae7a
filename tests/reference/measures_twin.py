"""Slow twin of the measures: written from Ribeiro & Paiva, sec. 3.6 (eq. 19-22, Algorithms 4-6), with matrices.

Corrected as our pages say: directions are unit vectors, both measures are in [0, 1], bends are counted from 0 without
the twisters, in the sum and in its norm. Everything broadcasts over leading axes; nothing is taken from the package.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]

ORIENTATION_WEIGHT = 1.0
POSTURE_WEIGHT = 0.2


def rotation_matrix(quaternion: ArrayLike) -> FloatArray:
    """Write unit quaternions, w first, [..., 4] as matrices [..., 3, 3]."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=np.float64), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def turn_matrix(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """Rodrigues' matrix [..., 3, 3] of a turn by angles [...] rad about one unit axis."""
    x, y, z = np.asarray(axis, dtype=np.float64)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.asarray(angle, dtype=np.float64)[..., None, None]
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)


def angle_between_rotations(first: FloatArray, second: FloatArray) -> FloatArray:
    """Angle [rad] of the turn that leads from one matrix to the other, in [0, pi]."""
    # The chord |A - B| = 2 sqrt(2) sin(angle / 2) keeps small angles that the trace loses.
    chord = np.linalg.norm(first - second, axis=(-2, -1)) / (2.0 * np.sqrt(2.0))
    return 2.0 * np.arcsin(np.minimum(chord, 1.0))


def orientation_angle(end: FloatArray, target: FloatArray, symmetric_axis: ArrayLike | None = None) -> FloatArray:
    """Angle [rad] between an end's orientation and its target; the smaller one when half a turn about an axis is free.

    The axis is given in the end's own frame.
    """
    angle = angle_between_rotations(end, target)
    if symmetric_axis is None:
        return angle
    return np.minimum(angle, angle_between_rotations(end @ turn_matrix(symmetric_axis, np.pi), target))


def orientation_measure(end: FloatArray, target: FloatArray, symmetric_axis: ArrayLike | None = None) -> FloatArray:
    """The paper's Z, eq. 20: min(|t - w|, |t + w|) / sqrt(2) of two unit quaternions an angle apart, in [0, 1]."""
    return np.sqrt(2.0) * np.sin(orientation_angle(end, target, symmetric_axis) / 4.0)


def posture_measure(directions: FloatArray, drawn: FloatArray, base: ArrayLike, aggravation: float = 1.0) -> FloatArray:
    """The paper's posture error, eq. 21-22 and Algorithm 6, in [0, 1].

    directions, drawn [..., bend, 3]: unit segments of the solution and of the posture, of the joints that bend only;
    base: unit direction the first bend is measured from.
    """
    start = np.broadcast_to(np.asarray(base, dtype=np.float64), (*directions.shape[:-2], 1, 3))
    cosines = [
        np.sum(np.concatenate((start, chain[..., :-1, :]), axis=-2) * chain, axis=-1) for chain in (directions, drawn)
    ]
    weights = aggravation ** np.arange(directions.shape[-2])
    return (np.abs(cosines[0] - cosines[1]) / 2.0) @ weights / weights.sum()


def shape_error(directions: FloatArray, drawn: FloatArray, up: ArrayLike) -> FloatArray:
    """The sighted measure [degrees]: mean angle between corresponding segments after the best turn about the vertical.

    directions, drawn [..., segment, 3] are unit segments; the turn h of the drawn ones is the least-squares one, which
    maximises the sum of u . R(up, h) v = const + cos(h) (u . v - (u . up)(v . up)) + sin(h) u . (up x v).
    """
    up = np.asarray(up, dtype=np.float64)
    cosine = np.sum(directions * drawn, axis=(-2, -1)) - np.sum((directions @ up) * (drawn @ up), axis=-1)
    sine = np.sum(directions * np.cross(up, drawn), axis=(-2, -1))
    turned = drawn @ np.swapaxes(turn_matrix(up, np.arctan2(sine, cosine)), -2, -1)
    chords = np.linalg.norm(directions - turned, axis=-1) / 2.0
    return np.degrees(np.mean(2.0 * np.arcsin(np.minimum(chords, 1.0)), axis=-1))
