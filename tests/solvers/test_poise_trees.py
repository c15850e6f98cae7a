"""poise on bodies with several ends."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.errors import CapabilityError
from gestik.goals.metrics import bones_of_points
from gestik.kernels import chain_table as ct
from gestik.model.builder import SkeletonBuilder
from gestik.model.chain import cut_tree
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import looking_error, named_frame
from tests.reference.measures_twin import rotation_matrix


def two_armed() -> Skeleton:
    """A trunk that turns and leans, a head and two arms on it, and a tail off all ways."""
    builder = SkeletonBuilder("two-armed", up="z")
    builder.joint("turn", kind="revolute", axis="z", lower=-2.5, upper=2.5, segment=(0.0, 0.0, 0.3))
    builder.joint("lean", parent="turn", kind="revolute", axis="y", position=(0.0, 0.0, 0.3), lower=-0.5, upper=0.9)
    builder.joint("nod", parent="lean", kind="revolute", axis="y", position=(0.0, 0.0, 0.4), lower=-1.0, upper=1.2)
    builder.joint("shake", parent="nod", kind="revolute", axis="z", lower=-1.4, upper=1.4, segment=(0.0, 0.0, 0.2))
    builder.frame("eye", parent="shake", position=(0.1, 0.0, 0.1), kind="eye", axis="x")
    for side, sign in (("left", 1.0), ("right", -1.0)):
        place = (0.0, 0.2 * sign, 0.35)
        builder.joint(f"{side}_swing", parent="lean", kind="revolute", axis="y", position=place, lower=-2.8, upper=1.0)
        builder.joint(f"{side}_spread", parent=f"{side}_swing", kind="revolute", axis="x", lower=-1.5, upper=1.5)
        bone = (0.0, 0.0, -0.3)
        builder.joint(
            f"{side}_elbow", parent=f"{side}_spread", kind="revolute", axis="y", position=bone, lower=-2.4, upper=0.0
        )
        builder.frame(f"{side}_hand", parent=f"{side}_elbow", position=(0.0, 0.0, -0.3))
    builder.joint("tail", parent="turn", kind="revolute", axis="y", lower=-1.0, upper=1.0, segment=(-0.2, 0.0, 0.0))
    return builder.build()


def random_angles(skeleton: Skeleton, count: int, seed: int) -> np.ndarray:
    """Angles [count, dof] within the limits."""
    return np.random.default_rng(seed).uniform(skeleton.lower, skeleton.upper, size=(count, skeleton.dof_count))


def test_head_looks_and_both_hands_reach_at_once() -> None:
    """Of 60 problems a random pose solves, poise solves 59: eye within 0.5 degrees, hands within 5 mm."""
    body = two_armed()
    poses, postures = random_angles(body, 60, 1), random_angles(body, 60, 2)
    eyes = [named_frame(body, pose, "eye") for pose in poses]
    looks = np.array([eye[:3, 3] + 2.0 * eye[:3, 0] for eye in eyes])
    hands = {
        name: np.array([named_frame(body, pose, name)[:3, 3] for pose in poses]) for name in ("left_hand", "right_hand")
    }
    goals = [gk.Aim("eye", at=looks), *(gk.Position(name, points) for name, points in hands.items())]
    angles = gk.solve_batch(body, [*goals, gk.Posture(postures)], method="poise").angles
    assert ((angles >= body.lower) & (angles <= body.upper)).all()
    met = 0
    for n, q in enumerate(angles):
        misses = [np.linalg.norm(named_frame(body, q, name)[:3, 3] - points[n]) for name, points in hands.items()]
        met += looking_error(body, q, "eye", looks[n]) < np.radians(0.5) and max(misses) < 5e-3
    assert met >= 59


def test_joints_that_carry_no_goal_take_the_posture() -> None:
    """The tail is where it was drawn."""
    body = two_armed()
    posture = np.zeros(body.dof_count)
    tail = body.dof_names.index("tail")
    posture[tail] = 0.4
    goals = [gk.Aim("eye", at=(2.0, 0.5, 1.0)), gk.Position("left_hand", (0.3, 0.3, 0.6)), gk.Posture(posture)]
    assert gk.solve(body, goals, method="poise").angles[tail] == 0.4


def test_a_posture_that_meets_the_goals_is_kept() -> None:
    """Where the eye already looks and the hands already are, nothing moves."""
    body = two_armed()
    posture = 0.5 * random_angles(body, 1, 3)[0]
    eye = named_frame(body, posture, "eye")
    goals = [gk.Aim("eye", at=eye[:3, 3] + eye[:3, 0])]
    goals += [gk.Position(name, named_frame(body, posture, name)[:3, 3]) for name in ("left_hand", "right_hand")]
    angles = gk.solve(body, [*goals, gk.Posture(posture)], method="poise").angles
    assert np.abs(angles - posture).max() < 2e-3


def test_points_tell_the_bones_between_joints() -> None:
    """Of a tree's bones the places of joints tell those that lead to a joint, and nothing of the others."""
    body = two_armed()
    tree = cut_tree(body, [body.frame("eye"), body.frame("left_hand")])
    posture = random_angles(body, 1, 4)[0]
    pose = body.forward(posture)
    bones = bones_of_points(tree, pose.positions)
    told = {}
    for joint, row in enumerate(tree.rows):
        turned = rotation_matrix(pose.row_rotations[row]) @ tree.arrays.table[joint, ct.BONE : ct.BONE + 3]
        if bones[joint].any():
            told[body.joint_names[body.row_joints[row]]] = float(np.abs(bones[joint] - turned).max())
    assert max(told.values()) < 1e-12
    assert set(told) == {"turn", "lean", "left_spread"}


