"""Values as URDF writes them: text in attributes.  A wrong one raises ValueError with the reason."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from gestik.kernels.arrays import Quaternion, Vector
from gestik.model import checks
from gestik.model.faults import Faults, shown
from gestik.model.transforms import IDENTITY, ORIGIN, from_roll_pitch_yaw


def number(text: object) -> float:
    """Read one number.  Python would also take 1_000, which no other reader of URDF does."""
    if not isinstance(text, str) or "_" in text:
        raise ValueError(f"is {shown(text)}, not a number")
    try:
        value = float(text)
    except ValueError as fault:
        raise ValueError(f"is {shown(text)}, not a number") from fault
    return checks.number(value)


def numbers(text: object, count: int) -> tuple[float, ...]:
    """Read `count` finite numbers with spaces between them."""
    words = text.split() if isinstance(text, str) else []
    if len(words) != count:
        raise ValueError(f"is {shown(text)}, not {count} numbers")
    return tuple(checks.finite(number(word)) for word in words)


def vector(text: object) -> Vector:
    """Read three finite numbers."""
    x, y, z = numbers(text, 3)
    return x, y, z


def rotation(text: object) -> Quaternion:
    """Read roll, pitch and yaw [rad] as a quaternion."""
    return from_roll_pitch_yaw(*vector(text))


def origin(element: Element, place: str, faults: Faults) -> tuple[Vector, Quaternion]:
    """Read the <origin> of a joint or a visual; it and both its attributes may be left out."""
    found = element.find("origin")
    if found is None:
        return ORIGIN, IDENTITY
    position = faults.take(f"{place} origin xyz", vector, found.get("xyz", "0 0 0"), ORIGIN)
    return position, faults.take(f"{place} origin rpy", rotation, found.get("rpy", "0 0 0"), IDENTITY)
