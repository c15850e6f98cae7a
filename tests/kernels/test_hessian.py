"""Second derivatives: against matrices, against differences, and the identities of Erleben & Andrews (2017)."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.goals.derivatives import cost_derivatives
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.kernels.trees import body_poses, random_angles, random_body, random_tree
from tests.reference import hessian_twin

CONVENTIONS = ("ZYZ", "ZYX", "XYZ", "YXY", "XZX", "YZX")
POSES = ("random", "nearly locked", "zero")
STEP = 1e-5


def assert_close(found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    """Compare with a tolerance that is a share of the largest number."""
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance * max(1.0, float(np.abs(expected).max())))


def steps(skeleton: Skeleton) -> np.ndarray:
    """A small step of each degree of freedom."""
    return STEP * np.eye(skeleton.dof_count)


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_derivatives_are_those_of_matrices_and_of_differences(convention: str, pose: str) -> None:
    """A floating body with ball, sliding and mimic joints and tools: 1e-12 to the twin, 1e-6 to differences."""
    for seed in range(2):
        body = random_body(seed, convention)
        angles = body_poses(body, convention)[pose]
        for name in ("crown", "tip"):
            jacobian, hessian = body.jacobian(angles, name), body.hessian(angles, name)
            assert_close(jacobian, hessian_twin.jacobian(body, angles, name), 1e-12)
            assert_close(hessian, hessian_twin.hessian(body, angles, name), 1e-12)
            for dof, step in enumerate(steps(body)):
                ahead, behind = body.forward(angles + step).of(name), body.forward(angles - step).of(name)
                assert_close(jacobian[:3, dof], (ahead.position - behind.position) / (2.0 * STEP), 1e-6)
                change = body.jacobian(angles + step, name) - body.jacobian(angles - step, name)
                assert_close(hessian[:, :, dof], change / (2.0 * STEP), 1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_mimic_joints_add_to_the_column_of_the_joint_they_follow(seed: int) -> None:
    """Gains count once in the Jacobian and twice in the Hessian, also where a mimic sits on its leader's limb."""
    tree = random_tree(seed)
    angles = random_angles(tree, seed)
    for name in ("tool", "slide", "joint 4"):
        assert_close(tree.hessian(angles, name), hessian_twin.hessian(tree, angles, name), 1e-12)


def test_places_have_symmetric_second_derivatives_and_turns_have_not() -> None:
    """The angular part of a pair differs by the cross product of the two axes, whichever is nearer the root."""
    body = random_body(3, "ZYX")
    angles = body_poses(body, "ZYX")["random"]
    jacobian, hessian = body.jacobian(angles, "tip"), body.hessian(angles, "tip")
    np.testing.assert_allclose(hessian[:3], hessian[:3].transpose(0, 2, 1), atol=1e-13)
    crossed = np.cross(jacobian[3:].T[None, :], jacobian[3:].T[:, None])
    difference = np.moveaxis(hessian[3:] - hessian[3:].transpose(0, 2, 1), 0, -1)
    toe = body.dof_names.index("knee")  # knee and toe share a dof, whose axes no single cross product tells apart
    kept = np.delete(np.arange(body.dof_count), toe)
    np.testing.assert_allclose(difference[np.ix_(kept, kept)], crossed[np.ix_(kept, kept)], atol=1e-12)


