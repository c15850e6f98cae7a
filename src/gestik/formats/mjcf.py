"""MJCF, MuJoCo's model description: a tree of bodies with the joints that move them inside, z up.

Read: bodies (as links), hinge, slide, ball and free joints, default classes, frames, sites (as frames), fixed cameras
(as eyes), geoms (as shapes) and joint equalities that are straight lines (as mimics).  What has no meaning for a
skeleton is ignored; what has, and cannot be kept, is told in one FormatWarning.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.etree.ElementTree import Element

from gestik.errors import FormatError, FormatWarning
from gestik.formats import xml
from gestik.formats.files import read_bytes
from gestik.formats.mjcf_bodies import BodyReader
from gestik.formats.mjcf_defaults import Defaults
from gestik.formats.mjcf_equalities import couple
from gestik.formats.mjcf_values import read_spelling
from gestik.formats.mjcf_visuals import GeomReader
from gestik.model.builder import SkeletonBuilder

# What stands for parts of a model that are not in the file as it is.
UNEXPANDED = ("include", "attach", "composite", "flexcomp", "replicate")
SHOWN_LOSSES = 8


def describe(path: Path) -> SkeletonBuilder:
    """Return a builder that holds the model and every fault found, or raise FormatError where there is no model."""
    model = _read_model(path)
    builder = SkeletonBuilder(model.get("model") or path.stem, up="z", source=str(path))
    spelling = read_spelling(model, builder.faults)
    defaults = Defaults(model, builder.faults)
    bodies = BodyReader(model, builder, spelling, defaults, GeomReader(model, spelling, defaults, path))
    bodies.read(model)
    losses = [*bodies.losses, *couple(model, bodies.joints, builder.faults)]
    for joint in bodies.joints.values():
        joint.add_to(builder)
    if losses:
        more = f"; and {len(losses) - SHOWN_LOSSES} more" if len(losses) > SHOWN_LOSSES else ""
        told = "; ".join(losses[:SHOWN_LOSSES]) + more
        warnings.warn(f"{str(path)!r} is read without what a skeleton cannot keep: {told}", FormatWarning, stacklevel=3)
    return builder


def _read_model(path: Path) -> Element:
    """The <mujoco> element, with nothing left to expand."""
    model = xml.parse(read_bytes(path, xml.BYTE_LIMIT), str(path))
    if model.tag != "mujoco":
        hint = "; a URDF's name ends in .urdf" if model.tag == "robot" else ""
        raise FormatError(f"{str(path)!r} is no MJCF: it begins with <{model.tag[:60]}>, not with <mujoco>{hint}")
    found = next((element.tag for element in model.iter() if element.tag in UNEXPANDED), None)
    if found is not None:
        raise FormatError(
            f"{str(path)!r} holds <{found}>, which only MuJoCo expands; let it write the whole model: "
            'mujoco.MjSpec.from_file("model.xml"), .compile(), .to_file("whole.xml")'
        )
    if model.find("worldbody") is None:
        raise FormatError(f"{str(path)!r} holds no model: <worldbody> is missing")
    return model
