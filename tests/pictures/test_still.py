"""Stills: the figure is there, lit, upright, throws a shadow, and looks the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.formats.load import load_character
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from gestik.pictures.album import posture_sheet
from gestik.pictures.camera import Camera
from gestik.pictures.figure import figure, figure_size
from gestik.pictures.still import front_view, still

SMALL = {"width": 120, "height": 90, "samples": 1}


def arm(up: str) -> Skeleton:
    """Two bones without shapes, straight up at rest, bending forward."""
    axis = {"z": (0, 0, 1), "y": (0, 1, 0)}[up]
    builder = SkeletonBuilder("arm", up=up)
    bone = tuple(0.4 * component for component in axis)
    forward = {"z": "y", "y": "-z"}[up]  # turning about it bends towards +x
    builder.joint("lower", kind="revolute", axis=forward, lower=-2, upper=2, segment=bone)
    builder.joint(
        "upper", parent="lower", kind="revolute", axis=forward, position=bone, lower=-2, upper=2, segment=bone
    )
    return builder.build()


@pytest.fixture(scope="module")
def lamp() -> Skeleton:
    """The bundled lamp."""
    return load_character("lamp").skeleton


def test_the_figure_stands_out_from_an_empty_room(lamp: Skeleton) -> None:
    """Teal where the lamp is, pale all around."""
    picture = still(lamp, lamp.rest, **SMALL).astype(int)
    assert picture.shape == (90, 120, 3)
    teal = (picture[:, :, 1] > picture[:, :, 0] + 40) & (picture[:, :, 2] > picture[:, :, 0] + 40)
    assert 0.01 < teal.mean() < 0.4
    assert picture[:8].min() > 200


def test_the_ball_is_red_and_where_the_target_is(lamp: Skeleton) -> None:
    """Its pixels gather around the projected point."""
    point = np.array([0.35, -0.2, 0.35])
    with_ball = still(lamp, lamp.rest, target=point, **SMALL).astype(int)
    red = (with_ball[:, :, 0] > with_ball[:, :, 1] + 60) & (with_ball[:, :, 0] > with_ball[:, :, 2] + 60)
    without = still(lamp, lamp.rest, **SMALL).astype(int)
    red &= np.abs(with_ball - without).sum(axis=2) > 60
    column, row, _ = front_view(figure_size(lamp)).project(point[None], 120, 90)[0]
    rows, columns = np.nonzero(red)
    assert len(rows) > 10
    assert math.hypot(rows.mean() - row, columns.mean() - column) < 3.0


def test_a_figure_throws_a_shadow(lamp: Skeleton) -> None:
    """The ground beside the lamp, away from the key light, is darker than the ground far from it."""
    size = figure_size(lamp)
    camera = Camera((0.0, -3.0 * size, 2.0 * size), (0.0, 0.0, 0.0))
    picture = still(lamp, lamp.rest, camera=camera, **SMALL).astype(int)
    places = np.array([[-0.20, 0.24, 0.0], [0.35, -0.30, 0.0]]) * size
    shaded, open_ground = camera.project(places, 120, 90)[:, :2].astype(int)
    assert picture[shaded[1], shaded[0]].sum() < picture[open_ground[1], open_ground[0]].sum() - 20


def test_the_same_picture_twice_has_the_same_bytes(lamp: Skeleton) -> None:
    """Nothing in it is left to chance."""
    np.testing.assert_array_equal(still(lamp, lamp.rest, **SMALL), still(lamp, lamp.rest, **SMALL))


def test_a_skeleton_without_shapes_is_drawn_as_bones() -> None:
    """Each bone leaves its mark: bending one changes the picture."""
    skeleton = arm("z")
    straight, bent = (still(skeleton, angles, **SMALL).astype(int) for angles in ([0.0, 0.0], [0.0, 1.2]))
    assert np.abs(straight - bent).sum() > 20_000


def test_a_figure_whose_up_is_y_stands_like_one_whose_up_is_z() -> None:
    """The vertices of both, in a world whose z points up, are the same."""
    angles = [0.3, -0.9]
    ours, theirs = (np.vstack([part.mesh.vertices for part in figure(arm(up), angles)]) for up in ("z", "y"))
    ends = [vertices[np.argsort(vertices[:, 2])[-1]] for vertices in (ours, theirs)]
    np.testing.assert_allclose(np.ptp(ours, axis=0), np.ptp(theirs, axis=0), atol=2e-3)
    np.testing.assert_allclose(ends[0], ends[1], atol=5e-3)


def test_the_sheet_holds_a_card_for_every_posture() -> None:
    """Eight moods in two rows of four, on white paper with ink on it."""
    lamp = load_character("lamp")
    sheet = posture_sheet(lamp, columns=4, samples=1).astype(int)
    assert (sheet[:5] == 255).all()
    labels = sheet[330:364]  # under the first row of cards
    assert labels.min() < 100
    assert len({sheet[10:330, 10 + 310 * k : 310 + 310 * k].tobytes() for k in range(4)}) == 4
