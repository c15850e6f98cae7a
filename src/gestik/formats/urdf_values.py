"""Turns and places as URDF writes them.  A wrong one raises ValueError with the reason."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from gestik.formats.xml_values import vector
from gestik.kernels.arrays import Quaternion, Vector
from gestik.model.faults import Faults
from gestik.model.transforms import IDENTITY, ORIGIN, from_roll_pitch_yaw


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
