"""Turns and places as MJCF writes them: in five spellings, and in the units its <compiler> declares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from xml.etree.ElementTree import Element

from gestik.formats.xml_values import numbers, vector, word
from gestik.kernels.arrays import Quaternion, Vector
from gestik.model import checks
from gestik.model.faults import Faults, shown
from gestik.model.transforms import IDENTITY, ORIGIN, between, from_axis_angle, multiply, rotate

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
ANGLE_UNITS = {"degree": math.pi / 180.0, "radian": 1.0}
SWITCHES = {"true": True, "false": False}


@dataclass(frozen=True)
class Spelling:
    """How a model's file writes what it says."""

    angle_unit: float = ANGLE_UNITS["degree"]  # [rad]
    euler_sequence: str = "xyz"  # axes in turn: a small letter is carried along by the turns before it, a capital not
    autolimits: bool = True  # a range alone makes a joint limited
    mesh_folder: str = ""

    def place(self, attributes: Mapping[str, str], place: str, faults: Faults) -> tuple[Vector, Quaternion]:
        """Read where something stands in the frame of what holds it."""
        if "fromto" in attributes:
            unknown = (ORIGIN, IDENTITY, 0.0)
            return faults.take(f"{place} fromto", span, attributes["fromto"], unknown)[:2]
        position = faults.take(f"{place} pos", vector, attributes.get("pos", "0 0 0"), ORIGIN)
        given = [spelling for spelling in ORIENTATIONS if spelling in attributes]
        if not given:
            return position, IDENTITY
        if len(given) > 1:
            faults.add(f"{place} is turned in several ways, {', '.join(given)}, where one is allowed")
        readers: dict[str, Callable[[object], Quaternion]] = {
            "quat": _quaternion,
            "axisangle": self._axis_angle,
            "euler": self._euler,
            "xyaxes": _xy_axes,
            "zaxis": _z_axis,
        }
        return position, faults.take(f"{place} {given[0]}", readers[given[0]], attributes[given[0]], IDENTITY)

    def _axis_angle(self, text: object) -> Quaternion:
        """Read an axis and an angle."""
        *axis, angle = numbers(text, 4)
        return from_axis_angle(checks.axis(axis), angle * self.angle_unit)

    def _euler(self, text: object) -> Quaternion:
        """Read three angles about the axes of the file's sequence, one after the other."""
        turned = IDENTITY
        for letter, angle in zip(self.euler_sequence, vector(text), strict=True):
            turn = from_axis_angle(checks.AXES[letter.lower()], angle * self.angle_unit)
            turned = multiply(turned, turn) if letter.islower() else multiply(turn, turned)
        return turned


def read_spelling(model: Element, faults: Faults) -> Spelling:
    """Read the <compiler> sections, a later one over those before it."""
    said = {key: value for section in model.findall("compiler") for key, value in section.attrib.items()}
    coordinate = said.get("coordinate", "local")
    if coordinate != "local":
        faults.add(
            f"compiler: coordinate is {shown(coordinate)}, not 'local'; a MuJoCo before 2.3.4 can convert the model"
        )
    angle_unit, switch = partial(word, ANGLE_UNITS), partial(word, SWITCHES)
    return Spelling(
        angle_unit=faults.take("compiler: angle", angle_unit, said.get("angle", "degree"), Spelling.angle_unit),
        euler_sequence=faults.take("compiler: eulerseq", _sequence, said.get("eulerseq", "xyz"), "xyz"),
        autolimits=faults.take("compiler: autolimits", switch, said.get("autolimits", "true"), True),
        mesh_folder=said.get("meshdir") or said.get("assetdir") or "",
    )


def direction(text: object) -> Vector:
    """Read three numbers as a unit vector."""
    return checks.axis(vector(text))


def span(text: object) -> tuple[Vector, Quaternion, float]:
    """Read two points: the middle between them, a turn that takes z from the second towards the first, the distance."""
    x1, y1, z1, x2, y2, z2 = numbers(text, 6)
    return between((x2, y2, z2), (x1, y1, z1))


def _sequence(text: object) -> str:
    """Read the axes of Euler angles."""
    if not isinstance(text, str) or len(text) != 3 or not set(text) <= set("xyzXYZ"):
        raise ValueError(f"is {shown(text)}, not three of the letters x, y, z, X, Y, Z")
    return text


def _quaternion(text: object) -> Quaternion:
    """Read a quaternion, w first, of any length but 0."""
    w, x, y, z = numbers(text, 4)
    length = math.hypot(w, x, y, z)
    if length < checks.SHORTEST_AXIS:
        raise ValueError("is a quaternion of length zero")
    return w / length, x / length, y / length, z / length


def _z_axis(text: object) -> Quaternion:
    """Read where z points; the shortest turn takes it there."""
    return between(ORIGIN, direction(text))[1]


def _xy_axes(text: object) -> Quaternion:
    """Read where x points and, once what it has of x is taken away, y."""
    x1, x2, x3, y1, y2, y3 = numbers(text, 6)
    x, y = checks.axis((x1, x2, x3)), checks.axis((y1, y2, y3))
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    if math.hypot(*z) < checks.SHORTEST_AXIS:
        raise ValueError("has both axes on one line")
    # Bring z to its place first; what is left is a turn about it.
    tilt = between(ORIGIN, checks.axis(z))[1]
    along, across, _ = rotate((tilt[0], -tilt[1], -tilt[2], -tilt[3]), x)
    return multiply(tilt, from_axis_angle(checks.AXES["z"], math.atan2(across, along)))
