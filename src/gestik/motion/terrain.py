"""Ground that is not level: a function of two coordinates, or heights on a grid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats

# Heights at places, as a NumPy function of the two level coordinates (x and z where y is up, x and y where z is).
Height = Callable[[FloatArray, FloatArray], ArrayLike]

# Over this distance [m] to either side the slope is taken, and what is steeper than this is an edge, not a slope.
SLOPE_STEP = 0.04
STEEPEST = 1.0


@dataclass(frozen=True, eq=False)
class HeightField:
    """Heights [m] on a grid, with straight lines between its points; beyond its edges as on them."""

    heights: FloatArray  # [n, m], m, by the first level coordinate and the second
    spacing: float  # m, between neighbours, the same both ways
    corner: tuple[float, float] = (0.0, 0.0)  # m, where heights[0, 0] is

    def __post_init__(self) -> None:
        try:
            heights = frozen_floats(self.heights)
            object.__setattr__(self, "spacing", checks.positive(self.spacing))
            x, y = checks.numbers(tuple(self.corner), 2)
            object.__setattr__(self, "corner", (x, y))
        except (TypeError, ValueError) as fault:
            raise InputError(f"a height field's heights, spacing or corner: {fault}") from fault
        if heights.ndim != 2 or min(heights.shape) < 2 or not (np.abs(heights) <= checks.LARGEST).all():
            raise InputError(f"heights have shape {heights.shape}, not (n, m) from 2 on, or are not finite")
        object.__setattr__(self, "heights", heights)

    def __call__(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Heights [m] at places."""
        rows, columns = self.heights.shape
        u = np.clip((np.asarray(x) - self.corner[0]) / self.spacing, 0.0, rows - 1.0)
        v = np.clip((np.asarray(y) - self.corner[1]) / self.spacing, 0.0, columns - 1.0)
        i, j = np.minimum(u.astype(int), rows - 2), np.minimum(v.astype(int), columns - 2)
        f, g = u - i, v - j
        near = (1.0 - g) * self.heights[i, j] + g * self.heights[i, j + 1]
        far = (1.0 - g) * self.heights[i + 1, j] + g * self.heights[i + 1, j + 1]
        mixed: FloatArray = (1.0 - f) * near + f * far
        return mixed


class Terrain:
    """A ground as the world of a skeleton has it, checked wherever it is asked."""

    def __init__(self, height: Height, up: FloatArray) -> None:
        if not callable(height):
            raise InputError(f"height is {shown(height)}, not a function of two coordinates or a HeightField")
        axis = int(np.argmax(np.abs(up)))
        if up[axis] < 1.0 - 1e-9:
            raise InputError(f"up is {up.tolist()}; ground is known where it is x, y or z")
        self._height = height
        self.up = axis
        self.level = [k for k in range(3) if k != axis]

    def heights(self, places: FloatArray) -> FloatArray:
        """The ground [...] m under places [..., 3]."""
        x, y = (np.asarray(places[..., k]) for k in self.level)
        try:
            found = np.asarray(self._height(x, y), dtype=np.float64)
        except (TypeError, ValueError):  # a function of two numbers, not of arrays
            found = np.vectorize(self._height, otypes=[np.float64])(x, y)
        found = np.broadcast_to(found, x.shape)
        wrong = ~(np.abs(found) <= checks.LARGEST)  # also true of NaN
        if wrong.any():
            place = places[wrong].reshape(-1, 3)[0].round(3).tolist()
            raise InputError(f"height is {found[wrong].flat[0]} at {place}, not finite and within {checks.LARGEST:g}")
        return found

    def clearance(self, places: FloatArray) -> FloatArray:
        """How far [...] m places [..., 3] are above the ground, below it where negative."""
        above: FloatArray = places[..., self.up] - self.heights(places)
        return above

    def normal(self, place: FloatArray) -> FloatArray:
        """The direction [3] the ground faces at a place, up where there is an edge."""
        normal = np.zeros(3)
        for k in self.level:
            away = SLOPE_STEP * np.eye(3)[k]
            rise = np.diff(self.heights(np.array([place - away, place, place + away]))) / SLOPE_STEP
            if np.abs(rise).max() > STEEPEST or abs(rise[1] - rise[0]) > 0.5 * STEEPEST:
                return np.asarray(np.eye(3)[self.up])
            normal[k] = -0.5 * rise.sum()
        normal[self.up] = 1.0
        return normal / float(np.linalg.norm(normal))
