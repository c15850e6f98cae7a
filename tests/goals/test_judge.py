"""The plain judge of goals: terms, references and symmetry, against matrices."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.goals.judge import goal_error
from tests.reference.measures_twin import angle_between_rotations, orientation_angle, rotation_matrix

SEEDS = range(5)


@pytest.fixture(scope="module")
def lamp() -> gk.Skeleton:
    """The bundled lamp."""
    return gk.load("lamp")


@pytest.mark.parametrize("seed", SEEDS)
def test_errors_are_those_of_matrices(lamp: gk.Skeleton, seed: int) -> None:
    """Positions along some axes of another frame, rotations and gazes relative to it."""
    rng = np.random.default_rng(seed)
    pose = lamp.forward(rng.uniform(-1, 1, size=lamp.dof_count))
    here, base = pose.of("eye"), pose.of("elbow")
    H, B = rotation_matrix(here.rotation), rotation_matrix(base.rotation)
    point, turn = rng.normal(size=3), rng.normal(size=4)
    turn /= np.linalg.norm(turn)

    missing = point - B.T @ (here.position - base.position)
    goal = gk.Position("eye", point, relative_to="elbow", axes="xz", slack=(0.1, 0.0, 0.0)).bind(lamp)
    wanted = np.hypot(max(0.0, abs(missing[0]) - 0.1), missing[2])
    assert goal_error(goal, pose, point) == pytest.approx(wanted)

    rotation = gk.Orientation("eye", turn, relative_to="elbow", slack=0.2).bind(lamp)
    angle = float(angle_between_rotations(B.T @ H, rotation_matrix(turn)))
    assert goal_error(rotation, pose, turn) == pytest.approx(max(0.0, angle - 0.2))
    twin = gk.Orientation("eye", turn, symmetric="y").bind(lamp)
    assert goal_error(twin, pose, turn) == pytest.approx(float(orientation_angle(H, rotation_matrix(turn), (0, 1, 0))))

    looking, sight = H @ lamp.frame("eye").axis, point - here.position
    aim = gk.Aim("eye", at=point).bind(lamp)
    cosine = looking @ sight / np.linalg.norm(sight)
    assert goal_error(aim, pose, point) == pytest.approx(np.arccos(cosine))
