"""The rasteriser against a slow twin that asks every pixel about every triangle."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.pictures import raster
from gestik.pictures.raster import visible

WIDTH, HEIGHT = 23, 17


def slow_twin(screen: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Distance ahead of whatever each pixel's centre sees, infinite for nothing."""
    seen = np.full((HEIGHT, WIDTH), np.inf)
    for face in faces:
        corners = screen[face]
        system = np.vstack([corners[:, :2].T, np.ones(3)])
        if abs(np.linalg.det(system)) < 1e-9:
            continue
        for row in range(HEIGHT):
            for column in range(WIDTH):
                weights = np.linalg.solve(system, [column + 0.5, row + 0.5, 1.0])
                if (weights >= 0.0).all():
                    seen[row, column] = min(seen[row, column], 1.0 / (weights / corners[:, 2]).sum())
    return seen


@pytest.mark.parametrize("batch", [raster.BATCH, 50])
def test_every_pixel_sees_the_nearest_triangle(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    """Thirty random triangles, partly outside the picture, in one go and in many."""
    monkeypatch.setattr(raster, "BATCH", batch)
    random = np.random.default_rng(4)
    screen = np.column_stack([random.uniform(-10, 33, 90), random.uniform(-8, 25, 90), random.uniform(1, 5, 90)])
    faces = np.arange(90, dtype=np.int32).reshape(30, 3)
    found = visible(screen, faces, WIDTH, HEIGHT)
    distance = np.full(WIDTH * HEIGHT, np.inf)
    distance[found.pixel] = found.distance
    np.testing.assert_allclose(distance.reshape(HEIGHT, WIDTH), slow_twin(screen, faces), rtol=1e-9)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0, atol=1e-12)


def test_triangles_behind_the_camera_are_left_out() -> None:
    """A corner behind the camera has no place on the screen."""
    screen = np.array([[2.0, 2.0, 1.0], [20.0, 2.0, 1.0], [2.0, 15.0, -1.0]])
    assert len(visible(screen, np.array([[0, 1, 2]], dtype=np.int32), WIDTH, HEIGHT).pixel) == 0
