"""glTF files made by hand: a figure with every kind of sampling, and the ways to break one."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import numpy as np

Json = dict[str, Any]
COMPONENTS = {"f4": 5126, "i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123}
KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}


class Arrays:
    """The binary part in the making."""

    def __init__(self) -> None:
        self.data = b""
        self.views: list[Json] = []
        self.accessors: list[Json] = []

    def add(self, values: object, kind: str = "f4", **more: object) -> int:
        """Store numbers [n] or [n, width]; the number of their accessor."""
        array = np.asarray(values, dtype=f"<{kind}")
        array = array.reshape(len(array), -1)
        self.data += b"\0" * (-len(self.data) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": array.nbytes})
        self.data += array.tobytes()
        accessor = {
            "bufferView": len(self.views) - 1,
            "componentType": COMPONENTS[kind],
            "count": len(array),
            "type": KINDS[array.shape[1]],
        }
        self.accessors.append({**accessor, **more})
        return len(self.accessors) - 1


def figure() -> tuple[Json, bytes]:
    """A hip that walks, a spine that turns by a curve, an arm that snaps and one in whole numbers; scales of 100."""
    arrays = Arrays()
    rng = np.random.default_rng(4)

    def turns(count: int) -> np.ndarray:
        made = rng.normal(size=(count, 4))
        return made / np.linalg.norm(made, axis=1, keepdims=True)

    times = arrays.add([0.0, 0.25, 1.0])
    late = arrays.add([0.5, 0.75])
    curve = np.concatenate([turns(3)[:, None], turns(3)[:, None], turns(3)[:, None]], axis=1)
    curve[:, [0, 2]] *= 0.3
    samplers = [
        {"input": times, "output": arrays.add(0.01 * rng.normal(size=(3, 3)))},
        {"input": times, "output": arrays.add(curve.reshape(9, 4)), "interpolation": "CUBICSPLINE"},
        {"input": times, "output": arrays.add(turns(3)), "interpolation": "STEP"},
        {"input": late, "output": arrays.add(np.round(turns(2) * 32767), "i2", normalized=True)},
        {"input": times, "output": arrays.add([0.0, 1.0, 0.5])},
        {"input": times, "output": arrays.add(np.tile([0.0, 0.25, 0.0], (3, 1)))},
        {"input": times, "output": arrays.add(0.002 * rng.normal(size=(9, 3))), "interpolation": "CUBICSPLINE"},
    ]
    targets = [
        (1, "translation"),
        (2, "rotation"),
        (3, "rotation"),
        (4, "rotation"),
        (6, "weights"),
        (3, "translation"),
    ]
    targets.append((5, "translation"))
    tree: Json = {
        "asset": {"version": "2.0", "generator": "by hand"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "root", "children": [1, 6], "rotation": [-0.6, 0, 0, 0.8], "scale": [100, 100, 100]},
            {"name": "rig:hip", "children": [2], "translation": [0.001, 0.01, 0]},
            {"name": "spine", "children": [3, 4], "translation": [0, 0.02, 0], "rotation": [0, 0.28, 0, 0.96]},
            {"name": "arm", "children": [5], "translation": [0.0, 0.25, 0.0], "scale": [0.5, 0.5, 0.5]},
            {"name": "arm", "translation": [-0.1, 0.3, 0.0], "rotation": [0.5, 0.5, 0.5, 0.5], "children": [7]},
            {"translation": [0.2, 0.1, 0.05]},
            {"name": "spine", "mesh": 0, "skin": 0},
            {
                "name": "hand_end",
                "matrix": [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0.1, 0.05, 0.02, 1],
            },
        ],
        "meshes": [{"primitives": []}],
        "skins": [{"joints": [1, 2, 3, 4]}],
        "animations": [
            {
                "name": "wave",
                "samplers": samplers,
                "channels": [
                    {"sampler": sampler, "target": {"node": node, "path": path}}
                    for sampler, (node, path) in enumerate(targets)
                ],
            },
            {"samplers": [samplers[4]], "channels": [{"sampler": 0, "target": {"node": 6, "path": "weights"}}]},
        ],
        "accessors": arrays.accessors,
        "bufferViews": arrays.views,
        "buffers": [{"byteLength": len(arrays.data)}],
    }
    return tree, arrays.data


def glb(tree: Json, binary: bytes) -> bytes:
    """Both in one file."""
    text = json.dumps(tree, indent=1).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def gltf(tree: Json, binary: bytes) -> bytes:
    """Both as text."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(binary).decode()
    return json.dumps(tree | {"buffers": [{**tree["buffers"][0], "uri": uri}]}, indent=1).encode()
