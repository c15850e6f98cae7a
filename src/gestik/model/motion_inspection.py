"""Checking how one declared joint moves: its axis or convention, limits, speed, rest, and whom it mimics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from numbers import Real

from gestik.kernels.arrays import FIXED, PRISMATIC, Vector
from gestik.model import checks
from gestik.model.euler import DEFAULT_CONVENTION, angle_labels, read_convention
from gestik.model.faults import Faults, shown
from gestik.model.joints import Cone, JointKind, Mimic, RowMotion

# What a joint gets where the declared value is wrong, so that the checks that follow can go on.
Z_AXIS: Vector = (0.0, 0.0, 1.0)
UNLIMITED = (-math.inf, math.inf)
ANY_TWIST = (-math.pi, math.pi)

# What only a moving joint has, what only one that moves in a single way, in several, what only a ball joint.
MOTION = ("axis", "convention", "lower", "upper", "speed", "rest", "mimic", "swing", "twist", "twist_axis")
SINGLE = ("axis", "mimic")
COMPOUND = ("convention",)
BALL = ("swing", "twist", "twist_axis")

# How a free joint slides before it turns: along the axes of its own frame at rest.
SLIDES = ("tx", "ty", "tz")
SLIDE_AXES = (checks.AXES["x"], checks.AXES["y"], checks.AXES["z"])


def inspect_motions(
    kind: JointKind, declared: Mapping[str, object], place: str, faults: Faults
) -> tuple[tuple[RowMotion, ...], Mimic | None]:
    """Check how a joint of known kind moves: its rows, and whom it follows."""
    if kind is JointKind.FIXED:
        _refuse(MOTION, "a fixed joint does not move and", declared, place, faults)
        return (RowMotion(FIXED, Z_AXIS),), None
    if kind.is_compound:
        _refuse(SINGLE, f"a {kind} joint moves in several ways and", declared, place, faults)
        return _inspect_compound(kind, declared, place, faults), None
    _refuse(COMPOUND, f"a {kind} joint moves in one way and", declared, place, faults)
    mimic = _inspect_mimic(declared["mimic"], place, faults)
    return (_inspect_single(kind, mimic, declared, place, faults),), mimic


def inspect_cone(kind: JointKind, name: str, declared: Mapping[str, object], place: str, faults: Faults) -> Cone | None:
    """Check how far a ball joint swings and twists; None where nothing is said."""
    if kind is not JointKind.BALL:
        if kind is not JointKind.FIXED:
            _refuse(BALL, "only a ball joint swings and twists; this one", declared, place, faults)
        return None
    swing, twist, axis = (declared[what] for what in BALL)
    if swing is None and twist is None:
        if axis is not None:
            faults.add(f"{place} twist_axis means nothing without swing or twist")
        return None
    return Cone(
        joint=name,
        axis=None if axis is None else faults.take(f"{place} twist_axis", checks.axis, axis, Z_AXIS),
        swing=math.pi if swing is None else faults.take(f"{place} swing", _swing, swing, math.pi),
        twist=ANY_TWIST if twist is None else faults.take(f"{place} twist", _twist, twist, ANY_TWIST),
    )


def _swing(value: object) -> float:
    """Read the largest angle a joint swings by."""
    swing = checks.finite(value)
    if not 0.0 <= swing <= math.pi:
        raise ValueError(f"is {swing:g} rad, outside 0 to pi")
    return swing


def _twist(value: object) -> tuple[float, float]:
    """Read the range of a twist."""
    lower, upper = checks.numbers(value, 2)
    if lower > upper:
        raise ValueError(f"ends at {upper:g} rad, before it begins at {lower:g}")
    return lower, upper


def _refuse(misplaced: Iterable[str], reason: str, declared: Mapping[str, object], place: str, faults: Faults) -> None:
    """Note what is given and has no meaning for this kind of joint."""
    given = [what for what in misplaced if declared[what] is not None]
    if given:
        faults.add(f"{place} {reason} has no {', '.join(given)}")


def _inspect_single(
    kind: JointKind, mimic: Mimic | None, declared: Mapping[str, object], place: str, faults: Faults
) -> RowMotion:
    """Check axis, limits, speed and rest of a joint that moves in one way."""
    if declared["axis"] is None:
        faults.add(f"{place} axis is missing")
        axis = Z_AXIS
    else:
        axis = faults.take(f"{place} axis", checks.axis, declared["axis"], Z_AXIS)
    speed = math.inf
    if declared["speed"] is not None:
        speed = faults.take(f"{place} speed", checks.not_negative, declared["speed"], math.inf)
    limits = _single_limits(kind, declared, place, faults)
    rest: float | None = None
    if declared["rest"] is not None:
        rest = faults.take(f"{place} rest", checks.finite, declared["rest"], None)
        if mimic is not None:
            faults.add(f"{place} a mimic joint has no rest of its own")
            rest = None
    (row_kind,) = kind.row_kinds
    rest = _rest_within(rest, limits, row_kind, place, faults)
    return RowMotion(row_kind, axis, "", *limits, speed, rest)


def _single_limits(kind: JointKind, declared: Mapping[str, object], place: str, faults: Faults) -> tuple[float, float]:
    """Limits of a joint that moves in one way; infinite where there are none or where they are wrong."""
    if kind is JointKind.CONTINUOUS:
        if declared["lower"] is not None or declared["upper"] is not None:
            faults.add(f"{place} a continuous joint has no limits; one that has them is revolute")
        return UNLIMITED
    limits = []
    read = checks.finite if kind is JointKind.REVOLUTE else checks.number
    for what, default in zip(("lower", "upper"), UNLIMITED, strict=True):
        value = declared[what]
        if value is not None:
            limits.append(faults.take(f"{place} {what} limit", read, value, default))
            continue
        limits.append(default)
        if declared["mimic"] is None:
            hint = "; a joint that turns without end is continuous" if kind is JointKind.REVOLUTE else ""
            faults.add(f"{place} {what} limit is missing{hint}")
    lower, upper = limits
    return _with_room(lower, upper, kind.row_kinds[0], place, faults)


def _inspect_compound(
    kind: JointKind, declared: Mapping[str, object], place: str, faults: Faults
) -> tuple[RowMotion, ...]:
    """Check convention, limits, speeds and rests of a joint that moves in several ways."""
    convention = DEFAULT_CONVENTION
    if declared["convention"] is not None:
        convention = faults.take(f"{place} convention", read_convention, declared["convention"], convention)
    labels = angle_labels(convention)
    axes = tuple(checks.AXES[letter] for letter in convention.lower())
    if kind is JointKind.FREE:
        labels, axes = (*SLIDES, *labels), (*SLIDE_AXES, *axes)

    def several(what: str, read: Callable[[object], float], default: float) -> tuple[float, ...]:
        """One number for each motion."""
        read_all = partial(checks.numbers, count=len(labels), read=read)
        usual = (default,) * len(labels)
        return usual if declared[what] is None else faults.take(f"{place} {what}", read_all, declared[what], usual)

    lower, upper = several("lower", checks.number, -math.inf), several("upper", checks.number, math.inf)
    rests = (None,) * len(labels) if declared["rest"] is None else several("rest", checks.finite, 0.0)
    if kind is JointKind.BALL and isinstance(declared["speed"], Real):
        declared = {**declared, "speed": (declared["speed"],) * len(labels)}
    speeds = several("speed", checks.not_negative, math.inf)
    motions = []
    for number, row_kind in enumerate(kind.row_kinds):
        label = labels[number]
        own_place = f"{place} {label}:"
        limits = _with_room(lower[number], upper[number], row_kind, own_place, faults)
        rest = _rest_within(rests[number], limits, row_kind, own_place, faults)
        motions.append(RowMotion(row_kind, axes[number], label, *limits, speeds[number], rest))
    return tuple(motions)


def _with_room(lower: float, upper: float, row_kind: int, place: str, faults: Faults) -> tuple[float, float]:
    """The limits, or none at all where nothing lies between them."""
    if lower > upper:
        faults.add(
            f"{place} lower limit {_measured(lower, row_kind)} is above upper limit {_measured(upper, row_kind)}"
        )
        return UNLIMITED
    if lower == math.inf or upper == -math.inf:
        faults.add(f"{place} limits leave no room")
        return UNLIMITED
    return lower, upper


def _rest_within(rest: float | None, limits: tuple[float, float], row_kind: int, place: str, faults: Faults) -> float:
    """The rest, which must be within the limits; where none is given, 0 or the limit nearest to it."""
    lower, upper = limits
    if rest is None:
        return min(max(0.0, lower), upper)
    if not lower <= rest <= upper:
        span = f"{_measured(lower, row_kind)} to {_measured(upper, row_kind)}"
        faults.add(f"{place} rest {_measured(rest, row_kind)} is outside its limits, {span}")
    return rest


def _measured(value: float, row_kind: int) -> str:
    """A joint's value with its unit; an angle also in degrees, for those who wrote it so."""
    if row_kind == PRISMATIC:
        return f"{value:g} m"
    return f"{value:g} rad ({math.degrees(value):g} deg)"


def _inspect_mimic(mimic: object, place: str, faults: Faults) -> Mimic | None:
    """Check the numbers of a mimic; whether its leader exists is known only at the end."""
    if mimic is None:
        return None
    if not isinstance(mimic, Mimic) or not isinstance(mimic.joint, str):
        faults.add(f"{place} mimic is {shown(mimic)}, not a Mimic with the name of a joint")
        return None
    gain = faults.take(f"{place} mimic gain", checks.finite, mimic.gain, 1.0)
    bias = faults.take(f"{place} mimic bias", checks.finite, mimic.bias, 0.0)
    return Mimic(mimic.joint, gain, bias)
