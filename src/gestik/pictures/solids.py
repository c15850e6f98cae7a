"""Triangles for the shapes a skeleton is drawn with: everything round is turned on one lathe."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.joints import Shape, ShapeKind

Profile = list[tuple[float, float]]  # (radius, height) points [m], from the bottom up along the outside

CREASE = math.radians(40.0)  # faces that meet flatter than this look round, sharper ones keep their edge
ON_AXIS = 1e-9  # [m], closer than this is the same place
WALL = 0.03  # thickness of an open cup's wall, as a share of its larger radius


class Mesh(NamedTuple):
    """Triangles with one normal per vertex; a vertex on a hard edge is listed once per side."""

    vertices: FloatArray  # [vertex, 3], m
    normals: FloatArray  # [vertex, 3], unit, outwards
    faces: IntArray  # [triangle, 3], counter-clockwise seen from outside

    def placed(self, position: ArrayLike, rotation: ArrayLike) -> Mesh:
        """Return the mesh where its frame stands: ``position`` [m], ``rotation`` a unit quaternion w first."""
        turn = rotation_matrix(rotation)
        return Mesh(self.vertices @ turn.T + np.asarray(position), self.normals @ turn.T, self.faces)


def rotation_matrix(rotation: ArrayLike) -> FloatArray:
    """Return the [3, 3] matrix of a unit quaternion, w first."""
    w, x, y, z = np.asarray(rotation, dtype=np.float64)
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def solid_of(shape: Shape) -> Mesh | None:
    """Return the triangles of a shape in its own frame; None for a mesh file, which is not ours to model."""
    if shape.kind == ShapeKind.MESH:
        return None
    if shape.kind == ShapeKind.BOX:
        return box(shape.size)
    if shape.kind == ShapeKind.SPHERE:
        return lathe(_arc(shape.radius, 0.0, -math.pi / 2.0, math.pi / 2.0, 20))
    low, high = -0.5 * shape.height, 0.5 * shape.height
    bottom, top = shape.radii
    if shape.kind == ShapeKind.CAPSULE:
        return capsule(shape.radius, shape.radius, shape.height)
    if shape.open:
        wall = WALL * max(bottom, top)
        outside = [(0.0, low), (bottom, low), (top, high)]
        inside = [(top - wall, high), (max(0.0, bottom - wall), low + wall), (0.0, low + wall)]
        return lathe(outside + inside)
    return lathe([(0.0, low), (bottom, low), (top, high), (0.0, high)])


def capsule(bottom: float, top: float, height: float) -> Mesh:
    """Return a rod with round ends, ``height`` between their centres, centred; it may taper.

    The sides of a tapered rod touch its end spheres off the equator.
    """
    tilt = math.asin(max(-1.0, min(1.0, (bottom - top) / height))) if height > 0.0 else 0.0
    quarter = math.pi / 2.0
    return lathe(_arc(bottom, -0.5 * height, -quarter, tilt, 10) + _arc(top, 0.5 * height, tilt, quarter, 10))


def _arc(radius: float, centre: float, begin: float, end: float, steps: int) -> Profile:
    """Return points on a circle about (0, centre), from latitude ``begin`` to ``end`` [rad]."""
    latitude = np.linspace(begin, end, steps + 1)
    return [(max(0.0, radius * math.cos(angle)), centre + radius * math.sin(angle)) for angle in latitude]


def lathe(profile: Profile, around: int = 48) -> Mesh:
    """Turn a profile about the z axis.

    The solid lies to the left of the profile when walking along it, so a cup is drawn by going up its outside and down
    its inside.
    """
    points = np.array(
        [point for k, point in enumerate(profile) if k == 0 or math.dist(point, profile[k - 1]) > ON_AXIS]
    )
    steps = np.diff(points, axis=0)
    outward = np.column_stack([steps[:, 1], -steps[:, 0]])
    outward /= np.hypot(outward[:, 0], outward[:, 1])[:, None]
    starts, ends = _softened(outward)

    angle = np.linspace(0.0, 2.0 * math.pi, around + 1)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    vertices, normals, faces = [], [], []
    for k in range(len(steps)):
        low = 2 * k * (around + 1) + np.arange(around)
        high = low + around + 1
        for point, normal in ((points[k], starts[k]), (points[k + 1], ends[k])):
            vertices.append(np.column_stack([ring * point[0], np.full(around + 1, point[1])]))
            normals.append(np.column_stack([ring * normal[0], np.full(around + 1, normal[1])]))
        # Where the profile starts or ends on the axis, one of the two triangles has no area.
        if points[k][0] > ON_AXIS:
            faces.append(np.column_stack([low, low + 1, high]))
        if points[k + 1][0] > ON_AXIS:
            faces.append(np.column_stack([low + 1, high + 1, high]))
    return Mesh(np.vstack(vertices), np.vstack(normals), np.vstack(faces).astype(np.int32))


def _softened(outward: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the normals at the start and the end of every step of a profile, shared across soft edges."""
    starts, ends = outward.copy(), outward.copy()
    for k in range(len(outward) - 1):
        if outward[k] @ outward[k + 1] > math.cos(CREASE):
            shared = outward[k] + outward[k + 1]
            ends[k] = starts[k + 1] = shared / np.hypot(*shared)
    return starts, ends


def box(size: Sequence[float]) -> Mesh:
    """Return a box with the given edge lengths [m], centred."""
    half = 0.5 * np.asarray(size, dtype=np.float64)
    corners, normals = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = side * np.eye(3)[axis]
            across, along = np.eye(3)[(axis + 1) % 3], side * np.eye(3)[(axis + 2) % 3]
            corners += [normal - across - along, normal + across - along, normal + across + along]
            corners.append(normal - across + along)
            normals += [normal] * 4
    sides = [[k, k + 1, k + 2, k, k + 2, k + 3] for k in range(0, len(corners), 4)]
    return Mesh(np.array(corners) * half, np.array(normals), np.array(sides, dtype=np.int32).reshape(-1, 3))
