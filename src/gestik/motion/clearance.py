"""How much room there is between the capsules of a body, moment by moment, and how fast its joints turn."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays, Vector
from gestik.kernels.forward import forward_rows
from gestik.kernels.jit import kernel, stage
from gestik.kernels.manifold import difference_of_angles
from gestik.kernels.quaternion import load4, rotate
from gestik.kernels.vector import add, dot, load3, load3_at, norm, scale, subtract

# Columns of capsules [capsule, CAPSULE_WIDTH].
START = 0  # 3, m, in the frame of its row
END = 3  # 3
RADIUS = 6  # m
CAPSULE_WIDTH = 7


@kernel
def segment_distance(a: Vector, b: Vector, c: Vector, d: Vector) -> float:
    """The least distance between the segments a-b and c-d [m]; either may be a point.

    The closest points of the two lines, brought onto the segments one after the other.
    """
    along, other, gap = subtract(b, a), subtract(d, c), subtract(a, c)
    aa, bb, ab = dot(along, along), dot(other, other), dot(along, other)
    ag, bg = dot(along, gap), dot(other, gap)
    on_first, on_second = 0.0, 0.0
    area = aa * bb - ab * ab
    if area > 1e-12 * aa * bb:
        on_first = min(max((ab * bg - ag * bb) / area, 0.0), 1.0)
    if bb > 0.0:
        on_second = (ab * on_first + bg) / bb
    clamped = min(max(on_second, 0.0), 1.0)
    if (clamped != on_second or bb == 0.0) and aa > 0.0:
        on_first = min(max((ab * clamped - ag) / aa, 0.0), 1.0)
    return norm(subtract(add(a, scale(along, on_first)), add(c, scale(other, clamped))))


@stage
def least_gaps(
    skeleton: SkeletonArrays,
    angles: FloatArray,
    rows: IntArray,
    capsules: FloatArray,
    pairs: IntArray,
    gaps: FloatArray,
) -> None:
    """Gaps [moment, pair] between pairs of capsules [m], below 0 where they overlap; overwritten."""
    count = len(skeleton.parent)
    positions, rotations = np.empty((count, 3)), np.empty((count, 4))
    ends = np.empty((len(rows), 6))
    for k in range(len(angles)):
        forward_rows(skeleton, angles[k], positions, rotations)
        for i in range(len(rows)):
            start, end = load3_at(capsules, i, START), load3_at(capsules, i, END)
            if rows[i] >= 0:
                turn, place = load4(rotations, rows[i]), load3(positions, rows[i])
                start, end = add(place, rotate(turn, start)), add(place, rotate(turn, end))
            for axis in range(3):
                ends[i, axis], ends[i, 3 + axis] = start[axis], end[axis]
        for pair in range(len(pairs)):
            one, two = pairs[pair, 0], pairs[pair, 1]
            apart = segment_distance(
                load3_at(ends, one, 0), load3_at(ends, one, 3), load3_at(ends, two, 0), load3_at(ends, two, 3)
            )
            gaps[k, pair] = apart - capsules[one, RADIUS] - capsules[two, RADIUS]


@stage
def steps_along(
    skeleton: SkeletonArrays, ball_rows: IntArray, endless: IntArray, angles: FloatArray, steps: FloatArray
) -> None:
    """The shortest step from each moment to the next [moment - 1, dof], of ball joints a rotation; overwritten."""
    for k in range(len(steps)):
        difference_of_angles(skeleton, ball_rows, endless, angles[k], angles[k + 1], steps[k])


@stage
def centre_path(
    skeleton: SkeletonArrays,
    angles: FloatArray,
    rows: IntArray,
    places: FloatArray,
    masses: FloatArray,
    out: FloatArray,
) -> None:
    """The centre of mass at each moment [moment, 3, m]; masses [k] stand at `places` [k, 3] of rows; overwritten."""
    count = len(skeleton.parent)
    positions, rotations = np.empty((count, 3)), np.empty((count, 4))
    whole = 0.0
    for i in range(len(masses)):
        whole += masses[i]
    for k in range(len(angles)):
        forward_rows(skeleton, angles[k], positions, rotations)
        centre: Vector = (0.0, 0.0, 0.0)
        for i in range(len(rows)):
            place = load3(places, i)
            if rows[i] >= 0:
                place = add(load3(positions, rows[i]), rotate(load4(rotations, rows[i]), place))
            centre = add(centre, scale(place, masses[i] / whole))
        for axis in range(3):
            out[k, axis] = centre[axis]
