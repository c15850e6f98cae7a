"""Paths through a whole clip: which of several poses to take at each moment, and how to keep to every speed."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays
from gestik.kernels.jit import stage
from gestik.kernels.manifold import difference_of_angles, step_angles
from gestik.motion.stages import steps_between

LOST = 0.2  # cost of a moment lost on the way from one pose to another
LEAST_REACH = 1e-6  # rad or m
UNLIMITED = 1e6  # rad/s or m/s: a speed that limits nothing


@stage
def best_path(times: FloatArray, poses: FloatArray, costs: FloatArray, speed: FloatArray, path: IntArray) -> None:
    """Choose among poses [moment, lane, dof] so that their costs and the moments lost on leaps are least in all.

    `path` [moment], the lane of each, is overwritten.  Bellman's dynamic programming.
    """
    moments, lanes = costs.shape
    totals, before, reach = costs[0].copy(), np.zeros((moments, lanes), np.int32), np.empty(len(speed))
    for k in range(1, moments):
        for i in range(len(speed)):
            reach[i] = speed[i] * (times[k] - times[k - 1])
        new = np.empty(lanes)
        for lane in range(lanes):
            least = np.inf
            for old in range(lanes):
                steps = steps_between(poses[k - 1, old], poses[k, lane], reach, LEAST_REACH)
                total = totals[old] + LOST * max(0.0, steps - 1.0)
                if total < least:
                    least = total
                    before[k, lane] = old
            new[lane] = least + costs[k, lane]
        totals = new
    lane = int(np.argmin(totals))
    for k in range(moments - 1, -1, -1):
        path[k] = lane
        lane = before[k, lane]


@stage
def keep_speeds(times: FloatArray, speed: FloatArray, angles: FloatArray) -> None:
    """Bring angles [moment, dof] as near as can be to what they were, so that none moves faster than its `speed`.

    They are overwritten.  The middle between the least and the largest function with that slope that stay above and
    below (McShane 1934, Whitney 1934) is nowhere farther away than it must be; what is slow enough stays as it is.
    """
    moments = len(times)
    above, below = np.empty(moments), np.empty(moments)
    for i in range(len(speed)):
        top = speed[i]
        if top >= UNLIMITED:
            continue
        for k in range(moments):
            above[k] = below[k] = angles[k, i]
        for k in range(1, moments):
            room = top * (times[k] - times[k - 1])
            above[k] = min(above[k], above[k - 1] + room)
            below[k] = max(below[k], below[k - 1] - room)
        for k in range(moments - 2, -1, -1):
            room = top * (times[k + 1] - times[k])
            above[k] = min(above[k], above[k + 1] + room)
            below[k] = max(below[k], below[k + 1] - room)
        for k in range(moments):
            if above[k] != below[k]:
                angles[k, i] = 0.5 * (above[k] + below[k])


@stage
def without_wraps(skeleton: SkeletonArrays, ball_rows: IntArray, endless: IntArray, angles: FloatArray) -> None:
    """Of angles that mean the same poses, take at each moment those nearest to the moment before; overwritten."""
    change, near = np.empty(angles.shape[1]), np.empty(angles.shape[1])
    for k in range(1, len(angles)):
        difference_of_angles(skeleton, ball_rows, endless, angles[k - 1], angles[k], change)
        step_angles(skeleton, ball_rows, angles[k - 1], change, near)
        angles[k, :] = near
