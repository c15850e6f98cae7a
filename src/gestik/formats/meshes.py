"""Finding the meshes a model's file names; they are only drawn, so a missing one stops nothing."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

MESH_ENDINGS = (".dae", ".glb", ".gltf", ".obj", ".ply", ".stl")
# How far above the robot's file the root of its package is looked for.
PACKAGE_LEVELS = 8


def find_mesh(name: str, file: Path) -> Path | None:
    """Where the mesh a robot's `file` names lies on this machine, or None.

    ``package://name/rest`` is looked for in a folder ``name`` beside the file or above it, and in a folder above it
    that is itself called so.  Only files that end like a mesh are looked at, and never another machine's.
    """
    place = unquote(name.removeprefix("file://"))
    if not place.lower().endswith(MESH_ENDINGS) or place.startswith(("//", "\\\\")):
        return None
    folder = file.absolute().parent
    if place.startswith("package://"):
        package, _, rest = place.removeprefix("package://").partition("/")
        above = [folder, *folder.parents][: PACKAGE_LEVELS + 1]
        candidates = [level / package / rest for level in above]
        candidates += [level / rest for level in above if level.name == package]
    elif "://" in place:
        return None
    else:
        candidates = [folder / place]
    for candidate in candidates:
        try:
            if candidate.is_file():
                return candidate
        except (OSError, ValueError):  # a name too long, or one with a zero in it
            return None
    return None
