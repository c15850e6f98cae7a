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


def random_body(seed: int, convention: str) -> Skeleton:
    """A body that floats freely: two limbs that begin with balls, one with a slide and a mimic, each with a tool."""
    rng = np.random.default_rng(seed)
    builder = SkeletonBuilder(f"body {seed}")
    builder.joint("root", kind="free", convention=convention, rotation=unit(rng.normal(size=4)))
    parents = {"neck": "root", "head": "neck", "hip": "root", "slide": "hip", "knee": "slide", "toe": "knee"}
    for name, parent in parents.items():
        place = {"parent": parent, "position": rng.normal(size=3), "rotation": unit(rng.normal(size=4))}
        if name in {"neck", "hip"}:
            builder.joint(name, kind="ball", convention=convention, **place)
        elif name == "slide":
            builder.joint(name, kind="prismatic", axis=rng.normal(size=3), lower=-2, upper=2, **place)
        else:
            follows = Mimic("knee", 0.5, 0.2) if name == "toe" else None
            builder.joint(name, kind="revolute", axis=rng.normal(size=3), lower=-2, upper=2, mimic=follows, **place)
    builder.frame("crown", parent="head", kind="eye", position=rng.normal(size=3), axis=rng.normal(size=3))
    builder.frame("tip", parent="toe", position=rng.normal(size=3), rotation=unit(rng.normal(size=4)))
    return builder.build()


def body_poses(skeleton: Skeleton, convention: str) -> dict[str, FloatArray]:
    """A random pose, one near the singularity of every ball, and all zeros."""
    random = np.random.default_rng(17).uniform(-2.0, 2.0, skeleton.dof_count)
    locked = random.copy()
    for joint in ("root", "neck", "hip"):
        middle = skeleton.dof_names.index(f"{joint}.{convention[1].lower()}")
        locked[middle] = 1e-7 + (0.0 if convention[0] == convention[2] else 0.5 * np.pi)
    return {"random": random, "nearly locked": locked, "zero": np.zeros(skeleton.dof_count)}
