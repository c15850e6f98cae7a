"""One good file of every format that can be read, and what must hold for whatever a broken one is read as.

A new format is one entry in `SPECIMENS`; the tests and `benchmarks.hostile_files` then break it thousands of times.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gestik.errors import FormatWarning
from gestik.formats.load import load
from tests.formats.mjcf_samples import WHOLE_MODEL
from tests.formats.samples import GRIPPER_URDF, example_character
from tests.model.samples import assert_sound


class Specimen(NamedTuple):
    """A good file, and the reader it is for."""

    ending: str
    content: bytes
    examine: Callable[[Path], None]  # reads a file, and checks what it was read as


def examine_skeleton(path: Path) -> None:
    """Read a skeleton, which must keep its promises: finite where it rests, rows in order, limits that leave room."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        skeleton = load(path)
    assert_sound(skeleton)


SPECIMENS = {
    "URDF": Specimen(".urdf", GRIPPER_URDF.encode(), examine_skeleton),
    "MJCF": Specimen(".xml", WHOLE_MODEL.encode(), examine_skeleton),
    "character": Specimen(".toml", example_character().encode(), examine_skeleton),
}
