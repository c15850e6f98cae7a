"""The joints of a MJCF body.

The value of a hinge or slide means what it means to MuJoCo: the body stands as its file shows it at `ref`.  Ball and
free joints stand so at 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from gestik.formats.mjcf_defaults import Attributes
from gestik.formats.mjcf_values import Spelling, direction
from gestik.formats.xml_values import finite, numbers, vector
from gestik.kernels.arrays import Quaternion, Vector
from gestik.model import checks
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import Faults, shown
from gestik.model.joints import JointKind, Mimic
from gestik.model.transforms import IDENTITY, ORIGIN, compose, from_axis_angle, rotate


class MjcfKind(StrEnum):
    """MuJoCo's words for the ways a joint moves."""

    HINGE = "hinge"
    SLIDE = "slide"
    BALL = "ball"
    FREE = "free"


class Limited(StrEnum):
    """Whether a range counts; by itself (auto) it does."""

    AUTO = "auto"
    TRUE = "true"
    FALSE = "false"


class Mount(NamedTuple):
    """Where something sits: on which joint, None for the base, and where in that joint's frame."""

    joint: str | None = None
    position: Vector = ORIGIN  # [m]
    rotation: Quaternion = IDENTITY

    def hold(self, position: Vector, rotation: Quaternion) -> Mount:
        """Where something sits that is known relative to this."""
        return Mount(self.joint, *compose(self.position, self.rotation, position, rotation))


@dataclass(frozen=True)
class MjcfJoint:
    """A joint that was read and may yet turn out to follow another one."""

    name: str
    kind: MjcfKind
    mount: Mount
    axis: Vector | None = None  # unit, in its own frame; None for a ball or free joint
    ref: float = 0.0  # [rad or m]
    limits: tuple[float, float] | None = None  # [rad or m]; None when unlimited
    mimic: Mimic | None = None

    def add_to(self, builder: SkeletonBuilder) -> None:
        """Declare it."""
        add = partial(
            builder.joint,
            self.name,
            parent=self.mount.joint,
            axis=self.axis,
            position=self.mount.position,
            rotation=self.mount.rotation,
        )
        if self.axis is None:
            if self.limits is None:
                add(kind=JointKind(self.kind))
            else:
                # Whatever turns by no more than the range swings and twists by no more.
                farthest = min(max(self.limits), math.pi)
                add(kind=JointKind.BALL, swing=farthest, twist=(-farthest, farthest))
            return
        slides = self.kind is MjcfKind.SLIDE
        if self.mimic is not None:
            add(kind=JointKind.PRISMATIC if slides else JointKind.CONTINUOUS, mimic=self.mimic)
        elif self.limits is not None:
            lower, upper = self.limits
            rest = min(max(self.ref, lower), upper)
            add(kind=JointKind.PRISMATIC if slides else JointKind.REVOLUTE, lower=lower, upper=upper, rest=rest)
        elif slides:
            add(kind=JointKind.PRISMATIC, lower=-math.inf, upper=math.inf, rest=self.ref)
        else:
            add(kind=JointKind.CONTINUOUS, rest=self.ref)


def read_joint(
    name: str, attributes: Attributes, body: Mount, frame: Mount, spelling: Spelling, faults: Faults
) -> tuple[MjcfJoint, Mount]:
    """Read a joint, and where the body's frame sits once it is carried by it.

    Args:
        name: What the joint is called.
        attributes: Its own and inherited ones.
        body: Where the body's frame sits without this joint.
        frame: Where the <frame> that holds the joint stands in the body.
        spelling: How the file writes angles and limits.
        faults: Where what is wrong goes.
    """
    place = f"joint {shown(name)}:"
    kind = faults.take(
        f"{place} type", partial(checks.choice, MjcfKind), attributes.get("type", "hinge"), MjcfKind.HINGE
    )
    if kind is MjcfKind.FREE:
        return MjcfJoint(name, kind, body), Mount(name)
    anchor = faults.take(f"{place} pos", vector, attributes.get("pos", "0 0 0"), ORIGIN)
    anchor = frame.hold(anchor, IDENTITY).position
    after = Mount(name, (-anchor[0], -anchor[1], -anchor[2]))
    mount = body.hold(anchor, IDENTITY)
    unit = 1.0 if kind is MjcfKind.SLIDE else spelling.angle_unit
    limits = _read_limits(attributes, unit, spelling.autolimits, place, faults)
    if kind is MjcfKind.BALL:
        return MjcfJoint(name, kind, mount, limits=limits), after
    axis = faults.take(f"{place} axis", direction, attributes.get("axis", "0 0 1"), checks.AXES["z"])
    axis = rotate(frame.rotation, axis)
    ref = unit * faults.take(f"{place} ref", finite, attributes.get("ref", "0"), 0.0)
    if kind is MjcfKind.SLIDE:
        mount = mount.hold((-ref * axis[0], -ref * axis[1], -ref * axis[2]), IDENTITY)
    else:
        mount = mount.hold(ORIGIN, from_axis_angle(axis, -ref))
    return MjcfJoint(name, kind, mount, axis, ref, limits), after


def _read_limits(
    attributes: Attributes, unit: float, autolimits: bool, place: str, faults: Faults
) -> tuple[float, float] | None:
    """Read lowest and highest value, or None for a joint without limits."""
    limited = faults.take(
        f"{place} limited", partial(checks.choice, Limited), attributes.get("limited", "auto"), Limited.AUTO
    )
    if limited is Limited.FALSE:
        return None
    lower, upper = faults.take(f"{place} range", _range, attributes.get("range", "0 0"), (0.0, 0.0))
    if lower == upper:  # how MuJoCo writes that there is none
        if limited is Limited.TRUE:
            faults.add(f"{place} is limited, but its range leaves no room")
        return None
    if lower > upper:
        faults.add(f"{place} range begins at {lower:g}, above its end at {upper:g}")
        return None
    if limited is Limited.AUTO and not autolimits:
        faults.add(f"{place} has a range and neither limited='true' nor limited='false', where autolimits is off")
    return lower * unit, upper * unit


def _range(text: object) -> tuple[float, float]:
    """Read the lowest and the highest value, in the file's unit."""
    lower, upper = numbers(text, 2)
    return lower, upper
