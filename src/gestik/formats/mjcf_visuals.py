"""MJCF geoms as shapes.  They are only drawn, so one that cannot be drawn is left out and stops nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element

from gestik.formats import xml_values as values
from gestik.formats.meshes import find_mesh
from gestik.formats.mjcf_defaults import Attributes, Defaults
from gestik.formats.mjcf_joints import Mount
from gestik.formats.mjcf_values import Spelling, span
from gestik.model.faults import Faults
from gestik.model.inspection import inspect_shape
from gestik.model.joints import PLAIN_COLOUR, Shape, ShapeKind

# MuJoCo's viewer shows these groups unless told otherwise; by custom the others hold what only collides.
VISIBLE_GROUPS = {"0", "1", "2"}

MOST_SIZES = 3  # that any geom has


class GeomReader:
    """Reads geoms, with the meshes and materials they share."""

    def __init__(self, model: Element, spelling: Spelling, defaults: Defaults, file: Path) -> None:
        self._spelling = spelling
        self._file = file
        self._meshes: dict[str, Attributes] = {}
        self._materials: dict[str, Attributes] = {}
        for asset in model.iterfind("asset/*"):
            if asset.tag == "mesh":
                mesh = defaults.fill(asset, "mesh")
                self._meshes[mesh.get("name") or Path(mesh.get("file", "")).stem] = mesh
            elif asset.tag == "material":
                self._materials[asset.get("name", "")] = defaults.fill(asset, "material")

    def read(self, attributes: Attributes, frame: Mount, parent: str) -> Shape | None:
        """Read a geom written in a <frame> that stands in the body `parent`, or None where it is not drawn."""
        if attributes.get("group", "0") not in VISIBLE_GROUPS:
            return None
        faults = Faults()
        try:
            shape = self._read_solid(attributes)
            red, green, blue, opacity = self._colour_of(attributes)
        except ValueError:
            return None
        mount = frame.hold(*self._spelling.place(attributes, "geom", faults))
        shape = replace(
            shape,
            parent=parent,
            name=attributes.get("name", ""),
            position=mount.position,
            rotation=mount.rotation,
            colour=(red, green, blue),
            opacity=opacity,
        )
        shape = inspect_shape(shape, faults)
        return None if len(faults) else shape

    def _read_solid(self, attributes: Attributes) -> Shape:
        """Read what a geom is, or raise ValueError."""
        kind = attributes.get("type", "sphere")
        if kind == "mesh":
            return self._read_mesh(attributes.get("mesh", ""))
        if "mesh" in attributes:
            raise ValueError("is fitted to a mesh, which is not read")
        size = [values.finite(word) for word in attributes.get("size", "").split(None, MOST_SIZES)[:MOST_SIZES]]
        if "fromto" in attributes:
            # The two points replace the half length, which comes last.
            size[2 if kind == "box" else 1 :] = [0.5 * span(attributes["fromto"])[2]]
        match kind, size:
            case "sphere", [radius, *_]:
                return Shape(ShapeKind.SPHERE, radius=radius)
            case "capsule" | "cylinder", [radius, half_height, *_]:
                return Shape(kind, radius=radius, height=2.0 * half_height)
            case "box", [x, y, z]:
                return Shape(ShapeKind.BOX, size=(2.0 * x, 2.0 * y, 2.0 * z))
        raise ValueError("is of a kind or size that cannot be drawn")

    def _read_mesh(self, name: str) -> Shape:
        """Read the mesh an asset names, or raise ValueError."""
        asset = self._meshes.get(name, {})
        if "file" not in asset:
            raise ValueError("has no file")
        file = f"{self._spelling.mesh_folder}/{asset['file']}" if self._spelling.mesh_folder else asset["file"]
        size = values.vector(asset.get("scale", "1 1 1"))
        return Shape(ShapeKind.MESH, file=file, path=find_mesh(file, self._file), size=size)

    def _colour_of(self, attributes: Attributes) -> tuple[float, ...]:
        """Red, green, blue and opacity of a geom: its own, its material's, or plain."""
        shared = self._materials.get(attributes.get("material", ""), {})
        rgba = attributes.get("rgba") or shared.get("rgba")
        return (*PLAIN_COLOUR, 1.0) if rgba is None else values.numbers(rgba, 4)
