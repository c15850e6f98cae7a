"""Clips cut, joined, blended, looped and mirrored: where they meet they agree, and what cannot be meant is refused."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import InputError
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import Clip
from gestik.model.skeleton import Skeleton
from tests.model.samples import crane, random_angles, walker_builder
from tests.motion.bodies import doll


def some_clip(skeleton: Skeleton, seed: int = 5, count: int = 8, name: str = "some") -> Clip:
    """Random postures at uneven moments."""
    rng = np.random.default_rng(seed)
    times = 1.0 + np.cumsum(rng.uniform(0.05, 0.4, count))
    return Clip(name, skeleton, times, np.array([0.4 * random_angles(skeleton, rng) for _ in range(count)]))


def walker() -> Skeleton:
    """A free body with balls."""
    return walker_builder().build()


def assert_same_posture(skeleton: Skeleton, angles: np.ndarray, others: np.ndarray, atol: float = 1e-9) -> None:
    """Check that two sets of angles mean the same places."""
    np.testing.assert_allclose(skeleton.forward(angles).positions, skeleton.forward(others).positions, atol=atol)


def test_a_part_is_what_the_clip_is_there() -> None:
    """Its ends are exact, and every moment between them is kept."""
    clip = some_clip(walker())
    piece = clip.cut(clip.start + 0.1, clip.end - 0.1)
    assert (piece.start, piece.end) == (clip.start + 0.1, clip.end - 0.1)
    moments = np.linspace(piece.start, piece.end, 30)
    for time in moments:
        assert_same_posture(clip.skeleton, piece.at(time), clip.at(time), 1e-9)
    assert len(clip.cut(clip.start, clip.start)) == 1
    np.testing.assert_array_equal(clip.cut(clip.start, clip.end).angles, clip.angles)


def test_a_sequence_begins_as_the_one_and_ends_as_the_other() -> None:
    """With a blend it has no leap between; a free body ends as far from where it was as both travel together."""
    skeleton = walker()
    first, second = some_clip(skeleton, 1), some_clip(skeleton, 2)
    both = first.joined(second, blend=0.3)
    assert both.duration == pytest.approx(first.duration + second.duration - 0.3)
    assert_same_posture(skeleton, both.at(first.end - 0.31), first.at(first.end - 0.31))
    slides = skeleton.mask(["pelvis.tx", "pelvis.ty", "pelvis.tz"])
    np.testing.assert_allclose(both.angles[-1][~slides], second.angles[-1][~slides], atol=1e-12)
    begin = first.end - 0.3
    way = (second.angles[-1] - second.angles[0] + first.at(begin))[slides][:2]
    np.testing.assert_allclose(both.angles[-1][slides][:2], way, atol=1e-12)
    assert both.angles[-1][slides][2] == pytest.approx(second.angles[-1][slides][2], abs=1e-12)
    plain = first.joined(second)
    assert plain.duration == pytest.approx(first.duration + second.duration + 1.0 / first.rate)


def test_a_mixture_is_each_clip_at_its_ends_and_lasts_as_long_as_its_share() -> None:
    """At 0 and 1 it is one of both; half-way it lasts half of both together."""
    skeleton = walker()
    first, second = some_clip(skeleton, 1), some_clip(skeleton, 2, 12)
    for weight, one in ((0.0, first), (1.0, second)):
        mixture = first.blended(second, weight)
        assert mixture.duration == pytest.approx(one.duration)
        for phase in (0.0, 0.3, 1.0):
            expected = one.at(one.start + phase * one.duration)
            assert_same_posture(skeleton, mixture.at(mixture.start + phase * mixture.duration), expected, 1e-6)
    assert first.blended(second, 0.5).duration == pytest.approx(0.5 * (first.duration + second.duration))


def test_a_loop_ends_where_it_begins_and_travels_on() -> None:
    """Its last posture is its first one but for the way along the ground, round after round; the rest is untouched."""
    clip = some_clip(walker())
    loop = clip.looped(3, blend=0.4)
    assert loop.duration == pytest.approx(3 * clip.duration)
    way = np.zeros(clip.skeleton.dof_count)
    way[:2] = (clip.angles[-1] - clip.angles[0])[:2]
    for number in range(4):
        np.testing.assert_allclose(
            loop.at(clip.start + number * clip.duration), clip.angles[0] + number * way, atol=1e-9
        )
    early = clip.times < clip.end - 0.4
    for angles, before in zip(loop.angles[: early.sum()], clip.angles, strict=False):
        assert_same_posture(clip.skeleton, angles, before)


def test_a_mirrored_motion_is_the_motion_in_a_mirror() -> None:
    """Each joint is where its partner's image is, to 1e-9, at every moment; twice mirrored it is what it was."""
    body = doll()
    clip = some_clip(body)
    mirrored = clip.mirrored()
    names = [name.replace("left", "?").replace("right", "left").replace("?", "right") for name in body.joint_names]
    for before, after in zip(clip.angles, mirrored.angles, strict=True):
        expected = body.forward(before).positions * [-1, 1, 1]
        own = body.forward(after)
        np.testing.assert_allclose([own.of(name).position for name in names], expected, atol=1e-9)
    for before, after in zip(clip.angles, mirrored.mirrored().angles, strict=True):
        assert_same_posture(body, after, before)


