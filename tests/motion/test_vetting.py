"""Vetting: what a clip breaks is told with its worst moment, and what can be mended is mended."""

from __future__ import annotations

import numpy as np
import pytest

import gestik as gk
from gestik.motion.capsules import pack_capsules
from gestik.motion.clearance import segment_distance
from gestik.motion.vetting import _inside_support
from tests.motion.stage import LAMP

BODY = LAMP.skeleton
STRICT = gk.Limits(speed=3.0, acceleration=30.0, jerk=200.0, capsules=())


def wave(size: float, pace: float, seconds: float = 3.0) -> gk.Clip:
    """The lamp's joints swing around their middle, one after the other."""
    times = np.arange(round(60.0 * seconds) + 1) / 60.0
    return gk.Clip("wave", BODY, times, size * np.sin(pace * times[:, None] + np.arange(5.0)))


def finger() -> gk.Skeleton:
    """Two links in a plane that can fold back onto each other and the palm."""
    builder = gk.SkeletonBuilder("finger")
    builder.joint("root", kind="revolute", axis="y", lower=-3.0, upper=3.0, segment=(0, 0, 1))
    builder.joint("middle", kind="revolute", axis="y", parent="root", position=(0, 0, 1), lower=-3.1, upper=3.1)
    builder.joint("tip", kind="revolute", axis="y", parent="middle", position=(0, 0, 1), lower=-3.1, upper=3.1)
    builder.frame("nail", parent="tip", position=(0, 0, 1))
    return builder.build()


def test_a_gentle_clip_passes() -> None:
    """The lamp's own nod breaks nothing, and the report says so."""
    vetting = gk.vet(LAMP.clip("nod").sampled(60.0))
    assert vetting.passes
    assert "passes" in str(vetting)
    assert vetting.stretched().duration == pytest.approx(vetting.clip.duration)


def test_every_fault_is_told_with_its_worst_moment() -> None:
    """A swing too wide and too quick: the sines say how fast it is, and when."""
    clip = wave(2.0, 5.0)
    vetting = gk.vet(clip, STRICT)
    found = {(fault.kind, fault.what): fault for fault in vetting.faults}
    assert {kind for kind, _ in found} == {"limit", "speed", "acceleration", "jerk"}
    for order, kind in enumerate(("speed", "acceleration", "jerk"), start=1):
        fault = found[kind, "base"]
        assert fault.value == pytest.approx(2.0 * 5.0**order, rel=0.01)
        assert 1 <= fault.moments <= len(clip)
    speed = found["speed", "base"]
    assert abs(np.cos(5.0 * speed.time)) > 0.99
    assert abs(found["limit", "shoulder"].value) == pytest.approx(2.0 - BODY.upper[1], abs=0.01)
    assert vetting.slower == pytest.approx(max(10.0 / 3.0, (50.0 / 30.0) ** 0.5, (250.0 / 200.0) ** (1 / 3)), rel=0.01)
    text = str(vetting)
    assert "speed of base" in text
    assert "times slower" in text


@pytest.mark.parametrize("size", [0.4, 2.0])
def test_a_stretched_clip_passes(size: float) -> None:
    """Slower by what the report says, and inside its limits, the clip keeps everything."""
    vetting = gk.vet(wave(size, 10.0), STRICT)
    mended = vetting.stretched()
    assert not vetting.passes
    assert gk.vet(mended, STRICT).passes
    if size < 1.0:
        assert mended.duration == pytest.approx(vetting.slower * vetting.clip.duration, rel=1e-3)
        np.testing.assert_array_equal(mended.angles, vetting.clip.angles)


def test_a_filtered_clip_passes_and_lasts_as_long() -> None:
    """The exact filter keeps speed, acceleration and jerk in the clip's own time."""
    vetting = gk.vet(wave(2.0, 6.0), STRICT)
    mended = vetting.filtered()
    assert gk.vet(mended, STRICT).passes
    assert mended.duration == pytest.approx(vetting.clip.duration)
    assert np.abs(mended.angles[:40] - vetting.clip.angles[:40]).max() > 0.01


