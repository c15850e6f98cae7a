"""The formats that hold a bare skeleton: one line each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gestik.formats import mjcf, urdf
from gestik.model.builder import SkeletonBuilder

# Each reader returns a builder that holds what the file says and every fault found in it.
DESCRIBERS: dict[str, Callable[[Path], SkeletonBuilder]] = {
    ".urdf": urdf.describe,
    ".xml": mjcf.describe,
}
