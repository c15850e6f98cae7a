"""The builder: every fault is found and told at once, and what is right comes out in order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gestik.errors import ModelError
from gestik.model.builder import SkeletonBuilder
from gestik.model.euler import CONVENTIONS
from gestik.model.joints import Mimic, Shape
from tests.model.samples import assert_sound, crane, crane_builder

NAN = float("nan")
INFINITY = float("inf")

Mistake = Callable[[SkeletonBuilder], object]

# Each mistake is made on a good crane; the text is part of the one fault it must cause.
MISTAKES: dict[str, tuple[Mistake, str]] = {
    "duplicate joint": (lambda b: b.joint("lift", kind="fixed"), "joint 'lift': there are 2 joints of that name"),
    "unknown parent": (
        lambda b: b.joint("x", kind="fixed", parent="lifd"),
        "joint 'x': parent: no joint is called 'lifd'; did you mean 'lift'?",
    ),
    "a frame as a joint's parent": (lambda b: b.joint("x", kind="fixed", parent="hook"), "no joint is called 'hook'"),
    "its own parent": (lambda b: b.joint("x", kind="fixed", parent="x"), "in a circle: 'x' -> 'x'"),
    "parent that is no name": (lambda b: b.joint("x", kind="fixed", parent=3), "joint 'x': parent is 3, not a name"),
    "unknown kind": (lambda b: b.joint("x", kind="hinge"), "kind is 'hinge', not one of revolute, continuous,"),
    "no axis": (lambda b: b.joint("x", kind="continuous"), "joint 'x': axis is missing"),
    "zero axis": (lambda b: b.joint("x", kind="continuous", axis=(0, 0, 0)), "joint 'x': axis has length zero"),
    "infinite axis": (lambda b: b.joint("x", kind="continuous", axis=(INFINITY, 0, 0)), "axis is infinite"),
    "axis in two dimensions": (lambda b: b.joint("x", kind="continuous", axis=(1, 0)), "axis is (1, 0), not 3 numbers"),
    "axis of an unknown letter": (lambda b: b.joint("x", kind="continuous", axis="w"), "axis is 'w', not one of x, y"),
    "position with NaN": (lambda b: b.joint("x", kind="fixed", position=(0, NAN, 0)), "joint 'x': position is NaN"),
    "position beyond reason": (lambda b: b.joint("x", kind="fixed", position=(0, 0, 1e30)), "is 1e+30, beyond 1e+09"),
    "position of huge integers": (lambda b: b.joint("x", kind="fixed", position=(0, 0, 10**400)), "is beyond 1e+09"),
    "position of text": (lambda b: b.joint("x", kind="fixed", position="abc"), "position is 'abc', not 3 numbers"),
    "zero rotation": (lambda b: b.joint("x", kind="fixed", rotation=(0, 0, 0, 0)), "quaternion of length 0, not 1"),
    "long rotation": (lambda b: b.joint("x", kind="fixed", rotation=(1, 1, 0, 0)), "of length 1.41421, not 1"),
    "rotation with NaN": (lambda b: b.joint("x", kind="fixed", rotation=(1, NAN, 0, 0)), "joint 'x': rotation is NaN"),
    "inverted limits": (
        lambda b: b.joint("x", kind="revolute", axis="x", lower=2.0, upper=-1.0),
        "lower limit 2 rad (114.592 deg) is above upper limit -1 rad (-57.2958 deg)",
    ),
    "no upper limit": (
        lambda b: b.joint("x", kind="revolute", axis="x", lower=0.0),
        "upper limit is missing; a joint that turns without end is continuous",
    ),
    "no lower limit on a slide": (
        lambda b: b.joint("x", kind="prismatic", axis="x", upper=1.0),
        "joint 'x': lower limit is missing",
    ),
    "infinite limit of a revolute joint": (
        lambda b: b.joint("x", kind="revolute", axis="x", lower=-1.0, upper=INFINITY),
        "joint 'x': upper limit is infinite",
    ),
    "limits without room": (
        lambda b: b.joint("x", kind="prismatic", axis="x", lower=INFINITY, upper=INFINITY),
        "joint 'x': limits leave no room",
    ),
    "limits of a continuous joint": (
        lambda b: b.joint("x", kind="continuous", axis="x", lower=-1.0, upper=1.0),
        "a continuous joint has no limits; one that has them is revolute",
    ),
    "limit with NaN": (
        lambda b: b.joint("x", kind="revolute", axis="x", lower=NAN, upper=1.0),
        "joint 'x': lower limit is NaN",
    ),
    "negative speed": (lambda b: b.joint("x", kind="continuous", axis="x", speed=-0.5), "speed is -0.5, below 0"),
    "speed that is true": (lambda b: b.joint("x", kind="continuous", axis="x", speed=True), "True, not a number"),
    "rest outside the limits": (
        lambda b: b.joint("x", kind="revolute", axis="x", lower=-1.0, upper=1.0, rest=1.5),
        "joint 'x': rest 1.5 rad (85.9437 deg) is outside its limits, -1 rad (-57.2958 deg) to 1 rad",
    ),
    "rest of a mimic": (
        lambda b: b.joint("x", kind="continuous", axis="x", rest=0.1, mimic=Mimic("lift")),
        "a mimic joint has no rest of its own",
    ),
    "motion of a fixed joint": (
        lambda b: b.joint("x", kind="fixed", axis="x", speed=1.0),
        "a fixed joint does not move and has no axis, speed",
    ),
    "segment with NaN": (lambda b: b.joint("x", kind="fixed", segment=(0, 0, NAN)), "joint 'x': segment is NaN"),
    "mimic of nobody": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic=Mimic("lefd claw")),
        "joint 'x': mimic: no joint is called 'lefd claw'; did you mean 'left claw'",
    ),
    "mimic of itself": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic=Mimic("x")),
        "joints mimic each other in a circle: 'x' -> 'x'",
    ),
    "mimic of a fixed joint": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic=Mimic("plate")),
        "joint 'x': mimic follows 'plate', which never moves",
    ),
    "mimic with NaN": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic=Mimic("lift", NAN)),
        "joint 'x': mimic gain is NaN",
    ),
    "mimic that is a name": (
        lambda b: b.joint("x", kind="continuous", axis="x", mimic="lift"),
        "mimic is 'lift', not a Mimic",
    ),
    "empty name": (lambda b: b.joint("", kind="fixed"), "joint '': name is empty"),
    "name with a colon": (lambda b: b.joint("a:b", kind="fixed"), "joint 'a:b': name holds a colon"),
    "name with a line break": (lambda b: b.joint("a\nb", kind="fixed"), "or a character that cannot be printed"),
    "name without end": (lambda b: b.joint("a" * 1000, kind="fixed"), "name has more than 200 characters"),
    "name that is a number": (lambda b: b.joint(7, kind="fixed"), "joint 7: name is 7, not text"),
    "frame on nobody": (
        lambda b: b.frame("x", parent="hok"),
        "frame 'x': parent: no joint or earlier frame is called 'hok'; did you mean 'hook'?",
    ),
    "frame on a frame to come": (lambda b: (b.frame("x", parent="y"), b.frame("y")), "no joint or earlier frame"),
    "duplicate frame": (lambda b: b.frame("hook"), "frame 'hook': there are several of that name"),
    "eye without axis": (lambda b: b.frame("x", kind="eye"), "eye 'x': axis, the direction it looks along, is missing"),
    "frame with axis": (lambda b: b.frame("x", axis="z"), "frame 'x': only an eye has an axis to look along"),
    "frame that is a joint": (lambda b: b.frame("x", kind="joint"), "every joint names its own frame already"),
    "shape on nobody": (lambda b: b.shape(Shape("sphere", "hok", radius=1.0)), "shape on 'hok': parent: no joint or"),
    "shape of no kind": (lambda b: b.shape(Shape("cube", name="c")), "shape 'c': kind is 'cube', not one of box"),
    "sphere without radius": (lambda b: b.shape(Shape("sphere", name="c")), "shape 'c': radius is 0, not above 0"),
    "flat box": (lambda b: b.shape(Shape("box", size=(1, 0, 1))), "shape on 'the base': size is 0, not above 0"),
    "colour beyond one": (lambda b: b.shape(Shape("box", colour=(2, 0, 0))), "colour is 2, outside 0 to 1"),
    "colour by a name": (lambda b: b.shape(Shape("box", colour="red")), "not a colour such as '#d9482b'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_single_mistake_is_one_fault_that_names_its_place(mistake: str) -> None:
    """A good crane with one mistake raises one fault, in words that say where and what."""
    make, expected = MISTAKES[mistake]
    builder = crane_builder()
    make(builder)
    with pytest.raises(ModelError) as caught:
        builder.build()
    assert len(caught.value.faults) == 1, caught.value.faults
    assert expected in caught.value.faults[0]


def test_all_mistakes_together_are_all_told_at_once() -> None:
    """Mistakes of every part of the model appear in one error, and none hides another."""
    independent = [name for name in MISTAKES if "joint 'x'" in MISTAKES[name][1]]
    builder = crane_builder()
    for number, name in enumerate(independent):
        renamed = _Renaming(builder, f"x{number}")
        MISTAKES[name][0](renamed)
    with pytest.raises(ModelError) as caught:
        builder.build()
    assert len(caught.value.faults) == len(independent) > 10
    for number in range(len(independent)):
        assert any(f"'x{number}'" in fault for fault in caught.value.faults)


class _Renaming:
    """A builder that gives every joint another name, so that many mistakes fit into one skeleton."""

    def __init__(self, builder: SkeletonBuilder, name: str) -> None:
        self._builder = builder
        self._name = name

    def joint(self, name: str, **rest: object) -> None:
        self._builder.joint(self._name, **rest)


def test_a_circle_of_parents_is_named_as_a_path() -> None:
    """Three joints that sit on each other are told once, as a path that ends where it began."""
    builder = SkeletonBuilder("circle")
    for name, parent in (("a", "c"), ("b", "a"), ("c", "b"), ("tail", "a")):
        builder.joint(name, kind="fixed", parent=parent)
    with pytest.raises(ModelError) as caught:
        builder.build()
    assert caught.value.faults == ("joints sit on each other in a circle: 'a' -> 'c' -> 'b' -> 'a'",)


def test_a_serial_chain_comes_out_in_chain_order_however_it_was_added() -> None:
    """A chain declared from the tip to the root has its rows from the root to the tip."""
    builder = SkeletonBuilder("chain")
    for number in range(9, -1, -1):
        parent = f"j{number - 1}" if number else None
        builder.joint(f"j{number}", kind="continuous", axis="x", parent=parent)
    skeleton = builder.build()
    assert skeleton.joint_names == skeleton.dof_names == tuple(f"j{number}" for number in range(10))
    assert skeleton.parents.tolist() == list(range(-1, 9))


def test_rows_keep_each_limb_together_and_siblings_in_order_of_addition() -> None:
    """Depth first: a limb is finished before the next begins."""
    builder = SkeletonBuilder("octopus")
    for name, parent in (("a", None), ("b", None), ("a1", "a"), ("b1", "b"), ("a2", "a"), ("a11", "a1")):
        builder.joint(name, kind="fixed", parent=parent)
    assert builder.build().joint_names == ("a", "a1", "a11", "a2", "b", "b1")


def test_mimic_joints_are_computed_and_not_counted() -> None:
    """A mimic shares its leader's degree of freedom and has none of its own."""
    skeleton = crane()
    assert skeleton.dof_names == ("turn", "lift", "reach", "left claw")
    claws = [skeleton.frame(name).row for name in ("left claw", "right claw")]
    assert skeleton.arrays.dof[claws].tolist() == [3, 3]
    assert skeleton.arrays.gain[claws].tolist() == [1.0, -1.0]


