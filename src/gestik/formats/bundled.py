"""The characters that come with the package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

ENDING = ".toml"


def list_bundled() -> tuple[str, ...]:
    """The names `load` and `load_character` know without a file, in alphabetical order."""
    files = _folder().iterdir()
    return tuple(sorted(file.name.removesuffix(ENDING) for file in files if file.name.endswith(ENDING)))


@contextmanager
def bundled_file(name: str) -> Iterator[Path]:
    """The file of a bundled character, wherever the package is installed."""
    with resources.as_file(_folder() / (name + ENDING)) as path:
        yield path


def _folder() -> Traversable:
    """Where they are."""
    return resources.files("gestik") / "characters"
