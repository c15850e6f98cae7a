"""The best turn of one joint is found, compared with trying many."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.kernels.best_turn import (
    best_angle,
    best_turn,
    pull_on_rotation,
    pull_on_sight,
    pull_on_vector,
    turn_to_direction,
    turn_to_point,
    turn_to_rotation,
)
from tests.kernels.trees import unit
from tests.reference.measures_twin import angle_between_rotations, rotation_matrix, turn_matrix

TRIED = np.linspace(-math.pi, math.pi, 20_001)
STEP = TRIED[1] - TRIED[0]


def vectors(seed: int, count: int) -> list[tuple[float, ...]]:
    """Random vectors; the first one is a unit axis."""
    drawn = np.random.default_rng(seed).normal(size=(count, 3))
    return [tuple(unit(drawn[0]).tolist()), *(tuple(row) for row in drawn[1:].tolist())]


def assert_least(costs: np.ndarray, turn: float) -> None:
    """The turn is where the least of the costs is, within the step they were tried with."""
    assert abs(math.remainder(turn - TRIED[np.argmin(costs)], math.tau)) <= STEP


@pytest.mark.parametrize("seed", range(5))
def test_a_direction_is_turned_to_the_nearest_one(seed: int) -> None:
    """No turn in steps of 0.3 mrad brings the direction closer than the closed form does."""
    axis, looking, wanted = vectors(seed, 3)
    costs = np.linalg.norm(turn_matrix(axis, TRIED) @ looking - wanted, axis=-1)
    assert_least(costs, turn_to_direction(axis, looking, wanted))


@pytest.mark.parametrize("seed", range(5))
def test_a_point_is_turned_to_the_nearest_place(seed: int) -> None:
    """The same for a point on an axis through some centre."""
    axis, centre, point, target = vectors(seed + 10, 4)
    arm = np.subtract(point, centre)
    costs = np.linalg.norm(centre + turn_matrix(axis, TRIED) @ arm - target, axis=-1)
    assert_least(costs, turn_to_point(axis, centre, point, target))


@pytest.mark.parametrize("seed", range(5))
def test_a_rotation_is_turned_to_the_nearest_one(seed: int) -> None:
    """The same for the angle between two rotations, and the pull is the chord's: 2 sin(angle / 2) squared."""
    rng = np.random.default_rng(seed)
    axis = vectors(seed + 20, 1)[0]
    here, wanted = (tuple(unit(rng.normal(size=4)).tolist()) for _ in range(2))
    turned = turn_matrix(axis, TRIED) @ rotation_matrix(here)
    apart = angle_between_rotations(turned, rotation_matrix(wanted))
    assert_least(apart, turn_to_rotation(axis, here, wanted))
    missing = rotation_matrix(wanted) @ rotation_matrix(here).T
    half = 0.5 * float(angle_between_rotations(missing, np.eye(3)))
    x, y, z = np.array([missing[2, 1] - missing[1, 2], missing[0, 2] - missing[2, 0], missing[1, 0] - missing[0, 1]])
    vector = unit(np.array([x, y, z])) * math.sin(half)
    cosine, sine = pull_on_rotation(axis, (math.cos(half), *vector.tolist()))
    sinusoid = -2.0 * (cosine * np.cos(TRIED) + sine * np.sin(TRIED))
    np.testing.assert_allclose(np.ptp((2.0 * np.sin(0.5 * apart)) ** 2 - sinusoid), 0.0, atol=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_pulls_add_up(seed: int) -> None:
    """Two goals of different weight share a joint where the sum of their squares is least."""
    axis, first, its, second, other = vectors(seed + 30, 5)
    pulls = np.array([pull_on_vector(axis, first, its), pull_on_vector(axis, second, other)])
    shared = 4.0 * pulls[0] + pulls[1]
    turn = turn_matrix(axis, TRIED)
    costs = 4.0 * np.sum((turn @ first - its) ** 2, axis=-1) + np.sum((turn @ second - other) ** 2, axis=-1)
    assert_least(costs, best_turn((float(shared[0]), float(shared[1]))))


@pytest.mark.parametrize("seed", range(8))
def test_an_eye_beside_its_joint_looks_at_the_target_after_one_turn(seed: int) -> None:
    """Seen along the axis, the line of sight of an eye with an offset passes through the target."""
    axis, centre, eye, looking, target = vectors(seed + 40, 5)
    target = tuple(20.0 * np.asarray(target))  # outside the circle of the eye
    turn = turn_matrix(axis, best_turn(pull_on_sight(axis, centre, eye, looking, target)))
    seen_from = centre + turn @ np.subtract(eye, centre)
    ray = turn @ looking
    across = np.cross(ray, np.subtract(target, seen_from))
    assert abs(float(np.dot(axis, across))) < 1e-12 * np.linalg.norm(across) + 1e-12
    assert np.dot(ray - np.dot(ray, axis) * np.asarray(axis), np.subtract(target, seen_from)) > 0.0


def test_nothing_turns_what_does_not_pull() -> None:
    """A vector along the axis, an eye that looks along it, and rounding noise ask for no turn."""
    axis = (0.0, 0.6, 0.8)
    assert turn_to_direction(axis, axis, (1.0, 2.0, 3.0)) == 0.0
    assert turn_to_direction(axis, (3e-17, 0.6, 0.8), (1.0, 1e-17, 0.0)) == 0.0
    assert best_turn(pull_on_sight(axis, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), axis, (0.0, 3.0, 1.0))) == 0.0
    assert best_angle((0.0, 0.0), 2.0, -1.0, 1.0) == 1.0


@pytest.mark.parametrize(
    ("turn", "angle", "lower", "upper", "expected"),
    [
        (0.5, 0.2, -math.inf, math.inf, 0.7),
        (3.0, 3.0, -math.inf, math.inf, 6.0),
        (1.0, 0.5, -1.0, 1.0, 1.0),
        (3.0, 0.5, -1.0, 4.0, 3.5),
        (3.0, 1.0, -3.0, 3.0, 4.0 - math.tau),
        (-3.0, -1.0, -3.0, 3.0, math.tau - 4.0),
        (-2.6, 0.0, -1.0, 2.0, -1.0),
        (math.pi, 0.1, -1.0, 1.2, 1.2),
        (math.pi, 0.0, -1.0, 1.0, -1.0),
        (0.3, 9.0, -1.0, 1.0, 1.0),
    ],
)
def test_the_best_angle_inside_limits_is_the_nearest_on_the_circle(
    turn: float, angle: float, lower: float, upper: float, expected: float
) -> None:
    """Whole rounds are used where they lead inside; else the limit that is nearer on the circle is taken."""
    found = best_angle((2.0 * math.cos(turn), 2.0 * math.sin(turn)), angle, lower, upper)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_no_angle_inside_the_limits_is_better(seed: int) -> None:
    """Compared with trying every angle between random limits."""
    rng = np.random.default_rng(seed)
    lower, upper = np.sort(rng.uniform(-4.0, 4.0, 2))
    angle, pull = rng.uniform(lower, upper), tuple(rng.normal(size=2).tolist())
    tried = np.linspace(lower, upper, 5001)
    values = pull[0] * np.cos(tried - angle) + pull[1] * np.sin(tried - angle)
    found = best_angle(pull, angle, lower, upper)
    assert lower <= found <= upper
    assert pull[0] * math.cos(found - angle) + pull[1] * math.sin(found - angle) >= values.max() - 1e-12
