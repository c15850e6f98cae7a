"""Readers of single values: each returns the value in its proper type or raises ValueError with the reason.

The reason continues a sentence that names the place: "joint 'lift': axis" + "has length zero".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from numbers import Real
from typing import TypeVar

import numpy as np

from gestik.kernels.arrays import Quaternion, Vector
from gestik.model.faults import shown

Choice = TypeVar("Choice", bound=StrEnum)

# Nothing of this size is a length, an angle or a speed, and sums and products of what is below stay finite.
LARGEST = 1e9
# Below this a direction is rounding noise.
SHORTEST_AXIS = 1e-9
# A quaternion typed with two digits, (0.7, 0.7, 0, 0), is 1 % short; one further off is a mistake.
QUATERNION_SLACK = 0.02
LONGEST_NAME = 200

AXES: dict[str, Vector] = {
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}


def name(value: object) -> str:
    """Read a name: some printable text without a colon, which is kept for ``joint:name``."""
    if not isinstance(value, str):
        raise ValueError(f"is {shown(value)}, not text")
    if not value.strip():
        raise ValueError("is empty")
    if len(value) > LONGEST_NAME:
        raise ValueError(f"has more than {LONGEST_NAME} characters")
    if ":" in value or not value.isprintable():
        raise ValueError("holds a colon or a character that cannot be printed")
    return value


def text(value: object) -> str:
    """Read some text."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"is {shown(value)}, not text")
    return value


def switch(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"is {shown(value)}, not true or false")
    return value


def number(value: object) -> float:
    """Read a number, which may be infinite but not NaN."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"is {shown(value)}, not a number")
    try:
        result = float(value)
    except OverflowError as too_large:
        raise ValueError(f"is beyond {LARGEST:g}") from too_large
    if math.isnan(result):
        raise ValueError("is NaN")
    if LARGEST < abs(result) < math.inf:
        raise ValueError(f"is {result:g}, beyond {LARGEST:g}")
    return result


def finite(value: object) -> float:
    """Read a finite number."""
    result = number(value)
    if math.isinf(result):
        raise ValueError("is infinite")
    return result


def positive(value: object) -> float:
    """Read a finite number above 0."""
    result = finite(value)
    if result <= 0.0:
        raise ValueError(f"is {result:g}, not above 0")
    return result


def not_negative(value: object) -> float:
    """Read a number that is 0 or more, perhaps infinite."""
    result = number(value)
    if result < 0.0:
        raise ValueError(f"is {result:g}, below 0")
    return result


def finite_not_negative(value: object) -> float:
    """Read a finite number that is 0 or more."""
    return not_negative(finite(value))


def fraction(value: object) -> float:
    """Read a number from 0 to 1."""
    result = number(value)
    if not 0.0 <= result <= 1.0:
        raise ValueError(f"is {result:g}, outside 0 to 1")
    return result


def numbers(value: object, count: int, read: Callable[[object], float] = finite) -> tuple[float, ...]:
    """Read a sequence of `count` numbers, finite ones unless `read` takes others."""
    items = value.tolist() if isinstance(value, np.ndarray) else value
    if not isinstance(items, list | tuple) or len(items) != count:
        raise ValueError(f"is {shown(value)}, not {count} numbers")
    return tuple(read(item) for item in items)


def vector(value: object) -> Vector:
    """Read three finite numbers."""
    x, y, z = numbers(value, 3)
    return x, y, z


def sizes(value: object) -> Vector:
    """Read three finite numbers above 0."""
    x, y, z = (positive(component) for component in vector(value))
    return x, y, z


def factors(value: object) -> Vector:
    """Read three finite numbers, none of them 0; negative ones mirror."""
    x, y, z = vector(value)
    if 0.0 in {x, y, z}:
        raise ValueError(f"is {shown(value)}, which flattens it to nothing")
    return x, y, z


def axis(value: object) -> Vector:
    """Read a direction, "x" or "-x" or a vector of any length but 0, as a unit vector."""
    if isinstance(value, str):
        if value not in AXES:
            raise ValueError(f"is {shown(value)}, not one of {', '.join(AXES)} or three numbers")
        return AXES[value]
    x, y, z = vector(value)
    length = math.hypot(x, y, z)
    if length < SHORTEST_AXIS:
        raise ValueError("has length zero")
    return x / length, y / length, z / length


def quaternion(value: object) -> Quaternion:
    """Read a unit quaternion, w first; one typed with few digits is brought to length one."""
    w, x, y, z = numbers(value, 4)
    length = math.hypot(w, x, y, z)
    if abs(length - 1.0) > QUATERNION_SLACK:
        raise ValueError(f"is a quaternion of length {length:g}, not 1")
    return w / length, x / length, y / length, z / length


def colour(value: object) -> Vector:
    """Read a colour, "#rrggbb" or three numbers from 0 to 1, as red, green, blue."""
    if isinstance(value, str):
        digits = value.removeprefix("#")
        if len(value) != 7 or len(digits) != 6 or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            raise ValueError(f"is {shown(value)}, not a colour such as '#d9482b'")
        return int(digits[0:2], 16) / 255.0, int(digits[2:4], 16) / 255.0, int(digits[4:6], 16) / 255.0
    red, green, blue = (fraction(component) for component in vector(value))
    return red, green, blue


def choice(kinds: type[Choice], value: object) -> Choice:
    """Read one word of a fixed few."""
    if isinstance(value, str) and value in {kind.value for kind in kinds}:
        return kinds(value)
    raise ValueError(f"is {shown(value)}, not one of " + ", ".join(kind.value for kind in kinds))
