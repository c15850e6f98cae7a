"""Which triangle each pixel sees, all triangles at once."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gestik.kernels.arrays import FloatArray, IntArray

Indices = NDArray[np.int64]

NEAREST = 0.01  # [m], triangles closer to the camera are left out
BATCH = 1_000_000  # (pixel, triangle) pairs tested together, which bounds the memory


class Fragments(NamedTuple):
    """The pixels that see something, one row each."""

    pixel: Indices  # row * width + column
    triangle: Indices
    weights: FloatArray  # [n, 3], of the triangle's corners, corrected for perspective
    distance: FloatArray  # [n], m ahead of the camera


def visible(screen: FloatArray, faces: IntArray, width: int, height: int) -> Fragments:
    """Find the nearest triangle behind every pixel's centre.

    Args:
        screen: [vertex, 3], pixel column, pixel row and distance ahead [m], as `Camera.project` gives them.
        faces: [triangle, 3], indices into ``screen``.
        width: of the picture [pixels].
        height: of the picture [pixels].
    """
    corners = screen[faces]
    outline, ahead = corners[:, :, :2], corners[:, :, 2]
    low = np.clip(np.ceil(outline.min(axis=1) - 0.5), 0, (width, height)).astype(np.int64)
    high = np.clip(np.floor(outline.max(axis=1) - 0.5) + 1, 0, (width, height)).astype(np.int64)
    spans = np.maximum(high - low, 0) * (ahead.min(axis=1) > NEAREST)[:, None]
    total = np.cumsum(spans[:, 0] * spans[:, 1])
    cuts = np.searchsorted(total, np.arange(BATCH, int(total[-1]) + BATCH, BATCH), side="right").tolist()
    bounds = sorted({0, *cuts, len(faces)})
    parts = [
        _inside(corners[begin:end], low[begin:end], spans[begin:end], begin, width) for begin, end in pairwise(bounds)
    ]
    found = Fragments(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    # Written from far to near, the nearest stays; the order is stable, so ties fall the same way everywhere.
    order = np.argsort(-found.distance, kind="stable")
    nearest = np.full(width * height, -1)
    nearest[found.pixel[order]] = order
    kept = nearest[nearest >= 0]
    return Fragments(found.pixel[kept], found.triangle[kept], found.weights[kept], found.distance[kept])


def _inside(corners: FloatArray, low: Indices, spans: Indices, first: int, width: int) -> Fragments:
    """Test every pixel of every triangle's bounding box and keep those inside the triangle."""
    counts = spans[:, 0] * spans[:, 1]
    triangle = np.repeat(np.arange(len(corners)), counts)
    within = np.arange(len(triangle)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = low[triangle, 0] + within % spans[triangle, 0]
    row = low[triangle, 1] + within // spans[triangle, 0]

    a, b, c = (corners[:, k, :2] for k in range(3))
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    share = np.divide(1.0, area, out=np.zeros_like(area), where=np.abs(area) > 1e-12)[triangle]
    first_weight = _doubled_area(b, c, triangle, column + 0.5, row + 0.5) * share
    second_weight = _doubled_area(c, a, triangle, column + 0.5, row + 0.5) * share
    third_weight = 1.0 - first_weight - second_weight
    hit = (first_weight >= 0.0) & (second_weight >= 0.0) & (third_weight >= 0.0) & (share != 0.0)

    weights = np.column_stack([first_weight[hit], second_weight[hit], third_weight[hit]])
    weights /= corners[triangle[hit], :, 2]
    nearness = weights.sum(axis=1)
    pixel = row[hit] * width + column[hit]
    return Fragments(pixel, triangle[hit] + first, weights / nearness[:, None], 1.0 / nearness)


def _doubled_area(begin: FloatArray, end: FloatArray, triangle: Indices, x: FloatArray, y: FloatArray) -> FloatArray:
    """Return twice the signed area between an edge of each triangle and each pixel's centre."""
    along = end - begin
    offset = along[:, 0] * begin[:, 1] - along[:, 1] * begin[:, 0]
    return np.asarray(along[triangle, 0] * y - along[triangle, 1] * x - offset[triangle])
