"""Limits one can see: an arc for what turns, a bar for what slides, a cone for how far a ball joint leans."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import from_axis_angle, multiply
from gestik.pictures.figure import figure_size
from gestik.pictures.solids import rotation_matrix

if TYPE_CHECKING:
    import viser

RADIUS = 0.085  # of an arc, in figure sizes
STEP = math.radians(6.0)  # between the points of an arc
UPWARDS = (0.0, 0.0, 1.0)  # of a cone that was never built
WIDTH = 2.0  # of lines [pixels]
ARC, CONE = (216, 68, 47), (29, 138, 140)  # sRGB bytes


class Mark(NamedTuple):
    """Lines that show one limit, in a frame that does not move with the motion they limit."""

    row: int  # whose frame they are in, once its own turn is undone
    dof: int  # the degree of freedom that turn is
    segments: FloatArray  # [n, 2, 3], m
    colour: tuple[int, int, int]


def marks_of(skeleton: Skeleton) -> list[Mark]:
    """The marks of every limit that is one; what is unlimited has none."""
    radius = RADIUS * figure_size(skeleton)
    marks = []
    for dof, row in enumerate(skeleton.dof_rows.tolist()):
        low, high = float(skeleton.lower[dof]), float(skeleton.upper[dof])
        if not math.isfinite(high - low):
            continue
        axis = _vector(skeleton.arrays.axis[row])
        if skeleton.dof_slides[dof]:
            segments = np.array([[low * np.array(axis), high * np.array(axis)]])
        else:
            bone = skeleton.segments[skeleton.row_joints[row]]
            segments = _fan(radius * _across(axis, bone), axis, low, high)
        marks.append(Mark(row, dof, segments, ARC))
    dof_of = {row: dof for dof, row in enumerate(skeleton.dof_rows.tolist())}
    for cone in skeleton.cones:
        first = skeleton.turns_of(skeleton.joint_names.index(cone.joint))[0]
        marks.append(Mark(first, dof_of[first], _umbrella(cone.axis or UPWARDS, cone.swing, 1.6 * radius), CONE))
    return marks


def _fan(begin: FloatArray, axis: Vector, low: float, high: float) -> FloatArray:
    """An arc [n, 2, 3] from one limit to the other, with a spoke at both ends."""
    count = max(2, math.ceil((high - low) / STEP) + 1)
    arc = np.array([rotation_matrix(from_axis_angle(axis, angle)) @ begin for angle in np.linspace(low, high, count)])
    spokes = np.array([[np.zeros(3), arc[0]], [np.zeros(3), arc[-1]]])
    return np.concatenate([np.stack([arc[:-1], arc[1:]], axis=1), spokes])


def _umbrella(axis: Vector, swing: float, length: float) -> FloatArray:
    """The rim of a cone and its ribs [n, 2, 3]."""
    side = _across(axis, np.zeros(3))
    leaned = rotation_matrix(from_axis_angle(_vector(np.cross(axis, side)), -swing)) @ np.array(axis)
    turns = [rotation_matrix(from_axis_angle(axis, angle)) for angle in np.linspace(0.0, 2.0 * math.pi, 33)]
    rim = length * np.array([turn @ leaned for turn in turns])
    ribs = np.stack([np.zeros((8, 3)), rim[:-1:4]], axis=1)
    return np.concatenate([np.stack([rim[:-1], rim[1:]], axis=1), ribs])


def _across(axis: Vector, wish: FloatArray) -> FloatArray:
    """A unit vector at right angles to an axis: where a bone points, if it does not point along it."""
    across = wish - (wish @ np.array(axis)) * np.array(axis)
    if not float(np.linalg.norm(across)) > 0.2 * float(np.linalg.norm(wish)):  # also where there is no bone
        aside = np.eye(3)[int(np.argmin(np.abs(axis)))]
        across = aside - (aside @ np.array(axis)) * np.array(axis)
    return np.asarray(across / np.linalg.norm(across))


def _vector(values: ArrayLike) -> Vector:
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return x, y, z


class LimitMarks:
    """The marks of a skeleton in a scene, made when they are first asked for."""

    def __init__(self, scene: viser.SceneApi, skeleton: Skeleton) -> None:
        self._scene, self._skeleton = scene, skeleton
        self._marks: list[tuple[Mark, viser.LineSegmentsHandle]] = []
        self.seen = False

    def appear(self, seen: bool, angles: ArrayLike) -> None:
        """Show them where the angles [rad or m] put them, or hide them."""
        self.seen = seen
        if seen and not self._marks:
            for number, mark in enumerate(marks_of(self._skeleton)):
                lines = self._scene.add_line_segments(
                    f"/limits/{number}",
                    mark.segments.astype(np.float32),
                    mark.colour,
                    thickness=WIDTH,
                    thickness_units="screen",
                )
                self._marks.append((mark, lines))
        for _, node in self._marks:
            node.visible = seen
        self.show(angles)

    def show(self, angles: ArrayLike) -> None:
        """Let them follow."""
        if not self.seen:
            return
        pose, checked = self._skeleton.forward(angles), self._skeleton.check_angles(angles)
        for mark, node in self._marks:
            position, rotation = unmoved(self._skeleton, mark, checked, pose.row_positions, pose.row_rotations)
            node.position, node.wxyz = position, rotation


def unmoved(
    skeleton: Skeleton, mark: Mark, angles: FloatArray, positions: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, Quaternion]:
    """Where the frame of a mark is: the row's, as if its own motion were 0.

    Args:
        skeleton: what moves.
        mark: whose frame is asked for.
        angles: [dof], rad or m.
        positions: [row, 3], m, of every row.
        rotations: [row, 4], w first, likewise.
    """
    axis, angle = _vector(skeleton.arrays.axis[mark.row]), float(angles[mark.dof])
    w, x, y, z = rotations[mark.row].tolist()
    if skeleton.dof_slides[mark.dof]:
        return positions[mark.row] - angle * (rotation_matrix((w, x, y, z)) @ np.array(axis)), (w, x, y, z)
    return positions[mark.row], multiply((w, x, y, z), from_axis_angle(axis, -angle))
