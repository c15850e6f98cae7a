"""Values as XML formats write them: text in attributes.  A wrong one raises ValueError with the reason."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

from gestik.kernels.arrays import Vector
from gestik.model import checks
from gestik.model.faults import shown

Meaning = TypeVar("Meaning")


def word(meanings: Mapping[str, Meaning], text: object) -> Meaning:
    """Read one word of a fixed few as what it means."""
    if not isinstance(text, str) or text not in meanings:
        raise ValueError(f"is {shown(text)}, not one of {', '.join(meanings)}")
    return meanings[text]


def number(text: object) -> float:
    """Read one number."""
    return checks.number(_parsed(text))


def finite(text: object) -> float:
    """Read one finite number."""
    return checks.finite(_parsed(text))


def bound(text: object) -> float:
    """Read one limit; beyond all that can be measured it is none, however its exporter wrote infinity."""
    value = _parsed(text)
    return math.copysign(math.inf, value) if abs(value) > checks.LARGEST else checks.number(value)


def numbers(text: object, count: int) -> tuple[float, ...]:
    """Read `count` finite numbers with spaces between them."""
    # Split no further than one too many: a hostile text holds millions.
    words = text.split(None, count) if isinstance(text, str) else []
    if len(words) != count:
        raise ValueError(f"is {shown(text)}, not {count} numbers")
    return tuple(finite(word) for word in words)


def vector(text: object) -> Vector:
    """Read three finite numbers."""
    x, y, z = numbers(text, 3)
    return x, y, z


def _parsed(text: object) -> float:
    """What a text says.  Python would also take 1_000, which no other reader does."""
    if not isinstance(text, str) or "_" in text:
        raise ValueError(f"is {shown(text)}, not a number")
    try:
        return float(text)
    except ValueError as fault:
        raise ValueError(f"is {shown(text)}, not a number") from fault
