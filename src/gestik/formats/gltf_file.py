"""The container of glTF 2.0: JSON and binary data, in one .glb or in several files, and the arrays they hold.

After the Khronos specification, sections 3.6 (binary data) and 4 (GLB).  Nothing is believed: every index, offset and
length is checked against what there is before it is used.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from gestik.errors import FormatError
from gestik.formats.files import inside, read_bytes
from gestik.kernels.arrays import FloatArray
from gestik.model.checks import LARGEST
from gestik.model.faults import shown

BYTE_LIMIT = 256_000_000
JSON_LIMIT = 16_000_000
# The most numbers of one array: 40 MB of them.
NUMBER_LIMIT = 5_000_000

MAGIC = b"glTF"
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
DATA_URI = "data:"

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
INDEX_COMPONENTS = (5121, 5123, 5125)
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

Json = dict[str, object]


class GltfFile:
    """A file, and what it refers to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.source = repr(str(path))
        data = read_bytes(path, BYTE_LIMIT)
        text, self._binary = _chunks(data, self.source) if data[:4] == MAGIC else (data, None)
        self._tree = _parse(text, self.source)
        asset = self._tree.get("asset")
        if not isinstance(asset, dict) or not str(asset.get("version", "")).startswith("2."):
            raise FormatError(f"{self.source} is no glTF of version 2")
        self._buffers: dict[int, bytes] = {}

    def items(self, name: str) -> list[Json]:
        """The objects of one of the file's lists, such as its nodes."""
        found = self._tree.get(name, [])
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise FormatError(f"{self.source}: {name} is no list of objects")
        return found

    def index(self, item: Json, key: str, count: int, place: str) -> int:
        """What an object refers to by number, one of `count`."""
        value = item.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
            raise FormatError(f"{self.source}: {place}: {key} is {shown(value)}, not one of the {count} there are")
        return value

    def numbers(self, number: int, kind: str) -> FloatArray:
        """The array [count, width] of an accessor, which must be of a kind such as "VEC3"."""
        place = f"accessor {number}"
        accessors = self.items("accessors")
        if not 0 <= number < len(accessors):
            raise FormatError(f"{self.source}: there is no {place}")
        accessor = accessors[number]
        if accessor.get("type") != kind:
            raise FormatError(f"{self.source}: {place} is of type {shown(accessor.get('type'))}, not {kind}")
        count, width = self._size(accessor, "count", place), WIDTHS[kind]
        if count * width > NUMBER_LIMIT:
            raise FormatError(f"{self.source}: {place} has {count} entries, more than an animation may")
        code = self._component(accessor, COMPONENTS, place)
        if "bufferView" in accessor:
            values = self._strided(accessor, code, count, width, place).astype(np.float64)
        else:
            values = np.zeros((count, width))
        if "sparse" in accessor:
            self._overlay(accessor["sparse"], values, code, f"{place}, sparse")
        if accessor.get("normalized") is True and COMPONENTS[code][1] != "f":
            values = np.maximum(values / np.iinfo(COMPONENTS[code]).max, -1.0)
        wrong = ~(np.abs(values) <= LARGEST)  # also true of NaN
        if wrong.any():
            raise FormatError(f"{self.source}: {place} holds {values[wrong][0]}, not finite and within {LARGEST:g}")
        return values

    def _overlay(self, sparse: object, values: FloatArray, code: int, place: str) -> None:
        """Replace the entries a sparse accessor tells; `values` [count, width] is overwritten."""
        if not isinstance(sparse, dict):
            raise FormatError(f"{self.source}: {place} is {shown(sparse)}, no object")
        indices, others = sparse.get("indices"), sparse.get("values")
        if not isinstance(indices, dict) or not isinstance(others, dict):
            raise FormatError(f"{self.source}: {place} has no indices and values")
        count = self._size(sparse, "count", place)
        if count > len(values):
            raise FormatError(f"{self.source}: {place} has {count} entries for {len(values)}")
        index_code = self._component(indices, INDEX_COMPONENTS, f"{place} indices")
        rows = self._strided(indices, index_code, count, 1, f"{place} indices")[:, 0].astype(np.int64)
        if count and rows.max() >= len(values):
            raise FormatError(f"{self.source}: {place} replaces entry {rows.max()} of {len(values)}")
        values[rows] = self._strided(others, code, count, values.shape[1], f"{place} values")

    def _component(self, item: Json, codes: Sequence[int] | dict[int, str], place: str) -> int:
        """The code of a type of number."""
        code = item.get("componentType")
        if isinstance(code, bool) or not isinstance(code, int) or code not in codes:
            known = ", ".join(map(str, codes))
            raise FormatError(f"{self.source}: {place}: componentType is {shown(code)}, not one of {known}")
        return code

    def _strided(self, item: Json, code: int, count: int, width: int, place: str) -> NDArray[np.generic]:
        """Numbers [count, width] of a view, from an offset on, in its steps."""
        views = self.items("bufferViews")
        number = self.index(item, "bufferView", len(views), place)
        view, where = views[number], f"{place}, bufferView {number}"
        if "EXT_meshopt_compression" in str(view.get("extensions", "")):
            raise FormatError(f"{self.source}: {where} is compressed by EXT_meshopt_compression; unpack it first")
        data = self._buffer(self.index(view, "buffer", len(self.items("buffers")), where))
        begin, length = self._size(view, "byteOffset", where, 0), self._size(view, "byteLength", where)
        if begin + length > len(data):
            raise FormatError(f"{self.source}: {where} ends at byte {begin + length} of {len(data)}")
        kind = np.dtype(COMPONENTS[code])
        entry = kind.itemsize * width
        step = self._size(view, "byteStride", where, entry)
        offset = self._size(item, "byteOffset", place, 0)
        if step < entry:
            raise FormatError(f"{self.source}: {where} steps by {step} bytes, less than the {entry} of an entry")
        if count and offset + step * (count - 1) + entry > length:
            raise FormatError(f"{self.source}: {place} reaches beyond the {length} bytes of its bufferView")
        if not count:
            return np.empty((0, width), kind)
        return np.ndarray((count, width), kind, data, begin + offset, (step, kind.itemsize))

    def _size(self, item: Json, key: str, place: str, default: int | None = None) -> int:
        """A whole number that is not negative."""
        value = item.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= BYTE_LIMIT:
            raise FormatError(f"{self.source}: {place}: {key} is {shown(value)}, not a whole number from 0 on")
        return value

    def _buffer(self, number: int) -> bytes:
        """The bytes of a buffer: of the file itself, written out in it, or in a file beside it."""
        if number not in self._buffers:
            buffer = self.items("buffers")[number]
            data, place = self._bytes_of(buffer, number), f"buffer {number}"
            length = self._size(buffer, "byteLength", place)
            if len(data) < length:
                raise FormatError(f"{self.source}: {place} has {len(data)} bytes of {length}")
            self._buffers[number] = data[:length]
        return self._buffers[number]

    def _bytes_of(self, buffer: Json, number: int) -> bytes:
        """Where a buffer is, and what is there."""
        uri = buffer.get("uri")
        if uri is None and number == 0 and self._binary is not None:
            return self._binary
        if not isinstance(uri, str):
            raise FormatError(f"{self.source}: buffer {number} is nowhere: its uri is {shown(uri)}")
        if uri.startswith(DATA_URI):
            head, _, text = uri.partition(",")
            try:
                if not head.endswith(";base64"):
                    raise ValueError("is not in base64")
                return base64.b64decode(text, validate=True)
            except (ValueError, binascii.Error) as fault:
                raise FormatError(f"{self.source}: buffer {number}: data {fault}") from fault
        try:
            file = inside(self.path.parent, unquote(uri))
        except ValueError as fault:
            raise FormatError(f"{self.source}: buffer {number}: uri {fault}") from fault
        return read_bytes(file, BYTE_LIMIT)


