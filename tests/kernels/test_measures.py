"""The measures, against twins written from the paper with matrices, and at the edges where formulas break."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.kernels import measures
from gestik.kernels.arrays import FloatArray, Vector
from tests.reference import measures_twin as twin

SEEDS = range(8)
UP: Vector = (0.0, 0.6, 0.8)
BASE: Vector = (0.6, 0.0, 0.8)


def directions(seed: int, count: int = 5) -> FloatArray:
    """Random unit vectors [count, 3]."""
    drawn = np.random.default_rng(seed).normal(size=(count, 3))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


def as_drawn(bones: FloatArray, bent: FloatArray | None = None, shaped: FloatArray | None = None) -> FloatArray:
    """A drawn posture with these bones, all of which count unless told otherwise."""
    count = len(bones)
    bent, shaped = (np.ones(count) if marks is None else marks for marks in (bent, shaped))
    return np.column_stack((bones, bent, shaped))


@pytest.mark.parametrize("angle", [0.0, 1e-8, 0.2, 1.0, 3.0, math.pi])
def test_an_angle_and_its_chord_measure_the_same(angle: float) -> None:
    """The paper's Z is 0 for no turn and 1 for half a turn, from either form."""
    expected = twin.orientation_measure(twin.turn_matrix((0, 0, 1), angle), np.eye(3))
    assert measures.angle_measure(angle) == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert measures.chord_measure(2.0 * math.sin(0.5 * angle)) == pytest.approx(measures.angle_measure(angle), rel=1e-7)
    assert measures.angle_measure(math.pi) == pytest.approx(1.0, rel=1e-15)


def test_a_chord_a_rounding_error_too_long_is_half_a_turn() -> None:
    """It measures 1, not NaN."""
    assert measures.chord_measure(2.0 + 1e-12) == 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_turn_between_two_orientations_is_that_of_their_matrices(seed: int) -> None:
    """With and without half a turn about an axis being free."""
    a, b = np.random.default_rng(seed).normal(size=(2, 4))
    a, b = tuple((a / np.linalg.norm(a)).tolist()), tuple((b / np.linalg.norm(b)).tolist())
    ours, theirs = twin.rotation_matrix(a), twin.rotation_matrix(b)
    found = measures.turn_between(a, b)
    assert found == pytest.approx(float(twin.orientation_angle(ours, theirs)), abs=1e-7)
    turned = measures.turn_between(measures.symmetric_twin(a, (0.0, 1.0, 0.0)), b)
    assert min(found, turned) == pytest.approx(float(twin.orientation_angle(ours, theirs, (0, 1, 0))), abs=1e-7)


@pytest.mark.parametrize("aggravation", [1.0, 2.5, 0.3])
@pytest.mark.parametrize("seed", SEEDS)
def test_bends_are_compared_as_the_paper_does(seed: int, aggravation: float) -> None:
    """Twisters are left out of the sum and of its norm, and the column the bones begin at is respected."""
    bones, drawn = directions(seed), directions(seed + 100)
    bends = np.random.default_rng(seed).random(len(bones)) < 0.7
    table = np.column_stack((np.full(len(bones), np.nan), bones))
    found = measures.bend_measure(table, 1, as_drawn(drawn, bends.astype(float)), BASE, aggravation)
    if bends.any():
        expected = twin.posture_measure(bones[bends], drawn[bends], BASE, aggravation)
        assert found == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_shapes_are_compared_after_the_best_turn_about_the_vertical(seed: int) -> None:
    """In radians, over the bones that have a direction."""
    bones, drawn = directions(seed), directions(seed + 100)
    has_direction = np.array([1.0, 1.0, 0.0, 1.0, 1.0])
    kept = has_direction > 0.0
    found = measures.shape_measure(bones, 0, as_drawn(drawn, shaped=has_direction), UP)
    expected = twin.shape_error(bones[kept], drawn[kept], UP)
    assert math.degrees(found) == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("heading", [0.0, 0.5, -2.0, math.pi])
def test_turning_about_the_vertical_changes_no_shape(heading: float) -> None:
    """And the heading found is the turn that was made."""
    drawn = directions(1)
    bones = drawn @ twin.turn_matrix(UP, heading).T
    sine, cosine = measures.heading(bones, 0, as_drawn(drawn), UP)
    assert (sine, cosine) == pytest.approx((math.sin(heading), math.cos(heading)), abs=1e-12)
    assert measures.shape_measure(bones, 0, as_drawn(drawn), UP) == pytest.approx(0.0, abs=1e-12)


def test_postures_that_say_nothing_cost_nothing() -> None:
    """No bone that counts, or bones along the vertical only: 0, not NaN."""
    bones, silent = directions(2), np.zeros(5)
    assert measures.bend_measure(bones, 0, as_drawn(bones, silent, silent), BASE, 1.0) == 0.0
    assert measures.shape_measure(bones, 0, as_drawn(bones, silent, silent), UP) == 0.0
    upright = np.tile(UP, (3, 1))
    assert measures.heading(upright, 0, as_drawn(upright), UP) == (0.0, 1.0)
    assert measures.shape_measure(upright, 0, as_drawn(upright), UP) == pytest.approx(0.0, abs=1e-15)
    assert measures.shape_measure(-upright, 0, as_drawn(upright), UP) == pytest.approx(math.pi, rel=1e-12)


def test_an_eye_is_never_wrong_about_what_is_inside_it() -> None:
    """Elsewhere the error is the angle to the target, up to half a turn."""
    eye, looking = (1.0, 2.0, 3.0), (0.0, 0.0, 1.0)
    assert measures.looking_error(eye, looking, eye) == 0.0
    assert measures.looking_error(eye, looking, (1.0, 2.0, 8.0)) == 0.0
    assert measures.looking_error(eye, looking, (1.0, 2.0, -8.0)) == math.pi
    assert measures.looking_error(eye, looking, (4.0, 2.0, 3.0)) == pytest.approx(0.5 * math.pi, rel=1e-15)
