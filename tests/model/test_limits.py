"""Declaring cones and couplings: what is wrong is one fault, what is right is on the skeleton."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from gestik.errors import ModelError
from gestik.model.builder import SkeletonBuilder
from gestik.model.joints import Cone, Coupling, Mimic
from gestik.model.scaling import scaled_skeleton


def puppet_builder() -> SkeletonBuilder:
    """A hip with a cone, a knee, a slide, and a coupling of the two."""
    builder = SkeletonBuilder("puppet")
    builder.joint("hip", kind="ball", swing=1.0, twist=(-0.5, 0.5))
    builder.joint("knee", kind="revolute", axis="y", parent="hip", position=(0, 0, -2), lower=0, upper=2)
    builder.joint("slide", kind="prismatic", axis="z", parent="knee", lower=0, upper=0.5)
    builder.coupling(-1.0, {"knee": 1.0, "slide": -4.0}, 1.5)
    return builder


def test_a_cone_is_about_the_bone_when_nothing_else_is_said() -> None:
    """Along the segment, or y for a joint without one; only twist, or only swing, leaves the other free."""
    assert puppet_builder().build().cones == (Cone("hip", (0.0, 0.0, -1.0), 1.0, (-0.5, 0.5)),)
    builder = SkeletonBuilder("two")
    builder.joint("a", kind="ball", swing=1.0)
    builder.joint("b", kind="ball", twist=(0.0, 1.0), twist_axis="-x")
    expected = Cone("a", (0.0, 1.0, 0.0), 1.0, (-math.pi, math.pi)), Cone("b", (-1.0, 0.0, 0.0), math.pi, (0.0, 1.0))
    assert builder.build().cones == expected


def test_couplings_are_on_the_skeleton_and_scale_with_it() -> None:
    """In a puppet of ten times the size a slide ten times as long counts the same."""
    puppet = puppet_builder().build()
    assert puppet.couplings == (Coupling(("knee", "slide"), (1.0, -4.0), -1.0, 1.5),)
    giant = scaled_skeleton(puppet, 10.0)
    angles = puppet.angles_from({"knee": 2.0, "slide": 0.02})
    excess = puppet.limit_excess(angles)
    assert list(giant.limit_excess(np.where(puppet.dof_slides, 10.0, 1.0) * angles).values()) == list(excess.values())
    assert list(excess.values()) == [pytest.approx(0.42)]


Mistake = Callable[[SkeletonBuilder], object]

# Each is made on a good puppet; the text is part of the one fault it must cause.
MISTAKES: dict[str, tuple[Mistake, str]] = {
    "swing of a hinge": (
        lambda b: b.joint("x", kind="continuous", axis="z", swing=1.0),
        "joint 'x': only a ball joint swings and twists; this one has no swing",
    ),
    "swing beyond pi": (lambda b: b.joint("x", kind="ball", swing=4.0), "joint 'x': swing is 4 rad, outside 0 to pi"),
    "swing that is NaN": (lambda b: b.joint("x", kind="ball", swing=math.nan), "joint 'x': swing is NaN"),
    "one end of a twist": (lambda b: b.joint("x", kind="ball", twist=0.5), "joint 'x': twist is 0.5, not 2 numbers"),
    "twist turned round": (lambda b: b.joint("x", kind="ball", twist=(1, -1)), "ends at -1 rad, before it begins at 1"),
    "axis of nothing": (lambda b: b.joint("x", kind="ball", twist_axis="x"), "means nothing without swing or twist"),
    "axis without length": (
        lambda b: b.joint("x", kind="ball", swing=1.0, twist_axis=(0, 0, 0)),
        "joint 'x': twist_axis has length zero",
    ),
    "twist that leaves out the rest": (
        lambda b: b.joint("x", kind="ball", twist=(0.5, 1.0)),
        "twist of x is at rest 0.5 below its lower limit; give the joints a rest that keeps it",
    ),
    "coupling of nobody": (
        lambda b: b.coupling(0, {"knee": 1.0, "slid": 1.0}, 1),
        "coupling of 'knee' and 'slid': no degree of freedom is called 'slid'; did you mean 'slide'",
    ),
    "coupling of a whole ball": (lambda b: b.coupling(0, {"knee": 1, "hip": 1}, 1), "did you mean 'hip"),
    "coupling of a mimic": (
        lambda b: (
            b.joint("x", kind="continuous", axis="x", mimic=Mimic("knee")),
            b.coupling(0, {"x": 1, "knee": 1}, 1),
        ),
        "no degree of freedom is called 'x'",
    ),
    "coupling of three": (lambda b: b.coupling(0, {"knee": 1, "slide": 1, "hip.x": 1}, 1), "takes the factors of two"),
    "coupling of a list": (lambda b: b.coupling(0, [1, 2], 1), "takes the factors of two degrees of freedom by name"),
    "factor 0": (lambda b: b.coupling(0, {"knee": 0, "slide": 1}, 1), "factor of 'knee' is 0, which couples nothing"),
    "factor NaN": (lambda b: b.coupling(0, {"knee": math.nan, "slide": 1}, 1), "factor of 'knee' is NaN"),
    "limit NaN": (lambda b: b.coupling(math.nan, {"knee": 1, "slide": 1}, 1), "lower limit is NaN"),
    "limits turned round": (lambda b: b.coupling(2, {"knee": 1, "slide": 1}, 1), "no sum is above 2 and below 1"),
    "no room": (
        lambda b: b.coupling(3, {"knee": 1, "slide": 1}, None),
        "leaves no room: inside the joints' own limits the sum runs from 0 to 2.5, never from 3 to inf",
    ),
    "rest outside": (
        lambda b: b.coupling(1, {"knee": 1, "slide": 1}, 2),
        "1 knee + 1 slide is at rest 1 below its lower limit",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_with_a_limit_is_one_fault(mistake: str) -> None:
    """A good puppet with one mistake raises one fault, in words that say where and what."""
    make, expected = MISTAKES[mistake]
    builder = puppet_builder()
    make(builder)
    with pytest.raises(ModelError) as caught:
        builder.build()
    assert len(caught.value.faults) == 1, caught.value.faults
    assert expected in caught.value.faults[0]
