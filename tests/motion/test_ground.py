"""Feet on ground that is not level: on it where they stood, never in it, with knees that bend as they did."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from gestik.errors import InputError, NameNotFoundError
from gestik.model.builder import SkeletonBuilder
from gestik.model.clip import Clip
from gestik.model.skeleton import Skeleton
from gestik.motion.contacts import faded_between, find_contacts, shifts_to_stand
from gestik.motion.ground import clamp_to_ground
from gestik.motion.retarget import retarget
from gestik.motion.terrain import HeightField, Terrain
from tests.motion.bodies import ANKLE, SHIN, THIGH, doll

SIDES = ("left", "right")
STRIDE, LIFT, CYCLE = 0.5, 0.12, 1.0  # m, m, s


def stride(phase: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far ahead and how high a foot is [m]: it stands for half of the cycle, and swings for the other half."""
    whole = np.floor(phase)
    swing = np.clip(2.0 * (phase - whole) - 1.0, 0.0, 1.0)
    eased = swing**2 * (3.0 - 2.0 * swing)
    return STRIDE * (whole + eased), LIFT * np.sin(np.pi * swing) ** 2


def walk(body: Skeleton, seconds: float = 4.0) -> Clip:
    """The doll walks along z on level ground at 0: its legs follow in closed form from where hips and feet are."""
    times = np.arange(round(seconds * 60)) / 60.0
    angles = np.tile(body.rest, (len(times), 1))
    column = {name: number for number, name in enumerate(body.dof_names)}
    way = STRIDE * times / CYCLE
    drop = 0.06
    angles[:, column["pelvis.tz"]] = way
    angles[:, column["pelvis.ty"]] = -drop
    for side, phase in (("left", 0.25), ("right", 0.75)):
        ahead, high = stride(times / CYCLE + phase)
        ahead = ahead - way - STRIDE * (phase - 0.25)
        depth = THIGH + SHIN - drop - high
        far = np.hypot(ahead, depth)
        knee = np.pi - np.arccos((THIGH**2 + SHIN**2 - far**2) / (2 * THIGH * SHIN))
        inner = np.arccos((THIGH**2 + far**2 - SHIN**2) / (2 * THIGH * far))
        hip = -np.arctan2(ahead, depth) - inner
        angles[:, column[f"{side} thigh.x"]] = hip
        angles[:, column[f"{side} shin"]] = knee
        angles[:, column[f"{side} foot.x"]] = -hip - knee
    return Clip("walk", body, times, angles)


def soles(clip: Clip, side: str) -> np.ndarray:
    """What of a foot touches the ground [frame, place, 3]."""
    names = [f"{side} sole", f"{side} tip"]
    poses = [clip.skeleton.forward(angles) for angles in clip.angles]
    return np.array([[pose.of(name).position for name in names] for pose in poses])


