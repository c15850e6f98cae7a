"""Stacked residuals and Jacobians of tasks, against matrices and differences."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gestik as gk
from gestik.goals.evaluate import TARGET_WIDTH
from gestik.goals.judge import goal_error
from gestik.kernels.arrays import FloatArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import POSE_WIDTH
from gestik.model.joints import Mass
from gestik.solvers.tasks.bind import pack_tasks
from gestik.solvers.tasks.layout import ROWS, Tasks
from gestik.solvers.tasks.residuals import stack_tasks, task_error
from gestik.solvers.tasks.targets import read_targets
from tests.kernels.trees import random_angles, random_body, random_tree, unit
from tests.reference.tasks_twin import center_of_mass, stacked

FRAMES = ("tool", "joint 3", "joint 6", "slide")


def drawn_goals(rng: np.random.Generator, frames: tuple[str, ...]) -> list[object]:
    """Every kind of goal with every term, on random frames; targets far from met."""

    def terms(axes: bool) -> dict[str, object]:
        """Terms at random; a goal in its own frame is none."""
        chosen: dict[str, object] = {"weight": float(rng.uniform(0.3, 2.0))}
        if rng.random() < 0.6:
            chosen["relative_to"] = str(rng.choice([name for name in frames if name != frame]))
        if axes and rng.random() < 0.5:
            chosen["axes"] = str(rng.choice(["x", "yz", "xz"]))
        if rng.random() < 0.4:
            chosen["slack"] = (0.05, 0.1, 0.15) if axes and rng.random() < 0.5 else 0.1
        return chosen

    goals: list[object] = []
    for _ in range(3):
        frame = str(rng.choice(frames))
        goals.append(gk.Position(frame, rng.normal(size=3), **terms(axes=True)))
        goals.append(gk.Orientation(frame, unit(rng.normal(size=4)), **terms(axes=True)))
        goals.append(gk.Orientation(frame, unit(rng.normal(size=4)), symmetric=unit(rng.normal(size=3)), **terms(True)))
        eye, axis = rng.normal(size=3), unit(rng.normal(size=3))
        goals.append(gk.Aim(frame, at=5.0 * rng.normal(size=3), eye=eye, axis=axis, **terms(axes=False)))
        goals.append(gk.Aim(frame, along=rng.normal(size=3), eye=eye, axis=axis, **terms(axes=False)))
    return goals


def movable(skeleton: gk.Skeleton, goals: list[object]) -> list[object]:
    """The goals that some joint can change."""
    kept = []
    for goal in goals:
        start = goal.relative_to
        if start != goal.frame and len(skeleton.chain(goal.frame, start=start)):
            kept.append(goal)
    return kept


def stack(skeleton: gk.Skeleton, angles: FloatArray, goals: list[object]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Residual, Jacobian over all coordinates of the skeleton, and errors, by the kernels."""
    packed = pack_tasks(skeleton, goals, "a test")
    tree, tasks = packed.tree, Tasks(packed.codes, packed.table)
    row = np.concatenate([goal.target for goal in goals])[None, :]
    wanted, pose = np.empty((len(goals), TARGET_WIDTH)), np.empty((len(tree.rows), POSE_WIDTH))
    residual, sizes = np.empty(ROWS * len(goals)), np.empty(len(goals))
    jacobian = np.empty((ROWS * len(goals), len(tree.dofs)))
    read_targets(tasks, row, 0, wanted)
    pose_chain(tree.arrays, angles[tree.dofs], pose)
    gathered = np.empty_like(packed.bodies)
    stack_tasks(tree.arrays, tasks, packed.bodies, wanted, pose, gathered, residual, jacobian, sizes)
    np.testing.assert_array_equal(
        sizes, [task_error(tasks, wanted, pose, gathered, task) for task in range(len(goals))]
    )
    whole = np.zeros((len(residual), skeleton.dof_count))
    whole[:, tree.dofs] = jacobian
    return residual, whole, sizes


@pytest.mark.parametrize("seed", range(12))
def test_residuals_and_jacobians_are_those_of_matrices_and_differences(seed: int) -> None:
    """Random goals with random terms, relative to other limbs too, on trees with slides and mimics."""
    skeleton = random_tree(seed)
    rng = np.random.default_rng(seed)
    goals = movable(skeleton, drawn_goals(rng, FRAMES))
    angles = random_angles(skeleton, seed)
    residual, jacobian, sizes = stack(skeleton, angles, goals)
    wanted, differences = stacked(skeleton, angles, goals)
    np.testing.assert_allclose(residual, wanted, atol=1e-11)
    np.testing.assert_allclose(jacobian, differences, atol=2e-7, rtol=1e-6)
    pose = skeleton.forward(angles)
    judged = [goal_error(goal.bind(skeleton), pose, goal.target) for goal in goals]
    np.testing.assert_allclose(sizes, judged, atol=1e-11)


