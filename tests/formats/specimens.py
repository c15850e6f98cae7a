"""One good file of every format that can be read, and what must hold for whatever a broken one is read as.

A new format is one entry in `SPECIMENS`; the tests and `benchmarks.hostile_files` then break it thousands of times.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatWarning
from gestik.formats.load import load, load_clips
from gestik.model.clip import Clip
from tests.formats.gltf_samples import figure, glb, gltf
from tests.formats.mjcf_samples import WHOLE_MODEL
from tests.formats.samples import DANCER_BVH, GRIPPER_URDF, RECORDING, example_character
from tests.model.samples import assert_sound, crane


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


def examine_recording(path: Path) -> None:
    """Read a recording of the crane, and play it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        clips = load_clips(path, skeleton=crane(), angles="degrees")
    play(clips.values())


def examine_clips(path: Path) -> None:
    """Read a file as a skeleton and as clips, and play them; what is no clip may still be a skeleton."""
    examine_skeleton(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        clips = load_clips(path)
    play(clips.values())


def play(clips: Iterable[Clip]) -> None:
    """Clips must be finite between their moments too."""
    for clip in clips:
        moments = np.linspace(clip.start, clip.end, 9)
        assert np.isfinite(clip.at(moments)).all()


SPECIMENS = {
    "URDF": Specimen(".urdf", GRIPPER_URDF.encode(), examine_skeleton),
    "MJCF": Specimen(".xml", WHOLE_MODEL.encode(), examine_skeleton),
    "character": Specimen(".toml", example_character().encode(), examine_skeleton),
    "BVH": Specimen(".bvh", DANCER_BVH.encode(), examine_clips),
    "glb": Specimen(".glb", glb(*figure()), examine_clips),
    "gltf": Specimen(".gltf", gltf(*figure()), examine_clips),
    "CSV": Specimen(".csv", RECORDING.encode(), examine_recording),
}
