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
