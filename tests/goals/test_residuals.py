"""What is missing to a goal, and how each joint changes it: against the definition and against differences."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.goals.evaluate import TARGET_WIDTH, goal_residual, missing_turn, residual_change, residual_size
from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import from_axis_angle, multiply, rotate
from gestik.kernels.vector import add, norm, safe_normalise, scale, subtract

KINDS = (POSITION_GOAL, ORIENTATION_GOAL, AIM_AT_POINT, AIM_ALONG)
NO_TURN: Quaternion = (1.0, 0.0, 0.0, 0.0)
BONE: Vector = (0.0, 1.0, 0.0)


def vector(rng: np.random.Generator) -> Vector:
    """A random vector."""
    x, y, z = rng.normal(size=3).tolist()
    return x, y, z


def rotation(rng: np.random.Generator) -> Quaternion:
    """A random rotation."""
    return from_axis_angle(safe_normalise(vector(rng)), float(rng.uniform(-3.0, 3.0)))


def row_of(wanted: tuple[float, ...], twin: tuple[float, ...] = NO_TURN) -> FloatArray:
    """One row of targets as kernels see it."""
    row = np.zeros((1, TARGET_WIDTH))
    row[0, : len(wanted)], row[0, 4:] = wanted, twin
    return row


def drawn_row(kind: int, symmetric: bool, rng: np.random.Generator) -> FloatArray:
    """A random target of a kind."""
    if kind == ORIENTATION_GOAL:
        wanted = rotation(rng)
        return row_of(wanted, symmetric_twin(wanted, BONE) if symmetric else wanted)
    return row_of(safe_normalise(vector(rng)) if kind == AIM_ALONG else vector(rng))


@pytest.mark.parametrize("slides", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_the_change_of_a_residual_is_what_differences_say(kind: int, symmetric: bool, slides: bool, seed: int) -> None:
    """For every kind of goal and both kinds of joint."""
    rng = np.random.default_rng(seed)
    target = drawn_row(kind, symmetric, rng)
    axis, joint, point, turned = safe_normalise(vector(rng)), vector(rng), vector(rng), rotation(rng)
    looking = safe_normalise(vector(rng))

    def residual(amount: float) -> FloatArray:
        if slides:
            moved = add(point, scale(axis, amount)), looking, turned
        else:
            motion = from_axis_angle(axis, amount)
            moved = (
                add(joint, rotate(motion, subtract(point, joint))),
                rotate(motion, looking),
                multiply(motion, turned),
            )
        return np.array(goal_residual(kind, target, 0, *moved))

    gap = subtract(tuple(target[0, :3].tolist()), point)
    missing = missing_turn(target, 0, turned) if kind == ORIENTATION_GOAL else NO_TURN
    found = residual_change(kind, slides, axis, joint, point, looking, missing, safe_normalise(gap), 1.0 / norm(gap))
    step = 1e-6
    np.testing.assert_allclose(found, (residual(step) - residual(-step)) / (2.0 * step), atol=2e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-8, 0.4, 2.0, math.pi])
def test_the_size_of_a_residual_is_the_goals_error_in_its_own_unit(angle: float) -> None:
    """Radians for a turn and a gaze, metres for a place."""
    turned = from_axis_angle((0.0, 0.0, 1.0), angle)
    looking = (math.cos(angle), math.sin(angle), 0.0)
    # The chord's arc sine loses half the digits at half a turn, and nowhere else.
    slack = 1e-7 if angle == math.pi else 1e-14
    for kind, target in (
        (ORIENTATION_GOAL, row_of(NO_TURN)),
        (AIM_ALONG, row_of((1.0, 0.0, 0.0))),
        (AIM_AT_POINT, row_of((5.0, 2.0, 3.0))),
    ):
        found = goal_residual(kind, target, 0, (2.0, 2.0, 3.0), looking, turned)
        assert residual_size(kind, found) == pytest.approx(angle, rel=1e-9, abs=slack)
    away = goal_residual(POSITION_GOAL, row_of((5.0, 2.0, 3.0)), 0, (2.0, -2.0, 3.0), looking, turned)
    assert residual_size(POSITION_GOAL, away) == 5.0


def test_the_missing_turn_leads_to_the_nearer_of_two_good_sides() -> None:
    """Upside down is as good for a symmetric end, so nothing is missing; the w is never negative."""
    wanted = from_axis_angle((1.0, 0.0, 0.0), 0.3)
    target = row_of(wanted, symmetric_twin(wanted, BONE))
    np.testing.assert_allclose(missing_turn(target, 0, symmetric_twin(wanted, BONE)), NO_TURN, atol=1e-15)
    w, x, y, z = wanted
    np.testing.assert_allclose(missing_turn(target, 0, (-w, -x, -y, -z)), NO_TURN, atol=1e-15)


def test_a_target_inside_the_eye_asks_for_nothing() -> None:
    """No direction leads there: the residual is zero, not NaN."""
    point = (1.0, 2.0, 3.0)
    assert goal_residual(AIM_AT_POINT, row_of(point), 0, point, (1.0, 0.0, 0.0), NO_TURN) == (0.0, 0.0, 0.0)