def test_translations_of_a_free_root_bend_nothing() -> None:
    """Eq. 24: every second derivative with a translation is zero, and columns of the Jacobian are unit vectors."""
    body = random_body(1, "XYZ")
    angles = body_poses(body, "XYZ")["random"]
    hessian = body.hessian(angles, "tip")
    assert not hessian[:, :3].any()
    assert not hessian[:, :, :3].any()
    columns = body.jacobian(angles, "tip")
    np.testing.assert_allclose(columns[:3, :3].T @ columns[:3, :3], np.eye(3), atol=1e-12)
    assert not columns[3:, :3].any()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_moving_root_has_the_blocks_of_the_corrected_equation(convention: str) -> None:
    """Eq. 25b as printed has zeros beside the identity; right is [[E 1, sum of J], [its transpose, H]], E goals."""
    body = random_body(2, convention)
    angles = body_poses(body, convention)["random"]
    goals = [gk.Position("crown", (1.0, -2.0, 0.5)), gk.Position("tip", (-1.0, 0.3, 2.0))]
    total = sum(cost_derivatives(body, angles, goal).hessian for goal in goals)
    moving = body.jacobian(angles, "tip")[:3, :3]  # the axes of the root's rest frame, in which it slides
    jacobians = sum(body.jacobian(angles, goal.frame)[:3, 3:] for goal in goals)
    np.testing.assert_allclose(total[:3, :3], len(goals) * np.eye(3), atol=1e-12)
    np.testing.assert_allclose(total[:3, 3:], moving.T @ jacobians, atol=1e-12)
    expected = np.zeros((body.dof_count - 3,) * 2)
    for goal in goals:
        jacobian, hessian = body.jacobian(angles, goal.frame)[:3, 3:], body.hessian(angles, goal.frame)[:3, 3:, 3:]
        missing = np.asarray(goal.point) - body.forward(angles).of(goal.frame).position
        expected += jacobian.T @ jacobian - np.tensordot(missing, hessian, axes=1)
    np.testing.assert_allclose(total[3:, 3:], expected, atol=1e-12)


def test_a_leaf_without_a_tool_is_not_moved_by_its_own_turns() -> None:
    """Its three columns, and everything they bend, are zero; with a tool they are not."""
    builder = SkeletonBuilder("arm")
    builder.joint("shoulder", kind="ball", convention="ZYZ")
    builder.joint("hand", kind="ball", convention="ZYZ", parent="shoulder", position=(0, 0, 0.3))
    builder.frame("finger", parent="hand", position=(0.1, 0, 0))
    arm = builder.build()
    angles = np.random.default_rng(1).uniform(-1.0, 1.0, 6)
    assert not arm.jacobian(angles, "hand")[:3, 3:].any()
    assert not arm.hessian(angles, "hand")[:3, 3:].any()
    assert np.abs(arm.jacobian(angles, "finger")[:3, 3:]).max() > 0.05


def test_zyz_is_singular_where_the_body_stands_straight() -> None:
    """At beta 0 the first and the third axis are one, so their columns are the same; anywhere else they differ."""
    builder = SkeletonBuilder("arm")
    builder.joint("shoulder", kind="ball", convention="ZYZ")
    builder.frame("hand", parent="shoulder", position=(0.3, 0.1, 0))
    arm = builder.build()
    straight = arm.jacobian([0.7, 0.0, -0.2], "hand")
    np.testing.assert_allclose(straight[:, 0], straight[:, 2], atol=1e-15)
    assert np.linalg.matrix_rank(straight[3:]) == 2
    assert np.linalg.matrix_rank(arm.jacobian([0.7, 0.5, -0.2], "hand")[3:]) == 3


def test_far_from_its_goals_a_tree_has_an_indefinite_hessian() -> None:
    """At every one of a hundred random poses some direction bends the cost down: Newton steps need a cure."""
    body = random_body(4, "ZYZ")
    goals = [gk.Position("crown", (4.0, -2.0, 5.0)), gk.Position("tip", (-3.0, 3.0, 4.0))]
    for angles in np.random.default_rng(9).uniform(-2.0, 2.0, (100, body.dof_count)):
        total = sum(cost_derivatives(body, angles, goal).hessian for goal in goals)
        least, *_, most = np.linalg.eigvalsh(total)
        assert least < -1e-6
        assert most > 1e-6


def test_a_frame_on_the_base_has_no_derivatives() -> None:
    """What nothing moves, nothing bends."""
    builder = SkeletonBuilder("stone")
    builder.joint("wheel", kind="continuous", axis="z")
    builder.frame("ground", position=(1, 2, 3))
    stone = builder.build()
    assert not stone.hessian([0.3], "ground").any()
    assert not cost_derivatives(stone, [0.3], gk.Position("ground", (0, 0, 0))).gradient.any()
