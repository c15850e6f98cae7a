"""Where a picture is taken from, and where a point lands on it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, Vector

NEAREST = 1e-6  # [m], keeps the division finite for points beside or behind the camera


class Camera(NamedTuple):
    """A pinhole camera in a world whose z points up."""

    position: Vector  # m
    look_at: Vector  # m
    field_of_view: float = math.radians(26.0)  # [rad], of the picture's height

    def axes(self) -> FloatArray:
        """Return the directions to the camera's right, up and back, as rows."""
        back = np.subtract(self.position, self.look_at)
        back = back / np.linalg.norm(back)
        right = np.array([-back[1], back[0], 0.0])
        right = right / np.linalg.norm(right)
        return np.array([right, np.cross(back, right), back])

    def project(self, points: FloatArray, width: int, height: int) -> FloatArray:
        """Return [n, 3]: pixel column, pixel row (both continuous, row 0 on top) and distance ahead [m]."""
        local = (points - np.asarray(self.position)) @ self.axes().T
        ahead = -local[:, 2]
        scale = 0.5 * height / math.tan(0.5 * self.field_of_view) / np.maximum(ahead, NEAREST)
        return np.column_stack([0.5 * width + scale * local[:, 0], 0.5 * height - scale * local[:, 1], ahead])

    def rays(self, width: int, height: int) -> FloatArray:
        """Return [pixel, 3]: the unit direction through every pixel's centre, row by row from the top."""
        scale = 2.0 * math.tan(0.5 * self.field_of_view) / height
        row, column = np.indices((height, width)).reshape(2, -1)
        sideways = (column + 0.5 - 0.5 * width) * scale
        upwards = (0.5 * height - row - 0.5) * scale
        rays = np.column_stack([sideways, upwards, np.full(len(row), -1.0)]) @ self.axes()
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))
