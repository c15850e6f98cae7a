"""glTF 2.0, .glb and .gltf: what games and films exchange, y up, in metres.

Joints are the nodes a skin names and those an animation moves, with all that carry them; plain nodes on them are
frames.  Scales are worked into lengths, see `gltf_nodes`.  Meshes, cameras, lights and weights of faces are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError
from gestik.formats.gltf_animations import PLACES, TURNS, Animation, Track, read_animations, warn_of_scales
from gestik.formats.gltf_file import GltfFile
from gestik.formats.gltf_nodes import Node, read_nodes
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import LARGEST_CLIP, Clip
from gestik.model.joints import JointKind
from gestik.model.quaternion_stacks import inverses, normalised, products, turned, without_leaps, zyx_angles
from gestik.model.skeleton import Skeleton

# A node whose animated places stay within this share of the figure's size does not slide.
STILL = 1e-6


class Scene(NamedTuple):
    """What of a file is read."""

    nodes: list[Node]
    order: list[int]  # parents first
    kinds: dict[int, JointKind]  # of the nodes that are joints
    animations: list[Animation]


def describe(path: Path) -> SkeletonBuilder:
    """Return a builder that holds the skeleton and every fault found, or raise FormatError where there is none."""
    return _describe(_read(path), path)


def read_clips(path: Path) -> dict[str, Clip]:
    """The animations of a file by name, on its skeleton."""
    scene = _read(path)
    skeleton = _describe(scene, path).build()
    if sum(len(animation.moments) for animation in scene.animations) * max(1, skeleton.dof_count) > LARGEST_CLIP:
        raise FormatError(f"{str(path)!r}: its animations hold more than {LARGEST_CLIP:.0e} numbers")
    clips = {}
    for animation in scene.animations:
        try:
            checks.name(animation.name)
        except ValueError as fault:
            raise FormatError(f"{str(path)!r}: name of an animation {fault}") from fault
        angles = _angles(animation, scene, skeleton)
        clips[animation.name] = Clip(animation.name, skeleton, animation.moments, angles)
    return clips


def _read(path: Path) -> Scene:
    """Nodes and animations, and which nodes are joints."""
    file = GltfFile(path)
    nodes, order = read_nodes(file)
    animations = read_animations(file, len(nodes))
    warn_of_scales(file, animations)
    tracks = [track for animation in animations for track in animation.tracks]
    turning = _skinned(file, len(nodes)) | {track.node for track in tracks if track.path == TURNS}
    sliding = _sliding(nodes, tracks)
    moving = (turning | sliding) or {number for number in order if nodes[number].is_plain}
    kinds = dict.fromkeys(_with_carriers(nodes, moving), JointKind.FIXED)
    kinds |= dict.fromkeys(moving, JointKind.BALL) | dict.fromkeys(sliding, JointKind.FREE)
    return Scene(nodes, order, kinds, animations)


def _skinned(file: GltfFile, count: int) -> set[int]:
    """The nodes skins name as their joints."""
    found = set()
    for number, skin in enumerate(file.items("skins")):
        joints = skin.get("joints")
        if not isinstance(joints, list):
            raise FormatError(f"{file.source}: skin {number} has no list of joints")
        found |= {file.index({"joints": joint}, "joints", count, f"skin {number}") for joint in joints}
    return found


def _sliding(nodes: Sequence[Node], tracks: Sequence[Track]) -> set[int]:
    """The nodes some animation takes away from where they are."""
    size = max(float(np.linalg.norm(node.position)) for node in nodes)
    found = set()
    for track in tracks:
        if track.path == PLACES and track.node not in found:
            node = nodes[track.node]
            values = track.values[:, 1] if track.values.ndim == 3 else track.values
            if np.abs(node.stretch * values - node.position).max() > STILL * size:
                found.add(track.node)
    return found


def _with_carriers(nodes: Sequence[Node], chosen: set[int]) -> set[int]:
    """The chosen nodes and all above them."""
    found: set[int] = set()
    for number in chosen:
        while number >= 0 and number not in found:
            found.add(number)
            number = nodes[number].parent
    return found


def _describe(scene: Scene, path: Path) -> SkeletonBuilder:
    """A builder for joints and frames."""
    builder = SkeletonBuilder(path.stem, up="y", source=str(path))
    placed: set[int] = set()
    for number in scene.order:
        node = scene.nodes[number]
        parent = scene.nodes[node.parent].name if node.parent in placed else None
        if number in scene.kinds:
            kind = scene.kinds[number]
            builder.joint(node.name, kind=kind, parent=parent, position=node.position, rotation=node.rotation)
        elif node.is_plain and parent is not None:
            builder.frame(node.name, parent=parent, position=node.position, rotation=node.rotation)
        else:
            continue
        placed.add(number)
    return builder


def _angles(animation: Animation, scene: Scene, skeleton: Skeleton) -> FloatArray:
    """Angles [moment, dof] of an animation."""
    angles = np.tile(skeleton.rest, (len(animation.moments), 1))
    for track in animation.tracks:
        kind = scene.kinds.get(track.node, JointKind.FIXED)
        node = scene.nodes[track.node]
        dofs = np.flatnonzero(skeleton.mask([node.name])) if kind is not JointKind.FIXED else np.empty(0, int)
        back = inverses(normalised(np.array(node.rotation)))
        values = track.at(animation.moments)
        if track.path == TURNS and len(dofs):
            angles[:, dofs[-3:]] = without_leaps(zyx_angles(products(back, values)))
        elif track.path == PLACES and kind is JointKind.FREE:
            angles[:, dofs[:3]] = turned(back, node.stretch * values - np.array(node.position))
    return angles
