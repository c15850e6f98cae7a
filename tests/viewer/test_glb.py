"""Binary glTF: every number where the header says it is, and the material in the format's own words."""

from __future__ import annotations

import json
import struct

import numpy as np

from gestik.formats.load import load
from gestik.pictures.figure import solids
from gestik.pictures.materials import Material
from gestik.pictures.render import Part
from gestik.pictures.solids import box
from gestik.viewer.glb import encode_glb

READ = {5126: (np.float32, 4), 5125: (np.uint32, 4)}
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def decoded(data: bytes) -> tuple[dict, list[np.ndarray]]:
    """The document and the arrays of a GLB file, read from the format's description."""
    magic, version, length = struct.unpack("<4sII", data[:12])
    assert (magic, version, length) == (b"glTF", 2, len(data))
    text_length, text_kind = struct.unpack("<I4s", data[12:20])
    assert text_kind == b"JSON"
    document = json.loads(data[20 : 20 + text_length])
    begin = 20 + text_length
    binary_length, binary_kind = struct.unpack("<I4s", data[begin : begin + 8])
    assert binary_kind == b"BIN\0"
    assert begin + 8 + binary_length == len(data)
    assert text_length % 4 == binary_length % 4 == 0
    binary = data[begin + 8 :]
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        raw = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        kind, _ = READ[accessor["componentType"]]
        array = np.frombuffer(raw, dtype=kind).reshape(-1, COMPONENTS[accessor["type"]])
        assert len(array) == accessor["count"]
        arrays.append(array)
    return document, arrays


def test_a_lamp_comes_back_from_its_file() -> None:
    """Vertices, normals and faces of every part, each with its own material."""
    parts = [part for _, part in solids(load("lamp"))]
    document, arrays = decoded(encode_glb(parts))
    primitives = document["meshes"][0]["primitives"]
    assert len(primitives) == len(document["materials"]) == len(parts)
    for part, primitive in zip(parts, primitives, strict=True):
        np.testing.assert_allclose(arrays[primitive["attributes"]["POSITION"]], part.mesh.vertices, atol=1e-7)
        np.testing.assert_allclose(arrays[primitive["attributes"]["NORMAL"]], part.mesh.normals, atol=1e-6)
        np.testing.assert_array_equal(arrays[primitive["indices"]].reshape(-1, 3), part.mesh.faces)
        bounds = document["accessors"][primitive["attributes"]["POSITION"]]
        np.testing.assert_allclose(bounds["min"], part.mesh.vertices.min(axis=0), atol=1e-7)


def test_materials_say_metal_glow_and_glass_and_ask_for_no_download() -> None:
    """Nothing in the file points outside it."""
    colour = (0.5, 1.0, 0.0)
    materials = [
        Material(colour, metal=1.0),
        Material(colour, glow=2.0),
        Material(colour, opacity=0.5),
        Material(colour),
    ]
    data = encode_glb([Part(box((1, 1, 1)), material) for material in materials])
    metal, glow, glass, paint = decoded(data)[0]["materials"]
    assert metal["pbrMetallicRoughness"]["metallicFactor"] > 0.5 > paint["pbrMetallicRoughness"]["metallicFactor"]
    assert max(glow["emissiveFactor"]) == 1.0
    assert "emissiveFactor" not in paint
    assert (glass["alphaMode"], glass["pbrMetallicRoughness"]["baseColorFactor"][3]) == ("BLEND", 0.5)
    np.testing.assert_allclose(paint["pbrMetallicRoughness"]["baseColorFactor"][:3], [0.21404, 1.0, 0.0], atol=1e-5)
    assert b"uri" not in data
    assert b"draco" not in data.lower()