def _chunks(data: bytes, source: str) -> tuple[bytes, bytes | None]:
    """The JSON of a .glb, and its binary data if it has any."""
    chunks: dict[int, bytes] = {}
    begin = 12
    while begin + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, begin)
        if begin + 8 + length > len(data):
            raise FormatError(f"{source} is cut short: a chunk of {length} bytes begins at byte {begin} of {len(data)}")
        chunks.setdefault(kind, data[begin + 8 : begin + 8 + length])
        begin += 8 + length
    if JSON_CHUNK not in chunks:
        raise FormatError(f"{source} has no chunk of JSON")
    return chunks[JSON_CHUNK], chunks.get(BINARY_CHUNK)


def _parse(text: bytes, source: str) -> Json:
    """The JSON, one object."""
    if len(text) > JSON_LIMIT:
        raise FormatError(f"{source} has more than {JSON_LIMIT // 1_000_000} MB of JSON")

    def refuse(word: str) -> object:
        raise ValueError(f"{word} is no number of JSON")

    try:
        tree = json.loads(text.decode("utf-8-sig"), parse_constant=refuse)
    except RecursionError as fault:
        raise FormatError(f"{source}: its JSON is too deep") from fault
    except ValueError as fault:
        raise FormatError(f"{source} holds no JSON: {shown(str(fault))}") from fault
    if not isinstance(tree, dict):
        raise FormatError(f"{source} holds no object of JSON")
    return tree
