"""Small letters drawn with a round pen, so that a picture can be labelled without any font."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gestik.kernels.arrays import FloatArray

# Strokes as points of two digits, column and row, on a grid whose base line is row 2, whose small letters reach row 6
# and whose tall ones reach row 8.  One point alone is a dot.
_BOWL = "45 36 16 05 03 12 32 43"
_STROKES = {
    "a": (_BOWL, "46 42"),
    "b": ("08 02", "05 16 36 45 43 32 12 03"),
    "c": (_BOWL,),
    "d": (_BOWL, "48 42"),
    "e": ("04 44 45 36 16 05 03 12 32 43",),
    "f": ("38 28 17 12", "06 36"),
    "g": (_BOWL, "46 41 30 10 01"),
    "h": ("08 02", "05 16 36 45 42"),
    "i": ("06 02", "08"),
    "j": ("26 21 10 00", "28"),
    "k": ("08 02", "46 04", "14 42"),
    "l": ("08 03 12 22",),
    "m": ("06 02", "05 16 26 35 32", "35 46 56 65 62"),
    "n": ("06 02", "05 16 36 45 42"),
    "o": ("26 36 45 43 32 12 03 05 16 26",),
    "p": ("06 00", "05 16 36 45 43 32 12 03"),
    "q": (_BOWL, "46 40"),
    "r": ("06 02", "05 16 36"),
    "s": ("45 36 16 05 14 34 43 32 12 03",),
    "t": ("18 13 22 32", "06 36"),
    "u": ("06 03 12 32 43", "46 42"),
    "v": ("06 22 46",),
    "w": ("06 12 36 52 66",),
    "x": ("06 42", "46 02"),
    "y": ("06 22", "46 10"),
    "z": ("06 46 02 42",),
}
ROWS = 9  # of the grid
GAP = 2.0  # between letters, in columns
SPACE = 2.5  # what a character without strokes takes, likewise
PEN = 0.42  # radius, likewise


def write(text: str, height: int) -> FloatArray:
    """Return how much ink covers each pixel, [height, width], 0 to 1; what has no strokes stays blank."""
    scale = height / (ROWS + 1.0)
    strokes, column = [], 0.0
    for letter in text.lower():
        drawn = [_points(stroke) for stroke in _STROKES.get(letter, ())]
        strokes += [_rounded(stroke) + np.array([column, 0.0]) for stroke in drawn]
        column += GAP + max((stroke[:, 0].max() for stroke in drawn), default=SPACE)
    width = max(1, int(np.ceil(scale * column)))
    row, col = np.indices((height, width))
    pixels = np.stack([(col + 0.5) / scale - 0.5 * GAP, (height - 0.5 - row) / scale - 0.5], axis=-1)
    nearest = np.full((height, width), np.inf)
    for stroke in strokes:
        for begin, end in pairwise(stroke):
            nearest = np.minimum(nearest, _distance(pixels, begin, end))
    return np.clip(0.5 + scale * (PEN - nearest), 0.0, 1.0)


def _points(stroke: str) -> FloatArray:
    """Return a stroke's points, [n, 2], columns and rows."""
    return np.array([[float(point[0]), float(point[1])] for point in stroke.split()])


def _rounded(stroke: FloatArray) -> FloatArray:
    """Cut the corners of a stroke twice (Chaikin 1974); its ends stay."""
    if len(stroke) == 1:
        return np.repeat(stroke, 2, axis=0)
    for _ in range(2):
        first, last = 0.75 * stroke[:-1] + 0.25 * stroke[1:], 0.25 * stroke[:-1] + 0.75 * stroke[1:]
        stroke = np.vstack([stroke[:1], np.stack([first, last], axis=1).reshape(-1, 2), stroke[-1:]])
    return stroke


def _distance(pixels: FloatArray, begin: FloatArray, end: FloatArray) -> FloatArray:
    """Return how far each pixel is from a line between two points."""
    along = end - begin
    length = float(along @ along)
    share = np.clip((pixels - begin) @ along / length, 0.0, 1.0)[..., None] if length > 0.0 else 0.0
    return np.asarray(np.linalg.norm(pixels - begin - share * along, axis=-1))
