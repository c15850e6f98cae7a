"""Euler angles, steps and differences: rotations come back as they were, wherever the joint stands."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gestik.model.builder import SkeletonBuilder
from gestik.model.euler import CONVENTIONS
from gestik.model.skeleton import Skeleton
from tests.reference.measures_twin import rotation_matrix, turn_matrix


def dancer(convention: str) -> Skeleton:
    """A body that floats freely, with a ball, a wheel that turns without end and a slide."""
    builder = SkeletonBuilder("dancer")
    builder.joint("root", kind="free", convention=convention, rotation=(0.5, 0.5, 0.5, 0.5))
    builder.joint("hip", kind="ball", convention=convention, parent="root", position=(0, 0.1, 0))
    builder.joint("wheel", kind="continuous", axis="z", parent="hip", position=(0, 0, 0.3))
    builder.joint("slide", kind="prismatic", axis="x", parent="wheel", lower=-1, upper=1)
    return builder.build()


def poses(convention: str) -> dict[str, np.ndarray]:
    """Angles of the three turns: at random, all 0, nearly 0, and locked, where two axes fall together."""
    locked = 0.0 if convention[0] == convention[2] else 0.5 * math.pi
    return {
        "random": np.random.default_rng(3).uniform(-7.0, 7.0, 3),
        "zero": np.zeros(3),
        "nearly zero": np.array((1e-9, -2e-9, 1e-10)),
        "locked": np.array((0.4, locked, -0.9)),
        "locked on the other side": np.array((0.4, locked - math.pi, -0.9)),
        "nearly locked": np.array((0.4, locked + 1e-8, -0.9)),
    }


def rotations_of(skeleton: Skeleton, angles: np.ndarray) -> np.ndarray:
    """World rotations of all joints as matrices."""
    return rotation_matrix(skeleton.forward(angles).rotations)


@pytest.mark.parametrize("kind", poses("XYZ"))
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_difference_leads_back_and_a_step_is_found_again(convention: str, kind: str) -> None:
    """The step by the difference is the other pose, the difference over a step is the step, to 1e-12."""
    body, turns = dancer(convention), poses(convention)[kind]
    start = np.concatenate(((0.1, 0.2, 0.3), turns, turns[::-1], (2.0, 0.5)))
    rng = np.random.default_rng(11)
    for size in (1e-9, 1e-3, 1.0):
        change = size * rng.uniform(-1.0, 1.0, body.dof_count)
        moved = body.step(start, change)
        np.testing.assert_allclose(body.difference(start, moved), change, atol=1e-12)
    end = rng.uniform(-1.0, 1.0, body.dof_count)
    arrived = body.step(start, body.difference(start, end))
    np.testing.assert_allclose(body.forward(arrived).positions, body.forward(end).positions, atol=1e-12)
    np.testing.assert_allclose(rotations_of(body, arrived), rotations_of(body, end), atol=1e-12)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_step_turns_a_ball_joint_about_its_own_axes(convention: str) -> None:
    """The rotation vector is in the joint's frame: the new rotation is the old one times the step's matrix."""
    body = dancer(convention)
    start = np.random.default_rng(5).uniform(-1.0, 1.0, body.dof_count)
    change = np.zeros(body.dof_count)
    change[6:9] = 0.3, -0.5, 0.2
    before, after = rotations_of(body, start)[1], rotations_of(body, body.step(start, change))[1]
    size = np.linalg.norm(change)
    np.testing.assert_allclose(after, before @ turn_matrix(change[6:9] / size, size), atol=1e-12)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_small_steps_move_angles_a_little_away_from_locks(convention: str) -> None:
    """Of all triples that mean one rotation the nearest is taken: no angle jumps by a round or to the flipped side."""
    body = dancer(convention)
    middle = 0.5 * math.pi if convention[0] == convention[2] else 0.0
    angles = np.concatenate((np.zeros(3), (4.0, middle, -4.0), (0.2, middle - 0.3, 9.0), (0.0, 0.0)))
    for change in 1e-3 * np.random.default_rng(7).uniform(-1.0, 1.0, (50, body.dof_count)):
        moved = body.step(angles, change)
        assert np.abs(moved - angles).max() < 1e-2
        angles = moved


def test_angles_stay_inside_their_limits_when_some_triple_does() -> None:
    """A shoulder that may only bend its middle axis beyond a quarter turn comes out flipped."""
    builder = SkeletonBuilder("arm")
    builder.joint("shoulder", kind="ball", convention="ZYX", lower=(-1, 1.6, -1), upper=(1, 3, 1), rest=(0, 2, 0))
    arm = builder.build()
    moved = arm.step([0.0, 1.8, 0.0], [0.1, 0.2, 0.1])
    assert not arm.limit_excess(moved)


def test_a_wheel_without_end_goes_the_short_way() -> None:
    """From 3 to -3 rad is a step of 0.28 rad for a continuous joint, of -6 for one with limits."""
    body = dancer("ZYX")
    start, end = np.zeros(body.dof_count), np.zeros(body.dof_count)
    start[9], end[9] = 3.0, -3.0
    assert body.difference(start, end)[9] == pytest.approx(2.0 * math.pi - 6.0)
    builder = SkeletonBuilder("hinge")
    builder.joint("hinge", kind="revolute", axis="z", lower=-3, upper=3)
    assert builder.build().difference([3.0], [-3.0])[0] == -6.0