def test_a_mimic_of_a_mimic_follows_the_leader_of_both() -> None:
    """Gains multiply and biases are carried along a chain of mimics, in whatever order it was declared."""
    builder = SkeletonBuilder("fingers")
    builder.joint("tip", kind="continuous", axis="x", mimic=Mimic("middle", gain=2.0, bias=1.0))
    builder.joint("middle", kind="continuous", axis="x", mimic=Mimic("root", gain=0.5, bias=0.25))
    builder.joint("root", kind="continuous", axis="x")
    skeleton = builder.build()
    tip = skeleton.frame("tip").row
    assert (skeleton.arrays.dof[tip], skeleton.arrays.gain[tip], skeleton.arrays.bias[tip]) == (0, 1.0, 1.5)


def test_a_long_chain_of_mimics_cannot_grow_beyond_numbers() -> None:
    """Gains that multiply to infinity are a fault, not an infinity."""
    builder = SkeletonBuilder("avalanche")
    builder.joint("m0", kind="continuous", axis="x")
    for number in range(1, 60):
        builder.joint(f"m{number}", kind="continuous", axis="x", mimic=Mimic(f"m{number - 1}", gain=1e8))
    with pytest.raises(ModelError, match="mimics multiply to a gain or bias beyond"):
        builder.build()


