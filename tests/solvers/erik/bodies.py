"""Chains to try ERIK on that are unlike the paper's: any axes, any bones, any limits."""

from __future__ import annotations

import numpy as np

from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton
from tests.kernels.trees import unit


def odd_chain(seed: int, count: int = 6, zero_lengths: bool = True) -> Skeleton:
    """A chain with oblique axes, turned rests, asymmetric limits and, unless told otherwise, bones of no length."""
    rng = np.random.default_rng(seed)
    builder = SkeletonBuilder(f"odd{seed}", up="y")
    bone = (0.0, 0.0, 0.0)
    for joint in range(count):
        position = bone
        length = 0.0 if zero_lengths and joint % 3 == 2 else rng.uniform(0.2, 1.0)
        bone = tuple((length * unit(rng.normal(size=3))).tolist())
        middle, half = rng.uniform(-0.7, 0.7), rng.uniform(0.8, 2.0)
        builder.joint(
            f"j{joint}",
            parent=f"j{joint - 1}" if joint else None,
            kind="revolute",
            axis=tuple(unit(rng.normal(size=3)).tolist()),
            position=position,
            rotation=tuple(unit(rng.normal(size=4)).tolist()),
            lower=middle - half,
            upper=middle + half,
            rest=middle,
            segment=bone,
        )
    builder.frame("end", parent=f"j{count - 1}", position=bone)
    return builder.build()


def one_sided_chain(axes: str, lower: float, upper: float, tip: float = np.pi / 2) -> Skeleton:
    """A chain of the paper's kind with other limits [rad]: of swings, and of the tip; twisters turn by +-90 degrees."""
    builder = SkeletonBuilder(axes, up="y")
    for joint, axis in enumerate(axes):
        twist = (tip if joint == len(axes) - 1 else np.pi / 2) if axis == "y" else None
        builder.joint(
            f"j{joint}",
            parent=f"j{joint - 1}" if joint else None,
            kind="revolute",
            axis=axis,
            position=(0, 1, 0) if joint else (0, 0, 0),
            lower=lower if twist is None else -twist,
            upper=upper if twist is None else twist,
            segment=(0, 1, 0),
        )
    builder.frame("end", parent=f"j{len(axes) - 1}", position=(0, 1, 0))
    return builder.build()
