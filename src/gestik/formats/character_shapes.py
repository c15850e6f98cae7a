"""The [shape.NAME] and [colour] tables of a character file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from gestik.formats.character_parts import read_rotation
from gestik.formats.files import inside
from gestik.formats.toml_tables import Table
from gestik.kernels.arrays import Vector
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import shown
from gestik.model.inspection import UNIT_SIZE
from gestik.model.joints import PLAIN_COLOUR, Finish, Shape, ShapeKind
from gestik.model.transforms import IDENTITY, ORIGIN, between

SPANNED = (ShapeKind.CAPSULE, ShapeKind.CYLINDER, ShapeKind.CONE, ShapeKind.FRUSTUM)
OPENABLE = (ShapeKind.CYLINDER, ShapeKind.FRUSTUM)


def read_shapes(document: Table, builder: SkeletonBuilder, unit: float, folder: Path) -> None:
    """Add the shapes.  `unit` is that of angles [rad], `folder` where meshes lie."""
    palette = _read_palette(document)
    for name, table in document.tables("shape"):
        shape = _read_shape(name, table, palette, unit, folder)
        if shape is not None:
            builder.shape(shape)


def _read_palette(document: Table) -> dict[str, Vector]:
    """The colours that have a name."""
    table = document.table("colour")
    return {name: table.take(name, checks.colour, PLAIN_COLOUR) for name in table.names()}


def _read_shape(name: str, table: Table, palette: Mapping[str, Vector], unit: float, folder: Path) -> Shape | None:
    """Read one shape, or None where even its kind is wrong."""
    common = {
        "name": name,
        "parent": table.get("parent"),
        "colour": table.take("colour", partial(_colour, palette), PLAIN_COLOUR),
        "finish": table.get("finish", Finish.MATTE),
        "opacity": table.get("opacity", 1.0),
    }
    kind = table.need("kind", partial(checks.choice, ShapeKind), None)
    if kind is None:
        table.ignore_rest()
        return None
    shape = _read_spanned(kind, table) if kind in SPANNED else _read_placed(kind, table, unit, folder)
    return replace(shape, **common)


def _read_spanned(kind: ShapeKind, table: Table) -> Shape:
    """A shape that runs from one point to another."""
    start = table.need("from", checks.vector, None)
    end = table.need("to", checks.vector, None)
    position, rotation, height = ORIGIN, IDENTITY, 1.0
    if start is not None and end is not None:
        position, rotation, height = between(start, end)
        if height == 0.0 and kind is not ShapeKind.CAPSULE:
            table.fault("from and to are the same point")
            height = 1.0
    return Shape(
        kind,
        position=position,
        rotation=rotation,
        height=height,
        radius=table.need("radius", checks.positive, 1.0),
        top_radius=table.need("top_radius", checks.positive, 1.0) if kind is ShapeKind.FRUSTUM else 0.0,
        open=table.take("open", checks.switch, False) if kind in OPENABLE else False,
    )


def _read_placed(kind: ShapeKind, table: Table, unit: float, folder: Path) -> Shape:
    """A shape that has a centre."""
    shape = Shape(kind, position=table.get("position", ORIGIN))
    if kind is ShapeKind.SPHERE:
        return replace(shape, radius=table.need("radius", checks.positive, 1.0))
    shape = replace(shape, rotation=table.take("rotation", partial(read_rotation, unit), IDENTITY))
    if kind is ShapeKind.BOX:
        return replace(shape, size=table.need("size", checks.sizes, UNIT_SIZE))
    path = table.need("file", partial(_mesh_path, folder), None)
    return replace(
        shape,
        size=table.take("scale", _scale, UNIT_SIZE),
        file=table.get("file", ""),
        path=path if path is not None and path.is_file() else None,
    )


def _mesh_path(folder: Path, value: object) -> Path:
    """Where a mesh should lie; it may be missing, but not be elsewhere."""
    return inside(folder, checks.text(value))


def _scale(value: object) -> Vector:
    """Read one factor for all axes, or three."""
    if isinstance(value, list):
        return checks.factors(value)
    factor = checks.positive(value)
    return factor, factor, factor


def _colour(palette: Mapping[str, Vector], value: object) -> Vector:
    """Read a colour, "#rrggbb" or the name of one."""
    if isinstance(value, str) and value in palette:
        return palette[value]
    if isinstance(value, str) and not value.startswith("#"):
        names = ", ".join(list(palette)[:20]) or "none"
        raise ValueError(f"is {shown(value)}, neither '#rrggbb' nor one of the colours this file names: {names}")
    return checks.colour(value)
