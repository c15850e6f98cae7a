"""Slow twin of stacked tasks: residuals by matrices from forward kinematics, Jacobians by differences of them.

A goal's missing part is taken in the axes of its reference: the way to a point [m], the rotation vector of a turn, the
rotation vector that leads a gaze to its target.  Axes that do not count and slack are taken off, then the weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from tests.reference.forward_twin import joint_frames, named_frame
from tests.reference.measures_twin import rotation_matrix

FloatArray = NDArray[np.float64]


def matrix_log(turn: FloatArray) -> FloatArray:
    """The rotation vector of a rotation matrix by less than half a turn."""
    vector = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine = np.linalg.norm(vector)
    angle = np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0))
    return vector if sine < 1e-12 else vector * (angle / sine)


def center_of_mass(skeleton: gk.Skeleton, angles: FloatArray) -> FloatArray:
    """Where the centre of all masses is, by the frames of their rows."""
    frames = [np.eye(4), *joint_frames(skeleton, angles)]
    places = [(frames[part.row + 1] @ (*part.position, 1.0))[:3] for part in skeleton.masses]
    return np.average(places, axis=0, weights=[part.mass for part in skeleton.masses])


def missing(skeleton: gk.Skeleton, angles: FloatArray, goal: object) -> FloatArray:
    """What is missing to a goal, in its reference, before axes, slack and weight."""
    seen = np.eye(4) if isinstance(goal, gk.CenterOfMass) else named_frame(skeleton, angles, goal.frame)
    if isinstance(goal, gk.CenterOfMass):
        seen[:3, 3] = center_of_mass(skeleton, angles)
    if goal.relative_to is not None:
        seen = np.linalg.inv(named_frame(skeleton, angles, goal.relative_to)) @ seen
    if isinstance(goal, (gk.Position, gk.CenterOfMass)):
        return np.asarray(goal.point) - seen[:3, 3]
    if isinstance(goal, gk.Orientation):
        wanted = [rotation_matrix(goal.quaternion)]
        if goal.symmetric is not None:
            axis = np.asarray(goal.bind(skeleton).axis)
            wanted.append(wanted[0] @ (2.0 * np.outer(axis, axis) - np.eye(3)))
        return min((matrix_log(turn @ seen[:3, :3].T) for turn in wanted), key=np.linalg.norm)
    bound = goal.bind(skeleton)
    eye = seen[:3, :3] @ np.asarray(goal.eye if goal.eye is not None else np.zeros(3)) + seen[:3, 3]
    looking = seen[:3, :3] @ np.asarray(bound.axis)
    sight = np.asarray(goal.at) - eye if goal.at is not None else np.asarray(goal.along)
    sight = sight / np.linalg.norm(sight)
    # Its length is that of the arc, its direction that of the chord: what methods minimise is the length.
    chord = sight - looking
    length = np.linalg.norm(chord)
    return chord * (2.0 * np.arcsin(0.5 * length) / length) if length > 0.0 else chord


def residual(skeleton: gk.Skeleton, angles: FloatArray, goal: object) -> FloatArray:
    """The weighted residual of one goal [3]."""
    vector = missing(skeleton, angles, goal)
    slack = np.asarray(getattr(goal, "slack", 0.0), dtype=np.float64)
    counts = np.array([name in getattr(goal, "axes", "xyz") for name in "xyz"])
    box = slack if slack.ndim else np.zeros(3)
    vector = np.where(counts, np.sign(vector) * np.maximum(0.0, np.abs(vector) - box), 0.0)
    size, ball = np.linalg.norm(vector), float(slack) if slack.ndim == 0 else 0.0
    vector = vector * (max(0.0, size - ball) / size) if ball > 0.0 and size > 0.0 else vector
    return goal.weight * vector


def stacked(skeleton: gk.Skeleton, angles: FloatArray, goals: list[object]) -> tuple[FloatArray, FloatArray]:
    """Residuals [3 goal] and their Jacobian [3 goal, dof] by central differences."""
    step = 1e-6

    def at(q: FloatArray) -> FloatArray:
        return np.concatenate([residual(skeleton, q, goal) for goal in goals])

    jacobian = np.empty((3 * len(goals), skeleton.dof_count))
    for dof in range(skeleton.dof_count):
        change = np.zeros(skeleton.dof_count)
        change[dof] = step
        jacobian[:, dof] = (at(angles + change) - at(angles - change)) / (2.0 * step)
    return at(angles), jacobian
