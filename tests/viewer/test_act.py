"""The play behind every demo: it looks, it keeps its mood, and a change of mood never pops."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError, NameNotFoundError
from gestik.model.builder import SkeletonBuilder
from gestik.viewer.act import REST, Act, Reading
from gestik.viewer.demo import play, summary, told
from gestik.viewer.target import WanderingTarget

RATE = 60.0  # [Hz]


@pytest.fixture(scope="module")
def lamp() -> gk.Character:
    """The bundled lamp."""
    return gk.load_character("lamp")


def played(act: Act, seconds: float, seed: int = 4) -> Iterator[Reading]:
    """Readings of a play that does not wait for the clock."""
    return play(act, WanderingTarget(act.skeleton, seed), rate=RATE, seconds=seconds, paced=False)


def test_it_keeps_its_eye_on_the_ball_and_its_mood_in_its_shape(lamp: gk.Character) -> None:
    """What it reports is what the pose says, and the eye is on target nearly always."""
    act = Act(lamp, "curious")
    readings = list(played(act, 6.0))
    assert [reading.time for reading in readings] == [step / RATE for step in range(360)]
    aim = np.degrees([reading.aim_error for reading in readings])
    assert np.percentile(aim, 90) < 1.0
    last = readings[-1]
    assert last.aim_error == gk.metrics.aim_error(lamp.skeleton, last.angles, "eye", at=last.point)
    ours = lamp.posture("curious").angles_for(lamp.skeleton)
    assert last.shape_error == gk.metrics.shape_error(lamp.skeleton, last.angles, ours, "eye")
    assert last.solve_time > 0.0


def test_the_mood_makes_the_shape(lamp: gk.Character) -> None:
    """Two moods, one ball: both eyes are on it, the bodies differ."""
    proud, sleepy = (list(played(Act(lamp, mood), 2.0))[-1] for mood in ("proud", "sleepy"))
    np.testing.assert_array_equal(proud.point, sleepy.point)
    assert np.abs(proud.angles - sleepy.angles).max() > 0.3


def test_a_change_of_mood_never_pops(lamp: gk.Character) -> None:
    """No joint is faster than its motor, not even when the mood changes every half second."""
    act = Act(lamp)
    target = WanderingTarget(lamp.skeleton, 9)
    fastest = lamp.skeleton.speed / RATE
    before = None
    for step in range(300):
        if step % 30 == 0:
            act.posture = tuple(act.postures)[(step // 30) % len(act.postures)]
        angles = act.step(target.at(step / RATE), step / RATE).angles
        if before is not None:
            assert (np.abs(angles - before) <= fastest * (1.0 + 1e-9)).all()
        before = angles
        assert (angles >= lamp.skeleton.lower).all()
        assert (angles <= lamp.skeleton.upper).all()


def test_warming_up_leaves_no_trace(lamp: gk.Character) -> None:
    """The play after it is the play without it."""
    cold, warm = Act(lamp), Act(lamp)
    warm.warm_up()
    for ours, theirs in zip(played(cold, 0.5), played(warm, 0.5), strict=True):
        np.testing.assert_array_equal(ours.angles, theirs.angles)


def test_an_unknown_mood_is_refused_with_the_right_ones(lamp: gk.Character) -> None:
    """And the old one stays."""
    act = Act(lamp, "shy")
    with pytest.raises(NameNotFoundError, match="proud"):
        act.posture = "prowd"
    assert act.posture == "shy"


def test_a_character_without_an_eye_is_told_what_it_lacks() -> None:
    """Nothing can look without one."""
    builder = SkeletonBuilder("mole")
    builder.joint("nose", kind="continuous", axis="z", segment=(0, 0, 1))
    with pytest.raises(InputError, match="has no eye to look with"):
        Act(gk.Character("mole", builder.build()))


def test_a_character_without_postures_holds_its_rest(lamp: gk.Character) -> None:
    """There is always something to hold."""
    act = Act(gk.Character("plain lamp", lamp.skeleton, eye="eye"))
    assert act.posture == REST
    assert np.degrees(list(played(act, 0.5))[-1].aim_error) < 5.0


def test_the_words_hold_the_numbers(lamp: gk.Character) -> None:
    """A line for a moment, a sentence for the whole."""
    readings = list(played(Act(lamp), 0.5))
    assert told(readings[15]).split()[:2] == ["0.2", "s"]
    assert f"{readings[15].shape_error:.1f}°" in told(readings[15])
    assert summary(readings, RATE).startswith("30 steps at 60 Hz: aim error")