def test_rounded_quaternions_and_long_axes_are_brought_to_length_one() -> None:
    """Two digits are enough for a rotation, and an axis may have any length."""
    builder = SkeletonBuilder("rounded")
    builder.joint("a", kind="continuous", axis=(0, 3, 4), rotation=(0.7, 0.7, 0, 0))
    arrays = builder.build().arrays
    np.testing.assert_allclose(arrays.axis, [[0, 0.6, 0.8]], atol=1e-15)
    np.testing.assert_allclose(arrays.rest_rotation, [[np.sqrt(0.5), np.sqrt(0.5), 0, 0]], atol=1e-15)


@pytest.mark.parametrize(("lower", "upper", "rest"), [(-1.0, 1.0, 0.0), (0.5, 2.0, 0.5), (-3.0, -0.1, -0.1)])
def test_rest_is_zero_or_the_limit_nearest_to_it(lower: float, upper: float, rest: float) -> None:
    """A joint that cannot stand at zero rests as near to it as it can."""
    builder = SkeletonBuilder("rest")
    builder.joint("a", kind="revolute", axis="x", lower=lower, upper=upper)
    assert builder.build().rest.tolist() == [rest]


@pytest.mark.parametrize(("up", "expected"), [("x", (1, 0, 0)), ("-y", (0, -1, 0)), ((0, 0, 2), (0, 0, 1))])
def test_up_is_an_axis_by_name_or_any_direction(up: str, expected: tuple[float, ...]) -> None:
    """The up axis comes out as a unit vector."""
    assert SkeletonBuilder("up", up=up).build().up.tolist() == list(expected)


