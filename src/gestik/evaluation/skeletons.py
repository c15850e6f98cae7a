"""The seven skeletons of the ERIK paper (Ribeiro & Paiva, Table 5), A to G, on which methods are compared."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from gestik.errors import unknown_name

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton


class Layout(NamedTuple):
    """What tells one of the paper's skeletons from another."""

    axes: str  # one of x, y, z per joint, root first; every bone points along its joint's +Y, so y is a twist
    limit: float  # [rad], every joint turns from -limit to +limit


LAYOUTS = {
    "A": Layout("yxy", math.pi / 2),
    "B": Layout("yxzy", math.pi),
    "C": Layout("yxxzy", math.pi / 2),
    "D": Layout("yxzxy", math.pi),
    "E": Layout("yxzxy", math.pi / 2),
    "F": Layout("yxxzxy", math.pi / 2),
    "G": Layout("yxzxyxzy", math.pi / 2),
}


def layout(letter: str) -> Layout:
    """Look up one of the paper's skeletons, A to G, by its letter."""
    if letter not in LAYOUTS:
        raise unknown_name("skeleton of the paper", letter, LAYOUTS)
    return LAYOUTS[letter]


def joint_names(axes: str) -> tuple[str, ...]:
    """Name the joints of a layout: the root, the tip, and between them the axis and the place, as in ``x2``."""
    inner = (f"{axis}{place}" for place, axis in enumerate(axes[1:-1], start=2))
    return ("root", *inner, "tip")


def skeleton(letter: str) -> Skeleton:
    """Build one of the paper's skeletons, A to G.

    The vertical is +Y, every bone is 1 m long and points along its joint's +Y, all angles are 0 when the arm stands
    straight. The joints are called ``root``, ``x2``, ``x3`` ... ``tip``, and the frame ``end`` sits at the end of the
    last bone.
    """
    from gestik.model.builder import SkeletonBuilder

    axes, limit = layout(letter)
    names = joint_names(axes)
    bone = (0.0, 1.0, 0.0)
    builder = SkeletonBuilder(letter, up="y")
    for place, (name, axis) in enumerate(zip(names, axes, strict=True)):
        is_root = place == 0
        builder.joint(
            name,
            parent=None if is_root else names[place - 1],
            kind="revolute",
            axis=axis,
            position=(0.0, 0.0, 0.0) if is_root else bone,
            lower=-limit,
            upper=limit,
            segment=bone,
        )
    builder.frame("end", parent="tip", position=bone)
    return builder.build()
