"""Clips: postures over time, in between on the manifold, and what is no clip is refused."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from gestik.errors import InputError
from gestik.model.clip import Clip
from gestik.model.scaling import scaled_clip
from gestik.model.skeleton import Skeleton
from tests.model.samples import crane, random_angles, walker_builder
from tests.reference.measures_twin import rotation_matrix


def walker() -> Skeleton:
    """A free body with balls."""
    return walker_builder().build()


def random_clip(skeleton: Skeleton, count: int = 6) -> Clip:
    """Postures at moments that are not evenly spaced and do not begin at 0."""
    rng = np.random.default_rng(5)
    times = 3.0 + np.cumsum(rng.uniform(0.05, 0.4, count))
    return Clip("random", skeleton, times, np.array([random_angles(skeleton, rng) for _ in range(count)]))


def half_turn(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The rotation matrix half-way between two, by the eigenvectors of the turn that leads from one to the other."""
    turn = first.T @ second
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    angle = np.arctan2(0.5 * np.linalg.norm(axis), 0.5 * (np.trace(turn) - 1.0))
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return first @ (np.eye(3) + np.sin(angle / 2) * cross + (1 - np.cos(angle / 2)) * cross @ cross)


def test_a_clip_tells_when_it_begins_how_long_it_lasts_and_how_dense_it_is() -> None:
    """Its times are its own; the rate is by the median step, so that one gap changes nothing."""
    skeleton = crane()
    clip = Clip("dance", skeleton, [2.0, 2.1, 2.2, 5.0], np.tile(skeleton.rest, (4, 1)))
    assert (clip.start, clip.end, len(clip)) == (2.0, 5.0, 4)
    assert clip.duration == 3.0
    assert clip.rate == pytest.approx(10.0)
    assert repr(clip) == "<Clip 'dance' of 'crane': 4 postures, 3 s>"
    still = Clip("still", skeleton, [1.0], [skeleton.rest])
    assert (still.duration, still.rate) == (0.0, 0.0)


def test_at_its_own_moments_and_beyond_its_ends_a_clip_is_what_it_was_given() -> None:
    """To the last bit, one moment at a time or all at once."""
    clip = random_clip(walker())
    np.testing.assert_array_equal(clip.at(clip.times), clip.angles)
    np.testing.assert_array_equal([clip.at(time) for time in clip.times], clip.angles)
    np.testing.assert_array_equal(clip.at([-1e9, clip.start - 1, clip.end + 1]), clip.angles[[0, 0, -1]])
    moments = np.linspace(clip.start, clip.end, 37)
    np.testing.assert_array_equal(clip.at(moments), [clip.at(time) for time in moments])


def test_between_two_moments_balls_turn_the_shortest_way_and_the_root_goes_straight() -> None:
    """Half-way every ball is turned by half the turn between both postures, to 1e-12; what slides is at the middle."""
    clip = random_clip(walker())
    skeleton = clip.skeleton
    for k in range(len(clip) - 1):
        middle = clip.at(0.5 * (clip.times[k] + clip.times[k + 1]))
        slides = skeleton.dof_slides
        np.testing.assert_allclose(middle[slides], 0.5 * (clip.angles[k] + clip.angles[k + 1])[slides], atol=1e-12)
        for joint in ("pelvis", "hip", "tail"):
            mask = skeleton.mask([joint])
            alone = [np.where(mask, angles, 0.0) for angles in (clip.angles[k], middle, clip.angles[k + 1])]
            first, between, second = (rotation_matrix(skeleton.forward(angles).of(joint).rotation) for angles in alone)
            base = rotation_matrix(skeleton.forward(np.zeros(skeleton.dof_count)).of(joint).rotation)
            expected = half_turn(base.T @ first, base.T @ second)
            np.testing.assert_allclose(base.T @ between, expected, atol=1e-12)


def test_a_continuous_joint_goes_the_short_way_round_and_a_hinge_does_not() -> None:
    """From 170 to -170 degrees a wheel passes 180; a hinge with limits passes 0."""
    skeleton = crane()
    turn, lift = skeleton.dof_names.index("turn"), skeleton.dof_names.index("lift")
    angles = np.tile(skeleton.rest, (2, 1))
    angles[:, turn] = np.radians([170.0, -170.0])
    angles[:, lift] = [-1.0, 0.4]
    middle = Clip("spin", skeleton, [0.0, 1.0], angles).at(0.5)
    assert middle[turn] == pytest.approx(np.pi)
    assert middle[lift] == pytest.approx(-0.3)


