"""The sequence without chance fills its cube evenly and is the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels.spreading import spread


@pytest.mark.parametrize("count", [1, 2, 5])
def test_points_fill_every_dimension_evenly(count: int) -> None:
    """Of 200 points no coordinate leaves a gap above four times the even one, and all lie in [0, 1)."""
    points = np.array([[spread(number, k, count) for k in range(count)] for number in range(200)])
    assert (points >= 0.0).all()
    assert (points < 1.0).all()
    gaps = np.diff(np.sort(points, axis=0), axis=0, prepend=0.0, append=1.0)
    assert gaps.max() < 4.0 / 200.0


def test_points_in_the_plane_keep_their_distance() -> None:
    """Of 100 points in a square no two are nearer than a quarter of the spacing of a grid."""
    points = np.array([[spread(number, k, 2) for k in range(2)] for number in range(100)])
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1) + np.eye(100)
    assert apart.min() > 0.025
