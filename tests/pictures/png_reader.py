"""A small PNG reader, written from the format's description: 8 bits, RGB, all five filters."""

from __future__ import annotations

import struct
import zlib

import numpy as np


def read_png(data: bytes) -> np.ndarray:
    """Return the [height, width, 3] picture; every checksum is looked at."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert zlib.crc32(kind + body) == checksum
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + length
    assert kind == b"IEND"
    width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (depth, colour, rest) == (8, 2, [0, 0, 0])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, 1 + 3 * width)
    picture = np.zeros((height, width, 3), dtype=np.uint8)
    above = np.zeros((width, 3), dtype=np.int64)
    for row in range(height):
        above = _unfiltered(rows[row, 0], rows[row, 1:].reshape(width, 3).astype(np.int64), above)
        picture[row] = above
    return picture


def _unfiltered(kind: int, row: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Undo one row's filter (PNG specification, section 9)."""
    if kind == 0:
        return row
    if kind == 2:
        return (row + above) % 256
    out = np.zeros_like(row)
    zero = np.zeros(3, dtype=np.int64)
    for column in range(len(row)):
        left = out[column - 1] if column else zero
        corner = above[column - 1] if column else zero
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[column]) // 2
        else:
            total = left + above[column] - corner
            distances = np.abs(np.stack([total - left, total - above[column], total - corner]))
            guess = np.choose(distances.argmin(axis=0), [left, above[column], corner])
        out[column] = (row[column] + guess) % 256
    return out
