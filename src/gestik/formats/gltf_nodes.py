"""The nodes of a glTF: a tree of places and turns from which every scale is taken out and put into the lengths."""

from __future__ import annotations

import math
import warnings
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError, FormatWarning
from gestik.formats.foreign_names import told_apart
from gestik.formats.gltf_file import GltfFile, Json
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.model import checks
from gestik.model.transforms import IDENTITY, ORIGIN
from gestik.model.tree import depth_first, find_circles

NODE_LIMIT = 20_000
# Scales of one node that differ by less than this share differ by rounding, and their mean is meant.
EVEN = 1e-3
# What is drawn or seen through is no place to aim at.
FURNITURE = ("mesh", "camera", "skin")


class Node(NamedTuple):
    """A node, in metres if the file is."""

    name: str
    parent: int  # -1: the base
    position: Vector  # in the parent's frame, every scale above worked in
    rotation: Quaternion  # w first
    stretch: FloatArray  # [3], by what translations of the node are multiplied: the scales above
    is_plain: bool  # it carries nothing to draw


def read_nodes(file: GltfFile) -> tuple[list[Node], list[int]]:
    """The nodes in the order of the file, and their numbers with parents before children."""
    items = file.items("nodes")
    if not items:
        raise FormatError(f"{file.source} has no nodes")
    if len(items) > NODE_LIMIT:
        raise FormatError(f"{file.source} has {len(items)} nodes, more than {NODE_LIMIT}")
    parents = _parents(file, items)
    order = depth_first(parents)
    names = _names(items)
    nodes = [Node("", -1, ORIGIN, IDENTITY, np.ones(3), False)] * len(items)
    below: dict[int, FloatArray] = {-1: np.ones(3)}  # the scale each node puts on what it carries
    uneven = []
    for number in order:
        item, place = items[number], f"node {number} {names[number]!r}"
        translation, rotation, scale = _parts(file, item, place)
        above = below[parents[number]]
        if (above != above[0]).any() and rotation != IDENTITY:
            uneven.append(names[parents[number]])
        x, y, z = (above * translation).tolist()
        nodes[number] = Node(names[number], parents[number], (x, y, z), rotation, above, _is_plain(item))
        below[number] = _carried(above, rotation, scale)
    if uneven:
        message = f"{file.source}: {uneven[0]!r} is scaled by axis and carries turned nodes, whose lengths are near"
        warnings.warn(message, FormatWarning, stacklevel=2)
    return nodes, order


def _names(items: list[Json]) -> list[str]:
    """A name for each node of its own; of several that are called the same those that are drawn give way."""
    plain_first = sorted(range(len(items)), key=lambda number: not _is_plain(items[number]))
    names = told_apart([str(items[number].get("name") or f"node{number}") for number in plain_first])
    by_number = dict(zip(plain_first, names, strict=True))
    return [by_number[number] for number in range(len(items))]


def _is_plain(item: Json) -> bool:
    """Whether a node carries nothing to draw."""
    return not any(key in item for key in FURNITURE)


def _parents(file: GltfFile, items: list[Json]) -> list[int]:
    """The parent of each node, -1 for the base."""
    parents = [-1] * len(items)
    for number, item in enumerate(items):
        children = item.get("children", [])
        if not isinstance(children, list):
            raise FormatError(f"{file.source}: node {number}: children are no list")
        for child in children:
            own = file.index({"children": child}, "children", len(items), f"node {number}")
            if parents[own] >= 0:
                raise FormatError(f"{file.source}: node {own} is a child of two nodes, {parents[own]} and {number}")
            parents[own] = number
    circles = find_circles(parents)
    if circles:
        raise FormatError(f"{file.source}: nodes sit on each other in a circle: {circles[0][:8]}")
    return parents


def _parts(file: GltfFile, item: Json, place: str) -> tuple[FloatArray, Quaternion, FloatArray]:
    """Translation [3], rotation and scale [3] of a node, whichever way it tells them."""
    try:
        if "matrix" in item:
            return _apart(np.array(checks.numbers(item["matrix"], 16)).reshape(4, 4).T)
        x, y, z, w = checks.numbers(item.get("rotation", [0.0, 0.0, 0.0, 1.0]), 4)
        translation = checks.vector(item.get("translation", [0.0, 0.0, 0.0]))
        scale = _even(np.array(checks.vector(item.get("scale", [1.0, 1.0, 1.0]))))
        return np.array(translation), checks.quaternion((w, x, y, z)), scale
    except ValueError as fault:
        raise FormatError(f"{file.source}: {place}: a translation, rotation, scale or matrix {fault}") from fault


def _apart(matrix: FloatArray) -> tuple[FloatArray, Quaternion, FloatArray]:
    """Translation, rotation and scale a matrix is made of; ValueError where it mirrors or leans."""
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if not (scale > checks.SHORTEST_AXIS).all():
        raise ValueError("flattens what the node carries")
    turn = matrix[:3, :3] / scale
    if np.abs(turn.T @ turn - np.eye(3)).max() > checks.QUATERNION_SLACK or np.linalg.det(turn) < 0.0:
        raise ValueError("mirrors or leans, and is no translation, rotation and scale")
    return matrix[:3, 3].copy(), _quaternion(turn), _even(scale)


def _quaternion(turn: FloatArray) -> Quaternion:
    """The quaternion of a rotation matrix: its largest component first, for the sake of its digits."""
    (a, b, c), (d, e, f), (g, h, i) = turn.tolist()
    squares = (1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i)
    w, x, y, z = {
        0: (squares[0], h - f, c - g, d - b),
        1: (h - f, squares[1], b + d, c + g),
        2: (c - g, b + d, squares[2], f + h),
        3: (d - b, c + g, f + h, squares[3]),
    }[int(np.argmax(squares))]
    length = math.hypot(w, x, y, z)
    return w / length, x / length, y / length, z / length


def _even(scale: FloatArray) -> FloatArray:
    """The scale without the rounding of whoever wrote it; ValueError where it mirrors one axis or two."""
    if len(set(np.sign(scale).tolist())) > 1:
        raise ValueError("mirrors what the node carries; apply the scale in the program it comes from")
    mean = scale.mean()
    return np.full(3, mean) if np.abs(scale - mean).max() <= EVEN * abs(mean) else scale


def _carried(above: FloatArray, rotation: Quaternion, scale: FloatArray) -> FloatArray:
    """The scale [3] on what a node carries, in its own axes."""
    if (above == above[0]).all():
        return above * scale
    w, x, y, z = rotation
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    axes = np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross
    lengths: FloatArray = np.linalg.norm(above[:, None] * axes, axis=0)
    carried: FloatArray = np.sign(above[0]) * lengths * scale
    return carried