def test_bodies_with_balls_and_a_free_root_are_trees_like_any_other() -> None:
    """Four conventions, goals on both limbs."""
    for seed, convention in enumerate(("ZYX", "XYZ", "YXY", "ZXZ")):
        skeleton = random_body(seed, convention)
        rng = np.random.default_rng(seed)
        goals = movable(skeleton, drawn_goals(rng, tuple(skeleton.joint_names)))
        angles = rng.uniform(-1.0, 1.0, size=skeleton.dof_count)
        residual, jacobian, _ = stack(skeleton, angles, goals)
        wanted, differences = stacked(skeleton, angles, goals)
        np.testing.assert_allclose(residual, wanted, atol=1e-11)
        np.testing.assert_allclose(jacobian, differences, atol=3e-7, rtol=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_the_centre_of_mass_is_a_place_that_every_joint_moves(seed: int) -> None:
    """Masses on limbs no goal names, on the base too; seen from the world and from a limb that moves."""
    rng = np.random.default_rng(seed)
    tree = random_tree(seed)
    rows = [-1, *rng.integers(len(tree.arrays.parent), size=5).tolist()]
    masses = tuple(Mass(float(rng.uniform(0.1, 3.0)), tuple(rng.normal(size=3).tolist()), row) for row in rows)
    body = dataclasses.replace(tree, masses=masses)
    angles = random_angles(body, seed)
    goals = [
        gk.CenterOfMass(rng.normal(size=3), axes="xz", weight=0.7),
        gk.CenterOfMass(rng.normal(size=3), relative_to="joint 3", slack=0.1),
        gk.Position("tool", rng.normal(size=3)),
    ]
    residual, jacobian, sizes = stack(body, angles, goals)
    wanted, differences = stacked(body, angles, goals)
    np.testing.assert_allclose(residual, wanted, atol=1e-11)
    np.testing.assert_allclose(jacobian, differences, atol=2e-7, rtol=1e-6)
    pose = body.forward(angles)
    judged = [goal_error(goal.bind(body), pose, goal.target) for goal in goals]
    np.testing.assert_allclose(sizes, judged, atol=1e-11)
    np.testing.assert_allclose(body.center_of_mass(angles), center_of_mass(body, angles), atol=1e-12)


@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9, 1e-9, 0.0])
def test_at_half_a_turn_there_is_a_way_back_and_next_to_the_target_nothing_blows_up(angle: float) -> None:
    """A wrist turned by half a turn, and one that is there: the slope is one, whatever the angle."""
    builder = gk.SkeletonBuilder("wrist")
    builder.joint("turn", kind="continuous", axis="z")
    builder.frame("tool", parent="turn", position=(1, 0, 0))
    wrist = builder.build()
    goal = gk.Orientation("tool", (np.cos(angle / 2), 0, 0, np.sin(angle / 2)))
    residual, jacobian, sizes = stack(wrist, np.zeros(1), [goal])
    np.testing.assert_allclose(residual, [0, 0, angle], atol=1e-7)
    np.testing.assert_allclose(jacobian[:, 0], [0, 0, -1], atol=1e-6)
    assert sizes[0] == pytest.approx(angle, abs=1e-7)


def test_an_eye_that_looks_exactly_away_is_told_a_way() -> None:
    """No turn is the shortest; one is chosen, and the same one every time."""
    builder = gk.SkeletonBuilder("eye")
    builder.joint("turn", kind="continuous", axis="z")
    builder.frame("tool", parent="turn")
    eye = builder.build()
    goal = gk.Aim("tool", along=(-1, 0, 0), axis="x", eye=(0, 0, 0))
    residual, jacobian, sizes = stack(eye, np.zeros(1), [goal])
    assert np.isfinite(jacobian).all()
    assert abs(residual @ jacobian[:, 0]) > 0.1
    assert sizes[0] > 3.1
    inside = gk.Aim("tool", at=(0, 0, 0), axis="x", eye=(0, 0, 0))
    residual, jacobian, sizes = stack(eye, np.zeros(1), [inside])
    assert not residual.any()
    assert not jacobian.any()


def test_a_goal_no_joint_can_change_is_refused() -> None:
    """One on the base, and one seen from the base; and no goal at all is not enough."""
    builder = gk.SkeletonBuilder("post")
    builder.joint("turn", kind="continuous", axis="z")
    builder.frame("plate", parent=None)
    builder.frame("corner", parent=None, position=(1, 0, 0))
    post = builder.build()
    for goals in (
        [gk.Position("plate", (0, 0, 0))],
        [gk.Position("turn", (0, 0, 0)), gk.Position("plate", (0, 0, 0), relative_to="corner")],
    ):
        with pytest.raises(gk.CapabilityError, match="no joint moves it"):
            pack_tasks(post, goals, "newton")
    with pytest.raises(gk.CapabilityError, match="'newton' needs at least one goal"):
        pack_tasks(post, [], "newton")
