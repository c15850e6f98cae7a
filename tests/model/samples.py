"""Skeletons the model's tests share, and what must hold for any skeleton at all."""

from __future__ import annotations

import numpy as np

from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Mimic, Shape
from gestik.model.skeleton import Skeleton


def crane_builder() -> SkeletonBuilder:
    """A crane with every kind of joint: it turns, lifts, telescopes; its claw mirrors and its belt follows."""
    builder = SkeletonBuilder("crane", up="z")
    builder.joint("turn", kind="continuous", axis="z", speed=2.0)
    builder.joint("lift", parent="turn", kind="revolute", axis=(0, 1, 0), position=(0.1, 0, 0.4), lower=-1.5, upper=0.5)
    builder.joint(
        "reach", parent="lift", kind="prismatic", axis="x", position=(0.5, 0, 0), lower=0.1, upper=0.8, speed=0.3
    )
    builder.joint(
        "plate", parent="reach", kind="fixed", position=(0.05, 0, 0), rotation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    )
    builder.joint("left claw", parent="plate", kind="revolute", axis="z", position=(0, 0.02, 0), lower=0.0, upper=0.9)
    builder.joint(
        "right claw", parent="plate", kind="revolute", axis="z", position=(0, -0.02, 0), mimic=Mimic("left claw", -1.0)
    )
    builder.joint("belt", parent="turn", kind="prismatic", axis="-z", mimic=Mimic("lift", 0.25, 0.125))
    builder.frame("hook", parent="plate", position=(0.01, 0.02, 0.03), rotation=(0, 1, 0, 0))
    builder.frame("camera", parent="lift", kind="eye", position=(0.2, 0, 0.1), axis="x")
    builder.frame("ground", kind="link", position=(1, 2, 3))
    builder.shape(Shape("box", parent="lift", size=(0.5, 0.1, 0.1), position=(0.25, 0, 0), colour="#ff8000"))
    return builder


def crane() -> Skeleton:
    """The crane, built."""
    return crane_builder().build()


def random_angles(skeleton: Skeleton, rng: np.random.Generator) -> np.ndarray:
    """Angles within the limits, and within +-pi where there are none."""
    return rng.uniform(np.maximum(skeleton.lower, -np.pi), np.minimum(skeleton.upper, np.pi))


def assert_sound(skeleton: Skeleton) -> None:
    """Check everything kernels and goals rely on."""
    arrays = skeleton.arrays
    rows, dofs = len(arrays.parent), skeleton.dof_count
    assert all(not array.flags.writeable and array.flags.c_contiguous for array in arrays)
    assert [array.dtype for array in arrays[:3]] == [np.int32] * 3
    assert all(array.dtype == np.float64 for array in arrays[3:])
    assert (arrays.parent < np.arange(rows)).all()
    assert (arrays.parent >= -1).all()
    assert (arrays.dof >= -1).all()
    assert (arrays.dof < dofs).all()
    assert set(arrays.dof) >= set(range(dofs))
    assert np.isfinite(np.concatenate([part.ravel() for part in arrays[3:8]])).all()
    np.testing.assert_allclose(np.linalg.norm(arrays.axis, axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(arrays.rest_rotation, axis=1), 1.0, rtol=1e-12)
    assert (skeleton.lower <= skeleton.rest).all()
    assert (skeleton.rest <= skeleton.upper).all()
    assert np.isfinite(skeleton.rest).all()
    assert (skeleton.speed >= 0).all()
    assert len(set(skeleton.joint_names)) == skeleton.joint_count
    assert skeleton.segments.shape == (skeleton.joint_count, 3)
    assert [len(kind.row_kinds) for kind in skeleton.joint_kinds] == np.bincount(skeleton.row_joints).tolist()
    assert (skeleton.parents < np.arange(skeleton.joint_count)).all()
    assert arrays.dof[skeleton.dof_rows].tolist() == list(range(dofs))
    pose = skeleton.forward(skeleton.rest)
    assert all(np.isfinite(np.concatenate(pose.of(name))).all() for name in skeleton.frame_names)
