"""Random trees for tests of kernels: every kind of joint, limbs, mimic joints, turned rest frames."""

from __future__ import annotations

import numpy as np

from gestik.kernels.arrays import FloatArray
from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Mimic
from gestik.model.skeleton import Skeleton

JOINTS = 7


def unit(values: FloatArray) -> FloatArray:
    """Bring a vector or a quaternion to length one."""
    return np.asarray(values / np.linalg.norm(values))


def random_tree(seed: int) -> Skeleton:
    """A tree of joints of all kinds; the joint ``last`` ends the longest way and follows the first one."""
    rng = np.random.default_rng(seed)
    builder = SkeletonBuilder(f"tree {seed}")
    for number in range(JOINTS):
        # The first three are a revolute, a prismatic and a fixed one; the rest is left to chance.
        kind = ("revolute", "prismatic", "fixed")[number if number < 3 else rng.integers(3)]
        parent = None if number == 0 else f"joint {rng.integers(number) if number > 2 else number - 1}"
        limits = {} if kind == "fixed" else {"axis": rng.normal(size=3), "lower": -2.0, "upper": 2.0}
        builder.joint(
            f"joint {number}",
            kind=kind,
            parent=parent,
            position=rng.normal(size=3),
            rotation=unit(rng.normal(size=4)),
            **limits,
        )
    builder.joint(
        "last",
        kind="revolute",
        parent=f"joint {JOINTS - 1}",
        axis=rng.normal(size=3),
        position=rng.normal(size=3),
        segment=rng.normal(size=3),
        mimic=Mimic("joint 0", -0.7, 0.3),
    )
    builder.joint("slide", kind="prismatic", parent="joint 1", axis="x", mimic=Mimic("joint 1", 1.5, -0.1))
    builder.frame("tool", parent="last", position=rng.normal(size=3), rotation=unit(rng.normal(size=4)))
    return builder.build()


def random_angles(skeleton: Skeleton, seed: int) -> FloatArray:
    """Angles inside the limits."""
    return np.random.default_rng(seed).uniform(skeleton.lower, skeleton.upper)
