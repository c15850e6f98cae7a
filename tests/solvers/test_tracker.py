"""A tracked body never outruns its joints, shows the same motion at every rate, and takes any clock there is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from gestik.errors import InputError

FloatArray = NDArray[np.float64]


@pytest.fixture(scope="module")
def lamp() -> gk.Skeleton:
    """The bundled lamp, whose joints have speeds."""
    return gk.load("lamp")


@pytest.fixture(scope="module")
def prepared(lamp: gk.Skeleton) -> gk.Prepared:
    """It looks ahead and is curious."""
    return gk.prepare(lamp, [gk.Aim("eye", at=(1.0, 0.0, 0.4)), gk.load_character("lamp").posture("curious")])


def swaying(time: float) -> FloatArray:
    """A point that sways before the lamp [m]."""
    return np.array([0.9, 0.5 * np.sin(2.0 * time), 0.5 + 0.2 * np.sin(3.1 * time)])


def jumping(time: float) -> FloatArray:
    """A point that leaps to somewhere else all around three times a second [m]."""
    x, y, z = np.random.default_rng(int(3.0 * time)).normal(size=3)
    return np.array([x, y, 0.4 + 0.5 * abs(z)])


def track(prepared: gk.Prepared, way: Callable[[float], FloatArray], rate: int, seconds: float) -> FloatArray:
    """Angles [frame, dof] of a tracker that sees a target go its way."""
    tracker = gk.Tracker(prepared)
    return np.array([tracker.step(way(t), time=t).angles for t in (np.arange(int(seconds * rate)) / rate).tolist()])


@pytest.mark.parametrize("way", [swaying, jumping])
@pytest.mark.parametrize("rate", [25, 60])
def test_no_joint_outruns_its_speed_or_its_limits(
    lamp: gk.Skeleton, prepared: gk.Prepared, way: Callable[[float], FloatArray], rate: int
) -> None:
    """Not even when the target leaps; and the leaping one is caught again and again."""
    angles = track(prepared, way, rate, 4.0)
    speeds = np.abs(np.diff(angles, axis=0)) * rate
    assert (speeds <= lamp.speed * (1.0 + 1e-9)).all()
    assert ((angles >= lamp.lower) & (angles <= lamp.upper)).all()


def test_all_rates_show_the_same_motion(prepared: gk.Prepared) -> None:
    """At 30, 60 and 120 Hz, at the moments they share, while the target only sways."""
    slow, middle, fast = (track(prepared, swaying, rate, 3.0) for rate in (30, 60, 120))
    np.testing.assert_allclose(middle[::2], slow, atol=np.radians(0.5))
    np.testing.assert_allclose(fast[::4], slow, atol=np.radians(0.5))


def test_an_uneven_clock_shows_it_too(prepared: gk.Prepared) -> None:
    """Frames that come when they come, between the ticks: within half a degree of the even ones' curve."""
    even = track(prepared, swaying, 120, 3.0)
    tracker, generator, time = gk.Tracker(prepared), np.random.default_rng(8), 0.0
    while time < 2.9:
        angles = tracker.step(swaying(time), time=time).angles
        curve = [np.interp(time, np.arange(360) / 120.0, joint) for joint in even.T]
        np.testing.assert_allclose(angles, curve, atol=np.radians(0.5))
        time += float(generator.uniform(0.002, 0.03))


def test_a_target_that_stops_is_looked_at_soon(lamp: gk.Skeleton, prepared: gk.Prepared) -> None:
    """Three tenths of a second after it has stopped, before the lamp, the gaze is on it within a degree."""
    tracker = gk.Tracker(prepared)
    for frame in range(120):
        time = frame / 60.0
        angles = tracker.step(swaying(min(time, 1.6)), time=time).angles
    assert np.degrees(gk.metrics.aim_error(lamp, angles, "eye", at=swaying(1.6))) < 1.0


def test_it_begins_where_the_body_is(lamp: gk.Skeleton, prepared: gk.Prepared) -> None:
    """With a start nothing moves in the first step; without one its answer is taken as it is."""
    start = np.full(lamp.dof_count, 0.3)
    tracker = gk.Tracker(prepared, start=start)
    assert tracker.wanted is None
    np.testing.assert_allclose(tracker.step().angles, start, atol=1e-12)
    assert tracker.wanted is not None
    np.testing.assert_array_equal(gk.Tracker(prepared).step().angles, prepared.solve().angles)


