"""The parts a skeleton is declared with: joints, named frames, shapes to draw.  Lengths in m, angles in rad."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gestik.kernels.arrays import FIXED, PRISMATIC, REVOLUTE, Quaternion, Vector
from gestik.model.transforms import IDENTITY, ORIGIN

PLAIN_COLOUR: Vector = (0.69, 0.69, 0.69)


class JointKind(StrEnum):
    """How a joint moves."""

    REVOLUTE = "revolute"  # turns about its axis, between limits
    CONTINUOUS = "continuous"  # turns about its axis, without end
    PRISMATIC = "prismatic"  # slides along its axis
    BALL = "ball"  # turns every way, by three Euler angles
    FREE = "free"  # slides and turns every way: a ball joint that is carried about
    FIXED = "fixed"  # does not move

    @property
    def is_compound(self) -> bool:
        """Whether it moves in several ways, each of them a row and a degree of freedom."""
        return self in {JointKind.BALL, JointKind.FREE}

    @property
    def row_kinds(self) -> tuple[int, ...]:
        """The integer codes kernels branch on, one for each of its rows."""
        match self:
            case JointKind.BALL:
                return (REVOLUTE,) * 3
            case JointKind.FREE:
                return (PRISMATIC,) * 3 + (REVOLUTE,) * 3
            case JointKind.PRISMATIC:
                return (PRISMATIC,)
            case JointKind.FIXED:
                return (FIXED,)
            case _:
                return (REVOLUTE,)

    def units(self, angle_unit: float) -> tuple[float, ...]:
        """The unit of each row's value in a file: metres for what slides, else that of the file's angles [rad]."""
        return tuple(1.0 if kind == PRISMATIC else angle_unit for kind in self.row_kinds)


class FrameKind(StrEnum):
    """What a named frame is; the word before the colon in ``eye:head``."""

    JOINT = "joint"  # a joint's own frame, after its motion
    LINK = "link"  # a rigid body of a robot file
    FRAME = "frame"  # any place somebody named
    EYE = "eye"  # a place that looks along an axis


class ShapeKind(StrEnum):
    """What a shape is; those that have a length lie along their own z, centred on their position."""

    BOX = "box"
    SPHERE = "sphere"
    CAPSULE = "capsule"
    CYLINDER = "cylinder"
    CONE = "cone"
    FRUSTUM = "frustum"
    MESH = "mesh"


class Finish(StrEnum):
    """How a shape takes light: a hint for whoever draws it."""

    MATTE = "matte"
    METAL = "metal"
    GLASS = "glass"
    GLOW = "glow"


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that follows another: it stands at ``gain * other + bias``."""

    joint: str
    gain: float = 1.0  # [follower's unit / followed joint's unit]
    bias: float = 0.0  # [rad or m]


@dataclass(frozen=True, slots=True)
class RowMotion:
    """One turn or slide of a joint: what becomes one row of the flat table."""

    kind: int  # FIXED, REVOLUTE or PRISMATIC
    axis: Vector  # unit, in the row's own frame; of no meaning for a fixed joint
    label: str = ""  # what tells it from the joint's other motions, as in ``hip.z``; empty when there are none
    lower: float = -math.inf  # [rad or m], -inf when unlimited
    upper: float = math.inf  # [rad or m], +inf when unlimited
    speed: float = math.inf  # [rad/s or m/s], +inf when unknown
    rest: float = 0.0  # [rad or m], within the limits


@dataclass(frozen=True, slots=True)
class Cone:
    """How far a ball joint swings and twists.

    The swing is the angle between its twist axis before and after the motion; the twist is the turn about that axis
    which remains when the swing is undone.
    """

    joint: str
    axis: Vector | None  # the twist axis, unit, in the joint's frame; None, before it is built: along its segment
    swing: float  # [rad], 0 to pi: the largest swing
    twist: tuple[float, float]  # [rad], the range of the twist


