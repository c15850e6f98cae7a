"""The slow measures against cases worked by hand, so that the judges are judged too."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.measures_twin import (
    FloatArray,
    angle_between_rotations,
    orientation_measure,
    posture_measure,
    rotation_matrix,
    shape_error,
    turn_matrix,
)

X, Y, Z = np.eye(3)


def planar(*bends: float) -> FloatArray:
    """Directions of a chain that leaves along +Y and bends about X at every joint, bends in degrees."""
    return np.array([turn_matrix(X, np.radians(total)) @ Y for total in np.cumsum(bends)])


def test_an_angle_of_6_483_degrees_measures_four_hundredths() -> None:
    """The paper's threshold 0.04 is a turn of 6.483 degrees."""
    turned = turn_matrix(X, np.radians(6.483))
    assert orientation_measure(turned, np.eye(3)) == pytest.approx(0.04, abs=1e-5)


def test_half_a_turn_measures_one() -> None:
    """The largest angle there is has the largest measure, 1."""
    assert orientation_measure(turn_matrix(Z, np.pi), np.eye(3)) == pytest.approx(1.0)


def test_the_measure_is_the_distance_of_unit_quaternions() -> None:
    """Z is min(|t - w|, |t + w|) / sqrt(2) of the quaternions themselves, as eq. 20 prints it."""
    generator = np.random.default_rng(3)
    first, second = generator.normal(size=(2, 20, 4))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    printed = np.minimum(np.linalg.norm(first - second, axis=1), np.linalg.norm(first + second, axis=1)) / np.sqrt(2.0)
    np.testing.assert_allclose(
        orientation_measure(rotation_matrix(first), rotation_matrix(second)), printed, atol=1e-12
    )


def test_a_symmetric_end_may_be_turned_half_round_about_its_own_axis() -> None:
    """Half a turn about the end's own Y costs nothing, about another axis it costs all."""
    end = turn_matrix(X, 0.7) @ turn_matrix(Z, -0.3)
    assert orientation_measure(end @ turn_matrix(Y, np.pi), end, Y) == pytest.approx(0.0, abs=1e-9)
    assert orientation_measure(end @ turn_matrix(X, np.pi), end, Y) == pytest.approx(1.0)


def test_small_angles_are_not_lost() -> None:
    """An angle of a ten-millionth of a radian comes back to one part in a million."""
    assert angle_between_rotations(turn_matrix(X, 1e-7), np.eye(3)) == pytest.approx(1e-7, rel=1e-6)


def test_a_quaternion_turns_counter_clockwise_about_its_axis() -> None:
    """A quarter turn about +Z, w first, brings X to Y."""
    quarter = rotation_matrix([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    np.testing.assert_allclose(quarter @ X, Y, atol=1e-12)
    np.testing.assert_allclose(turn_matrix(Z, np.pi / 2) @ X, Y, atol=1e-12)


def test_a_right_angle_in_one_of_three_bends_costs_a_sixth() -> None:
    """One bend of 90 degrees where the posture is straight: cosine off by 1, halved, one bend of three."""
    bent, straight = planar(0.0, 90.0, 0.0), planar(0.0, 0.0, 0.0)
    assert posture_measure(bent, straight, Y) == pytest.approx(1.0 / 6.0)


def test_the_first_bend_is_measured_from_the_base() -> None:
    """A root that leans counts as a bend."""
    assert posture_measure(planar(90.0, 0.0), planar(0.0, 0.0), Y) == pytest.approx(1.0 / 4.0)


def test_aggravation_doubles_the_price_from_bend_to_bend() -> None:
    """With alpha 2 the third of three bends carries four sevenths of the measure."""
    bent, straight = planar(0.0, 0.0, 90.0), planar(0.0, 0.0, 0.0)
    assert posture_measure(bent, straight, Y, aggravation=2.0) == pytest.approx(0.5 * 4.0 / 7.0)


@pytest.mark.parametrize("aggravation", [1.0, 2.0])
def test_the_worst_posture_measures_one(aggravation: float) -> None:
    """Every bend folded back where the posture is straight scores 1, whatever the aggravation."""
    folded, straight = planar(180.0, 180.0, 180.0), planar(0.0, 0.0, 0.0)
    assert posture_measure(folded, straight, Y, aggravation) == pytest.approx(1.0)


def test_the_papers_measure_cannot_see_a_mirror_image() -> None:
    """All bends negated measure 0 by the paper, and the sighted measure sees what one bend's side changes."""
    bends = (20.0, 40.0, -70.0)
    mirrored = planar(*(-bend for bend in bends))
    assert posture_measure(mirrored, planar(*bends), Y) == pytest.approx(0.0, abs=1e-12)
    one_flipped = planar(20.0, 40.0, 70.0)
    assert posture_measure(one_flipped, planar(*bends), Y) == pytest.approx(0.0, abs=1e-12)
    assert shape_error(one_flipped, planar(*bends), Y) > 10.0


def test_turning_about_the_vertical_changes_no_shape() -> None:
    """A figure turned about its up axis keeps a shape error of 0."""
    figure = planar(20.0, 40.0, -70.0) @ turn_matrix(Z, 0.4).T
    assert shape_error(figure @ turn_matrix(Y, 2.1).T, figure, Y) == pytest.approx(0.0, abs=1e-6)


def test_a_lean_counts_in_full() -> None:
    """A figure along X that leans by 30 degrees, on the axis it leans about, is off by its lean in every segment."""
    upright = np.array([Y, Y, Y])
    assert shape_error(upright @ turn_matrix(X, np.radians(30.0)).T, upright, Y) == pytest.approx(30.0)


def test_the_heading_is_the_least_squares_one() -> None:
    """No other turn about the vertical brings the segments closer together, in the sum of squares."""
    generator = np.random.default_rng(5)
    here, there = generator.normal(size=(2, 4, 3))
    here /= np.linalg.norm(here, axis=1, keepdims=True)
    there /= np.linalg.norm(there, axis=1, keepdims=True)
    candidates = np.linspace(-np.pi, np.pi, 20001)
    turned = there @ np.swapaxes(turn_matrix(Y, candidates), -2, -1)
    best = turned[np.argmin(np.sum((here - turned) ** 2, axis=(1, 2)))]
    by_search = np.degrees(np.mean(np.arccos(np.sum(here * best, axis=1))))
    assert shape_error(here, there, Y) == pytest.approx(by_search, abs=0.02)