def test_a_clock_that_stands_still_or_goes_back_moves_nothing(prepared: gk.Prepared) -> None:
    """And goes on when time does."""
    tracker = gk.Tracker(prepared)
    tracker.step(swaying(0.0), time=10.0)
    here = tracker.step(swaying(0.1), time=10.1).angles
    for time in (10.1, 10.05, -3.0):
        np.testing.assert_allclose(tracker.step(swaying(1.0), time=time).angles, here, atol=1e-12)
    assert np.abs(tracker.step(swaying(1.0), time=10.2).angles - here).max() > 0.01


def test_after_a_gap_the_body_moves_as_far_as_in_a_tenth_of_a_second(lamp: gk.Skeleton, prepared: gk.Prepared) -> None:
    """Ten seconds without a frame end in no leap."""
    tracker = gk.Tracker(prepared)
    here = tracker.step((1.0, 0.8, 0.4), time=0.0).angles
    there = tracker.step((1.0, -0.8, 0.4), time=10.0).angles
    assert (np.abs(there - here) <= 0.1 * lamp.speed * (1.0 + 1e-9)).all()
    assert np.abs(there - here).max() > 0.05


def test_speed_may_be_given(lamp: gk.Skeleton, prepared: gk.Prepared) -> None:
    """One number for all joints, or one for each; what is no speed is named."""
    tracker = gk.Tracker(prepared, speed=0.5)
    here = tracker.step((1.0, 0.8, 0.4)).angles
    there = tracker.step((1.0, -0.8, 0.4)).angles
    assert (np.abs(there - here) <= 0.5 / 60.0 + 1e-12).all()
    assert gk.Tracker(prepared, speed=[1.0] * lamp.dof_count).speed.tolist() == [1.0] * lamp.dof_count
    for wrong in (0.0, -1.0, np.nan, [1.0, 2.0], "fast"):
        with pytest.raises(InputError, match="speed"):
            gk.Tracker(prepared, speed=wrong)


@pytest.mark.parametrize("target", [(np.nan, 0.0, 0.0), (0.0, 0.0), "there"])
def test_a_bad_target_is_named_and_the_tracker_goes_on(prepared: gk.Prepared, target: object) -> None:
    """What raised has changed nothing."""
    tracker, twin = gk.Tracker(prepared), gk.Tracker(prepared)
    for each in (tracker, twin):
        each.step(swaying(0.0), time=0.0)
    with pytest.raises(InputError, match="target"):
        tracker.step(target, time=0.1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="time"):
        tracker.step(swaying(0.1), time=float("nan"))
    np.testing.assert_array_equal(tracker.step(swaying(0.1), time=0.1).angles, twin.step(swaying(0.1), time=0.1).angles)


def test_a_target_inside_the_head_is_survived(lamp: gk.Skeleton, prepared: gk.Prepared) -> None:
    """Where there is no direction to look in, angles stay finite and within limits and speeds."""
    tracker = gk.Tracker(prepared)
    before = tracker.step(swaying(0.0), time=0.0).angles
    for frame in range(1, 30):
        eye = lamp.forward(before).of("eye").position
        angles = tracker.step(eye, time=frame / 60.0).angles
        assert (np.abs(angles - before) <= lamp.speed / 60.0 * (1.0 + 1e-9)).all()
        before = angles


def test_turns_are_followed_the_shorter_way() -> None:
    """Quaternions of opposite signs mean the same: between two frames the target does not turn the long way round."""
    body = gk.evaluation.skeleton("C")
    quaternion = np.array([np.cos(0.2), np.sin(0.2), 0.0, 0.0])
    prepared = gk.prepare(body, [gk.Orientation("tip", quaternion, symmetric=True), gk.Posture(np.zeros(5))])
    before, after = prepared.pack_row((quaternion,)), prepared.pack_row((-quaternion,))
    halfway = prepared.between(before, after, 0.5)[0, :4]
    np.testing.assert_allclose(np.abs(halfway @ quaternion), 1.0, atol=1e-12)
    np.testing.assert_array_equal(prepared.between(before, after, 1.0), after)
    back = prepared.pack_row(([0.0, 0.0, 0.0, 1.0],))
    assert np.isfinite(prepared.between(before, back, 0.5)).all()
