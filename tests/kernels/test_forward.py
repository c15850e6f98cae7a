"""Forward kinematics and its derivative, against matrices and differences on trees with every kind of joint."""

from __future__ import annotations

import numpy as np
import pytest

from gestik.kernels import chain_table as ct
from gestik.kernels.chain import pose_chain
from gestik.kernels.forward import forward_rows
from gestik.kernels.jacobian import frame_jacobian
from gestik.model.chain import cut_chain
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