def test_a_skeleton_may_have_nothing_that_moves() -> None:
    """No joint at all, and fixed joints only, are skeletons with no degree of freedom."""
    builder = SkeletonBuilder("stone")
    assert_sound(builder.build())
    builder.joint("a", kind="fixed", position=(1, 2, 3))
    stone = builder.build()
    assert_sound(stone)
    assert (stone.joint_count, stone.dof_count) == (1, 0)


def test_building_again_after_a_fault_was_mended_works() -> None:
    """A failed build leaves the builder as it was: the missing parent can still be added."""
    builder = SkeletonBuilder("late")
    builder.joint("b", kind="fixed", parent="a")
    with pytest.raises(ModelError):
        builder.build()
    builder.joint("a", kind="fixed")
    assert builder.build().joint_names == ("a", "b")


def test_a_chain_deeper_than_the_stack_is_built() -> None:
    """Nothing recurses over joints."""
    builder = SkeletonBuilder("hair")
    for number in range(5000):
        builder.joint(f"j{number}", kind="fixed", parent=f"j{number - 1}" if number else None, position=(0, 0, 0.01))
    skeleton = builder.build()
    assert len(skeleton.chain("j4999")) == 5000
    np.testing.assert_allclose(skeleton.forward([]).of("j4999").position, [0, 0, 50.0], rtol=1e-9)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.floats(), st.integers(), st.text(max_size=2)), max_size=5),
    st.dictionaries(st.text(max_size=2), st.floats(), max_size=2),
)
NAMES = st.sampled_from(["a", "b", "c", "d"])
MESSY_NAMES = st.one_of(NAMES, NAMES, NAMES, ANYTHING)
LENGTHS = st.floats(-2, 2)
KINDS = ["revolute", "continuous", "prismatic", "ball", "free", "fixed"]
MESSY_JOINTS = st.fixed_dictionaries(
    {
        "name": MESSY_NAMES,
        "kind": st.one_of(st.sampled_from(KINDS), ANYTHING),
    },
    optional={
        "parent": MESSY_NAMES,
        "axis": st.one_of(st.sampled_from(["x", "-y", "z"]), st.tuples(LENGTHS, LENGTHS, LENGTHS), ANYTHING),
        "position": st.one_of(st.tuples(LENGTHS, LENGTHS, LENGTHS), ANYTHING),
        "rotation": ANYTHING,
        "lower": st.one_of(st.floats(-2, 0), ANYTHING),
        "upper": st.one_of(st.floats(0, 2), ANYTHING),
        "speed": ANYTHING,
        "rest": ANYTHING,
        "segment": ANYTHING,
        "mimic": st.one_of(ANYTHING, st.builds(Mimic, MESSY_NAMES, st.one_of(LENGTHS, ANYTHING), ANYTHING)),
        "convention": st.one_of(st.sampled_from(["XYZ", "ZXZ"]), ANYTHING),
        "swing": st.one_of(st.floats(0, 3), ANYTHING),
        "twist": st.one_of(st.tuples(st.floats(-3, 0), st.floats(0, 3)), ANYTHING),
        "twist_axis": st.one_of(st.sampled_from(["x", "-y", "z"]), ANYTHING),
    },
)
MESSY_FACTORS = st.one_of(st.dictionaries(st.sampled_from(["a", "b", "c.z", "d.tx"]), LENGTHS, max_size=3), ANYTHING)
MESSY_COUPLINGS = st.tuples(ANYTHING, MESSY_FACTORS, ANYTHING)
MESSY_FRAMES = st.fixed_dictionaries(
    {"name": MESSY_NAMES},
    optional={"parent": MESSY_NAMES, "kind": ANYTHING, "axis": ANYTHING, "position": ANYTHING, "rotation": ANYTHING},
)
MESSY_SHAPES = st.builds(
    Shape, st.one_of(st.sampled_from(["box", "mesh", "cone"]), ANYTHING), MESSY_NAMES, radius=ANYTHING, size=ANYTHING
)


