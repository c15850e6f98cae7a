"""Two bones given as points reach in closed form, as the corrected notes say, and bend where they are told to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from tests.reference.measures_twin import rotation_matrix, turn_matrix
from tests.reference.two_bone_twin import farthest_and_nearest, notes_angles, notes_points

FloatArray = NDArray[np.float64]

ALONG_X = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (5.0, 0.0, 0.0)]
WORKED_EXAMPLE = (-3.0, math.sqrt(7.0), 0.0)


def random_limbs(seed: int, count: int) -> list[tuple[FloatArray, FloatArray]]:
    """Bent limbs somewhere in space, and targets around them, within the reach or not."""
    rng = np.random.default_rng(seed)
    limbs = []
    for _ in range(count):
        points = np.cumsum(rng.normal(size=(3, 3)), axis=0)
        limbs.append((points, points[0] + rng.normal(size=3) * rng.uniform(0.1, 3.0)))
    return limbs


def lengths(points: FloatArray) -> FloatArray:
    """The lengths of the bones [m]."""
    return np.linalg.norm(np.diff(points, axis=0), axis=1)


def test_the_worked_example_of_the_notes_comes_out_to_the_last_digits() -> None:
    """l1 = 3, l2 = 2, P_d = (-3, sqrt 7, 0): r 4, hinge -75.5225, lift 28.9550, elevation 41.4096, heading 180 deg."""
    limb = gk.two_bone(ALONG_X, WORKED_EXAMPLE, aiming="euler")
    angles = np.degrees([limb.bend, limb.lift, limb.elevation, abs(limb.heading)])
    np.testing.assert_allclose(angles, (-75.5225, 28.9550, 41.4096, 180.0), atol=5e-5)
    np.testing.assert_allclose(limb.points[2], WORKED_EXAMPLE, atol=1e-14)
    assert limb.roll == pytest.approx(0.0, abs=1e-14)
    assert limb.reached


def test_the_rotations_of_the_worked_example_reach_by_the_kinematics_of_the_notes() -> None:
    """R_1 = R_y(180) R_z(41.4) R_z(29) and R_2 = R_z(-75.5), laid end to end, end at P_d."""
    limb = gk.two_bone(ALONG_X, WORKED_EXAMPLE, aiming="euler")
    end = notes_points(3.0, 2.0, (limb.heading, limb.elevation, limb.lift, limb.bend))[2]
    np.testing.assert_allclose(end, WORKED_EXAMPLE, atol=1e-14)


@pytest.mark.parametrize("seed", range(4))
def test_euler_aiming_is_the_notes_method_for_any_lengths_and_targets(seed: int) -> None:
    """300 limbs each, the branch in which the first bone leans backwards among them, agree with the twin."""
    rng = np.random.default_rng(seed)
    for _ in range(300):
        first, second = rng.uniform(0.2, 3.0, 2)
        target = rng.normal(size=3) * (first + second) * 0.6
        limb = gk.two_bone([(0, 0, 0), (first, 0, 0), (first + second, 0, 0)], target, aiming="euler")
        expected = notes_angles(first, second, target)
        np.testing.assert_allclose((limb.heading, limb.elevation, limb.lift, limb.bend), expected, atol=1e-7)
        np.testing.assert_allclose(limb.points, notes_points(first, second, expected), atol=1e-7)


@pytest.mark.parametrize("aiming", ["tangent", "euler"])
def test_the_end_comes_as_close_as_the_lengths_allow(aiming: str) -> None:
    """Of 300 limbs every one misses exactly by what lies outside its shell, and keeps root and lengths."""
    for points, target in random_limbs(1, 300):
        limb = gk.two_bone(points, target, aiming=aiming)
        far, near = farthest_and_nearest(*lengths(points))
        distance = float(np.linalg.norm(target - points[0]))
        assert limb.missing == pytest.approx(max(0.0, distance - far, near - distance), abs=1e-7)
        np.testing.assert_allclose(lengths(limb.points), lengths(points), atol=1e-12)
        np.testing.assert_array_equal(limb.points[0], points[0])


@pytest.mark.parametrize("pole", [None, (0.3, 2.0, -1.0)])
@pytest.mark.parametrize("aiming", ["tangent", "euler"])
def test_the_turns_carry_the_given_bones_to_the_new_ones(aiming: str, pole: tuple[float, ...] | None) -> None:
    """Each bone as given, turned, is the new bone, and both hinges stay one axis."""
    for points, target in random_limbs(2, 100):
        limb = gk.two_bone(points, target, aiming=aiming, pole=pole)
        turns = rotation_matrix(limb.turns)
        before, after = np.diff(points, axis=0), np.diff(limb.points, axis=0)
        np.testing.assert_allclose(np.einsum("bij,bj->bi", turns, before), after, atol=1e-9)
        hinge = np.cross(before[1], before[0])
        np.testing.assert_allclose(turns[0] @ hinge, turns[1] @ hinge, atol=1e-9)


def test_tangent_aiming_turns_by_the_smallest_angle() -> None:
    """The plane of the bend is carried by a turn about an axis across both lines from root to end."""
    for points, target in random_limbs(3, 100):
        limb = gk.two_bone(points, target)
        here, there = points[2] - points[0], limb.points[2] - limb.points[0]
        axis = np.cross(here, there)
        sine, cosine = np.linalg.norm(axis), here @ there
        carried = turn_matrix(axis / sine, np.arctan2(sine, cosine)) @ np.cross(*np.diff(points, axis=0))
        hinge = np.cross(*np.diff(limb.points, axis=0))
        assert carried @ hinge == pytest.approx(np.linalg.norm(carried) * np.linalg.norm(hinge), rel=1e-6)


def test_the_middle_joint_bends_towards_the_pole() -> None:
    """No turn about the line from root to end brings the middle joint nearer to the pole."""
    rng = np.random.default_rng(4)
    for points, target in random_limbs(4, 50):
        pole = points[0] + rng.normal(size=3)
        limb = gk.two_bone(points, target, pole=pole)
        axis = (limb.points[2] - limb.points[0]) / np.linalg.norm(limb.points[2] - limb.points[0])
        around = turn_matrix(axis, np.linspace(0.0, math.tau, 721)) @ (limb.points[1] - points[0])
        distances = np.linalg.norm(points[0] + around - pole, axis=1)
        assert np.linalg.norm(limb.points[1] - pole) <= distances.min() + 1e-12


def test_a_soft_limb_never_stretches_and_moves_smoothly_through_its_reach() -> None:
    """As the target leaves through the reach, the bend's largest step over a millimetre stays small; hard, it snaps."""
    distances = np.arange(4.0, 6.0, 1e-3)
    bends = {
        softness: [gk.two_bone(ALONG_X, (d, 0.0, 0.0), softness=softness).bend for d in distances]
        for softness in (0.0, 0.1)
    }
    assert max(bends[0.1]) < 0.0
    assert np.abs(np.diff(bends[0.1])).max() < 0.25 * np.abs(np.diff(bends[0.0])).max()
    near = gk.two_bone(ALONG_X, (4.4, 0.0, 0.0), softness=0.1)
    assert near.missing == pytest.approx(0.0, abs=1e-12)


