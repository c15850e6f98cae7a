"""A skeleton as solids: its own shapes, or plain bones where it has none."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray
from gestik.model.joints import Finish, FrameKind
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import ORIGIN, between
from gestik.pictures.materials import BONE, JOINT, Material, material_of
from gestik.pictures.render import Part
from gestik.pictures.shading import Beam
from gestik.pictures.solids import Mesh, capsule, rotation_matrix, solid_of

SLIMNESS = 0.022  # radius of a plain bone, as a share of the figure's size


def solids(skeleton: Skeleton) -> list[tuple[int, Part]]:
    """Return (row, part in the row's frame) for everything to draw; row -1 is the base.

    Shapes from mesh files are left to viewers that can read them; a skeleton with nothing else to show gets bones.
    """
    parts = []
    for shape in skeleton.shapes:
        mesh = solid_of(shape)
        if mesh is not None and shape.opacity > 0.0:
            parts.append((shape.row, Part(mesh.placed(shape.position, shape.rotation), material_of(shape))))
    return parts or bones(skeleton)


def bones(skeleton: Skeleton) -> list[tuple[int, Part]]:
    """Return a tapered bone with a knob for every joint whose bone has a length."""
    radius = SLIMNESS * figure_size(skeleton)
    parts = []
    for row, segment in zip(skeleton.joint_ends.tolist(), skeleton.segments.tolist(), strict=True):
        middle, rotation, length = between(ORIGIN, (segment[0], segment[1], segment[2]))
        parts.append((row, Part(capsule(1.35 * radius, 1.35 * radius, 0.0), Material(JOINT, gloss=0.6, metal=1.0))))
        if length > 0.0:
            bone = capsule(radius, 0.55 * radius, length).placed(middle, rotation)
            parts.append((row, Part(bone, Material(BONE))))
    return parts


def figure_size(skeleton: Skeleton) -> float:
    """Return how far the figure reaches from its base when every angle is 0 [m]."""
    pose = skeleton.forward(np.zeros(skeleton.dof_count))
    ends = [
        position + rotation_matrix(rotation) @ segment
        for position, rotation, segment in zip(pose.positions, pose.rotations, skeleton.segments, strict=True)
    ]
    reach = float(np.linalg.norm(np.vstack([pose.positions, *ends]), axis=1).max())
    return reach if reach > 0.0 else 1.0


def upright(skeleton: Skeleton) -> FloatArray:
    """Return the [3, 3] turn from the skeleton's world into one whose z points up."""
    x, y, z = skeleton.up.tolist()
    _, rotation, _ = between(ORIGIN, (x, y, z))
    return rotation_matrix(rotation).T


def figure(skeleton: Skeleton, angles: ArrayLike) -> list[Part]:
    """Return every part of the skeleton where the angles [rad or m] put it, in a world whose z points up."""
    pose = skeleton.forward(angles)
    turn = upright(skeleton)
    parts = []
    for row, part in solids(skeleton):
        mesh = part.mesh if row < 0 else part.mesh.placed(pose.row_positions[row], pose.row_rotations[row])
        parts.append(Part(Mesh(mesh.vertices @ turn.T, mesh.normals @ turn.T, mesh.faces), part.material))
    return parts


def beams(skeleton: Skeleton, angles: ArrayLike) -> list[Beam]:
    """Return the light of every eye that has something glowing on its joint, in a world whose z points up."""
    pose = skeleton.forward(angles)
    turn = upright(skeleton)
    glowing = {shape.row: material_of(shape).colour for shape in skeleton.shapes if shape.finish == Finish.GLOW}
    found = []
    for frame in skeleton.frames:
        if frame.kind is FrameKind.EYE and frame.axis is not None and frame.row in glowing:
            eye = pose.of(f"eye:{frame.name}")
            direction = turn @ rotation_matrix(eye.rotation) @ np.array(frame.axis)
            reach = 0.75 * figure_size(skeleton)
            found.append(Beam(turn @ eye.position, direction, glowing[frame.row], reach))
    return found
