"""MJCF's default classes: what an element says where it does not say it itself."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from gestik.formats.mjcf_values import ORIENTATIONS
from gestik.model.faults import Faults, shown

MAIN = "main"
# All that the reader ever asks for, so that a hostile file cannot fill a thousand classes with a million others.
INHERITED: dict[str, tuple[str, ...]] = {
    "joint": ("type", "pos", "axis", "range", "limited", "ref"),
    "geom": ("type", "pos", *ORIENTATIONS, "fromto", "size", "mesh", "material", "rgba", "group"),
    "site": ("pos", *ORIENTATIONS, "fromto"),
    "camera": ("pos", *ORIENTATIONS, "mode"),
    "mesh": ("scale",),
    "material": ("rgba",),
}

Attributes = Mapping[str, str]


class Defaults:
    """The default classes of a model; a class inherits from the one it is written in."""

    def __init__(self, model: Element, faults: Faults) -> None:
        self._faults = faults
        self._classes: dict[str, dict[str, Attributes]] = {MAIN: {}}
        for section in model.findall("default"):
            name = section.get("class", MAIN)
            self._classes[MAIN] = self._classes[name] = _extended(self._classes[MAIN], section)
            self._read_nested(section, name)

    def _read_nested(self, section: Element, outer: str) -> None:
        """Read the classes written inside another one."""
        for nested in section.findall("default"):
            name = nested.get("class", "")
            if not name:
                self._faults.add(f"default class inside {shown(outer)}: class is missing")
            elif name in self._classes:
                self._faults.add(f"default class {shown(name)}: there are several of that name")
            else:
                self._classes[name] = _extended(self._classes[outer], nested)
                self._read_nested(nested, name)

    def fill(self, element: Element, place: str, childclass: str | None = None) -> Attributes:
        """The attributes of an element, its own before those of its class.

        Its class is the one it names, else the `childclass` around it, else the main one.
        """
        name = element.get("class") or childclass or MAIN
        if name not in self._classes:
            self._faults.unknown(f"{place} class", "default class", name, self._classes)
            self._classes[name] = self._classes[MAIN]  # told once
        inherited = self._classes[name].get(element.tag, {})
        if any(spelling in element.attrib for spelling in ORIENTATIONS):
            # However it is spelled, an orientation of its own takes the place of the inherited one.
            inherited = {key: value for key, value in inherited.items() if key not in ORIENTATIONS}
        return {**inherited, **element.attrib}


def _extended(outer: Mapping[str, Attributes], section: Element) -> dict[str, Attributes]:
    """A class that says what `outer` says, unless its section says otherwise."""
    classes = dict(outer)
    for element in section:
        known = {key: value for key, value in element.attrib.items() if key in INHERITED.get(element.tag, ())}
        if known:
            classes[element.tag] = {**classes.get(element.tag, {}), **known}
    return classes
