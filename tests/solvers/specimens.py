"""Bodies and problems the contract of all methods is tried on; each method takes those it can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

import gestik as gk
from gestik.kernels.arrays import FloatArray

Place = tuple[float, float, float]
Turn = tuple[float, float, float, float]
HERE: tuple[Place, Turn] = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


class Case(NamedTuple):
    """A body, where its hand is told to go, and a pose that does it."""

    name: str
    body: gk.Skeleton
    angles: FloatArray  # [dof], a pose that meets the goals
    goals: Callable[[gk.Skeleton, FloatArray], list[object]]  # the goals that a pose of the body meets


def arm(world: tuple[Place, Turn] = HERE, *, bones: Sequence[float] = (0.4, 0.3, 0.2)) -> gk.Skeleton:
    """A yaw and three bends with limits, bones along y, somewhere in the world."""
    builder = gk.SkeletonBuilder("arm", up="y")
    limits = {"lower": -2.5, "upper": 2.5}
    builder.joint("yaw", kind="revolute", axis="y", position=world[0], rotation=world[1], **limits)
    parent, y = "yaw", 0.1
    for name, length in zip(("shoulder", "elbow", "wrist"), bones, strict=True):
        builder.joint(name, kind="revolute", axis="z", parent=parent, position=(0, y, 0), segment=(0, 1, 0), **limits)
        parent, y = name, length
    builder.frame("hand", parent="wrist", kind="eye", position=(0, bones[-1], 0), axis="y")
    return builder.build()


def limb(world: tuple[Place, Turn] = HERE) -> gk.Skeleton:
    """Two bones: a shoulder that turns and lifts, an elbow that is a hinge."""
    builder = gk.SkeletonBuilder("limb", up="y")
    builder.joint("turn", kind="revolute", axis="y", lower=-3, upper=3, position=world[0], rotation=world[1])
    builder.joint("lift", kind="revolute", axis="z", parent="turn", lower=-1.5, upper=1.5)
    builder.joint("elbow", kind="revolute", axis="z", parent="lift", position=(0.5, 0, 0), lower=-2.8, upper=2.8)
    builder.frame("hand", parent="elbow", kind="eye", position=(0.4, 0, 0), axis="x")
    return builder.build()


def ball_limb(world: tuple[Place, Turn] = HERE) -> gk.Skeleton:
    """Two bones: a ball and a hinge, as hips and knees are."""
    builder = gk.SkeletonBuilder("ball limb", up="y")
    builder.joint("hip", kind="ball", lower=(-2, -1.2, -2), upper=(2, 1.2, 2), position=world[0], rotation=world[1])
    builder.joint("knee", kind="revolute", axis="z", parent="hip", position=(0, -0.5, 0), lower=-2.6, upper=0.0)
    builder.frame("hand", parent="knee", kind="eye", position=(0, -0.4, 0), axis="x")
    return builder.build()


def slider(world: tuple[Place, Turn] = HERE) -> gk.Skeleton:
    """A lift, a turn and a telescope."""
    builder = gk.SkeletonBuilder("slider", up="y")
    builder.joint("lift", kind="prismatic", axis="y", lower=0.0, upper=0.8, position=world[0], rotation=world[1])
    builder.joint("turn", kind="continuous", axis="y", parent="lift")
    builder.joint("nod", kind="revolute", axis="z", parent="turn", lower=-1.2, upper=1.2)
    builder.joint("reach", kind="prismatic", axis="x", parent="nod", position=(0.3, 0, 0), lower=0.0, upper=0.4)
    builder.frame("hand", parent="reach", kind="eye", position=(0.1, 0, 0), axis="x")
    return builder.build()


def place(body: gk.Skeleton, angles: FloatArray) -> list[object]:
    """The hand's place."""
    return [gk.Position("hand", body.forward(angles).of("hand").position)]


def rotation(body: gk.Skeleton, angles: FloatArray) -> list[object]:
    """The hand's rotation."""
    return [gk.Orientation("hand", body.forward(angles).of("hand").rotation)]


def whole(body: gk.Skeleton, angles: FloatArray) -> list[object]:
    """The hand's place and rotation."""
    return place(body, angles) + rotation(body, angles)


def gaze(body: gk.Skeleton, angles: FloatArray) -> list[object]:
    """What the hand points at, three metres away."""
    seen, frame = body.forward(angles).of("hand"), body.frame("hand")
    from tests.reference.measures_twin import rotation_matrix

    return [gk.Aim("hand", at=seen.position + 3.0 * rotation_matrix(seen.rotation) @ np.array(frame.axis))]


ASKED = {"place": place, "rotation": rotation, "whole": whole, "gaze": gaze}
BODIES = {
    "arm": (arm, [0.5, 0.6, -0.9, 0.4]),
    "limb": (limb, [0.7, 0.5, -1.1]),
    "ball limb": (ball_limb, [0.3, 0.2, -0.4, -1.0]),
    "slider": (slider, [0.3, 0.9, 0.4, 0.2]),
}


def cases(method: str) -> list[Case]:
    """The cases a method takes, with nothing but their goals."""
    found = []
    for body_name, (build, angles) in BODIES.items():
        body = build()
        for asked, goals in ASKED.items():
            try:
                gk.prepare(body, goals(body, np.array(angles)), method)
            except gk.CapabilityError:
                continue
            found.append(Case(f"{body_name}, {asked}", body, np.array(angles), goals))
    return found
