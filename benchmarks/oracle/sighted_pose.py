"""Where a serial chain is, how far it is from its task and from the posture's shape: the sighted oracle's geometry.

Matrices only; nothing is shared with the package this judges.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.compiled import compiled

FloatArray = NDArray[np.float64]

TURN = 0  # the task is an orientation of the last joint
LOOK = 1  # the task is an eye that looks at a point


class Sight(NamedTuple):
    """One problem: a chain, its task, and the posture's segments."""

    axis: FloatArray  # [joint, 3], unit, own frame
    rest_position: FloatArray  # [joint, 3], m, in the frame of the joint before
    rest_rotation: FloatArray  # [joint, 3, 3]
    segment: FloatArray  # [joint, 3], unit, own frame; zero where there is none
    lower: FloatArray  # [joint], rad
    upper: FloatArray  # [joint], rad
    up: FloatArray  # [3], unit
    drawn: FloatArray  # [joint, 3], unit segments of the posture in the world
    kind: int  # TURN or LOOK
    tool: FloatArray  # [3], m, where the eye is, in the last joint's frame
    looking: FloatArray  # [3, 3], rows: where it looks and two directions across, unit, in the last joint's frame
    wanted: FloatArray  # [choice, 3, 3], orientations of the last joint that are equally right
    point: FloatArray  # [3], m, what to look at
    allowed: float  # rad, error of the task that counts as none


class Pose(NamedTuple):
    """Scratch: where the chain is."""

    position: FloatArray  # [joint, 3]
    rotation: FloatArray  # [joint, 3, 3]
    direction: FloatArray  # [joint, 3]


@compiled
def turned(axis: FloatArray, angle: float, v: FloatArray, out: FloatArray) -> None:
    """Write a vector turned about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    along = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) * (1.0 - c)
    x = c * v[0] + s * (axis[1] * v[2] - axis[2] * v[1]) + along * axis[0]
    y = c * v[1] + s * (axis[2] * v[0] - axis[0] * v[2]) + along * axis[1]
    z = c * v[2] + s * (axis[0] * v[1] - axis[1] * v[0]) + along * axis[2]
    out[0], out[1], out[2] = x, y, z


@compiled
def place(sight: Sight, q: FloatArray, pose: Pose) -> None:
    """Forward kinematics by matrices; `pose` is overwritten."""
    column, local = np.empty(3), np.empty(3)
    for joint in range(q.size):
        for k in range(3):
            # Column k of rest rotation times turn: the rest rotation of the turned unit vector.
            local[:] = 0.0
            local[k] = 1.0
            turned(sight.axis[joint], q[joint], local, local)
            for i in range(3):
                column[i] = 0.0
                for m in range(3):
                    column[i] += sight.rest_rotation[joint, i, m] * local[m]
            for i in range(3):
                total = column[i]
                if joint > 0:
                    total = 0.0
                    for m in range(3):
                        total += pose.rotation[joint - 1, i, m] * column[m]
                pose.rotation[joint, i, k] = total
        for i in range(3):
            pose.position[joint, i] = sight.rest_position[joint, i]
            if joint > 0:
                pose.position[joint, i] = pose.position[joint - 1, i]
                for m in range(3):
                    pose.position[joint, i] += pose.rotation[joint - 1, i, m] * sight.rest_position[joint, m]
            pose.direction[joint, i] = 0.0
            for m in range(3):
                pose.direction[joint, i] += pose.rotation[joint, i, m] * sight.segment[joint, m]


@compiled
def rotation_vector(rotation: FloatArray, goal: FloatArray, out: FloatArray) -> float:
    """Write axis times angle of the turn from one matrix to the other; returns the angle."""
    # The turn is goal rotation^T; its skew part holds axis * sin, its trace the cosine.
    turn = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            turn[i, j] = 0.0
            for m in range(3):
                turn[i, j] += goal[i, m] * rotation[j, m]
    out[0], out[1], out[2] = turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]
    sine = 0.5 * math.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2)
    angle = math.atan2(sine, 0.5 * (turn[0, 0] + turn[1, 1] + turn[2, 2] - 1.0))
    factor = 0.5 if sine < 1e-12 else 0.5 * angle / sine
    for i in range(3):
        out[i] *= factor
    return angle


@compiled
def task_error(sight: Sight, pose: Pose, choice: int, out: FloatArray) -> float:
    """Write the task's error [rad] as independent numbers, three of a turn and two of a look; returns its size."""
    last = len(pose.position) - 1
    if sight.kind == TURN:
        return rotation_vector(pose.rotation[last], sight.wanted[choice], out)
    # Seen from the last joint: where the point lies, and how much of that is ahead and to either side.
    gap, parts = np.zeros(3), np.zeros(3)
    for i in range(3):
        for m in range(3):
            gap[i] += pose.rotation[last, m, i] * (sight.point[m] - pose.position[last, m])
        gap[i] -= sight.tool[i]
    for i in range(3):
        for m in range(3):
            parts[i] += sight.looking[i, m] * gap[m]
    across = math.hypot(parts[1], parts[2])
    angle = math.atan2(across, parts[0])
    factor = angle / across if across > 1e-300 else 0.0
    out[0], out[1], out[2] = factor * parts[1], factor * parts[2], 0.0
    return angle


@compiled
def nearest_choice(sight: Sight, pose: Pose, scratch: FloatArray) -> int:
    """Tell which of the equally right orientations is nearest."""
    best, best_error = 0, math.inf
    for choice in range(len(sight.wanted)):
        error = task_error(sight, pose, choice, scratch)
        if error < best_error:
            best, best_error = choice, error
    return best


@compiled
def shape_gaps(sight: Sight, pose: Pose, gaps: FloatArray) -> None:
    """Write what separates each segment from the posture's, after the best turn about the vertical."""
    up = sight.up
    cosine, sine = 0.0, 0.0
    for k in range(len(gaps)):
        u, v = pose.direction[k], sight.drawn[k]
        u_up = u[0] * up[0] + u[1] * up[1] + u[2] * up[2]
        v_up = v[0] * up[0] + v[1] * up[1] + v[2] * up[2]
        cosine += u[0] * v[0] + u[1] * v[1] + u[2] * v[2] - u_up * v_up
        sine += u[0] * (up[1] * v[2] - up[2] * v[1])
        sine += u[1] * (up[2] * v[0] - up[0] * v[2])
        sine += u[2] * (up[0] * v[1] - up[1] * v[0])
    heading = math.atan2(sine, cosine)
    for k in range(len(gaps)):
        turned(up, heading, sight.drawn[k], gaps[k])
        for i in range(3):
            gaps[k, i] = pose.direction[k, i] - gaps[k, i]


@compiled
def mean_angle(sight: Sight, gaps: FloatArray, rounding: float) -> float:
    """Mean over the segments of the angle [rad] of these chords, its kink at 0 rounded."""
    total, count = 0.0, 0
    for k in range(len(gaps)):
        if sight.segment[k, 0] != 0.0 or sight.segment[k, 1] != 0.0 or sight.segment[k, 2] != 0.0:
            chord = math.sqrt(gaps[k, 0] ** 2 + gaps[k, 1] ** 2 + gaps[k, 2] ** 2)
            angle = 2.0 * math.asin(min(1.0, 0.5 * chord))
            total += math.sqrt(angle * angle + rounding * rounding) - rounding
            count += 1
    return total / max(1, count)