def test_limits_of_the_hinge_are_kept_and_the_end_stays_on_the_line() -> None:
    """A hinge that stops at -60 degrees keeps the end too far out, on the line from the root to the target."""
    limb = gk.two_bone(ALONG_X, (0.0, 2.0, 0.0), bend_limits=(-math.pi / 3.0, -0.1))
    assert limb.bend == pytest.approx(-math.pi / 3.0)
    np.testing.assert_allclose(limb.points[2] / np.linalg.norm(limb.points[2]), (0.0, 1.0, 0.0), atol=1e-12)
    assert not limb.reached
    assert gk.two_bone(ALONG_X, (9.0, 0.0, 0.0), bend_limits=(-1.0, -0.1)).bend == pytest.approx(-0.1)


@pytest.mark.parametrize("aiming", ["tangent", "euler"])
@pytest.mark.parametrize(
    ("points", "target"),
    [
        ([(0, 0, 0), (1, 0, 0), (2, 0, 0)], (0, 0, 0)),
        ([(0, 0, 0), (1, 0, 0), (3, 0, 0)], (0, 0, 0)),
        ([(0, 0, 0), (1, 0, 0), (2, 0, 0)], (-1.5, 0, 0)),
        ([(0, 0, 0), (0, 1, 0), (0, 0, 0)], (0, 1, 1)),
        ([(0, 0, 0), (0, 0, 0), (0, 0, 1)], (1, 0, 0)),
        ([(0, 0, 0), (0, 0, 1), (0, 0, 1)], (1, 0, 0)),
        ([(0, 0, 0), (0, 0, 0), (0, 0, 0)], (1, 0, 0)),
        ([(0, 0, 0), (0, 1, 0), (0, 2, 0)], (0, 1.5, 0)),
        ([(0, 0, 0), (0, 0, 1), (0, 0, 2)], (0, 0, 1.5)),
    ],
)
def test_degenerate_limbs_give_finite_answers(points: object, target: object, aiming: str) -> None:
    """Targets on the root, behind it or above it, folded and zero-length bones: unit turns and kept lengths."""
    limb = gk.two_bone(points, target, aiming=aiming)
    np.testing.assert_allclose(np.linalg.norm(limb.turns, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(lengths(limb.points), lengths(np.asarray(points, dtype=float)), atol=1e-12)
    assert math.isfinite(limb.missing)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"points": [(0, 0, 0), (1, 0, 0)]}, r"shape \(2, 3\)"),
        ({"target": (math.nan, 0, 0)}, "not finite"),
        ({"target": [(1, 0, 0), (2, 0, 0)]}, r"\(2, 3\)"),
        ({"aiming": "magic"}, "tangent, euler"),
        ({"pole": "up"}, "pole"),
        ({"hinge": (0, 0, 0)}, "length zero"),
        ({"bend_limits": (0.0, -1.0)}, "-pi"),
        ({"bend_limits": 3.0}, "2 numbers"),
        ({"softness": 2.0}, "outside 0 to 1"),
        ({"tolerance": -1.0}, "below 0"),
    ],
)
def test_wrong_values_are_refused_by_name(changes: dict[str, object], message: str) -> None:
    """Each value that cannot be meant raises InputError saying which one, and what is right."""
    asked = {"points": ALONG_X, "target": (1.0, 1.0, 0.0)} | changes
    with pytest.raises(gk.InputError, match=message):
        gk.two_bone(**asked)