@dataclass(frozen=True, slots=True)
class Coupling:
    """Two degrees of freedom that limit each other: ``lower <= factor * angle + factor * angle <= upper``."""

    dofs: tuple[str, str]
    factors: tuple[float, float]  # of a size from 1e-6 to 1e6
    lower: float  # -inf when unlimited
    upper: float  # +inf when unlimited

    def __str__(self) -> str:
        return " + ".join(f"{factor:g} {dof}" for factor, dof in zip(self.factors, self.dofs, strict=True))


@dataclass(frozen=True, slots=True)
class Joint:
    """One joint of a skeleton being built."""

    name: str
    kind: JointKind
    parent: str | None  # the joint it sits on; None: the base
    position: Vector  # [m], in the parent's frame
    rotation: Quaternion  # w first, in the parent's frame, when the joint stands at 0
    motions: tuple[RowMotion, ...]  # in the order they follow one another, the one nearest the parent first
    segment: Vector | None = None  # [m], from the joint to where its bone ends, in its own frame; None: not told
    mimic: Mimic | None = None  # None: it moves by itself
    cone: Cone | None = None  # ball joints only; None: it swings and twists as far as its angles let it

    @property
    def drives(self) -> bool:
        """Whether it has degrees of freedom: it moves, and by itself."""
        return self.kind is not JointKind.FIXED and self.mimic is None

    @property
    def dof_names(self) -> tuple[str, ...]:
        """The name of each of its degrees of freedom; none for a joint that is fixed or a mimic."""
        if not self.drives:
            return ()
        return tuple(f"{self.name}.{motion.label}" if motion.label else self.name for motion in self.motions)


@dataclass(frozen=True, slots=True)
class Frame:
    """A named place on a skeleton: where goals point and tools sit."""

    name: str
    kind: FrameKind
    row: int  # the row it moves with, -1 for the base
    position: Vector = ORIGIN  # [m], in the row's frame
    rotation: Quaternion = IDENTITY  # w first, in the row's frame
    axis: Vector | None = None  # an eye's looking direction, unit, in the frame itself; None for every other kind


@dataclass(frozen=True, slots=True)
class Mass:
    """Something that weighs, as one point: where its own centre of mass is."""

    mass: float  # [kg], not negative
    position: Vector = ORIGIN  # [m], in the parent's frame; once built, in the frame of `row`
    row: int = -1  # the row it moves with, -1 for the base


@dataclass(frozen=True, slots=True)
class Shape:
    """Something to draw.  It moves with a joint and changes no solution."""

    kind: ShapeKind | str
    parent: str | None = None  # a joint or frame; None: the base
    name: str = ""
    position: Vector = ORIGIN  # [m], its centre, in the parent's frame; once built, in the frame of `row`
    rotation: Quaternion = IDENTITY  # w first, likewise
    size: Vector = (1.0, 1.0, 1.0)  # box: full length of its edges [m]; mesh: factor along each axis
    radius: float = 0.0  # [m], all but box and mesh; of a cone or frustum at its lower end, -z
    top_radius: float = 0.0  # [m], frustum only, at its upper end, +z
    height: float = 0.0  # [m], along z; of a capsule between the centres of its round ends
    open: bool = False  # cylinder and frustum: no lid on the upper end, one sees inside
    file: str = ""  # mesh only, as the model's file names it
    path: Path | None = None  # mesh only, where that file was found; None: it is missing
    colour: str | Vector = PLAIN_COLOUR  # red, green, blue in [0, 1]; may be declared as "#rrggbb"
    opacity: float = 1.0  # 0 (not to be seen) to 1
    finish: Finish | str = Finish.MATTE
    row: int = -1  # the row it moves with, -1 for the base; filled in by the builder

    @property
    def radii(self) -> tuple[float, float]:
        """Radius at the lower (-z) and the upper (+z) end [m] of whatever is round."""
        if self.kind == ShapeKind.CONE:
            return self.radius, 0.0
        return self.radius, self.top_radius if self.kind == ShapeKind.FRUSTUM else self.radius
