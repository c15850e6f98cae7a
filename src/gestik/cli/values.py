"""Readers of the words after an option, for argparse: each refuses what it does not want, and says what it wants."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from pathlib import Path


def _number(kind: Callable[[str], float], right: Callable[[float], bool], wanted: str) -> Callable[[str], float]:
    """Return a reader of numbers that names what it wants."""

    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not right(number):
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}")
        return number

    return read


positive = _number(float, lambda number: 0.0 < number < math.inf, "a number above 0")
port = _number(int, lambda number: 1 <= number <= 65535, "a port, 1 to 65535")
seed = _number(int, lambda number: number >= 0, "a whole number, 0 or more")


def written(*endings: str) -> Callable[[str], Path]:
    """Return a reader of where a file goes, which refuses another ending and a folder that is not there."""

    def read(text: str) -> Path:
        path = Path(text)
        if path.suffix.lower() not in endings:
            raise argparse.ArgumentTypeError(f"{text!r} does not end in {' or '.join(endings)}")
        if not path.parent.is_dir():
            raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r}")
        return path

    return read


def setting(text: str) -> tuple[str, float | int | str]:
    """Read NAME=VALUE; the value is a number where it looks like one."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value
