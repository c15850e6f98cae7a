"""Many turns at once, [..., 4] w first, in NumPy: reading and writing files needs no compiler."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray


def products(a: FloatArray, b: FloatArray) -> FloatArray:
    """The turns b followed by the turns a."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        (
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ),
        axis=-1,
    )


def inverses(q: FloatArray) -> FloatArray:
    """The opposite turns of unit quaternions."""
    opposite: FloatArray = q * np.array([1.0, -1.0, -1.0, -1.0])
    return opposite


def turned(q: FloatArray, v: FloatArray) -> FloatArray:
    """The vectors [..., 3] turned by unit quaternions."""
    axis = np.broadcast_to(q[..., 1:], (*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), 3))
    twice = 2.0 * np.cross(axis, v)
    return v + q[..., :1] * twice + np.cross(axis, twice)


def slerps(start: FloatArray, end: FloatArray, fraction: FloatArray) -> FloatArray:
    """Unit quaternions on the shortest ways from `start` to `end`; fraction [...] from 0 to 1."""
    cosine = np.sum(start * end, axis=-1)
    end = np.where(cosine[..., None] < 0.0, -end, end)
    # By the chords of sum and difference: exact for small angles, where an arc cosine is not.
    half = np.arctan2(np.linalg.norm(end - start, axis=-1), np.linalg.norm(end + start, axis=-1))
    angle = 2.0 * half
    sine = np.sin(angle)
    near = sine < 1e-9
    divisor = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - fraction, np.sin((1.0 - fraction) * angle) / divisor)
    second = np.where(near, fraction, np.sin(fraction * angle) / divisor)
    return normalised(first[..., None] * start + second[..., None] * end)


def normalised(q: FloatArray) -> FloatArray:
    """Brought to length one; the identity where there is no length."""
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    safe = np.where(length < 1e-12, 1.0, length)
    return np.where(length < 1e-12, [1.0, 0.0, 0.0, 0.0], q / safe)


def zyx_angles(q: FloatArray) -> FloatArray:
    """The angles [..., 3] rad of R_z(a) R_y(b) R_x(c); the middle one within a quarter turn."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    first = np.arctan2(2.0 * (x * y + w * z), w * w + x * x - y * y - z * z)
    third = np.arctan2(2.0 * (y * z + w * x), w * w - x * x - y * y + z * z)
    cosine = np.hypot(w * w + x * x - y * y - z * z, 2.0 * (x * y + w * z))
    return np.stack((first, np.arctan2(2.0 * (w * y - x * z), cosine), third), axis=-1)


def without_leaps(angles: FloatArray) -> FloatArray:
    """The same turns by angles [moment, ..., 3] of `zyx_angles`, each as near as can be to the moment before."""
    smooth = np.array(angles)
    for k in range(1, len(smooth)):
        before, after = smooth[k - 1], smooth[k]
        mirrored = np.stack((after[..., 0] + np.pi, np.pi - after[..., 1], after[..., 2] + np.pi), axis=-1)
        plain, other = (_near(choice, before) for choice in (after, mirrored))
        far = np.sum((plain - before) ** 2, axis=-1) <= np.sum((other - before) ** 2, axis=-1)
        smooth[k] = np.where(far[..., None], plain, other)
    return smooth


def _near(angles: FloatArray, before: FloatArray) -> FloatArray:
    """The same angles by whole rounds nearer to those before."""
    rounds: FloatArray = angles - 2.0 * np.pi * np.round((angles - before) / (2.0 * np.pi))
    return rounds
