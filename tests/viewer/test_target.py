"""The wandering ball: smooth, seeded, patient, never inside the figure."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.formats.load import load
from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.pictures.figure import figure_size
from gestik.viewer.target import PATIENCE, RETURN, WanderingTarget

STEP = 1.0 / 120.0  # [s]
HELD = np.array([0.3, 0.3, 0.3])


@pytest.fixture(scope="module")
def lamp() -> Skeleton:
    """The bundled lamp."""
    return load("lamp")


def way(target: WanderingTarget, begin: float, end: float) -> FloatArray:
    """Places [n, 3], m, one every step from begin to end [s]."""
    return np.array([target.at(time) for time in np.arange(begin, end, STEP)])


def test_the_same_seed_leads_the_same_way_and_another_seed_another(lamp: Skeleton) -> None:
    """A demo can be repeated."""
    first, again, other = (way(WanderingTarget(lamp, seed), 0.0, 20.0) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


def test_the_frame_rate_does_not_change_the_way(lamp: Skeleton) -> None:
    """Where it is depends on the time alone."""
    often, seldom = WanderingTarget(lamp, 3), WanderingTarget(lamp, 3)
    for time in np.arange(0.0, 15.0, STEP):
        place = often.at(time)
        if round(time / STEP) % 12 == 0:
            np.testing.assert_array_equal(place, seldom.at(time))


def test_it_glides_without_jumps_and_rests_in_between(lamp: Skeleton) -> None:
    """Neither its place nor its speed ever jumps, and it stands still now and then."""
    places = way(WanderingTarget(lamp, 5), 0.0, 60.0)
    speed = np.linalg.norm(np.diff(places, axis=0), axis=1) / STEP
    size = figure_size(lamp)
    assert speed.max() < 6.0 * size
    assert np.abs(np.diff(speed)).max() < 0.1 * speed.max()
    assert 0.1 < (speed < 1e-9).mean() < 0.7


def test_it_stays_around_the_figure_mostly_in_front_and_above_the_ground(lamp: Skeleton) -> None:
    """Near enough to be looked at, never inside the body."""
    size = figure_size(lamp)
    places = way(WanderingTarget(lamp, 1), 0.0, 300.0)[::30]
    distance = np.hypot(places[:, 0], places[:, 1]) / size
    assert distance.min() >= 0.8
    assert distance.max() <= 1.5
    assert places[:, 2].min() > 0.05 * size
    assert 0.7 < (places[:, 0] > 0.0).mean() < 1.0


def test_it_stays_where_it_is_held_and_waits_before_it_wanders_on(lamp: Skeleton) -> None:
    """Whoever takes it keeps it, whoever leaves it has time to look; then it glides back without a jump."""
    target = WanderingTarget(lamp, 2)
    target.at(4.0)
    target.take(HELD)
    np.testing.assert_array_equal(way(target, 4.0, 40.0), np.tile(HELD, (4320, 1)))
    target.let_go(40.0)
    np.testing.assert_allclose(target.at(40.0 + PATIENCE), HELD, atol=1e-12)
    places = way(target, 40.0 + PATIENCE, 40.0 + PATIENCE + RETURN + 1.0)
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 0.03
    free = WanderingTarget(lamp, 2)
    np.testing.assert_allclose(target.at(60.0), free.at(60.0), atol=1e-12)


def test_told_not_to_wander_it_stops_where_it_is(lamp: Skeleton) -> None:
    """And it goes on from there when it may again."""
    target = WanderingTarget(lamp, 2)
    place = target.at(3.0)
    target.wanders = False
    np.testing.assert_allclose(target.at(3.0), place, atol=1e-12)
    np.testing.assert_allclose(target.at(50.0), place, atol=1e-12)
    target.wanders = True
    np.testing.assert_allclose(target.at(50.0 + STEP), place, atol=1e-12)
    assert np.linalg.norm(target.at(80.0) - place) > 0.0
