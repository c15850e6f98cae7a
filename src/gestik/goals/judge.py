"""How far angles are from what a goal asks, in plain Python: for explanations, one pose at a time."""

from __future__ import annotations

import math

import numpy as np

from gestik.goals.goal import BoundGoal
from gestik.goals.kinds import AIM_AT_POINT, CENTER_OF_MASS_GOAL, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.model.joints import Frame
from gestik.model.pose import Pose
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose, invert, multiply, rotate


def goal_error(goal: BoundGoal, pose: Pose, target: FloatArray) -> float:
    """The error [m or rad] of one goal, as solutions report it: what is missing along the axes that count."""
    here = placed(goal.frame, pose)
    if goal.masses:
        here = as_vector(pose.center_of(goal.masses)), IDENTITY
    seen = compose(*invert(*placed(goal.reference, pose)), *here)
    missing = _missing(goal, *seen, target)
    cut = [
        math.copysign(max(0.0, abs(part) - room), part) if counts else 0.0
        for part, room, counts in zip(missing, goal.slack[1:], goal.axes, strict=True)
    ]
    return max(0.0, float(np.linalg.norm(cut)) - goal.slack[0])


def placed(frame: Frame, pose: Pose) -> tuple[Vector, Quaternion]:
    """Where a frame is in the world."""
    if frame.row < 0:
        return frame.position, frame.rotation
    above = as_vector(pose.row_positions[frame.row]), as_quaternion(pose.row_rotations[frame.row])
    return compose(*above, frame.position, frame.rotation)


def _missing(goal: BoundGoal, position: Vector, rotation: Quaternion, target: FloatArray) -> FloatArray:
    """The way [m] or the turn [rad] that is missing, seen from the reference."""
    if goal.kind in (POSITION_GOAL, CENTER_OF_MASS_GOAL):
        return np.asarray(target - np.array(position))
    if goal.kind == ORIENTATION_GOAL:
        wanted = as_quaternion(target)
        turns = [wanted]
        if goal.symmetric:
            turns.append(multiply(wanted, (0.0, *goal.axis)))
        return min((_turn(multiply(turn, invert(ORIGIN, rotation)[1])) for turn in turns), key=np.linalg.norm)
    looking = np.array(rotate(rotation, goal.axis))
    sight = np.asarray(target, dtype=np.float64)
    if goal.kind == AIM_AT_POINT:
        sight = sight - np.array(position)
    across = np.cross(looking, sight)
    angle = math.atan2(float(np.linalg.norm(across)), float(looking @ sight))
    # Of a gaze only the size is asked: no axis can be left out.
    return np.array((angle, 0.0, 0.0)) if sight.any() else np.zeros(3)


def _turn(q: Quaternion) -> FloatArray:
    """Axis times angle [rad], the short way round."""
    vector = np.array(q[1:]) * (1.0 if q[0] >= 0.0 else -1.0)
    sine = float(np.linalg.norm(vector))
    return vector * (2.0 * math.atan2(sine, abs(q[0])) / sine) if sine > 1e-15 else 2.0 * vector
