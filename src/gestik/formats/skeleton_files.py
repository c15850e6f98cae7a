"""The formats that hold a skeleton, and those of them that hold clips too: one line each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gestik.formats import bvh, gltf, mjcf, urdf
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import Clip

# Each reader returns a builder that holds what the file says and every fault found in it.
DESCRIBERS: dict[str, Callable[[Path], SkeletonBuilder]] = {
    ".urdf": urdf.describe,
    ".xml": mjcf.describe,
    ".bvh": bvh.describe,
    ".glb": gltf.describe,
    ".gltf": gltf.describe,
}

# Each reader returns the clips of a file that has its skeleton too, by name.
CLIP_READERS: dict[str, Callable[[Path], dict[str, Clip]]] = {
    ".bvh": bvh.read_clips,
    ".glb": gltf.read_clips,
    ".gltf": gltf.read_clips,
}