@pytest.mark.parametrize(
    ("left", "right"),
    [("arm.L", "arm.R"), ("l_arm", "r_arm"), ("LArm", "RArm"), ("LeftArm", "RightArm"), ("arm_left", "arm_right")],
)
def test_sides_are_told_apart_however_they_are_spelt(left: str, right: str) -> None:
    """Two hinges on both sides of a post change places."""
    builder = SkeletonBuilder("post", up="y")
    for name, sign in ((left, 1.0), (right, -1.0)):
        builder.joint(name, kind="continuous", axis="z", position=(sign, 0, 0))
    post = builder.build()
    mirrored = Clip("wave", post, [0.0], [[0.5, 0.2]]).mirrored()
    np.testing.assert_allclose(mirrored.angles, [[-0.2, -0.5]])


def test_a_gripper_whose_fingers_mimic_each_other_is_its_own_image() -> None:
    """In the mirror the crane turns the other way, and its claw opens as far."""
    clip = some_clip(crane())
    mirrored = clip.mirrored(across="y")
    signs = np.where([name in ("turn",) for name in clip.skeleton.dof_names], -1.0, 1.0)
    np.testing.assert_allclose(mirrored.angles, signs * clip.angles, atol=1e-12)


def test_what_cannot_be_meant_is_refused() -> None:
    """Parts outside, blends too long, weights and counts that are none, other bodies, bodies without two sides."""
    clip, other = some_clip(walker()), some_clip(crane())
    builder = SkeletonBuilder("post")
    builder.joint("crooked", kind="continuous", axis=(1, 1, 0))
    oblique = some_clip(builder.build())
    for call, reason in [
        (lambda: clip.cut(0.0, 2.0), "has no part from 0 to 2 s"),
        (lambda: clip.cut(2.0, 1.5), "has no part"),
        (lambda: clip.cut("a", 2.0), "begin is 'a', not a number"),
        (lambda: clip.joined(other), "retarget one of them first"),
        (lambda: clip.joined(5), "a Clip is expected"),
        (lambda: clip.joined(clip, blend=99), "blend is 99 s, outside 0 to"),
        (lambda: clip.blended(clip, 1.5), "weight is 1.5, outside 0 to 1"),
        (lambda: clip.looped(0), "count is 0, not a whole number"),
        (lambda: clip.looped(blend=0), "blend is 0 s, not above 0"),
        (clip.mirrored, "no left and right by its names"),
        (lambda: oblique.mirrored(across="x"), "'crooked' in the mirror is not 'crooked'"),
        (lambda: clip.mirrored(across=[0, 0, 0]), "across has length zero"),
    ]:
        with pytest.raises(InputError, match=reason):
            call()