def slope(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    """One in eight, and across the way one in ten."""
    return 0.125 * z + 0.1 * x


def stairs(_: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Steps of 10 cm."""
    return 0.1 * np.clip(np.floor((z - 0.4) / 0.5) + 1.0, 0.0, 4.0)


def test_the_walk_is_one() -> None:
    """Soles touch level ground at 0 while feet stand, and are above it while they swing."""
    clip = walk(doll())
    for side in SIDES:
        heights = soles(clip, side)[:, :, 1].min(axis=1)
        np.testing.assert_allclose(heights.min(), 0.0, atol=1e-12)
        assert (heights < 1e-9).mean() == pytest.approx(0.5, abs=0.05)


def test_on_level_ground_a_walk_is_what_it_was() -> None:
    """To a centimetre: a foot that lands still creeps, and is kept from it; hips stay to a micrometre."""
    clip = walk(doll())
    clamped = clamp_to_ground(clip, lambda x, z: np.zeros_like(x + z))
    for before, after in zip(clip.angles, clamped.angles, strict=True):
        own, other = clip.skeleton.forward(before), clip.skeleton.forward(after)
        np.testing.assert_allclose(other.positions, own.positions, atol=1e-2)
        np.testing.assert_allclose(other.of("pelvis").position, own.of("pelvis").position, atol=1e-6)


@pytest.mark.parametrize("height", [slope, stairs], ids=["slope", "stairs"])
def test_feet_touch_the_ground_where_they_stood_and_are_never_in_it(
    height: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> None:
    """Not a millimetre below at any time, not a centimetre above while standing; knees stay within their limits."""
    clip = walk(doll())
    clamped = clamp_to_ground(clip, height)
    for side in SIDES:
        places = soles(clamped, side)
        clear = (places[:, :, 1] - height(places[:, :, 0], places[:, :, 2])).min(axis=1)
        standing = soles(clip, side)[:, :, 1].min(axis=1) < 1e-3
        assert clear.min() > -1e-3
        assert clear[standing].max() < 1e-2
    assert not any(clamped.skeleton.limit_excess(angles) for angles in clamped.angles)


def test_a_foot_on_a_slope_lies_along_it() -> None:
    """Heel and toe are both on it, to a millimetre."""
    clip = walk(doll())
    places = soles(clamp_to_ground(clip, slope), "left")
    clear = places[:, :, 1] - slope(places[:, :, 0], places[:, :, 2])
    standing = soles(clip, "left")[:, :, 1].max(axis=1) < 1e-3
    assert np.abs(clear[standing]).max() < 1e-3


def test_a_grid_of_heights_is_the_same_ground_as_its_function() -> None:
    """A plane is told exactly by its corners; beyond its edges a grid goes on as on them."""
    x, z = np.meshgrid(np.arange(-1, 3, 0.5), np.arange(-1, 4, 0.5), indexing="ij")
    grid = HeightField(slope(x, z), 0.5, corner=(-1.0, -1.0))
    points = np.random.default_rng(1).uniform(-0.9, 2.4, (2, 50))
    np.testing.assert_allclose(grid(*points), slope(*points), atol=1e-12)
    assert grid(np.array(-5.0), np.array(0.25)) == pytest.approx(slope(-1.0, 0.25))
    clip = walk(doll(), 1.0)
    on_grid, on_slope = clamp_to_ground(clip, grid), clamp_to_ground(clip, slope)
    np.testing.assert_allclose(on_grid.angles, on_slope.angles, atol=1e-6)


def test_a_function_of_two_numbers_will_do() -> None:
    """One that asks `if` is called place by place."""
    clip = walk(doll(), 1.0)
    one_by_one = clamp_to_ground(clip, lambda x, z: 0.1 if z > 0.3 else 0.0 * x)
    at_once = clamp_to_ground(clip, lambda x, z: np.where(z > 0.3, 0.1, 0.0 * x))
    np.testing.assert_array_equal(one_by_one.angles, at_once.angles)


def test_ground_is_as_steep_as_it_is_and_an_edge_faces_up() -> None:
    """The normal of a plane is exact; at a step it is up."""
    terrain = Terrain(slope, np.array([0.0, 1.0, 0.0]))
    normal = np.array([-0.1, 1.0, -0.125])
    np.testing.assert_allclose(terrain.normal(np.zeros(3)), normal / np.linalg.norm(normal), atol=1e-12)
    assert Terrain(stairs, np.array([0.0, 1.0, 0.0])).normal(np.array([0.0, 0.0, 0.4])).tolist() == [0, 1, 0]
    assert Terrain(slope, np.array([0.0, 0.0, 1.0])).level == [0, 1]


def test_what_cannot_be_stood_on_is_refused() -> None:
    """Ground that is no function or not finite, bodies without feet or that stand fixed: each with its reason."""
    clip = walk(doll(), 0.2)
    with pytest.raises(InputError, match="height is 5, not a function"):
        clamp_to_ground(clip, 5)
    with pytest.raises(InputError, match="height is nan at"):
        clamp_to_ground(clip, lambda x, z: x * np.nan)
    with pytest.raises(InputError, match="a Clip is expected"):
        clamp_to_ground(doll(), slope)
    with pytest.raises(InputError, match="heights have shape"):
        HeightField(np.zeros(3), 0.1)
    with pytest.raises(InputError, match="spacing"):
        HeightField(np.zeros((3, 3)), -0.1)
    builder = SkeletonBuilder("post", up="y")
    builder.joint("stem", kind="free")
    stem = builder.build()
    with pytest.raises(NameNotFoundError, match="no hips, no left thigh"):
        clamp_to_ground(Clip("still", stem, [0.0], [stem.rest]), slope)


def test_retargeted_feet_stand_still() -> None:
    """The walk played by its own body keeps its feet where they stand, to a tenth of a millimetre."""
    clip = walk(doll())
    played = retarget(clip, clip.skeleton)
    places = np.array([clip.skeleton.forward(angles).of("left foot").position for angles in played.angles])
    own = np.array([clip.skeleton.forward(angles).of("left foot").position for angles in clip.angles])
    np.testing.assert_allclose(places[:, 1].min(), ANKLE, atol=1e-4)
    np.testing.assert_allclose(places, own, atol=5e-3)


def test_contacts_are_found_by_speed_whatever_the_rate() -> None:
    """30 Hz tells what 240 Hz does; two frames tell nothing."""
    for rate in (30.0, 240.0):
        times = np.arange(0.0, 2.0, 1.0 / rate)
        speed = np.where((times > 0.5) & (times < 1.2), 0.0, 1.0)
        places = np.zeros((len(times), 3))
        places[:, 0] = np.cumsum(speed) / rate
        ((begin, end),) = find_contacts(places, times, 0.3)
        assert times[begin] == pytest.approx(0.5, abs=0.07)
        assert times[end] == pytest.approx(1.2, abs=0.07)
    assert find_contacts(places[:2], times[:2], 0.3) == []


def test_shifts_hold_in_contacts_and_fade_between_them() -> None:
    """In a contact the shifted foot does not move; between two the shift goes smoothly from one to the other."""
    times = np.arange(100) / 100.0
    places = np.column_stack((0.01 * np.sin(20 * times), np.zeros(100), np.zeros(100)))
    contacts = [(10, 30), (45, 60)]
    shifts = shifts_to_stand(places, times, contacts)
    for begin, end in contacts:
        assert np.ptp((places + shifts)[begin : end + 1], axis=0).max() < 1e-15
    assert np.abs(np.diff(shifts, axis=0)).max() < 0.003
    assert np.abs(shifts[99]).max() < 1e-12
    assert not faded_between(shifts, times, []).any()
