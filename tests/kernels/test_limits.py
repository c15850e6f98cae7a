"""Swing, twist and couplings: what is inside stays, what is outside comes in by the short way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.kernels.limits import clamp_rotation, nearest_on_circle, split_swing_twist
from gestik.kernels.quaternion import angle_of
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.reference.measures_twin import rotation_matrix, turn_matrix

AXIS = (0.6, 0.0, 0.8)


def random_turns(seed: int, count: int = 50) -> list[tuple[float, float, float, float]]:
    """Quaternions all over the sphere, w first."""
    values = np.random.default_rng(seed).normal(size=(count, 4))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return [(w, x, y, z) for w, x, y, z in values.tolist()]


def test_a_rotation_is_its_twist_followed_by_its_swing() -> None:
    """As matrices R = S T, the swing's axis is across, and it leads the axis the shortest way to where it ends up."""
    for turn in random_turns(1):
        swing, twist = split_swing_twist(turn, AXIS)
        product = rotation_matrix(swing) @ turn_matrix(AXIS, twist)
        np.testing.assert_allclose(product, rotation_matrix(turn), atol=1e-12)
        assert np.dot(swing[1:], AXIS) == pytest.approx(0.0, abs=1e-12)
        moved = rotation_matrix(turn) @ AXIS
        assert math.cos(angle_of(swing)) == pytest.approx(float(moved @ AXIS))
        assert -math.pi <= twist <= math.pi


def test_half_a_turn_across_has_no_twist() -> None:
    """Where the axis is turned upside down every twist is as good, and 0 is taken."""
    swing, twist = split_swing_twist((0.0, 0.0, 1.0, 0.0), AXIS)
    assert twist == 0.0
    assert angle_of(swing) == pytest.approx(math.pi)


def test_a_clamped_rotation_is_inside_and_one_inside_stays() -> None:
    """The swing's direction is kept, the twist goes to the nearer end of its range, twice is the same as once."""
    for turn in random_turns(2):
        clamped = clamp_rotation(turn, AXIS, 0.7, -0.2, 0.5)
        swing, twist = split_swing_twist(clamped, AXIS)
        assert angle_of(swing) <= 0.7 + 1e-12
        assert -0.2 - 1e-12 <= twist <= 0.5 + 1e-12
        again = clamp_rotation(clamped, AXIS, 0.7, -0.2, 0.5)
        np.testing.assert_allclose(rotation_matrix(again), rotation_matrix(clamped), atol=1e-12)
        wide = clamp_rotation(turn, AXIS, math.pi, -math.pi, math.pi)
        np.testing.assert_allclose(rotation_matrix(wide), rotation_matrix(turn), atol=1e-12)
        before, after = split_swing_twist(turn, AXIS)[0], swing
        assert np.linalg.norm(np.cross(before[1:], after[1:])) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("angle", "lower", "upper", "expected"),
    [
        (0.3, -1.0, 1.0, 0.3),
        (0.3 + 2.0 * math.pi, -1.0, 1.0, 0.3),
        (1.2, -1.0, 1.0, 1.0),
        (-3.0, -1.0, 2.0, 2.0),
        (-3.0, 2.5, 4.0, 2.0 * math.pi - 3.0),
        (0.2, 2.5, 4.0, 2.5),
        (-1.0, 2.5, 4.0, 4.0),
        (0.5, 0.5, 0.5, 0.5),
    ],
)
def test_the_nearest_angle_is_found_on_the_circle(angle: float, lower: float, upper: float, expected: float) -> None:
    """Ranges may cross the half turn, and a range of one angle is one."""
    assert nearest_on_circle(angle, lower, upper) == pytest.approx(expected)


def limited_body() -> Skeleton:
    """A hip with box, cone and twist, two fingers that pull each other, one of them tied to a third."""
    builder = SkeletonBuilder("limited")
    builder.joint(
        "hip",
        kind="ball",
        convention="XYZ",
        lower=(-2, -1, -2),
        upper=(2, 1, 2),
        swing=0.8,
        twist=(-0.3, 0.4),
        segment=(0, 0, -0.4),
    )
    for name in ("one", "two", "three"):
        builder.joint(name, kind="revolute", axis="y", parent="hip", lower=-1.5, upper=1.5)
    builder.coupling(-0.2, {"one": 1.0, "two": -1.0}, 0.2)
    builder.coupling(None, {"two": 2.0, "three": 1.0}, 1.0)
    return builder.build()


def test_clamped_angles_keep_every_limit_and_those_that_do_stay() -> None:
    """Boxes, cones and couplings at once, from far outside; clamping again changes no bit."""
    body = limited_body()
    inside = 0
    for angles in np.random.default_rng(4).uniform(-4.0, 4.0, (200, body.dof_count)):
        clamped = body.clamp(angles)
        assert not body.limit_excess(clamped)
        np.testing.assert_array_equal(body.clamp(clamped), clamped)
        half = 0.05 * angles
        if not body.limit_excess(half):
            inside += 1
            np.testing.assert_array_equal(body.clamp(half), half)
    assert inside > 100


def test_a_coupling_is_kept_by_the_shortest_way() -> None:
    """Two equal angles share the way; one that is at its own limit leaves the rest to the other."""
    builder = SkeletonBuilder("pair")
    builder.joint("a", kind="revolute", axis="z", lower=0, upper=2)
    builder.joint("b", kind="revolute", axis="z", lower=0, upper=2)
    builder.coupling(None, {"a": 1.0, "b": 1.0}, 1.0)
    pair = builder.build()
    np.testing.assert_allclose(pair.clamp([1.0, 1.0]), [0.5, 0.5])
    np.testing.assert_allclose(pair.clamp([0.1, 1.7]), [0.0, 1.0])
    np.testing.assert_array_equal(pair.clamp([0.25, 0.5]), [0.25, 0.5])


def test_limits_that_fight_end_on_the_way_to_rest() -> None:
    """A cone and a box that meet in little more than the rest still give angles inside both."""
    builder = SkeletonBuilder("tight")
    builder.joint(
        "neck",
        kind="ball",
        convention="YXY",
        lower=(0.5, -2, -2),
        upper=(2, 2, 2),
        rest=(0.5, 0, -0.5),
        swing=0.1,
        twist=(-0.01, 0.01),
    )
    neck = builder.build()
    for angles in np.random.default_rng(8).uniform(-4.0, 4.0, (50, 3)):
        assert not neck.limit_excess(neck.clamp(angles))


def test_every_broken_limit_is_named_with_its_measure() -> None:
    """Below a lower limit is negative, above an upper one positive; what is kept is not told."""
    body = limited_body()
    assert body.limit_excess(body.rest) == {}
    told = body.limit_excess(body.angles_from({"hip.y": 1.2, "hip.z": -0.5, "one": 1.6, "two": 0.5}))
    assert told["hip.y"] == pytest.approx(0.2)
    assert told["one"] == pytest.approx(0.1)
    assert told["1 one + -1 two"] == pytest.approx(0.9)
    assert told["swing of hip"] == pytest.approx(0.4)
    # The segment points down, so a turn of -0.5 about z is a twist of 0.5.
    assert told["twist of hip"] == pytest.approx(0.1)
    assert set(told) == {"hip.y", "one", "1 one + -1 two", "swing of hip", "twist of hip"}
