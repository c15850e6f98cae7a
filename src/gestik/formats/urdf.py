"""URDF, the robot description of ROS: a tree of links joined by joints, z up.

Read: revolute, continuous, prismatic, floating (as free) and fixed joints, mimic, limits, links (as frames) and visuals
(as shapes).  Departs from the specification in one place: ``velocity="0"`` means that nobody filled it in, as exporters
write it, and not that the joint is welded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from xml.etree.ElementTree import Element

from gestik.errors import FormatError
from gestik.formats import xml
from gestik.formats import xml_values as values
from gestik.formats.files import read_bytes
from gestik.formats.urdf_values import origin
from gestik.formats.urdf_visuals import read_materials, read_visuals
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import Faults, shown
from gestik.model.joints import FrameKind, JointKind, Mimic
from gestik.model.motion_inspection import UNLIMITED

SHOWN_ROOTS = 8
TYPES = {
    "revolute": JointKind.REVOLUTE,
    "continuous": JointKind.CONTINUOUS,
    "prismatic": JointKind.PRISMATIC,
    "floating": JointKind.FREE,
    "fixed": JointKind.FIXED,
}
URDF_X_AXIS = "1 0 0"  # what a joint without <axis> turns about


def describe(path: Path) -> SkeletonBuilder:
    """Return a builder that holds the robot and every fault found, or raise FormatError where there is no robot."""
    robot = _read_robot(path)
    builder = SkeletonBuilder(robot.get("name") or path.stem, up="z", source=str(path))
    joints = robot.findall("joint")
    links = _find_links(robot, builder.faults)
    carriers = _find_carriers(joints, links, builder.faults)
    for joint in joints:
        _add_joint(builder, joint, carriers)
    materials = read_materials(robot)
    for name, link in links.items():
        # With its kind in front, because links and joints often share names.
        parent = f"joint:{carriers[name]}" if name in carriers else None
        builder.frame(name, parent=parent, kind=FrameKind.LINK)
        for shape in read_visuals(link, parent, materials, path):
            builder.shape(shape)
        _add_mass(builder, link, name, parent)
    return builder


def _add_mass(builder: SkeletonBuilder, link: Element, name: str, parent: str | None) -> None:
    """Read what a link weighs, where the file tells."""
    inertial = link.find("inertial")
    mass = None if inertial is None else inertial.find("mass")
    if inertial is None or mass is None:
        return
    place = f"link {shown(name)}: inertial"
    position, _ = origin(inertial, place, builder.faults)
    weighs = builder.faults.take(f"{place} mass", values.finite, mass.get("value", "0"), 0.0)
    builder.mass(weighs, parent=parent, position=position)


def _read_robot(path: Path) -> Element:
    """The <robot> element, without macros left to expand."""
    data = read_bytes(path, xml.BYTE_LIMIT)
    macros = f"{str(path)!r} holds xacro macros; expand them first: xacro robot.urdf.xacro > robot.urdf"
    try:
        robot = xml.parse(data, str(path))
    except FormatError as fault:
        raise FormatError(macros) if b"<xacro:" in data else fault from fault
    if any("xacro}" in element.tag or "${" in "".join(element.attrib.values()) for element in robot.iter()):
        raise FormatError(macros)
    if robot.tag != "robot":
        raise FormatError(f"{str(path)!r} is not a URDF: it begins with <{robot.tag[:60]}>, not with <robot>")
    return robot


def _find_links(robot: Element, faults: Faults) -> dict[str, Element]:
    """The links by name."""
    links: dict[str, Element] = {}
    for link in robot.findall("link"):
        name = link.get("name", "")
        if links.setdefault(name, link) is not link:
            faults.add(f"link {shown(name)}: there are several of that name")
    if not links:
        faults.add("there is no link")
    return links


def _find_carriers(joints: list[Element], links: Mapping[str, Element], faults: Faults) -> dict[str, str]:
    """The name of the joint that carries each link; the one link nothing carries is the root."""
    carriers: dict[str, str] = {}
    for joint in joints:
        name = joint.get("name", "")
        for role in ("parent", "child"):
            link = _linked(joint, role)
            if link is None:
                faults.add(f"joint {shown(name)}: <{role} link=...> is missing")
            elif link not in links:
                faults.unknown(f"joint {shown(name)}: {role}", "link", link, links.keys())
        child = _linked(joint, "child")
        if child is not None and carriers.setdefault(child, name) != name:
            faults.add(f"link {shown(child)}: is the child of two joints, {shown(carriers[child])} and {shown(name)}")
    roots = [name for name in links if name not in carriers]
    if len(roots) > 1:
        names = ", ".join(map(shown, roots[:SHOWN_ROOTS])) + (", ..." if len(roots) > SHOWN_ROOTS else "")
        faults.add(f"there are {len(roots)} roots, links no joint carries, where there must be one: {names}")
    if links and not roots:
        faults.add("there is no root: every link is the child of some joint")
    return carriers


def _linked(joint: Element, role: str) -> str | None:
    """The link a joint names as its parent or child."""
    element = joint.find(role)
    return None if element is None else element.get("link")


def _add_joint(builder: SkeletonBuilder, joint: Element, carriers: Mapping[str, str]) -> None:
    """Read one joint into the builder."""
    faults = builder.faults
    name = joint.get("name", "")
    place = f"joint {shown(name)}:"
    kind = faults.take(f"{place} type", partial(values.word, TYPES), joint.get("type"), JointKind.FIXED)
    position, rotation = origin(joint, place, faults)
    add = partial(
        builder.joint,
        name,
        kind=kind,
        parent=carriers.get(_linked(joint, "parent") or ""),
        position=position,
        rotation=rotation,
    )
    if kind in {JointKind.FIXED, JointKind.FREE}:
        add()
        return
    axis = joint.find("axis")
    direction = URDF_X_AXIS if axis is None else axis.get("xyz", URDF_X_AXIS)
    add = partial(add, axis=faults.take(f"{place} axis", values.vector, direction, (1.0, 0.0, 0.0)))
    mimic = joint.find("mimic")
    if mimic is not None:
        add(mimic=_read_mimic(mimic, place, faults))
        return
    lower, upper, speed = _read_limit(joint, kind, place, faults)
    if kind is JointKind.REVOLUTE and (lower, upper) == UNLIMITED:
        add(kind=JointKind.CONTINUOUS, speed=speed)
    else:
        add(lower=lower, upper=upper, speed=speed)


def _read_mimic(mimic: Element, place: str, faults: Faults) -> Mimic:
    """Read which joint is followed, and how."""
    gain = faults.take(f"{place} mimic multiplier", values.number, mimic.get("multiplier", "1"), 1.0)
    bias = faults.take(f"{place} mimic offset", values.number, mimic.get("offset", "0"), 0.0)
    return Mimic(mimic.get("joint", ""), gain, bias)


def _read_limit(
    joint: Element, kind: JointKind, place: str, faults: Faults
) -> tuple[float | None, float | None, float | None]:
    """Read lower, upper and speed; None is what the file does not tell."""
    limit = joint.find("limit")
    if limit is None:
        return None, None, None
    speed = faults.take(f"{place} velocity", values.number, limit.get("velocity", "0"), 0.0) or None
    if kind is JointKind.CONTINUOUS:
        return None, None, speed
    lower = faults.take(f"{place} lower", values.bound, limit.get("lower", "0"), 0.0)
    upper = faults.take(f"{place} upper", values.bound, limit.get("upper", "0"), 0.0)
    return lower, upper, speed
