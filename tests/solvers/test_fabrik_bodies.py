"""FABRIK on skeletons: the points of the bare algorithm, carried by real joints, limbs, slides and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

import gestik as gk
from gestik.evaluation.skeletons import skeleton
from tests.kernels.trees import random_angles, random_tree
from tests.reference.forward_twin import named_frame

FloatArray = NDArray[np.float64]

METHODS = ("fabrik", "fabrik_constrained")
NEVER = 1e-13


def balls(count: int, **limits: object) -> gk.Skeleton:
    """A chain of ball joints upwards, each link 1 m, and a frame at its end."""
    builder = gk.SkeletonBuilder("balls", up="y")
    for number in range(count):
        builder.joint(
            f"ball {number}",
            kind="ball",
            convention="ZYX",
            parent=f"ball {number - 1}" if number else None,
            position=(0.0, 1.0 if number else 0.0, 0.0),
            segment=(0.0, 1.0, 0.0),
            **limits,
        )
    builder.frame("end", parent=f"ball {count - 1}", position=(0.0, 1.0, 0.0))
    return builder.build()


def points_of(chain: gk.Skeleton, angles: FloatArray) -> FloatArray:
    """Joints and end of a chain [n, 3] m."""
    pose = chain.forward(angles)
    return np.vstack((pose.positions, pose.of("end").position))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_ball_joints_carry_the_points_of_the_bare_algorithm(iterations: int, seed: int) -> None:
    """Six links: after 1, 2 and 5 iterations the joints stand where gestik.fabrik puts its points."""
    chain = balls(6)
    rng = np.random.default_rng(seed)
    start = rng.uniform(-0.8, 0.8, chain.dof_count)
    target = rng.normal(size=3) * 1.5
    bare = gk.fabrik(points_of(chain, start), target, tolerance=0.0, iterations=iterations)
    solution = gk.solve(
        chain,
        gk.Position("end", target, tolerance=NEVER),
        method="fabrik",
        start=start,
        max_iterations=iterations,
    )
    assert bare is not None
    if solution.errors[0] == pytest.approx(bare.missing, abs=1e-9):  # else an earlier iteration was better
        np.testing.assert_allclose(points_of(chain, solution.angles), bare.points, atol=1e-7)
    assert solution.errors[0] <= bare.missing + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_reachable_targets_are_reached_to_a_tenth_of_a_millimetre(method: str) -> None:
    """50 targets of ten ball joints from the straight rest posture."""
    chain = balls(10)
    rng = np.random.default_rng(1)
    angles = rng.uniform(-1.5, 1.5, (50, chain.dof_count))
    targets = np.array([chain.forward(q).of("end").position for q in angles])
    assert gk.solve_batch(chain, gk.Position("end", targets), method=method).reached.all()


@pytest.mark.parametrize("method", METHODS)
def test_out_of_reach_the_chain_stretches_and_says_so(method: str) -> None:
    """Five metres for a target at eight: straight towards it, three metres missing, and no word of success."""
    solution = gk.solve(balls(5), gk.Position("end", (8.0, 0.0, 0.0)), method=method)
    assert not solution.reached
    assert solution.errors[0] == pytest.approx(3.0, abs=1e-3)
    assert "reach" in solution.explain()


@pytest.mark.parametrize("method", METHODS)
def test_a_straight_chain_with_its_target_on_its_line_is_freed(method: str) -> None:
    """Ball joints and hinges, the target inside the reach on the line of the chain."""
    assert gk.solve(balls(4), gk.Position("end", (0.0, 2.5, 0.0)), method=method).reached
    builder = gk.SkeletonBuilder("arm", up="y")
    for number in range(4):
        builder.joint(
            f"hinge {number}",
            kind="continuous",
            axis="z",
            parent=f"hinge {number - 1}" if number else None,
            position=(0.0, 1.0 if number else 0.0, 0.0),
        )
    builder.frame("end", parent="hinge 3", position=(0.0, 1.0, 0.0))
    assert gk.solve(builder.build(), gk.Position("end", (0.0, 2.5, 0.0)), method=method).reached


def two_arms() -> gk.Skeleton:
    """A spine of two balls, and two arms of two bones that part at its top."""
    builder = gk.SkeletonBuilder("torso", up="y")
    builder.joint("hips", kind="ball")
    builder.joint("chest", kind="ball", parent="hips", position=(0, 0.5, 0))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        builder.joint(f"{side} shoulder", kind="ball", parent="chest", position=(sign * 0.3, 0.4, 0))
        builder.joint(f"{side} elbow", kind="ball", parent=f"{side} shoulder", position=(sign * 0.5, 0, 0))
        builder.frame(f"{side} hand", parent=f"{side} elbow", position=(sign * 0.5, 0, 0))
    return builder.build()


@pytest.mark.parametrize("method", METHODS)
def test_several_ends_share_the_spine_they_part_from(method: str) -> None:
    """Both hands of 20 random postures are reached at once, from rest."""
    torso = two_arms()
    rng = np.random.default_rng(3)
    for _ in range(20):
        pose = torso.forward(rng.uniform(-0.7, 0.7, torso.dof_count))
        goals = [gk.Position(f"{side} hand", pose.of(f"{side} hand").position) for side in ("left", "right")]
        solution = gk.solve(torso, goals, method=method)
        assert solution.reached, solution.explain()


@pytest.mark.parametrize("method", METHODS)
def test_a_joint_inside_the_chain_may_have_a_target_too(method: str) -> None:
    """Ball 3 of six and the end, each on its own target."""
    chain = balls(6)
    rng = np.random.default_rng(4)
    for _ in range(10):
        pose = chain.forward(rng.uniform(-0.8, 0.8, chain.dof_count))
        goals = [gk.Position(name, pose.of(name).position) for name in ("ball 3", "end")]
        assert gk.solve(chain, goals, method=method).reached


@pytest.mark.parametrize("method", METHODS)
def test_a_prismatic_link_gives_the_length_that_is_missing(method: str) -> None:
    """Two links of a metre, the second on a slide of up to one more: 2.6 m away is reached, 3.2 m is 0.2 m short."""
    builder = gk.SkeletonBuilder("telescope", up="y")
    builder.joint("shoulder", kind="ball")
    builder.joint("elbow", kind="ball", parent="shoulder", position=(0, 1, 0))
    builder.joint("slide", kind="prismatic", axis="y", parent="elbow", lower=0.0, upper=1.0)
    builder.frame("end", parent="slide", position=(0, 1, 0))
    telescope = builder.build()
    far = gk.solve(telescope, gk.Position("end", (2.6, 0.3, 0.2)), method=method)
    assert far.reached
    assert 0.0 <= far.named()["slide"] <= 1.0
    assert gk.solve(telescope, gk.Position("end", (3.2, 0, 0)), method=method).errors[0] == pytest.approx(0.2, abs=1e-2)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limits", [{"swing": 0.6, "twist": (-0.2, 0.3)}, {"lower": (-0.5,) * 3, "upper": (0.7,) * 3}])
def test_swing_and_twist_limits_of_ball_joints_are_kept(limits: dict[str, object], method: str) -> None:
    """Cones and boxes: nothing broken, and of 20 targets inside them most are reached."""
    chain = balls(5, **limits)
    rng = np.random.default_rng(5)
    reached = 0
    for _ in range(20):
        inside = chain.clamp(rng.uniform(-0.6, 0.6, chain.dof_count))
        solution = gk.solve(chain, gk.Position("end", chain.forward(inside).of("end").position), method=method)
        assert not chain.limit_excess(solution.angles)
        reached += solution.reached
    assert reached >= 18


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("letter", ["C", "E", "G"])
def test_hinges_are_never_worse_than_they_began_and_keep_their_limits(letter: str, method: str) -> None:
    """Chains of hinges, where a point can hardly be drawn anywhere; errors are true."""
    arm = skeleton(letter)
    rng = np.random.default_rng(6)
    for _ in range(10):
        target = arm.forward(rng.uniform(arm.lower, arm.upper)).of("end").position
        start = rng.uniform(arm.lower, arm.upper)
        solution = gk.solve(arm, gk.Position("end", target), method=method, start=start)
        here = arm.forward(solution.angles).of("end").position
        assert solution.errors[0] == pytest.approx(math.dist(here, target), abs=1e-9)
        assert solution.errors[0] <= math.dist(arm.forward(start).of("end").position, target) + 1e-9
        assert not arm.limit_excess(solution.angles)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(6))
def test_on_any_tree_the_answer_is_never_worse_than_the_start(method: str, seed: int) -> None:
    """Slides, mimic joints, turned frames."""
    tree = random_tree(seed)
    start = random_angles(tree, seed)
    target = named_frame(tree, random_angles(tree, seed + 50), "tool")[:3, 3]
    solution = gk.solve(tree, gk.Position("tool", target), method=method, start=start)
    before = np.linalg.norm(named_frame(tree, start, "tool")[:3, 3] - target)
    assert solution.errors[0] <= before + 1e-9
    assert not tree.limit_excess(solution.angles)


@pytest.mark.parametrize("method", METHODS)
def test_what_is_no_position_is_refused(method: str) -> None:
    """The error names the method and what it cannot take."""
    arm = skeleton("C")
    with pytest.raises(gk.CapabilityError, match=f"{method}.*orientation"):
        gk.solve(arm, gk.Orientation("end", (1, 0, 0, 0)), method=method)


@pytest.mark.parametrize("method", [*METHODS, "ccd", "bwcd"])
@pytest.mark.parametrize("seed", range(5))
def test_cones_hold_whatever_sits_next_to_the_ball(method: str, seed: int) -> None:
    """A ball with a cone between hinges and slides, some at its own place; targets near and far, starts anywhere."""
    rng = np.random.default_rng(seed)
    builder = gk.SkeletonBuilder("mixed", up="y")
    builder.joint("hinge", kind="revolute", axis="x", lower=-1.0, upper=1.0)
    builder.joint("ball", kind="ball", parent="hinge", position=(0, 0.5 * (seed % 2), 0), swing=0.5, twist=(-0.3, 0.4))
    builder.joint("slide", kind="prismatic", axis="y", parent="ball", lower=0.0, upper=0.3)
    builder.joint("last", kind="revolute", axis="z", parent="slide", position=(0, 0.6, 0), lower=-2.0, upper=2.0)
    builder.frame("end", parent="last", position=(0, 0.5, 0))
    body = builder.build()
    for scale in (0.5, 1.0, 4.0):
        start = rng.normal(size=body.dof_count) * 2.0
        solution = gk.solve(body, gk.Position("end", rng.normal(size=3) * scale), method=method, start=start)
        assert not body.limit_excess(solution.angles)
