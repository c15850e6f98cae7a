"""Chains of a tree, masks, and the same body held by another joint."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import NameNotFoundError
from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Shape
from gestik.model.skeleton import Skeleton
from tests.kernels.trees import random_angles, random_tree
from tests.model.samples import assert_sound, crane
from tests.model.test_compound_joints import walker_builder
from tests.reference.forward_twin import frame_of, named_frame
from tests.reference.measures_twin import rotation_matrix


@pytest.fixture
def walker() -> Skeleton:
    """A walker with a free pelvis, two balls, a cone, a coupling and a shape on the leg."""
    builder = walker_builder()
    builder.joint("arm", kind="ball", parent="tail", position=(0, 0, 0.3), swing=1.0, twist=(-0.2, 0.7))
    builder.coupling(None, {"knee": 1.0, "hip.y": 0.5}, 3.0)
    builder.shape(Shape("sphere", parent="foot", radius=0.1, position=(0.1, 0, 0)))
    builder.frame("ground", position=(1, 2, 3))
    return builder.build()


def test_a_chain_leads_from_the_base_to_every_end(walker: Skeleton) -> None:
    """One for each joint that carries no other, root first; a crane's limbs part at the turn and at the plate."""
    assert walker.chains() == (("pelvis", "hip", "knee"), ("pelvis", "tail", "arm"))
    to_plate = ("turn", "lift", "reach", "plate")
    assert crane().chains() == ((*to_plate, "left claw"), (*to_plate, "right claw"), ("turn", "belt"))
    assert SkeletonBuilder("stone").build().chains() == ()


def test_a_chain_between_two_frames_leaves_out_what_moves_both(walker: Skeleton) -> None:
    """Below a frame, above it, and over to another limb: up to where they part, then down."""
    assert walker.chain("foot", start="hip").tolist() == [9]
    assert walker.chain("pelvis", start="foot").tolist() == [9, 8, 7, 6]
    assert walker.chain("foot", start="tail").tolist() == [12, 11, 10, 6, 7, 8, 9]
    assert walker.chain("foot", start="foot").tolist() == []
    assert walker.chain("foot", start="ground").tolist() == walker.chain("foot").tolist()


def test_a_mask_takes_joints_and_single_degrees_of_freedom(walker: Skeleton) -> None:
    """A ball joint by its own name is all three; a wrong name lists the right ones."""
    chosen = walker.mask(["hip", "knee", "pelvis.tz"])
    names = [name for name, taken in zip(walker.dof_names, chosen, strict=True) if taken]
    assert names == ["pelvis.tz", "hip.x", "hip.y", "hip.z", "knee"]
    assert chosen.dtype == np.bool_
    assert not walker.mask([]).any()
    assert walker.mask("knee").sum() == 1
    with pytest.raises(NameNotFoundError, match="did you mean 'knee'"):
        walker.mask(["kne"])
    with pytest.raises(NameNotFoundError, match="'right claw'"):
        crane().mask(["right claw"])


def matrix_of(skeleton: Skeleton, angles: np.ndarray, name: str) -> np.ndarray:
    """World frame of a name, [4, 4], as the skeleton's own pose tells it."""
    place = skeleton.forward(angles).of(name)
    return frame_of(place.position, rotation_matrix(place.rotation))


@pytest.mark.parametrize("joint", ["pelvis", "hip", "knee", "tail", "arm", "foot", "ground"])
def test_a_body_held_by_another_joint_is_the_same_body_moved_along(walker: Skeleton, joint: str) -> None:
    """Every named place and shape, seen from that joint, is where it was; limits and names of angles are the same."""
    held = walker.rerooted(joint)
    assert_sound(held)
    assert held.dof_names == walker.dof_names
    assert set(held.frame_names) == set(walker.frame_names)
    for angles in np.random.default_rng(2).uniform(-1.5, 1.5, (5, walker.dof_count)):
        hand = np.linalg.inv(named_frame(walker, angles, joint))
        for name in walker.frame_names:
            np.testing.assert_allclose(
                matrix_of(held, angles, name), hand @ named_frame(walker, angles, name), atol=1e-12
            )
        theirs, ours = walker.limit_excess(angles), held.limit_excess(angles)
        assert {k: round(v, 9) for k, v in ours.items() if "twist" not in k} == {
            k: round(v, 9) for k, v in theirs.items() if "twist" not in k
        }
        assert sorted(abs(round(v, 9)) for v in ours.values()) == sorted(abs(round(v, 9)) for v in theirs.values())
        shape, other = walker.shapes[0], held.shapes[0]
        own, theirs_own = walker.forward(angles), held.forward(angles)
        place = rotation_matrix(own.row_rotations[shape.row]) @ shape.position + own.row_positions[shape.row]
        seen = np.array(other.position)
        if other.row >= 0:
            seen = theirs_own.row_positions[other.row] + rotation_matrix(theirs_own.row_rotations[other.row]) @ seen
        np.testing.assert_allclose(seen, hand[:3, :3] @ place + hand[:3, 3], atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_any_tree_can_be_held_by_any_of_its_joints_and_back(seed: int) -> None:
    """Mimic, fixed and sliding joints on the way; held by its first joint again, it is the body it was."""
    tree = random_tree(seed)
    angles = random_angles(tree, seed)
    for joint in tree.joint_names:
        held = tree.rerooted(joint)
        assert_sound(held)
        hand = np.linalg.inv(named_frame(tree, angles, joint))
        for name in tree.frame_names:
            np.testing.assert_allclose(
                matrix_of(held, angles, name), hand @ named_frame(tree, angles, name), atol=1e-11
            )
        first = held.rerooted(tree.joint_names[0])
        origin = np.linalg.inv(named_frame(tree, angles, tree.joint_names[0]))
        np.testing.assert_allclose(
            matrix_of(first, angles, "tool"), origin @ named_frame(tree, angles, "tool"), atol=1e-11
        )


def test_bones_on_the_way_back_lead_to_the_joint_that_was_before() -> None:
    """An arm held by its hand: the hand's bone leads to the elbow, the shoulder's to the old base."""
    builder = SkeletonBuilder("arm", up="z")
    builder.joint("shoulder", kind="revolute", axis="y", position=(0, 0, 1), lower=-1, upper=1)
    builder.joint("elbow", kind="revolute", axis="y", parent="shoulder", position=(0.4, 0, 0), lower=-1, upper=1)
    builder.joint("hand", kind="revolute", axis="x", parent="elbow", position=(0.3, 0, 0), lower=-1, upper=1)
    held = builder.build().rerooted("hand")
    assert held.joint_names == ("hand", "elbow", "shoulder")
    np.testing.assert_allclose(held.segments, [(-0.3, 0, 0), (-0.4, 0, 0), (0, 0, -1)], atol=1e-15)
    np.testing.assert_allclose(held.up, (0, 0, 1), atol=1e-15)
    with pytest.raises(NameNotFoundError, match="did you mean 'hand'"):
        held.rerooted("hnd")


def test_a_stone_can_be_held_too() -> None:
    """Without joints only the places move."""
    builder = SkeletonBuilder("stone")
    builder.frame("top", position=(0, 0, 1))
    builder.frame("side", position=(1, 0, 0))
    stone = builder.build().rerooted("top")
    assert_sound(stone)
    np.testing.assert_array_equal(stone.forward([]).of("side").position, (1, 0, -1))
