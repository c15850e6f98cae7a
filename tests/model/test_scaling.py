"""Scaling: the same movement in another size."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import InputError
from gestik.model.builder import SkeletonBuilder
from gestik.model.character import Character
from gestik.model.joints import Mimic, Shape
from gestik.model.posture import Posture
from gestik.model.scaling import scaled_character, scaled_skeleton
from tests.model.samples import assert_sound, crane, random_angles

SEED = 31


@pytest.mark.parametrize("scale", [0.01, 3.0])
def test_a_scaled_skeleton_is_in_the_same_pose_only_larger(scale: float) -> None:
    """With slides scaled too, every frame is `scale` times as far out and turned the same; mimics still follow."""
    skeleton = crane()
    giant = scaled_skeleton(skeleton, scale)
    assert_sound(giant)
    rng = np.random.default_rng(SEED)
    for _ in range(5):
        angles = random_angles(skeleton, rng)
        larger = angles * [1.0, 1.0, scale, 1.0]
        for name in skeleton.frame_names:
            expected, found = skeleton.forward(angles).of(name), giant.forward(larger).of(name)
            np.testing.assert_allclose(found.position, scale * expected.position, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(found.rotation, expected.rotation, rtol=1e-12, atol=1e-12)


def test_limits_speed_and_rest_of_slides_are_lengths_and_those_of_turns_are_not() -> None:
    """Only the telescope's numbers grow."""
    giant = scaled_skeleton(crane(), 10.0)
    np.testing.assert_allclose(giant.lower, [-np.inf, -1.5, 1.0, 0.0])
    np.testing.assert_allclose(giant.upper, [np.inf, 0.5, 8.0, 0.9])
    np.testing.assert_allclose(giant.speed, [2.0, np.inf, 3.0, np.inf])
    np.testing.assert_allclose(giant.rest, [0.0, 0.0, 1.0, 0.0])
    np.testing.assert_allclose(giant.segments, 10.0 * crane().segments)


def test_a_turn_that_follows_a_slide_turns_as_far_as_before() -> None:
    """A wheel on a rack: the rack's metres grow, the wheel's radians do not."""
    builder = SkeletonBuilder("rack")
    builder.joint("rack", kind="prismatic", axis="x", lower=0.0, upper=1.0)
    builder.joint("wheel", kind="continuous", axis="y", mimic=Mimic("rack", gain=5.0, bias=0.5))
    small = builder.build()
    large = scaled_skeleton(small, 2.0)
    np.testing.assert_allclose(
        large.forward([0.6]).of("wheel").rotation, small.forward([0.3]).of("wheel").rotation, rtol=1e-15
    )


def test_shapes_grow_with_the_skeleton() -> None:
    """Boxes by their edges, round things by radius and height, meshes by their factors."""
    builder = SkeletonBuilder("shapes")
    builder.shape(Shape("box", size=(1, 2, 3), position=(1, 0, 0)))
    builder.shape(Shape("frustum", radius=1.0, top_radius=2.0, height=3.0))
    builder.shape(Shape("mesh", size=(1, -1, 1)))
    box, frustum, mesh = scaled_skeleton(builder.build(), 2.0).shapes
    assert (box.size, box.position) == ((2, 4, 6), (2, 0, 0))
    assert (frustum.radius, frustum.top_radius, frustum.height) == (2, 4, 6)
    assert mesh.size == (2, -2, 2)


def test_the_postures_of_a_character_keep_their_pose() -> None:
    """A posture's slide grows with the character, its turns do not, and its weight stays."""
    character = Character("crane", crane(), postures={"bow": Posture({"lift": 0.5, "reach": 0.4}, weight=0.7)})
    bow = scaled_character(character, 2.0).posture("bow")
    np.testing.assert_allclose(bow.angles, [0.0, 0.5, 0.8, 0.0])
    assert bow.weight == 0.7


def test_scale_one_changes_nothing() -> None:
    """The very same skeleton comes back."""
    skeleton = crane()
    assert scaled_skeleton(skeleton, 1.0) is skeleton


@pytest.mark.parametrize("scale", [0.0, -1.0, np.nan, np.inf, 1e9, "big", None])
def test_a_scale_that_cannot_be_meant_is_refused(scale: object) -> None:
    """Zero, negative, infinite and absurd scales raise InputError."""
    with pytest.raises(InputError, match="scale is"):
        scaled_skeleton(crane(), scale)
