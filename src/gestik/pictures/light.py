"""A photographer's light: a large soft lamp over the shoulder and a bright room, both made of many parallel lights.

Every light keeps a map of how high the scene reaches towards it; what lies lower than the map is in its shade.  Many
lights together blur the edges of their shadows, so soft shadows and dark corners come out of the same few lines.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Vector

CELL = 0.005  # edge of a cell of a shadow map, as a share of the scene's size
POINTS_PER_CELL = 5.0  # of a surface square to the light; fewer would let light through
MOST_POINTS = 1_000_000
BIAS = 0.007  # how far above a point the map must be to shade it, likewise
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))

KEY: Vector = (0.45, -0.55, 0.95)  # towards the large lamp
KEY_COUNT, KEY_ANGLE, KEY_LIGHT = 18, math.radians(5.5), np.array([1.22, 1.15, 1.05])
ROOM_COUNT, ROOM_ANGLE = 40, math.radians(86.0)
ROOM_TOP, ROOM_LOW = np.array([0.50, 0.53, 0.58]), np.array([0.55, 0.53, 0.50])


class Light(NamedTuple):
    """Parallel light; ``direction`` points to where it comes from."""

    direction: FloatArray  # [3], unit
    colour: FloatArray  # [3], amounts of light


def studio() -> list[Light]:
    """Return the lights of a picture, in a world whose z points up."""
    lights = [Light(direction, KEY_LIGHT / KEY_COUNT) for direction in _cap(np.array(KEY), KEY_ANGLE, KEY_COUNT)]
    for direction in _cap(np.array([0.0, 0.0, 1.0]), ROOM_ANGLE, ROOM_COUNT):
        height = direction[2]
        lights.append(Light(direction, (height * ROOM_TOP + (1.0 - height) * ROOM_LOW) / ROOM_COUNT))
    return lights


def _cap(axis: FloatArray, angle: float, count: int) -> FloatArray:
    """Spread ``count`` directions evenly over a cap of half-width ``angle`` [rad] about ``axis``."""
    depth = 1.0 - (1.0 - math.cos(angle)) * (np.arange(count) + 0.5) / count
    turn = GOLDEN * np.arange(count)
    around = np.sqrt(1.0 - depth**2)
    return np.column_stack([around * np.cos(turn), around * np.sin(turn), depth]) @ axes_along(axis)


def axes_along(axis: FloatArray) -> FloatArray:
    """Return three perpendicular unit rows, the last along ``axis``."""
    third = axis / np.linalg.norm(axis)
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(third)))], third)
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(third, first), third])


class Shadow(NamedTuple):
    """How high the scene reaches towards one light, on a square grid across its direction."""

    axes: FloatArray  # [3, 3]: along the columns, along the rows, towards the light
    height: FloatArray  # [row, column], m, -inf where nothing is
    corner: FloatArray  # [2], m, of the first cell
    cell: float  # m
    bias: float  # m

    def reaches(self, points: FloatArray) -> FloatArray:
        """Return [n]: 1 where the light arrives, 0 where something stands in its way."""
        local = points @ self.axes.T
        column, row = np.floor((local[:, :2] - self.corner) / self.cell).astype(np.int64).T
        size = len(self.height)
        inside = (column >= 0) & (row >= 0) & (column < size) & (row < size)
        above = self.height[np.where(inside, row, 0), np.where(inside, column, 0)] - local[:, 2]
        return np.where(inside, 1.0 - np.clip(above / self.bias - 1.0, 0.0, 1.0), 1.0)


def cast(points: FloatArray, direction: FloatArray, size: float) -> Shadow:
    """Draw the shadow map of a cloud of surface points [m], for a scene of ``size`` [m]."""
    axes = axes_along(direction)
    across, along, towards = axes @ points.T
    cell = CELL * size
    corner = np.array([across.min(), along.min()]) - cell
    side = int(np.ceil(max(across.max() - corner[0], along.max() - corner[1]) / cell)) + 2
    column = ((across - corner[0]) / cell).astype(np.int64)
    row = ((along - corner[1]) / cell).astype(np.int64)
    height = np.full(side * side, -np.inf)
    np.maximum.at(height, row * side + column, towards)
    return Shadow(axes, height.reshape(side, side), corner, cell, BIAS * size)


def surface_points(vertices: FloatArray, faces: IntArray, size: float) -> FloatArray:
    """Spread points over triangles, evenly by area and the same way every time, enough for the maps of a figure.

    Args:
        vertices: [vertex, 3], m.
        faces: [triangle, 3], indices into ``vertices``.
        size: of the figure [m].
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    area = np.cumsum(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1))
    count = min(MOST_POINTS, math.ceil(POINTS_PER_CELL * area[-1] / (CELL * size) ** 2))
    row = np.searchsorted(area, (np.arange(count) + 0.5) / count * area[-1])
    # Two irrational steps fill the unit square without clumps; the root maps it evenly onto a triangle.
    s = np.sqrt(np.arange(count) * 0.7548776662466927 % 1.0)[:, None]
    t = (np.arange(count) * 0.5698402909980532 % 1.0)[:, None]
    return np.asarray((1.0 - s) * a[row] + s * (1.0 - t) * b[row] + s * t * c[row])
