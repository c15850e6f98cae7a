"""Recordings as hobby robots keep them: a line for each moment, a column for the time and one for each joint.

Read are commas, semicolons and tabs, decimal commas where semicolons part the columns, and lines that begin with ``#``
as remarks.  docs/formats.md tells what the first line may say.
"""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from gestik.errors import FormatError, FormatWarning
from gestik.formats.csv_columns import Columns, check_angle_word, column_names, read_columns
from gestik.formats.files import read_bytes
from gestik.kernels.arrays import FloatArray
from gestik.model.checks import LARGEST
from gestik.model.clip import LARGEST_CLIP, SHORTEST_STEP, Clip
from gestik.model.faults import shown
from gestik.model.skeleton import Skeleton

BYTE_LIMIT = 32_000_000
SEPARATORS = ",;\t"
# Times from here on [s] are those of a clock on the wall, and count from the first line on.
WALL_CLOCK = 1e8

Line = tuple[int, list[str]]  # its number in the file, its cells


def read_csv(path: Path, skeleton: Skeleton, angles: str | None) -> Clip:
    """The recording in a file, named after it.  `angles`: see `read_columns`."""
    check_angle_word(angles)
    lines = _lines(_text(path), str(path))
    _, header = next(lines, (0, []))
    if not header:
        raise FormatError(f"{str(path)!r} is empty; its first line names the columns")
    columns = read_columns(header, skeleton, angles, str(path))
    table = _read_table(lines, columns, len(header), skeleton.dof_count, str(path))
    times = _settle_times(table[:, 0], str(path))
    table, times = _without_repeats(table, times, str(path))
    postures = np.tile(skeleton.rest, (len(times), 1))
    postures[:, columns.dofs] = table[:, 1:] * columns.units
    return Clip(path.stem, skeleton, times, postures)


def write_csv(clip: Clip, angles: str) -> str:
    """The recording of a clip, its angles in "degrees" or "radians", in as many digits as there are."""
    turned = math.degrees(1.0) if angles == "degrees" else 1.0
    values = clip.angles * np.where(clip.skeleton.dof_slides, 1.0, turned)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column_names(clip.skeleton, angles))
    writer.writerows(np.column_stack((clip.times, values)).tolist())
    return out.getvalue()


def _text(path: Path) -> str:
    """The file's text, without the mark some programs begin with."""
    try:
        return read_bytes(path, BYTE_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise FormatError(f"{str(path)!r} is no text in UTF-8: {fault}") from fault


def _lines(text: str, source: str) -> Iterator[Line]:
    """The lines that say something, parted into cells."""
    head = next((line for line in text.splitlines() if _says_something(line)), "")
    separator = max(SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        for cells in reader:
            if cells and _says_something(separator.join(cells)):
                tidy = (cell.strip() for cell in cells)
                yield reader.line_num, [cell.replace(",", ".") for cell in tidy] if separator == ";" else list(tidy)
    except csv.Error as fault:
        raise FormatError(f"{source!r}: line {reader.line_num}: {fault}") from fault


def _says_something(line: str) -> bool:
    """Whether a line is more than space and remarks."""
    text = line.strip().strip(SEPARATORS)
    return bool(text) and not text.startswith("#")


def _read_table(lines: Iterator[Line], columns: Columns, width: int, dofs: int, source: str) -> FloatArray:
    """The numbers [line, 1 + k]: the time [s], then the angles in the file's units."""
    wanted = [columns.time, *columns.cells]
    rows: list[list[float]] = []
    for number, cells in lines:
        if len(cells) != width:
            raise FormatError(f"{source!r}: line {number} has {len(cells)} columns, and the first line {width}")
        rows.append(_read_row(cells, wanted, number, source))
        if len(rows) * dofs > LARGEST_CLIP:
            raise FormatError(f"{source!r} holds more than a clip may, {LARGEST_CLIP:.0e} numbers")
    if not rows:
        raise FormatError(f"{source!r} names its columns and holds no line of numbers")
    table = np.array(rows)
    table[:, 0] *= columns.second
    return table


def _read_row(cells: Sequence[str], wanted: Sequence[int], number: int, source: str) -> list[float]:
    """The numbers of one line."""
    row = []
    for cell in wanted:
        try:
            value = float(cells[cell])
        except ValueError:
            value = math.nan
        # Times may be nanoseconds since 1970.
        if not abs(value) <= (LARGEST**3 if cell == wanted[0] else LARGEST):  # also true of NaN
            raise FormatError(
                f"{source!r}: line {number}, column {cell + 1} is {shown(cells[cell])}, not a number within {LARGEST:g}"
            )
        row.append(value)
    return row


def _settle_times(times: FloatArray, source: str) -> FloatArray:
    """Times [s] that may be kept: those of a wall clock count from the first line."""
    if abs(times[0]) >= WALL_CLOCK:
        times = times - times[0]
    falls = np.flatnonzero(np.diff(times) < 0.0)
    if len(falls):
        before, after = times[falls[0] : falls[0] + 2].tolist()
        raise FormatError(f"{source!r}: times do not rise: {after!r} s follows {before!r} s")
    if times[-1] > LARGEST:
        raise FormatError(f"{source!r}: times reach {times[-1]:g} s, beyond {LARGEST:g}")
    return times


def _without_repeats(table: FloatArray, times: FloatArray, source: str) -> tuple[FloatArray, FloatArray]:
    """Lines and times, of several lines of one moment the last one only."""
    kept = np.append(np.diff(times) >= SHORTEST_STEP, True)
    if not kept.all():
        message = f"{source!r}: {int((~kept).sum())} lines have the time of the line after them, which counts alone"
        warnings.warn(message, FormatWarning, stacklevel=2)
    return table[kept], times[kept]
