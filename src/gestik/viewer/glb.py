"""Parts as one binary glTF file: the browser then draws them with the same paint, metal and glow as our stills."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gestik.kernels.arrays import FloatArray
from gestik.pictures.materials import Material, linear
from gestik.pictures.render import Part

# The format's own numbers (glTF 2.0, §3.6, §3.7 and §4.4).
FLOAT, UNSIGNED = 5126, 5125
VERTICES, INDICES = 34962, 34963
MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942

GLOWING_PAINT = 0.15  # share of its colour a glowing thing shows by the light of others
GLARE = 4.0  # a browser maps light to the screen like film, and film needs more of it to look bright


class _Store:
    """The binary chunk under construction, with the table of what lies where."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, object]] = []
        self.accessors: list[dict[str, object]] = []

    def add(self, array: NDArray[np.float32 | np.uint32], kind: str, target: int) -> int:
        """Append an array and return the number of its accessor."""
        raw = array.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw), "target": target})
        self.data += raw
        accessor = {"bufferView": len(self.views) - 1, "count": len(array), "type": kind}
        accessor["componentType"] = UNSIGNED if target == INDICES else FLOAT
        if kind == "VEC3":
            accessor["min"], accessor["max"] = array.min(axis=0).tolist(), array.max(axis=0).tolist()
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def encode_glb(parts: Sequence[Part], tints: Sequence[FloatArray | None] | None = None) -> bytes:
    """Return the GLB file of some parts, each with its material.

    Args:
        parts: what the file holds.
        tints: for each part None, or [vertex, 4]: red, green, blue and opacity, which multiply its material's.
    """
    store = _Store()
    primitives = []
    for number, part in enumerate(parts):
        attributes = {
            "POSITION": store.add(part.mesh.vertices.astype(np.float32), "VEC3", VERTICES),
            "NORMAL": store.add(part.mesh.normals.astype(np.float32), "VEC3", VERTICES),
        }
        tint = tints[number] if tints is not None else None
        if tint is not None:
            attributes["COLOR_0"] = store.add(tint.astype(np.float32), "VEC4", VERTICES)
        indices = store.add(part.mesh.faces.astype(np.uint32).reshape(-1), "SCALAR", INDICES)
        primitives.append({"attributes": attributes, "indices": indices, "material": number})
    document = {
        "asset": {"version": "2.0", "generator": "gestik"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": primitives}],
        "materials": [_material(part.material) for part in parts],
        "accessors": store.accessors,
        "bufferViews": store.views,
        "buffers": [{"byteLength": len(store.data)}],
        "extensionsUsed": ["KHR_materials_emissive_strength"],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    body = _chunk(JSON_CHUNK, text, b" ") + _chunk(BINARY_CHUNK, bytes(store.data), b"\0")
    return struct.pack("<III", MAGIC, VERSION, 12 + len(body)) + body


def _chunk(kind: int, data: bytes, filler: bytes) -> bytes:
    padded = data + filler * (-len(data) % 4)
    return struct.pack("<II", len(padded), kind) + padded


def _material(material: Material) -> dict[str, object]:
    """Return a material in the words of glTF, whose colours are amounts of light."""
    colour = linear(material.colour)
    # Shown in full, the light that falls on a bulb would drown its own.
    paint = colour * (GLOWING_PAINT if material.glow > 0.0 else 1.0)
    words: dict[str, object] = {
        "pbrMetallicRoughness": {
            "baseColorFactor": [*paint.tolist(), material.opacity],
            "metallicFactor": 0.85 * material.metal,
            "roughnessFactor": 0.85 - 0.65 * material.gloss,
        }
    }
    if material.glow > 0.0:
        words["emissiveFactor"] = colour.tolist()
        words["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": GLARE * material.glow}}
    if material.opacity < 1.0:
        words["alphaMode"] = "BLEND"
        words["doubleSided"] = True
    return words