def test_postures_by_points_are_held_on_a_tree() -> None:
    """Where the eye already looks, the bones that points tell stay as they are."""
    body = two_armed()
    posture = 0.5 * random_angles(body, 1, 4)[0]
    eye, hand = named_frame(body, posture, "eye"), named_frame(body, posture, "left_hand")
    goals = [gk.Aim("eye", at=eye[:3, 3] + eye[:3, 0]), gk.Position("left_hand", hand[:3, 3])]
    drawn = body.forward(posture).positions
    angles = gk.solve(body, [*goals, gk.Posture(positions=drawn)], method="poise", start=posture).angles
    assert np.abs(body.forward(angles).positions - drawn).max() < 2e-3


def test_the_papers_measure_is_refused_on_a_tree() -> None:
    """Its bends follow one another; on several limbs they do not."""
    body = two_armed()
    goals = [gk.Aim("eye", at=(1.0, 0.0, 1.0)), gk.Position("left_hand", (0.3, 0.3, 0.6)), gk.Posture(body.rest)]
    with pytest.raises(CapabilityError, match="one chain of bends"):
        gk.solve(body, goals, method="poise", measure="paper")


def test_a_place_far_beyond_the_reach_is_still_approached() -> None:
    """A free root walks 40 m to where a hand shall be."""
    builder = SkeletonBuilder("walker", up="z")
    builder.joint("root", kind="free", segment=(0.0, 0.0, 0.3))
    builder.joint("arm", parent="root", kind="revolute", axis="y", position=(0.0, 0.0, 0.3), lower=-2.0, upper=2.0)
    builder.frame("hand", parent="arm", position=(0.4, 0.0, 0.0))
    body = builder.build()
    solution = gk.solve(body, [gk.Position("hand", (40.0, 3.0, 0.5)), gk.Posture(body.rest)], method="poise")
    assert solution.errors[0] < 1e-3


def tied() -> Skeleton:
    """A ball-jointed neck in a cone on a leaning trunk, and a coupling between trunk and tail."""
    builder = SkeletonBuilder("tied", up="z")
    builder.joint("lean", kind="revolute", axis="y", lower=-0.8, upper=0.8, segment=(0.0, 0.0, 0.4))
    builder.joint("tail", parent="lean", kind="revolute", axis="y", lower=-1.0, upper=1.0, segment=(-0.2, 0.0, 0.0))
    cone = {"swing": 0.4, "twist": (-0.6, 0.6), "twist_axis": "z"}
    builder.joint("neck", parent="lean", kind="ball", position=(0.0, 0.0, 0.4), segment=(0.0, 0.0, 0.2), **cone)
    builder.frame("eye", parent="neck", position=(0.1, 0.0, 0.1), kind="eye", axis="x")
    builder.coupling(-0.5, {"lean": 1.0, "tail": 1.0}, 0.5)
    return builder.build()


def test_cones_and_couplings_are_kept() -> None:
    """Of 200 gazes in all directions none leaves a cone or breaks a coupling, solved or followed."""
    body = tied()
    generator = np.random.default_rng(5)
    points = 2.0 * generator.normal(size=(200, 3))
    postures = generator.uniform(-0.9, 0.9, size=(200, body.dof_count))
    goals = [gk.Aim("eye", at=points), gk.Posture(postures)]
    for angles in gk.solve_batch(body, goals, method="poise").angles:
        assert not body.limit_excess(angles)
    tracker = gk.Tracker(gk.prepare(body, [gk.Aim("eye", at=points[0]), gk.Posture(postures[0])], method="poise"))
    for turn in np.linspace(0.0, 6.0, 60):
        assert not body.limit_excess(tracker.step((2.0 * np.cos(turn), 2.0 * np.sin(turn), 0.3)).angles)
