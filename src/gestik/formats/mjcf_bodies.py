"""The tree of MJCF bodies: which joint carries what, with the <frame>s between them folded in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

from gestik.formats.mjcf_defaults import Attributes, Defaults
from gestik.formats.mjcf_joints import MjcfJoint, MjcfKind, Mount, read_joint
from gestik.formats.mjcf_values import Spelling
from gestik.formats.mjcf_visuals import GeomReader
from gestik.formats.xml_values import finite
from gestik.model.builder import SkeletonBuilder
from gestik.model.faults import shown
from gestik.model.joints import FrameKind
from gestik.model.transforms import IDENTITY

WORLD = "world"
JOINTS = ("joint", "freejoint")
LOOKING = "-z"  # where a MuJoCo camera looks


class Part(NamedTuple):
    """Something written inside a body, perhaps inside frames in it."""

    element: Element
    frame: Mount  # where the innermost <frame> around it stands in the body
    childclass: str | None  # the default class of what names none


class Body(NamedTuple):
    """A body still to be read."""

    part: Part
    outer: Mount  # where the body around it sits
    holder: str  # what that one is called


class Names:
    """Names for what has none, each of them new."""

    def __init__(self, taken: Iterable[str | None]) -> None:
        self._taken = set(taken)
        self._times: dict[str, int] = {}

    def of(self, element: Element, otherwise: str) -> str:
        """The name of an element, or `otherwise`, with a number where that is taken."""
        name = element.get("name")
        if name:
            return name
        name = otherwise
        while name in self._taken:
            self._times[otherwise] = self._times.get(otherwise, 1) + 1
            name = f"{otherwise} {self._times[otherwise]}"
        self._taken.add(name)
        return name


class BodyReader:
    """Reads bodies into a builder.

    Attributes:
        joints: Every joint read so far by name; the builder has not been told of them yet.
        losses: What was read and cannot be kept.
    """

    def __init__(
        self, model: Element, builder: SkeletonBuilder, spelling: Spelling, defaults: Defaults, geoms: GeomReader
    ) -> None:
        self._builder = builder
        self._faults = builder.faults
        self._spelling = spelling
        self._defaults = defaults
        self._geoms = geoms
        self._body_names = Names([WORLD, *(body.get("name") for body in model.iter("body"))])
        self._joint_names = Names([joint.get("name") for tag in JOINTS for joint in model.iter(tag)])
        self.joints: dict[str, MjcfJoint] = {}
        self.losses: list[str] = []

    def read(self, model: Element) -> None:
        """Read everything in the <worldbody> sections."""
        self._builder.frame(WORLD, kind=FrameKind.LINK)
        parts = [part for world in model.findall("worldbody") for part in self._parts(world, Mount(), None)]
        if any(part.element.tag in JOINTS for part in parts):
            self._faults.add("worldbody: the world cannot move, and yet holds a joint")
        waiting = self._read_parts(parts, WORLD, Mount())
        while waiting:
            waiting += self._read_body(waiting.pop())

    def _parts(self, holder: Element, frame: Mount, childclass: str | None) -> Iterator[Part]:
        """Yield what is written in a body, and in the frames in it."""
        childclass = holder.get("childclass") or childclass
        for element in holder:
            if element.tag == "frame":
                place = f"frame {shown(element.get('name', ''))}:"
                inner = frame.hold(*self._spelling.place(element.attrib, place, self._faults))
                yield from self._parts(element, inner, childclass)
            else:
                yield Part(element, frame, childclass)

    def _read_body(self, body: Body) -> list[Body]:
        """Read a body; the bodies in it are returned, the last one first."""
        name = self._body_names.of(body.part.element, "body")
        element, frame, childclass = body.part
        mount = body.outer.hold(frame.position, frame.rotation)
        mount = mount.hold(*self._spelling.place(element.attrib, f"body {shown(name)}:", self._faults))
        parts = list(self._parts(element, Mount(), childclass))
        joints = [part for part in parts if part.element.tag in JOINTS]
        for part in joints:
            joint, mount = self._read_joint(part, name, mount)
            if joint.kind is MjcfKind.FREE and (body.holder != WORLD or len(joints) > 1):
                self._faults.add(f"joint {shown(joint.name)}: a free joint belongs into a body of the world, and alone")
        parent = None if mount.joint is None else f"joint:{mount.joint}"
        self._builder.frame(name, parent=parent, position=mount.position, rotation=mount.rotation, kind=FrameKind.LINK)
        return self._read_parts(parts, name, mount)

    def _read_joint(self, part: Part, body: str, mount: Mount) -> tuple[MjcfJoint, Mount]:
        """Read a joint of a body that sits at `mount`, and where the body sits on it."""
        name = self._joint_names.of(part.element, body)
        place = f"joint {shown(name)}:"
        attributes: Attributes = {"type": MjcfKind.FREE}
        if part.element.tag == "joint":
            attributes = self._defaults.fill(part.element, place, part.childclass)
        joint, after = read_joint(name, attributes, mount, part.frame, self._spelling, self._faults)
        if joint.kind is MjcfKind.BALL and joint.limits is not None:
            self.losses.append(f"{place} the range of a ball joint, of which a cone and as much twist remain")
        if self.joints.setdefault(name, joint) is not joint:
            self._faults.add(f"{place} there are several of that name")
        return joint, after

    def _read_parts(self, parts: list[Part], body: str, mount: Mount) -> list[Body]:
        """Read what a body carries; the bodies among it are returned, the last one first."""
        bodies = []
        for part in parts:
            match part.element.tag:
                case "body":
                    bodies.append(Body(part, mount, body))
                case "geom":
                    attributes = self._defaults.fill(part.element, "geom", part.childclass)
                    shape = self._geoms.read(attributes, part.frame, f"link:{body}")
                    if shape is not None:
                        self._builder.shape(shape)
                case "site" | "camera":
                    self._read_landmark(part, body)
                case "inertial":
                    position, _ = self._spelling.place(part.element.attrib, "inertial", self._faults)
                    weighs = self._faults.take("inertial mass", finite, part.element.get("mass", "0"), 0.0)
                    self._builder.mass(
                        weighs, parent=f"link:{body}", position=part.frame.hold(position, IDENTITY).position
                    )
        return bodies[::-1]

    def _read_landmark(self, part: Part, body: str) -> None:
        """Read a site as a frame, a camera that is fixed to its body as an eye; one without a name is of no use."""
        name = part.element.get("name")
        if not name:
            return
        place = f"{part.element.tag} {shown(name)}:"
        attributes = self._defaults.fill(part.element, place, part.childclass)
        mount = part.frame.hold(*self._spelling.place(attributes, place, self._faults))
        looks = part.element.tag == "camera"
        if looks and attributes.get("mode", "fixed") != "fixed":
            return
        self._builder.frame(
            name,
            parent=f"link:{body}",
            position=mount.position,
            rotation=mount.rotation,
            kind=FrameKind.EYE if looks else FrameKind.FRAME,
            axis=LOOKING if looks else None,
        )
