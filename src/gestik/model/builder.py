"""The editable skeleton: parts in any order and with any mistakes, then one check that tells all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gestik.errors import ModelError, NameNotFoundError
from gestik.kernels.arrays import Quaternion, Vector
from gestik.model import checks
from gestik.model.assembly import assemble
from gestik.model.couplings import check_couplings, inspect_coupling
from gestik.model.faults import Faults, shown
from gestik.model.inspection import inspect_frame, inspect_joint, inspect_parent, inspect_shape, shape_place
from gestik.model.joints import Coupling, Frame, FrameKind, Joint, JointKind, Mass, Mimic, Shape
from gestik.model.limits import faults_of_rest
from gestik.model.motion_inspection import Z_AXIS
from gestik.model.naming import FrameIndex
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, compose
from gestik.model.tree import check_dof_names, find_indices, find_parents, settle_mimics

# What may be handed in where a vector or a quaternion is wanted.
Numbers = Sequence[float] | NDArray[np.float64]


class SkeletonBuilder:
    """Collects joints, frames and shapes.  Nothing raises before `build`, which raises once and lists every fault.

    Joints may be added in any order.  The skeleton's rows are depth first: parents before children, each limb in one
    piece, siblings in the order they were added, so that a serial chain comes out as the chain.

    Attributes:
        name: What the skeleton is called.
        source: The file it is read from, for messages; may be empty.
        faults: What is wrong so far; readers add what they find themselves.
    """

    def __init__(self, name: str, *, up: str | Numbers = "z", source: str = "") -> None:
        self.faults = Faults()
        self.source = source
        self.name = self.faults.take("name of the skeleton", checks.name, name, "skeleton")
        self._up = self.faults.take("up", checks.axis, up, Z_AXIS)
        self._joints: list[Joint] = []
        self._frames: list[tuple[str | None, Frame]] = []
        self._shapes: list[Shape] = []
        self._masses: list[tuple[str | None, Mass]] = []
        self._couplings: list[Coupling | None] = []

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints added so far, in that order."""
        return tuple(self._joints)

    @property
    def eyes(self) -> tuple[str, ...]:
        """The names of the eyes added so far, in that order."""
        return tuple(frame.name for _, frame in self._frames if frame.kind is FrameKind.EYE)

    def joint(
        self,
        name: str,
        *,
        kind: JointKind | str,
        parent: str | None = None,
        axis: str | Numbers | None = None,
        convention: str | None = None,
        position: Numbers = ORIGIN,
        rotation: Numbers = IDENTITY,
        lower: float | Numbers | None = None,
        upper: float | Numbers | None = None,
        speed: float | Numbers | None = None,
        rest: float | Numbers | None = None,
        segment: Numbers | None = None,
        mimic: Mimic | None = None,
        swing: float | None = None,
        twist: tuple[float, float] | None = None,
        twist_axis: str | Numbers | None = None,
    ) -> None:
        """Add a joint.

        A ball joint turns by three Euler angles, a free one first slides along x, y and z of its frame at rest and
        then turns by them. Both take one number for each of their motions wherever other joints take one.

        Args:
            name: Any text without a colon, different from every other joint's.
            kind: revolute (turns between limits), continuous (turns without end), prismatic (slides), ball, free, or
                fixed.
            parent: The joint it sits on; None: the base.
            axis: What it turns about or slides along, in its own frame: "x", "-x", ... or a vector; not for ball and
                free joints.
            convention: The axes a ball or free joint turns about, one after the other, each carried along by the turns
                before it: one of the twelve, such as "ZXY"; None: "ZYX".
            position: Where it sits in its parent's frame [m].
            rotation: How it stands in its parent's frame at 0, w first.
            lower: Lowest value [rad or m]; required for revolute and prismatic; a ball or free joint may do without.
            upper: Highest value [rad or m]; likewise.
            speed: Fastest motion [rad/s or m/s]; None: unknown, so unlimited. One number will do for a ball joint.
            rest: Where it stands when nothing is asked [rad or m]; None: 0 or the limit nearest to it.
            segment: From the joint to where its bone ends, in its own frame [m]; None: see `Skeleton.segments`.
            mimic: The joint it follows instead of being moved; its own limits then have no effect.
            swing: Ball joints: the largest angle [rad] between the twist axis before and after the motion.
            twist: Ball joints: the range [rad] of the turn about the twist axis that comes before the swing.
            twist_axis: In the joint's own frame; None: along its segment, or y where it has none.
        """
        declared = {
            "name": name,
            "kind": kind,
            "parent": parent,
            "axis": axis,
            "convention": convention,
            "position": position,
            "rotation": rotation,
            "lower": lower,
            "upper": upper,
            "speed": speed,
            "rest": rest,
            "segment": segment,
            "mimic": mimic,
            "swing": swing,
            "twist": twist,
            "twist_axis": twist_axis,
        }
        self._joints.append(inspect_joint(declared, self.faults))

    def coupling(self, lower: float | None, factors: Mapping[str, float], upper: float | None) -> None:
        """Let two degrees of freedom limit each other: ``lower <= factor * angle + factor * angle <= upper``.

        Args:
            lower: Lowest value of the sum; None: unlimited.
            factors: The factor of each of two degrees of freedom [1/rad or 1/m] by name, as in
                ``{"knee": 1.0, "hip.x": -0.5}``.
            upper: Highest value of the sum; None: unlimited.
        """
        self._couplings.append(inspect_coupling(lower, factors, upper, self.faults))

    def frame(
        self,
        name: str,
        *,
        parent: str | None = None,
        position: Numbers = ORIGIN,
        rotation: Numbers = IDENTITY,
        kind: FrameKind | str = FrameKind.FRAME,
        axis: str | Numbers | None = None,
    ) -> None:
        """Add a named place: a link, a frame or an eye.

        Args:
            name: Any text without a colon, different from every other of its kind.
            parent: The joint, or the frame added earlier, it is fixed to; None: the base.
            position: In the parent's frame [m].
            rotation: In the parent's frame, w first.
            kind: link, frame or eye.
            axis: The direction an eye looks along, in its own frame; required for eyes and for them only.
        """
        declared = {"name": name, "kind": kind, "position": position, "rotation": rotation, "axis": axis}
        frame = inspect_frame(declared, self.faults)
        self._frames.append((inspect_parent(f"{frame.kind} {shown(name)}:", parent, self.faults), frame))

    def shape(self, shape: Shape) -> None:
        """Add something to draw."""
        self._shapes.append(inspect_shape(shape, self.faults))

    def mass(self, mass: float, *, parent: str | None = None, position: Numbers = ORIGIN) -> None:
        """Add something that weighs; it changes nothing but the centre of mass.

        Args:
            mass: How much [kg].
            parent: The joint or frame it is fixed to; None: the base.
            position: Its own centre of mass, in the parent's frame [m].
        """
        weighs = self.faults.take("mass", checks.finite_not_negative, mass, 0.0)
        where = self.faults.take("position of a mass", checks.vector, position, ORIGIN)
        self._masses.append((inspect_parent("mass:", parent, self.faults), Mass(weighs, where)))

    def build(self) -> Skeleton:
        """Check everything together and freeze it, or raise ModelError with all that is wrong."""
        faults = Faults(self.faults)
        indices = find_indices(self._joints, faults)
        check_dof_names(self._joints, indices, faults)
        parents = find_parents(self._joints, indices, faults)
        mimics = settle_mimics(self._joints, indices, faults)
        # Until the rows are known, a frame's row is the index of its joint.
        index = FrameIndex(Frame(name, FrameKind.JOINT, joint) for name, joint in indices.items())
        frames = self._place_frames(index, faults)
        shapes = self._place_shapes(index, faults)
        masses = self._place_masses(index, faults)
        couplings = check_couplings(self._couplings, self._joints, faults)
        self._raise_if_any(faults)
        skeleton = assemble(self.name, self._up, self._joints, parents, mimics, frames, shapes, masses, couplings)
        faults.extend(faults_of_rest(skeleton))
        self._raise_if_any(faults)
        return skeleton

    def _raise_if_any(self, faults: Faults) -> None:
        """Raise ModelError with all faults there are."""
        if len(faults):
            subject = f"{self.source}: skeleton" if self.source else "skeleton"
            raise ModelError(f"{subject} {shown(self.name)}", faults)

    def _place_frames(self, index: FrameIndex, faults: Faults) -> list[Frame]:
        """Express every frame in the frame of its joint, and make it known to those that follow."""
        placed = []
        taken = set()
        for parent, frame in self._frames:
            place = f"{frame.kind} {shown(frame.name)}:"
            if frame.name and (frame.kind, frame.name) in taken:
                faults.add(f"{place} there are several of that name")
                continue
            taken.add((frame.kind, frame.name))
            row, position, rotation = _locate(place, parent, frame.position, frame.rotation, index, faults)
            frame = replace(frame, row=row, position=position, rotation=rotation)
            placed.append(frame)
            index.add(frame)
        return placed

    def _place_shapes(self, index: FrameIndex, faults: Faults) -> list[Shape]:
        """Express every shape in the frame of its joint."""
        placed = []
        for shape in self._shapes:
            where = _locate(shape_place(shape), shape.parent, shape.position, shape.rotation, index, faults)
            row, position, rotation = where
            placed.append(replace(shape, row=row, position=position, rotation=rotation))
        return placed

    def _place_masses(self, index: FrameIndex, faults: Faults) -> list[Mass]:
        """Express every mass in the frame of its joint."""
        placed = []
        for parent, mass in self._masses:
            row, position, _ = _locate("mass:", parent, mass.position, IDENTITY, index, faults)
            placed.append(replace(mass, row=row, position=position))
        return placed


def _locate(
    place: str, parent: str | None, position: Vector, rotation: Quaternion, index: FrameIndex, faults: Faults
) -> tuple[int, Vector, Quaternion]:
    """Joint index, position and rotation on that joint of what is known relative to a joint or a frame."""
    if parent is None:
        return -1, position, rotation
    if not index.holds(parent):
        faults.unknown(f"{place} parent", "joint or earlier frame", parent, index.bare_names)
        return -1, position, rotation
    try:
        outer = index.find(parent)
    except NameNotFoundError as ambiguity:
        faults.add(f"{place} parent: {ambiguity}")
        return -1, position, rotation
    return outer.row, *compose(outer.position, outer.rotation, position, rotation)