def test_sampling_keeps_the_rate_and_reaches_the_last_posture() -> None:
    """Steps are 1 / rate from the beginning on; an end between two steps is held once more."""
    skeleton = crane()
    angles = np.tile(skeleton.rest, (2, 1))
    angles[1, 0] += 1.0
    clip = Clip("turn", skeleton, [5.0, 6.0], angles)
    whole, odd = clip.sampled(10.0), clip.sampled(3.5)
    np.testing.assert_allclose(whole.times, 5.0 + np.arange(11) / 10.0, rtol=1e-15)
    np.testing.assert_allclose(whole.angles[:, 0] - skeleton.rest[0], np.arange(11) / 10.0, atol=1e-12)
    np.testing.assert_allclose(odd.times, 5.0 + np.arange(5) / 3.5, rtol=1e-15)
    np.testing.assert_array_equal(odd.angles[-1], clip.angles[-1])
    assert (whole.name, whole.skeleton) == ("turn", skeleton)
    assert len(Clip("still", skeleton, [1.0], [skeleton.rest]).sampled(30.0)) == 1


def test_a_clip_cannot_be_changed_not_even_after_pickling() -> None:
    """Its arrays are copies and read-only."""
    skeleton = crane()
    angles = np.tile(skeleton.rest, (2, 1))
    clip = Clip("still", skeleton, [0.0, 1.0], angles)
    angles[:] = 9.0
    again = pickle.loads(pickle.dumps(clip))
    for part in (clip.times, clip.angles, again.times, again.angles):
        with pytest.raises(ValueError, match="read-only"):
            part[0] = 1.0
    np.testing.assert_array_equal(again.angles, np.tile(skeleton.rest, (2, 1)))


def test_scaling_a_clip_scales_what_slides() -> None:
    """Lengths grow and angles stay, on a skeleton that has grown as well."""
    clip = random_clip(crane())
    large = scaled_clip(clip, 10.0)
    slides = clip.skeleton.dof_slides
    np.testing.assert_allclose(large.angles, clip.angles * np.where(slides, 10.0, 1.0))
    hook = clip.skeleton.forward(clip.angles[2]).of("hook").position
    np.testing.assert_allclose(large.skeleton.forward(large.angles[2]).of("hook").position, 10.0 * hook)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": ""}, "name of a clip is empty"),
        ({"name": 5}, "name of a clip is 5, not text"),
        ({"times": []}, r"have shape \(0,\)"),
        ({"times": [[0.0, 1.0]]}, r"have shape \(1, 2\)"),
        ({"times": [0.0, 0.0]}, "do not rise: 0.0 follows 0.0"),
        ({"times": [1.0, 0.0]}, "do not rise: 0.0 follows 1.0"),
        ({"times": [0.0, 1e-12]}, "do not rise"),
        ({"times": [0.0, np.nan]}, "hold nan"),
        ({"times": [0.0, np.inf]}, "hold inf"),
        ({"times": [0.0, None]}, "are not numbers"),
        ({"times": "soon"}, "are not numbers"),
        ({"angles": np.zeros((2, 3))}, r"have shape \(2, 3\), not \(2, 4\).* turn, lift"),
        ({"angles": np.zeros((3, 4))}, r"have shape \(3, 4\)"),
        ({"angles": np.full((2, 4), np.nan)}, "hold nan"),
        ({"angles": np.full((2, 4), 1e10)}, "within 1e[+]09"),
        ({"angles": [[1], [2, 3]]}, "are not numbers"),
    ],
)
def test_what_is_no_clip_is_refused(change: dict[str, Any], reason: str) -> None:
    """The message names the clip, the value and what would be right."""
    skeleton = crane()
    good = {"name": "dance", "skeleton": skeleton, "times": [0.0, 1.0], "angles": np.zeros((2, 4))}
    with pytest.raises(InputError, match=reason):
        Clip(**(good | change))


@pytest.mark.parametrize("time", [np.nan, np.inf, [0.0, np.nan], [[0.0]], "now", None])
def test_a_moment_that_is_none_is_refused(time: Any) -> None:
    """NaN, infinity and text are no times."""
    skeleton = crane()
    with pytest.raises(InputError, match="time asked of clip 'still'"):
        Clip("still", skeleton, [0.0], [skeleton.rest]).at(time)


@pytest.mark.parametrize("rate", [0, -1, np.nan, np.inf, "fast", 1e9])
def test_a_rate_that_cannot_be_meant_is_refused(rate: Any) -> None:
    """Neither zero, nor nothing, nor more than memory holds."""
    with pytest.raises(InputError, match=r"rate of a clip|too much to hold"):
        random_clip(crane()).sampled(rate)
