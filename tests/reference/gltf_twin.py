"""glTF read once more, with matrices that keep their scales: where every node is at any time of an animation."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5126: np.float32}
RESTS = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]}


class GltfTwin:
    """A .glb whose arrays are dense, tightly packed, and in the file itself."""

    def __init__(self, path: Path, *, rounded_scales: bool) -> None:
        data = path.read_bytes()
        (length,) = struct.unpack("<I", data[12:16])
        self.tree = json.loads(data[20 : 20 + length])
        self.binary = data[28 + length :]
        self.rounded_scales = rounded_scales
        self.nodes = self.tree["nodes"]
        self.parent = {child: node for node, item in enumerate(self.nodes) for child in item.get("children", [])}

    def array(self, number: int) -> np.ndarray:
        """The numbers of an accessor."""
        accessor = self.tree["accessors"][number]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        kind, width = TYPES[accessor["componentType"]], WIDTHS[accessor["type"]]
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = np.frombuffer(self.binary, kind, accessor["count"] * width, begin).reshape(-1, width).astype(float)
        return values / np.iinfo(kind).max if accessor.get("normalized") else values

    def channels(self, animation: int) -> dict[tuple[int, str], tuple[str, np.ndarray, np.ndarray]]:
        """Mode, keys and values by node and path."""
        item = self.tree["animations"][animation]
        return {
            (channel["target"]["node"], channel["target"]["path"]): (
                sampler.get("interpolation", "LINEAR"),
                self.array(sampler["input"])[:, 0],
                self.array(sampler["output"]),
            )
            for channel in item["channels"]
            if channel["target"]["path"] in RESTS
            for sampler in [item["samplers"][channel["sampler"]]]
        }

    def places(self, animation: int | None, time: float) -> dict[int, np.ndarray]:
        """Where each node is [m], at rest or at a time [s] of an animation."""
        moving = {} if animation is None else self.channels(animation)
        worlds: dict[int, np.ndarray] = {}

        def world(node: int) -> np.ndarray:
            if node not in worlds:
                parts = {path: self.nodes[node].get(path, rest) for path, rest in RESTS.items()}
                for path in parts:
                    if (node, path) in moving:
                        parts[path] = value_at(*moving[node, path], time, path == "rotation")
                above = world(self.parent[node]) if node in self.parent else np.eye(4)
                given = self.nodes[node].get("matrix")
                own = self.local(**parts) if given is None else np.array(given).reshape(4, 4).T
                worlds[node] = above @ own
            return worlds[node]

        return {node: world(node)[:3, 3] for node in range(len(self.nodes))}

    def local(self, translation: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> np.ndarray:
        """The matrix of one node."""
        x, y, z, w = np.array(rotation) / np.linalg.norm(rotation)
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        matrix = np.eye(4)
        sizes = np.full(3, np.mean(scale)) if self.rounded_scales and np.ptp(scale) < 1e-3 * np.mean(scale) else scale
        matrix[:3, :3] = turn * sizes
        matrix[:3, 3] = translation
        return matrix


def value_at(mode: str, keys: np.ndarray, values: np.ndarray, time: float, is_turn: bool) -> np.ndarray:
    """One property at a time, key by key."""
    if mode == "CUBICSPLINE":
        values = values.reshape(len(keys), 3, -1)
    points = values[:, 1] if mode == "CUBICSPLINE" else values
    if time <= keys[0]:
        return points[0]
    if time >= keys[-1]:
        return points[-1]
    after = next(k for k, key in enumerate(keys) if key > time)
    before = after - 1
    span = keys[after] - keys[before]
    t = (time - keys[before]) / span
    if mode == "STEP":
        return points[before]
    if mode == "CUBICSPLINE":
        return (
            (2 * t**3 - 3 * t**2 + 1) * points[before]
            + span * (t**3 - 2 * t**2 + t) * values[before, 2]
            + (-2 * t**3 + 3 * t**2) * points[after]
            + span * (t**3 - t**2) * values[after, 0]
        )
    if not is_turn:
        return (1 - t) * points[before] + t * points[after]
    first, second = (point / np.linalg.norm(point) for point in (points[before], points[after]))
    if first @ second < 0:
        second = -second
    angle = np.arccos(min(1.0, first @ second))
    if angle < 1e-6:
        return (1 - t) * first + t * second
    return (np.sin((1 - t) * angle) * first + np.sin(t * angle) * second) / np.sin(angle)
