"""The arms on which methods are compared, as files every peer can read."""

from __future__ import annotations

import math
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from defusedxml import ElementTree
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


class Arm(NamedTuple):
    """An arm as published, and the link that is led to its targets."""

    name: str
    urdf: Path
    base: str
    tip: str


# KUKA's data sheet of the LBR iiwa 14 R820: where each axis lies along the stretched arm [m], and how far it turns.
IIWA_HEIGHTS = (0.1575, 0.2025, 0.2045, 0.2155, 0.1845, 0.2155, 0.081)
IIWA_FLANGE = 0.045
IIWA_AXES = ("0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1")
IIWA_LIMITS = (170, 120, 170, 120, 170, 120, 175)  # degrees, to both sides

# MuJoCo keeps links that do not move apart only when told so, and wants some mass.
MUJOCO = '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco>'
MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def published(path: str) -> Path:
    """A robot file of the package example-robot-data."""
    folder = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
    return Path(str(folder)) / path


def arms(folder: Path) -> tuple[Arm, ...]:
    """Panda, UR5 and iiwa; files that had to be made lie in `folder`."""
    return (
        Arm("panda", published("panda_description/urdf/panda.urdf"), "panda_link0", "panda_link8"),
        Arm("ur5", published("ur_description/urdf/ur5_robot.urdf"), "base_link", "ee_link"),
        Arm("iiwa", write_iiwa(folder / "iiwa14.urdf"), "link0", "flange"),
    )


def write_iiwa(path: Path) -> Path:
    """Write the iiwa from its data sheet; no package of robot files that installs everywhere has it."""
    lines = ['<robot name="iiwa14">', '<link name="link0"/>']
    for number, (height, axis, limit) in enumerate(zip(IIWA_HEIGHTS, IIWA_AXES, IIWA_LIMITS, strict=True), 1):
        bound = math.radians(limit)
        lines += [
            f'<link name="link{number}"/>',
            f'<joint name="a{number}" type="revolute"><parent link="link{number - 1}"/><child link="link{number}"/>',
            f'<origin xyz="0 0 {height}" rpy="0 0 0"/><axis xyz="{axis}"/>',
            f'<limit lower="{-bound!r}" upper="{bound!r}" effort="100" velocity="2"/></joint>',
        ]
    lines += [
        '<link name="flange"/>',
        '<joint name="mount" type="fixed"><parent link="link7"/><child link="flange"/>',
        f'<origin xyz="0 0 {IIWA_FLANGE}" rpy="0 0 0"/></joint>',
        "</robot>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def way_to(arm: Arm) -> list[Element]:
    """The joints from the base of an arm to its tip."""
    above = {joint.find("child").get("link"): joint for joint in ElementTree.parse(arm.urdf).getroot().findall("joint")}
    way, link = [], arm.tip
    while link != arm.base:
        way.append(above[link])
        link = above[link].find("parent").get("link")
    return way[::-1]


def write_bare(arm: Arm, path: Path) -> None:
    """Write the arm alone: no meshes, which no peer needs and some cannot find, and no fingers."""
    lines = [f'<robot name="{arm.name}">', MUJOCO, f'<link name="{arm.base}">{MASS}</link>']
    for joint in way_to(arm):
        kind = joint.get("type")
        lines.append(f'<link name="{joint.find("child").get("link")}">{MASS}</link>')
        lines.append(f'<joint name="{joint.get("name")}" type="{kind}">')
        parts = ("parent", "child", "origin", *(() if kind == "fixed" else ("axis", "limit")))
        told = [joint.find(part) for part in parts if joint.find(part) is not None]
        lines += [ElementTree.tostring(part, encoding="unicode").strip() for part in told]
        lines.append("</joint>")
    path.write_text("\n".join([*lines, "</robot>"]) + "\n", encoding="utf-8")


def describe(arm: Arm) -> dict[str, object]:
    """The arm in numbers, for peers that read no files.

    `before` [joint, 4, 4] leads from joint to joint in frames whose z is the axis, `tool` from the last of them to the
    tip; `seat` leads to the tip from the last link, and `zero` is where that is when all angles are zero.
    """
    names, lower, upper, before = [], [], [], []
    here, seat, zero, turned = np.eye(4), np.eye(4), np.eye(4), np.eye(4)
    for joint in way_to(arm):
        here, zero, seat = here @ origin(joint), zero @ origin(joint), seat @ origin(joint)
        if joint.get("type") == "fixed":
            continue
        limit = joint.find("limit")
        names.append(joint.get("name"))
        lower.append(float(limit.get("lower")))
        upper.append(float(limit.get("upper")))
        turned = onto_axis(np.array(joint.find("axis").get("xyz").split(), dtype=float))
        before.append((here @ turned).tolist())
        here, seat = turned.T, np.eye(4)
    last = zero @ np.linalg.inv(seat)
    numbers = {"before": before, "tool": here.tolist(), "seat": seat.tolist(), "zero": last.tolist()}
    told = {"name": arm.name, "base": arm.base, "tip": arm.tip, "joints": names, "lower": lower, "upper": upper}
    return {**told, **numbers, "published": str(arm.urdf)}


def origin(joint: Element) -> FloatArray:
    """Where a joint sits on its parent, [4, 4]."""
    place, found = np.eye(4), joint.find("origin")
    if found is None:
        return place
    roll, pitch, yaw = (float(value) for value in found.get("rpy", "0 0 0").split())
    for axis, angle in ((2, yaw), (1, pitch), (0, roll)):
        place[:3, :3] = place[:3, :3] @ about(axis, angle)
    place[:3, 3] = [float(value) for value in found.get("xyz", "0 0 0").split()]
    return place


def about(axis: int, angle: float) -> FloatArray:
    """A turn about x, y or z, [3, 3]."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[i, i] = turn[j, j] = math.cos(angle)
    turn[j, i], turn[i, j] = math.sin(angle), -math.sin(angle)
    return turn


def onto_axis(axis: FloatArray) -> FloatArray:
    """Some turn, [4, 4], that takes z onto an axis."""
    z = axis / np.linalg.norm(axis)
    x = np.cross((0.0, 1.0, 0.0) if abs(z[1]) < 0.9 else (0.0, 0.0, 1.0), z)
    x /= np.linalg.norm(x)
    place = np.eye(4)
    place[:3, :3] = np.stack((x, np.cross(z, x), z), axis=1)
    return place
