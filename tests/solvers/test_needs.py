"""Methods take what they declare and nothing else; without a name one is chosen that can."""

from __future__ import annotations

import pytest

import gestik as gk
from gestik.solvers.methods import SOLVERS
from gestik.solvers.needs import choose_method, needs_of
from gestik.solvers.spec import Capability


@pytest.fixture(scope="module")
def twins() -> gk.Skeleton:
    """A trunk with two arms of two joints each."""
    builder = gk.SkeletonBuilder("twins", up="y")
    builder.joint("trunk", kind="continuous", axis="y")
    for side, x in (("left", 1.0), ("right", -1.0)):
        builder.joint(
            f"{side}_shoulder", kind="revolute", parent="trunk", axis="z", position=(x, 1, 0), lower=-2, upper=2
        )
        builder.joint(
            f"{side}_elbow", kind="revolute", parent=f"{side}_shoulder", axis="z", position=(x, 0, 0), lower=-2, upper=2
        )
        builder.frame(f"{side}_hand", parent=f"{side}_elbow", position=(x, 0, 0))
    return builder.build()


def needs(skeleton: gk.Skeleton, *goals: gk.Position, masked: bool = False) -> list[Capability]:
    """What goals need."""
    return needs_of(skeleton, [goal.bind(skeleton) for goal in goals], None, masked)


def test_what_goals_say_tells_what_a_method_must_know(twins: gk.Skeleton) -> None:
    """Each term of a goal is one capability, and only where it is used."""
    hand = "left_hand"
    assert needs(twins, gk.Position(hand, (1, 1, 0))) == [Capability.POSITION]
    assert Capability.RELATIVE in needs(twins, gk.Position(hand, (1, 1, 0), relative_to="trunk"))
    assert Capability.AXES in needs(twins, gk.Position(hand, (1, 1, 0), axes="xy"))
    assert Capability.SLACK in needs(twins, gk.Position(hand, (1, 1, 0), slack=0.1))
    assert Capability.SLACK in needs(twins, gk.Position(hand, (1, 1, 0), slack=(0, 0, 0.1)))
    assert Capability.JOINT_MASK in needs(twins, gk.Position(hand, (1, 1, 0)), masked=True)
    one = gk.Position(hand, (1, 1, 0)), gk.Position("left_elbow", (1, 1, 0), priority=1)
    assert needs(twins, *one) == [Capability.POSITION, Capability.SEVERAL_GOALS, Capability.PRIORITIES]


def test_limbs_are_several_only_where_ways_part(twins: gk.Skeleton) -> None:
    """Two frames of one arm lie on one chain; one hand in the other's frame does not."""
    assert Capability.SEVERAL_LIMBS in needs(
        twins, gk.Position("left_hand", (1, 1, 0)), gk.Position("right_hand", (1, 1, 0))
    )
    assert Capability.SEVERAL_LIMBS not in needs(
        twins, gk.Position("left_hand", (1, 1, 0)), gk.Position("trunk", (1, 1, 0))
    )
    assert Capability.SEVERAL_LIMBS in needs(twins, gk.Position("left_hand", (0, 0, 0), relative_to="right_hand"))


@pytest.mark.parametrize("method", SOLVERS)
def test_what_a_method_does_not_declare_it_refuses_naming_those_that_can(method: str, twins: gk.Skeleton) -> None:
    """Before any kernel runs, and never by a wrong answer."""
    asked = {
        Capability.POSITION: [gk.Position("left_hand", (1, 1, 0))],
        Capability.ORIENTATION: [gk.Orientation("left_hand", (1, 0, 0, 0))],
        Capability.AIM: [gk.Aim("left_hand", along=(1, 0, 0), axis="x", eye=(0, 0, 0))],
        Capability.RELATIVE: [gk.Position("left_hand", (1, 1, 0), relative_to="trunk")],
        Capability.AXES: [gk.Position("left_hand", (1, 1, 0), axes="xy")],
        Capability.SLACK: [gk.Position("left_hand", (1, 1, 0), slack=0.1)],
        Capability.SEVERAL_LIMBS: [gk.Position("left_hand", (1, 1, 0)), gk.Position("right_hand", (1, 1, 0))],
        Capability.PRIORITIES: [
            gk.Position("left_hand", (1, 1, 0)),
            gk.Position("left_elbow", (1, 1, 0), priority=1),
        ],
    }
    for capability, goals in asked.items():
        if capability in SOLVERS[method].capabilities:
            continue
        with pytest.raises(gk.CapabilityError, match=f"{capability.words}.*(these can|no method can)"):
            gk.prepare(twins, goals, method)


def test_a_method_is_chosen_that_can_do_all_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poise where it can; nobody can do everything at once, and that is said."""
    assert choose_method([Capability.AIM, Capability.POSTURE]).name == "poise"
    monkeypatch.setattr("gestik.solvers.needs.SOLVERS", {})
    with pytest.raises(gk.CapabilityError, match="no method can do all that is asked at once: aim, posture"):
        choose_method([Capability.AIM, Capability.POSTURE])


@pytest.mark.parametrize(
    "terms", [{"axes": ""}, {"axes": "xw"}, {"slack": -1}, {"slack": (1, 2)}, {"priority": -1}, {"priority": 0.5}]
)
def test_terms_without_a_meaning_are_refused(terms: dict[str, object]) -> None:
    """With the value and what would be right."""
    with pytest.raises(gk.InputError, match=next(iter(terms))):
        gk.Position("hand", (0, 0, 0), **terms)  # type: ignore[arg-type]
