"""Writing clips: the one place that knows which ending belongs to which writer."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from gestik.errors import FormatError, InputError
from gestik.formats.bvh_writing import write_bvh
from gestik.formats.csv_clips import write_csv
from gestik.formats.files import replace_file
from gestik.model.clip import Clip
from gestik.model.faults import shown

ANGLES = ("degrees", "radians")
WRITERS: dict[str, Callable[[Clip, str], str]] = {
    ".csv": write_csv,
    ".bvh": write_bvh,
}


def save_clip(clip: Clip, path: str | os.PathLike[str], *, angles: str = "degrees") -> None:
    """Write a clip to a file, all of it or nothing; what was there before is replaced.

    Args:
        clip: The motion.
        path: Ends in one of `WRITERS`.
        angles: The unit a recording (.csv) is written in, "degrees" or "radians".

    Raises:
        FormatError: The ending is of no format that can be written, or the file cannot be.
        InputError: Something handed in is no clip, path or unit.
    """
    if not isinstance(clip, Clip):
        raise InputError(f"a clip is expected, not {shown(clip)}")
    if angles not in ANGLES:
        raise InputError(f"angles are {shown(angles)}, not one of {', '.join(ANGLES)}")
    try:
        file = Path(path)
    except TypeError as fault:
        raise InputError(f"a path is expected, not {shown(path)}") from fault
    writer = WRITERS.get(file.suffix.lower())
    if writer is None:
        raise FormatError(f"{str(file)!r} does not end in {' or '.join(WRITERS)}, the formats clips are written in")
    replace_file(file, writer(clip, angles))
