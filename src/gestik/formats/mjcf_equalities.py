"""MJCF's equalities between joints: those that are straight lines become mimics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from gestik.formats.mjcf_joints import MjcfJoint
from gestik.formats.xml_values import finite
from gestik.model.faults import Faults, shown
from gestik.model.joints import Mimic

COEFFICIENTS = 5  # of MuJoCo's polynomial, the constant first
STRAIGHT: tuple[float, ...] = (0.0, 1.0, 0.0, 0.0, 0.0)  # where a file gives none


def couple(model: Element, joints: dict[str, MjcfJoint], faults: Faults) -> Iterator[str]:
    """Let joints follow others as the model says; yields each equality that cannot be kept."""
    coupled = set()
    for equality in model.iterfind("equality/*"):
        if equality.get("active") == "false":
            continue
        if equality.tag != "joint":
            yield f"equality {shown(equality.tag)}"
            continue
        name, leader = equality.get("joint1", ""), equality.get("joint2")
        place = f"equality of joint {shown(name)}"
        unknown = [joint for joint in (name, leader) if joint is not None and joint not in joints]
        for joint in unknown:
            faults.unknown(place, "joint", joint, joints)
        polynomial = faults.take(f"{place}: polycoef", _polynomial, equality.get("polycoef", ""), STRAIGHT)
        if unknown:
            continue
        follower = _follower(joints[name], None if leader is None else joints[leader], polynomial)
        if follower is None or name in coupled:
            yield place
            continue
        joints[name] = follower
        coupled.add(name)


def _follower(joint: MjcfJoint, leader: MjcfJoint | None, polynomial: tuple[float, ...]) -> MjcfJoint | None:
    """The joint as it follows its leader, or stays where it is without one; None where it does not do so by a line.

    MuJoCo's polynomial relates how far both are from their `ref`.
    """
    constant, gain, *curved = polynomial
    if joint.axis is None:
        return None
    if leader is None:
        return replace(joint, limits=(joint.ref + constant, joint.ref + constant))
    if leader.axis is None or any(curved):
        return None
    return replace(joint, mimic=Mimic(leader.name, gain, joint.ref + constant - gain * leader.ref))


def _polynomial(text: object) -> tuple[float, ...]:
    """Read up to five coefficients; those left out are MuJoCo's own."""
    words = text.split(None, COEFFICIENTS) if isinstance(text, str) else []
    if len(words) > COEFFICIENTS:
        raise ValueError(f"is {shown(text)}, not at most {COEFFICIENTS} numbers")
    given = [finite(word) for word in words]
    return (*given, *STRAIGHT[len(given) :])
