"""The visuals of a URDF link as shapes.  They are only drawn, so a wrong one is left out and stops nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

from gestik.formats import xml_values as values
from gestik.formats.meshes import find_mesh
from gestik.formats.urdf_values import origin
from gestik.model.faults import Faults
from gestik.model.inspection import inspect_shape
from gestik.model.joints import PLAIN_COLOUR, Shape, ShapeKind

Colours = Mapping[str, tuple[float, ...]]


def read_materials(robot: Element) -> dict[str, tuple[float, ...]]:
    """The colours a robot's file names for its links to share: red, green, blue, opacity."""
    found = {material.get("name", ""): _read_colour(material) for material in robot.findall("material")}
    return {name: colour for name, colour in found.items() if colour is not None}


def read_visuals(link: Element, parent: str | None, materials: Colours, file: Path) -> Iterator[Shape]:
    """Yield the shapes of a link.  `parent` is the joint it moves with, `file` says where meshes are looked for."""
    for number, visual in enumerate(link.findall("visual")):
        faults = Faults()
        position, rotation = origin(visual, "visual", faults)
        red, green, blue, opacity = _colour_of(visual, materials)
        try:
            shape = _read_geometry(visual, file)
        except ValueError:
            continue
        shape = replace(
            shape,
            parent=parent,
            name=visual.get("name") or f"{link.get('name')} {number}",
            position=position,
            rotation=rotation,
            colour=(red, green, blue),
            opacity=opacity,
        )
        shape = inspect_shape(shape, faults)
        if not len(faults):
            yield shape


def _read_geometry(visual: Element, file: Path) -> Shape:
    """Read what one visual is, or raise ValueError."""
    solid = visual.find("geometry/*")
    if solid is None:
        raise ValueError("holds no geometry")
    match solid.tag:
        case "box":
            return Shape(ShapeKind.BOX, size=values.vector(solid.get("size")))
        case "sphere":
            return Shape(ShapeKind.SPHERE, radius=values.number(solid.get("radius")))
        case "cylinder" | "capsule" as kind:
            radius, height = values.number(solid.get("radius")), values.number(solid.get("length"))
            return Shape(kind, radius=radius, height=height)
        case "mesh":
            name = solid.get("filename", "")
            size = values.vector(solid.get("scale", "1 1 1"))
            return Shape(ShapeKind.MESH, file=name, path=find_mesh(name, file), size=size)
    raise ValueError("holds no geometry of a kind that can be drawn")


def _colour_of(visual: Element, materials: Colours) -> tuple[float, ...]:
    """Red, green, blue and opacity of a visual: its own, a shared one's, or plain."""
    material = visual.find("material")
    if material is None:
        return (*PLAIN_COLOUR, 1.0)
    return _read_colour(material) or materials.get(material.get("name", "")) or (*PLAIN_COLOUR, 1.0)


def _read_colour(material: Element) -> tuple[float, ...] | None:
    """Red, green, blue and opacity in [0, 1], or None where a material has no readable colour of its own."""
    colour = material.find("color")
    try:
        rgba = values.numbers(None if colour is None else colour.get("rgba"), 4)
    except ValueError:
        return None
    return rgba if min(rgba) >= 0.0 and max(rgba) <= 1.0 else None
