"""Gradient and exact Hessian of every goal's cost, against differences of the error users are told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gestik as gk
from gestik.errors import InputError
from gestik.goals.derivatives import cost_derivatives
from gestik.goals.goal import Goal
from gestik.model.skeleton import Skeleton
from tests.kernels.trees import body_poses, random_body
from tests.reference.forward_twin import looking_error, named_frame
from tests.reference.measures_twin import rotation_matrix

STEP = 1e-5
QUATERNION = np.array((0.5, -0.1, 0.7, 0.5)) / np.linalg.norm((0.5, -0.1, 0.7, 0.5))


def turn_error(skeleton: Skeleton, angles: np.ndarray, name: str, quaternion: np.ndarray) -> float:
    """The angle [rad] of the turn that is missing."""
    missing = rotation_matrix(quaternion) @ named_frame(skeleton, angles, name)[:3, :3].T
    spin = (missing[2, 1] - missing[1, 2], missing[0, 2] - missing[2, 0], missing[1, 0] - missing[0, 1])
    return float(np.arctan2(np.linalg.norm(spin), np.trace(missing) - 1.0))


Error = Callable[[Skeleton, np.ndarray], float]

# Every kind of goal, and its error [m or rad] from matrices alone.
GOALS: dict[str, tuple[Goal, Error]] = {
    "position": (
        gk.Position("tip", (1.0, 2.0, -0.5)),
        lambda body, q: float(np.linalg.norm(named_frame(body, q, "tip")[:3, 3] - (1.0, 2.0, -0.5))),
    ),
    "orientation": (gk.Orientation("tip", QUATERNION), lambda body, q: turn_error(body, q, "tip", QUATERNION)),
    "aim at": (gk.Aim("crown", at=(2.0, 1.0, 4.0)), lambda body, q: looking_error(body, q, "crown", (2.0, 1.0, 4.0))),
    "aim along": (
        gk.Aim("crown", along=(0.0, 0.6, 0.8)),
        # A point so far away that where the eye is makes no difference beyond 1e-9.
        lambda body, q: looking_error(
            body, q, "crown", named_frame(body, q, "crown")[:3, 3] + 10.0 * np.array((0.0, 0.6, 0.8))
        ),
    ),
}


@pytest.mark.parametrize("pose", ["random", "nearly locked", "zero"])
@pytest.mark.parametrize("convention", ["ZYX", "ZYZ", "XYZ", "YXY", "XZX", "YZX"])
@pytest.mark.parametrize("kind", GOALS)
def test_a_costs_derivatives_are_what_differences_say(kind: str, convention: str, pose: str) -> None:
    """The cost is half the squared error; its gradient and Hessian agree to 1e-6 of the largest number."""
    goal, error = GOALS[kind]
    body = random_body(1, convention)
    angles = body_poses(body, convention)[pose]
    found = cost_derivatives(body, angles, goal)
    assert found.cost == pytest.approx(0.5 * error(body, angles) ** 2, rel=1e-9)
    np.testing.assert_allclose(found.hessian, found.hessian.T, atol=1e-12)
    scale = max(1.0, float(np.abs(found.hessian).max()))
    for dof, step in enumerate(STEP * np.eye(body.dof_count)):
        slope = (error(body, angles + step) ** 2 - error(body, angles - step) ** 2) / (4.0 * STEP)
        assert found.gradient[dof] == pytest.approx(slope, abs=1e-6 * scale)
        ahead, behind = (cost_derivatives(body, angles + sign * step, goal).gradient for sign in (1.0, -1.0))
        np.testing.assert_allclose(found.hessian[:, dof], (ahead - behind) / (2.0 * STEP), rtol=0.0, atol=1e-6 * scale)


@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-6, 1e-3, 0.019, 0.021])
def test_at_and_near_a_met_goal_derivatives_are_those_of_least_squares(away: float) -> None:
    """There the Hessian is J^T J of the error, to the size of the error, and nothing breaks down."""
    body = random_body(2, "ZYX")
    met = body_poses(body, "ZYX")["random"]
    eye = body.forward(met).of("crown")
    axis = np.array(body.frame("crown").axis)
    looking = rotation_matrix(eye.rotation) @ axis
    angles = met + away * np.random.default_rng(3).normal(size=body.dof_count) / np.sqrt(body.dof_count)
    jacobian = body.jacobian(angles, "crown")
    goals = (gk.Orientation("crown", eye.rotation), gk.Aim("crown", along=looking))
    across = np.cross(looking, jacobian[3:].T).T
    for goal, columns in zip(goals, (jacobian[3:], across), strict=True):
        found = cost_derivatives(body, angles, goal)
        np.testing.assert_allclose(found.hessian, columns.T @ columns, atol=1e-8 + 20.0 * away)
        np.testing.assert_allclose(found.gradient, 0.0, atol=1e-8 + 10.0 * away)


def test_the_series_near_zero_meets_the_closed_form() -> None:
    """Just below and just above the angle where one takes over from the other, gradient and Hessian agree to 1e-9."""
    builder = gk.SkeletonBuilder("neck")
    builder.joint("neck", kind="ball", convention="XYZ")
    neck = builder.build()
    goal = gk.Orientation("neck", (1, 0, 0, 0))
    below, above = (cost_derivatives(neck, [angle, 0.0, 0.0], goal) for angle in (0.02 - 1e-12, 0.02 + 1e-12))
    np.testing.assert_allclose(below.gradient, above.gradient, atol=1e-11)
    np.testing.assert_allclose(below.hessian, above.hessian, atol=1e-11)
    assert below.gradient[0] == pytest.approx(0.02)
    assert below.hessian[0, 0] == pytest.approx(1.0, abs=1e-11)


def test_of_two_rotations_that_are_as_good_the_nearer_one_counts() -> None:
    """Half a turn about the axis of symmetry changes neither cost nor derivatives."""
    body = random_body(3, "ZYX")
    angles = body_poses(body, "ZYX")["random"]
    plain = gk.Orientation("tip", QUATERNION, symmetric="z")
    w, x, y, z = QUATERNION
    turned = gk.Orientation("tip", (-z, y, -x, w), symmetric="z")
    for one, other in zip(cost_derivatives(body, angles, plain), cost_derivatives(body, angles, turned), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_half_a_turn_away_and_inside_the_eye_everything_is_finite() -> None:
    """At the edge of the cost its derivatives are huge but numbers; a target inside the eye asks for nothing."""
    builder = gk.SkeletonBuilder("neck")
    builder.joint("neck", kind="ball", convention="XYZ")
    builder.frame("eye", kind="eye", axis="z", parent="neck")
    neck = builder.build()
    for goal in (gk.Orientation("neck", (0, 1, 0, 0)), gk.Aim("eye", along=(0, 0, -1)), gk.Aim("eye", at=(0, 0, -2))):
        found = cost_derivatives(neck, np.zeros(3), goal)
        assert found.cost == pytest.approx(0.5 * np.pi**2)
        assert np.isfinite(found.gradient).all()
        assert np.isfinite(found.hessian).all()
    inside = cost_derivatives(neck, np.zeros(3), gk.Aim("eye", at=(0, 0, 0)))
    assert inside.cost == 0.0
    assert not inside.gradient.any()
    assert not inside.hessian.any()


def test_a_cost_is_that_of_one_target() -> None:
    """A batch of targets is refused by their number."""
    body = random_body(0, "ZYX")
    with pytest.raises(InputError, match="7 targets are given"):
        cost_derivatives(body, np.zeros(body.dof_count), gk.Position("tip", np.zeros((7, 3))))
