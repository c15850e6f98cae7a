"""The robots on which methods are compared, as URDF files every peer can read."""

from __future__ import annotations

import math
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple


class Arm(NamedTuple):
    """An arm, and the link that is led to its targets."""

    name: str
    urdf: Path
    base: str
    tip: str


# KUKA's data sheet of the LBR iiwa 14 R820: where each axis lies along the stretched arm [m], and how far it turns.
IIWA_HEIGHTS = (0.1575, 0.2025, 0.2045, 0.2155, 0.1845, 0.2155, 0.081)
IIWA_FLANGE = 0.045
IIWA_AXES = ("0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1")
IIWA_LIMITS = (170, 120, 170, 120, 170, 120, 175)  # degrees, to both sides


def published(path: str) -> Path:
    """A robot file of the package example-robot-data."""
    return (
        Path(str(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots"))) / path
    )


def arms(folder: Path) -> tuple[Arm, ...]:
    """Panda, UR5 and iiwa; files that had to be made lie in `folder`."""
    return (
        Arm("panda", published("panda_description/urdf/panda.urdf"), "panda_link0", "panda_link8"),
        Arm("ur5", published("ur_description/urdf/ur5_robot.urdf"), "base_link", "ee_link"),
        Arm("iiwa", write_iiwa(folder / "iiwa.urdf"), "link0", "flange"),
    )


def write_iiwa(path: Path) -> Path:
    """Write the iiwa from its data sheet; no package of robot files that installs everywhere has it."""
    lines = ['<robot name="iiwa14">', '<link name="link0"/>']
    for number, (height, axis, limit) in enumerate(zip(IIWA_HEIGHTS, IIWA_AXES, IIWA_LIMITS, strict=True), 1):
        bound = math.radians(limit)
        lines += [
            f'<link name="link{number}"/>',
            f'<joint name="a{number}" type="revolute"><parent link="link{number - 1}"/><child link="link{number}"/>',
            f'<origin xyz="0 0 {height}"/><axis xyz="{axis}"/>',
            f'<limit lower="{-bound!r}" upper="{bound!r}" effort="100" velocity="2"/></joint>',
        ]
    lines += [
        '<link name="flange"/>',
        '<joint name="mount" type="fixed"><parent link="link7"/><child link="flange"/>',
        f'<origin xyz="0 0 {IIWA_FLANGE}"/></joint>',
        "</robot>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
