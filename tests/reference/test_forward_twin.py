"""The slow forward kinematics against places one can work out on paper."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Mimic
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import chain_segments, joint_frames, looking_error, named_frame

QUARTER = np.pi / 2


@pytest.fixture
def crane() -> Skeleton:
    """A crane: it yaws, a fixed post of 2 m, a jib that pitches, a trolley 1 m out that slides, and a follower."""
    builder = SkeletonBuilder("crane", up="z")
    builder.joint("yaw", kind="continuous", axis="z")
    builder.joint("post", parent="yaw", kind="fixed", position=(0, 0, 2))
    builder.joint("pitch", parent="post", kind="revolute", axis="y", lower=-2, upper=2)
    builder.joint("slide", parent="pitch", kind="prismatic", axis="x", position=(1, 0, 0), lower=0, upper=1)
    builder.joint(
        "hook", parent="slide", kind="revolute", axis="y", lower=-9, upper=9, mimic=Mimic("pitch", gain=-1.0, bias=0.5)
    )
    builder.frame("lens", parent="hook", position=(0, 0, -1), kind="eye", axis="x")
    return builder.build()


def test_a_quarter_yaw_and_a_slide_put_the_trolley_where_the_drawing_says(crane: Skeleton) -> None:
    """Yaw 90 degrees, level jib, trolley out by half a metre: it hangs at (0, 1.5, 2)."""
    frames = joint_frames(crane, [QUARTER, 0.0, 0.5])
    np.testing.assert_allclose(frames[3][:3, 3], (0.0, 1.5, 2.0), atol=1e-12)


def test_pitching_down_lowers_the_trolley(crane: Skeleton) -> None:
    """A turn of +90 degrees about +Y points the jib straight down."""
    np.testing.assert_allclose(joint_frames(crane, [0.0, QUARTER, 0.0])[3][:3, 3], (0.0, 0.0, 1.0), atol=1e-12)


def test_a_follower_turns_by_gain_and_bias(crane: Skeleton) -> None:
    """The hook undoes the jib's pitch but for its bias of half a radian."""
    frames = joint_frames(crane, [0.0, 0.8, 0.0])
    assert np.arctan2(frames[4][0, 2], frames[4][0, 0]) == pytest.approx(0.5)


def test_an_eye_off_the_axis_looks_from_where_it_is(crane: Skeleton) -> None:
    """The hook, tilted by its bias, carries the lens 1 m below itself and turns where it looks."""
    angles, tilt = [0.0, 0.0, 0.5], 0.5
    lens = np.array((1.5 - np.sin(tilt), 0.0, 2.0 - np.cos(tilt)))
    np.testing.assert_allclose(named_frame(crane, angles, "lens")[:3, 3], lens, atol=1e-12)
    ahead, below = np.array((np.cos(tilt), 0.0, -np.sin(tilt))), np.array((-np.sin(tilt), 0.0, -np.cos(tilt)))
    assert looking_error(crane, angles, "lens", lens + 3.0 * ahead) == pytest.approx(0.0, abs=1e-12)
    assert looking_error(crane, angles, "lens", lens + 3.0 * below) == pytest.approx(QUARTER)


def test_bones_skip_what_does_not_move_and_what_has_no_length() -> None:
    """A shoulder of two joints in one place and a fixed bracket leave two bones, of which one twists."""
    builder = SkeletonBuilder("arm", up="y")
    builder.joint("turn", kind="revolute", axis="y", lower=-3, upper=3)
    builder.joint("lift", parent="turn", kind="revolute", axis="x", lower=-3, upper=3)
    builder.joint("bracket", parent="lift", kind="fixed", position=(0, 1, 0))
    builder.joint("twist", parent="bracket", kind="revolute", axis="y", position=(0, 1, 0), lower=-3, upper=3)
    builder.frame("tool", parent="twist", position=(0, 1, 0))
    arm = builder.build()
    chain = chain_segments(arm, [0.0, QUARTER, 0.3], "tool")
    np.testing.assert_allclose(chain.directions, [(0, 0, 1), (0, 0, 1)], atol=1e-12)
    assert chain.bends.tolist() == [True, False]
    np.testing.assert_allclose(chain.base, (0, 1, 0), atol=1e-12)