@given(
    st.lists(MESSY_JOINTS, max_size=5),
    st.lists(MESSY_FRAMES, max_size=3),
    st.lists(MESSY_SHAPES, max_size=2),
    st.lists(MESSY_COUPLINGS, max_size=2),
)
def test_any_mess_is_a_model_error_or_a_sound_skeleton(
    joints: list[dict[str, object]],
    frames: list[dict[str, object]],
    shapes: list[Shape],
    couplings: list[tuple[object, object, object]],
) -> None:
    """Whatever is handed in, the builder raises nothing but ModelError and lets no unsound skeleton out."""
    builder = SkeletonBuilder("mess")
    for joint in joints:
        builder.joint(**joint)
    for frame in frames:
        builder.frame(**frame)
    for shape in shapes:
        builder.shape(shape)
    for coupling in couplings:
        builder.coupling(*coupling)
    try:
        skeleton = builder.build()
    except ModelError:
        return
    assert_sound(skeleton)


@st.composite
def tidy_trees(draw: st.DrawFn) -> list[dict[str, object]]:
    """Draw joints that are all right, in a random order, on random parents."""
    count = draw(st.integers(1, 8))
    joints: list[dict[str, object]] = []
    for number in range(count):
        kind = draw(st.sampled_from(KINDS))
        joint: dict[str, object] = {"name": f"j{number}", "kind": kind}
        if number and draw(st.booleans()):
            joint["parent"] = f"j{draw(st.integers(0, number - 1))}"
        if kind in {"ball", "free"}:
            joint["convention"] = draw(st.sampled_from(CONVENTIONS))
        elif kind != "fixed":
            joint["axis"] = draw(st.sampled_from(["x", "y", "-z", (1, 1, 0)]))
        if kind in {"revolute", "prismatic"}:
            joint |= {"lower": draw(st.floats(-3, 1)), "upper": draw(st.floats(1, 3))}
        joints.append(joint)
    return draw(st.permutations(joints))


@given(tidy_trees())
def test_any_tidy_tree_is_built_with_all_its_joints_on_their_parents(joints: list[dict[str, object]]) -> None:
    """What is right is never refused: every joint is there once and sits on the parent it named."""
    builder = SkeletonBuilder("tree")
    for joint in joints:
        builder.joint(**joint)
    skeleton = builder.build()
    assert_sound(skeleton)
    names = (*skeleton.joint_names, None)
    parents = {name: names[parent] for name, parent in zip(skeleton.joint_names, skeleton.parents, strict=True)}
    assert parents == {joint["name"]: joint.get("parent") for joint in joints}
