"""Forward kinematics and its derivative, against matrices and differences on trees with every kind of joint."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.errors import CapabilityError
from gestik.kernels import chain_table as ct
from gestik.kernels.chain import pose_chain
from gestik.kernels.forward import forward_rows
from gestik.kernels.jacobian import frame_jacobian
from gestik.model.builder import SkeletonBuilder
from gestik.model.chain import CutTree, cut_chain, cut_tree
from gestik.model.skeleton import Skeleton
from tests.kernels.trees import random_angles, random_tree
from tests.reference.forward_twin import joint_frames, named_frame
from tests.reference.measures_twin import rotation_matrix

SEEDS = range(8)


def frames_of(skeleton: Skeleton, angles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World positions and rotations of all rows."""
    positions, rotations = np.empty((skeleton.joint_count, 3)), np.empty((skeleton.joint_count, 4))
    forward_rows(skeleton.arrays, angles, positions, rotations)
    return positions, rotations


@pytest.mark.parametrize("seed", SEEDS)
def test_every_row_is_where_matrices_put_it(seed: int) -> None:
    """Positions and rotations of all joints, mimic and fixed ones too."""
    skeleton = random_tree(seed)
    angles = random_angles(skeleton, seed)
    positions, rotations = frames_of(skeleton, angles)
    expected = joint_frames(skeleton, angles)
    np.testing.assert_allclose(positions, expected[:, :3, 3], atol=1e-12)
    np.testing.assert_allclose(rotation_matrix(rotations), expected[:, :3, :3], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chain_is_where_the_tree_puts_its_joints(seed: int) -> None:
    """Cutting a chain out and folding its fixed joints away moves nothing."""
    skeleton = random_tree(seed)
    angles = random_angles(skeleton, seed)
    chain = cut_chain(skeleton, skeleton.frame("tool"))
    pose = np.empty((len(chain.rows), ct.POSE_WIDTH))
    pose_chain(chain.arrays, angles[chain.dofs], pose)
    positions, rotations = frames_of(skeleton, angles)
    rows = list(chain.rows)
    np.testing.assert_allclose(pose[:, ct.POSITION : ct.POSITION + 3], positions[rows], atol=1e-12)
    turned, expected = pose[:, ct.ROTATION : ct.ROTATION + 4], rotations[rows]
    np.testing.assert_allclose(rotation_matrix(turned), rotation_matrix(expected), atol=1e-12)
    axes = np.einsum("rij,rj->ri", rotation_matrix(expected), skeleton.arrays.axis[rows])
    gained = skeleton.arrays.gain[rows, None] * axes
    np.testing.assert_allclose(pose[:, ct.WORLD_AXIS : ct.WORLD_AXIS + 3], gained, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chains_bones_lead_from_joint_to_joint(seed: int) -> None:
    """Whatever fixed joints lie between two that move, the bone points from one to the other."""
    skeleton = random_tree(seed)
    zero = np.zeros(skeleton.dof_count)
    chain = cut_chain(skeleton, skeleton.frame("tool"))
    pose = np.empty((len(chain.rows), ct.POSE_WIDTH))
    pose_chain(chain.arrays, zero[chain.dofs], pose)
    ways = np.diff(joint_frames(skeleton, zero)[list(chain.rows), :3, 3], axis=0)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    np.testing.assert_allclose(pose[:-1, ct.DIRECTION : ct.DIRECTION + 3], ways, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cut_tree_is_where_the_skeleton_puts_its_joints(seed: int) -> None:
    """Limbs that part are fetched from where they part; frames on them are found again."""
    skeleton = random_tree(seed)
    angles = random_angles(skeleton, seed)
    names = ("slide", "tool", "joint 6", "joint 4")
    tree = cut_tree(skeleton, [skeleton.frame(name) for name in names])
    pose = np.empty((len(tree.rows), ct.POSE_WIDTH))
    pose_chain(tree.arrays, angles[tree.dofs], pose)
    positions, _ = frames_of(skeleton, angles)
    np.testing.assert_allclose(pose[:, ct.POSITION : ct.POSITION + 3], positions[list(tree.rows)], atol=1e-12)
    for name in names:
        place = tree.place(skeleton.frame(name))
        turn = rotation_matrix(pose[place.joint, ct.ROTATION : ct.ROTATION + 4])
        found = pose[place.joint, ct.POSITION : ct.POSITION + 3] + turn @ np.array(place.position)
        np.testing.assert_allclose(found, named_frame(skeleton, angles, name)[:3, 3], atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_of_one_limb_is_the_chain(seed: int) -> None:
    """Cut either way, every number is the same."""
    skeleton = random_tree(seed)
    tool = skeleton.frame("tool")
    tree, chain = cut_tree(skeleton, [tool]), cut_chain(skeleton, tool)
    for mine, theirs in zip(tree.arrays, chain.arrays, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(chain.arrays.codes[:, ct.PARENT], np.arange(len(chain.rows)) - 1)


def test_a_chain_refuses_frames_of_other_limbs_and_of_the_base() -> None:
    """What only knows chains says so instead of computing nonsense; a tree takes the other limb."""
    skeleton = random_tree(0)
    tool, slide = skeleton.frame("tool"), skeleton.frame("slide")
    with pytest.raises(CapabilityError, match=r"'slide' is not on the chain that ends at joint 'last'"):
        cut_chain(skeleton, tool).place(slide)
    assert isinstance(cut_tree(skeleton, [tool, slide]).place(slide).joint, int)
    builder = SkeletonBuilder("two")
    builder.joint("turn", kind="continuous", axis="z")
    builder.frame("floor", position=(1.0, 2.0, 3.0))
    builder.frame("tip", parent="turn", position=(1.0, 0.0, 0.0))
    two = builder.build()
    tree = cut_tree(two, [two.frame("floor"), two.frame("tip")])
    assert tree.seat(two.frame("floor")).position == (1.0, 2.0, 3.0)
    for cut in (lambda: tree.place(two.frame("floor")), lambda: cut_tree(two, [two.frame("floor")])):
        with pytest.raises(CapabilityError, match="fixed to the base"):
            cut()


def branched() -> tuple[Skeleton, CutTree]:
    """A trunk with two arms, of which the trunk's own bone is declared."""
    builder = SkeletonBuilder("two arms")
    builder.joint("trunk", kind="continuous", axis="z", segment=(0.0, 0.0, 3.0))
    builder.joint("left", kind="continuous", axis="x", parent="trunk", position=(-1.0, 0.0, 2.0))
    builder.joint("right", kind="continuous", axis="x", parent="trunk", position=(1.0, 0.0, 2.0))
    builder.frame("hand", parent="right", position=(0.0, 2.0, 0.0))
    skeleton = builder.build()
    return skeleton, cut_tree(skeleton, [skeleton.frame("left"), skeleton.frame("hand")])


def test_where_limbs_part_a_joint_has_its_own_bone() -> None:
    """And the last joint's bone leads to the frame it carries, or has no direction where that sits on the joint."""
    skeleton, tree = branched()
    bones = {
        skeleton.joint_names[row]: bone for row, bone in zip(tree.rows, tree.arrays.table[:, ct.BONE :], strict=True)
    }
    assert bones["trunk"][:3].tolist() == [0.0, 0.0, 1.0]
    assert bones["right"][:3].tolist() == [0.0, 1.0, 0.0]
    assert bones["left"][:3].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["tool", "joint 4", "slide"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_jacobian_is_what_differences_say(seed: int, name: str) -> None:
    """Linear and angular velocity for every degree of freedom, mimic joints adding to the one they follow."""
    skeleton = random_tree(seed)
    angles = random_angles(skeleton, seed)
    found = skeleton.jacobian(angles, name)
    step = 1e-5
    expected = np.empty_like(found)
    here = named_frame(skeleton, angles, name)[:3, :3]
    for dof in range(skeleton.dof_count):
        move = step * np.eye(skeleton.dof_count)[dof]
        after, before = (named_frame(skeleton, angles + sign * move, name) for sign in (1.0, -1.0))
        change = (after - before) / (2.0 * step)
        spin = change[:3, :3] @ here.T
        expected[:, dof] = (*change[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0])
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())


def test_nothing_moves_what_is_fixed_to_the_base() -> None:
    """Its Jacobian is zero."""
    skeleton = random_tree(0)
    jacobian = np.ones((6, skeleton.dof_count))
    frame_jacobian(skeleton.arrays, random_angles(skeleton, 0), -1, np.ones(3), jacobian)
    assert not jacobian.any()