def test_a_body_that_runs_into_itself_is_told() -> None:
    """A finger that curls meets its own root link; how deep is what trigonometry says."""
    skeleton = finger()
    capsules = [
        gk.Capsule("root", (0, 0, 0), (0, 0, 1), 0.1),
        gk.Capsule("tip", (0, 0, 0), (0, 0, 1), 0.05),
        gk.Capsule("nail", (0, 0, 0), (0, 0, 0), 0.05),
    ]
    angles = np.linspace((0.0, 0.0, 0.0), (0.0, 2.0, 2.2), 50)
    clip = gk.Clip("curl", skeleton, np.linspace(0.0, 2.0, 50), angles)
    vetting = gk.vet(clip, gk.Limits(speed=10.0, capsules=capsules))
    assert {fault.kind for fault in vetting.faults} == {"collision"}
    assert vetting.faults[0].what in {"root and tip", "root and nail"}
    assert -0.15 <= vetting.faults[0].value < 0.0
    assert gk.vet(clip, gk.Limits(speed=10.0, capsules=())).passes
    open_hand = gk.Clip("open", skeleton, [0.0, 1.0], [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    assert gk.vet(open_hand, gk.Limits(speed=10.0, capsules=capsules)).passes
    assert not gk.vet(open_hand, gk.Limits(speed=10.0, capsules=capsules, clearance=2.0)).passes


def test_neighbours_and_what_touches_at_rest_are_no_pairs() -> None:
    """Of the lamp's shapes no pair is on one joint or on two that carry each other."""
    packed = pack_capsules(BODY, None)
    assert len(packed.pairs)
    joints = [-1 if row < 0 else int(BODY.row_joints[row]) for row in packed.rows.tolist()]
    for one, two in packed.pairs.tolist():
        assert abs(joints[one] - joints[two]) > 1


def test_the_distance_of_segments_is_that_of_their_closest_points() -> None:
    """Against thousands of points on both, on random, parallel, crossing and degenerate segments."""
    rng = np.random.default_rng(7)
    cases = [rng.normal(size=(4, 3)) for _ in range(40)]
    a, b = rng.normal(size=(2, 3))
    cases += [
        np.array((a, b, a + 0.3, b + 0.3)),
        np.array((a, a, b, b)),
        np.array((a, b, a, a)),
        np.array((a, b, b, a)),
    ]
    cases += [np.array(((-1, 0, 0), (1, 0, 0), (0, -1, 0.5), (0, 1, 0.5)), dtype=float)]
    shares = np.linspace(0.0, 1.0, 401)[:, None]
    for a, b, c, d in cases:
        first, second = a + shares * (b - a), c + shares * (d - c)
        tried = np.linalg.norm(first[:, None] - second[None, :], axis=2).min()
        found = segment_distance(*(tuple(point.tolist()) for point in (a, b, c, d)))
        assert tried - 0.01 <= found <= tried + 1e-12


def test_balance_is_kept_above_the_support() -> None:
    """A lamp whose head is heavy tips over a small foot when it leans, and not when it stands."""
    foot = [(x, y, 0.0) for x in (-0.08, 0.08) for y in (-0.08, 0.08)]
    limits = gk.Limits(speed=100.0, capsules=(), masses={"head": 1.0, "elbow": 0.2}, support=foot)
    upright = gk.Clip("stand", BODY, [0.0, 1.0], [[0.0] * 5, [1.0, 0.0, 0.0, 0.0, 0.0]])
    assert gk.vet(upright, limits).passes
    leaning = gk.Clip("lean", BODY, [0.0, 1.0], [[0.0] * 5, [0.0, 1.0, 0.0, 0.0, 0.0]])
    fault = gk.vet(leaning, limits).faults[0]
    assert (fault.kind, fault.time) == ("balance", 1.0)
    assert fault.value < -0.05
    assert "centre of mass" in str(fault)


def test_depth_in_a_support_is_the_distance_to_its_nearest_edge() -> None:
    """In a square of two metres: one in its middle, less towards an edge, below zero outside; any order of corners."""
    corners = [(1, 1, 0), (-1, -1, 0), (1, -1, 3), (-1, 1, 0), (0, 0, 0)]
    points = np.array(((0, 0, 9), (0.5, 0.25, 0), (2, 0, 0)), dtype=float)
    np.testing.assert_allclose(_inside_support(points, corners, np.array((0.0, 0.0, 1.0))), (1.0, 0.5, -1.0))


def test_wrong_limits_are_told() -> None:
    """Numbers that bound nothing, names that are not there, supports that are lines."""
    clip = wave(0.1, 1.0)
    for limits in (
        gk.Limits(speed=0.0),
        gk.Limits(jerk=[1.0, 2.0]),
        gk.Limits(acceleration=np.nan),
        gk.Limits(masses={"head": -1.0}, support=[(0, 0, 0), (1, 0, 0), (0, 1, 0)]),
        gk.Limits(masses={"head": 1.0}, support=[(0, 0, 0), (1, 0, 0), (2, 0, 0)]),
        gk.Limits(masses={"head": 1.0}, support=[(0, 0)]),
        gk.Limits(capsules=[gk.Capsule("head", (0, 0, 0), (0, 0, 1), 0.0)]),
        gk.Limits(capsules=["head"]),
        3,
    ):
        with pytest.raises(gk.InputError):
            gk.vet(clip, limits)
    with pytest.raises(gk.InputError):
        gk.vet(BODY)
    with pytest.raises(gk.NameNotFoundError):
        gk.vet(clip, gk.Limits(capsules=[gk.Capsule("nose", (0, 0, 0), (0, 0, 1), 0.1)]))


def test_clips_of_one_and_two_postures_are_vetted() -> None:
    """Too short for speeds or jerks, they are judged by what there is."""
    assert gk.vet(gk.Clip("one", BODY, [0.0], [[0.0] * 5])).passes
    jump = gk.vet(gk.Clip("two", BODY, [0.0, 0.01], [[0.0] * 5, [1.0] * 5]), gk.Limits(capsules=()))
    assert {fault.kind for fault in jump.faults} == {"speed"}
    assert gk.vet(jump.stretched(), gk.Limits(capsules=())).passes
