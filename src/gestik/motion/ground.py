"""`gestik.clamp_to_ground`: feet of a clip made for level ground, on ground that is not.

Each time a foot stands, what it does over the level ground it does over the ground there: the foot is carried rigidly
to the slope under it, heel, toes and all, so that it rolls over its toes as it did.  Between two stands both carries
fade into each other, lifted over whatever is in the way.  The hips go along, low enough for both legs; the legs follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gestik.errors import InputError, NameNotFoundError
from gestik.kernels.arrays import FloatArray
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.joints import FrameKind
from gestik.model.quaternion_stacks import turned
from gestik.model.skeleton import Skeleton
from gestik.model.tree import way_down
from gestik.motion.body_plan import BodyPlan, carry, leg_length, plan_body, reach
from gestik.motion.contacts import Contact, faded_between, find_contacts, shifts_to_stand
from gestik.motion.limb_map import REQUIRED, SIDES, find_landmarks
from gestik.motion.terrain import Height, Terrain

# A foot stands while heel or toe is slower than this many legs a second, and this near the level ground [legs].
STANDING_SPEED = 0.25
STANDING_HEIGHT = 0.08
# It touches while it is this near [legs], for this long [s] before and after it stands.
TOUCHING, DRAGGING = 0.01, 0.15
# Legs are asked to stretch no farther than this share of their length, unless the clip stretched them more.
STRETCH = 0.985
# Over this long [s] hips and lifts are smoothed, to either side.
SMOOTHING = 0.12
ROUNDS = 3  # of hips that give way and feet that look again where the ground is
LONGEST_FADE = 10.0  # s, so that between two stands one fades into the other


class Foot(NamedTuple):
    """One foot through the clip."""

    ankle: FloatArray  # [frame, 3] m
    soles: FloatArray  # [frame, place, 3] m, what touches the ground
    axes: FloatArray  # [frame, 2, 3], two axes of the foot in the world
    hip: FloatArray  # [frame, 3] m
    contacts: list[Contact]


def clamp_to_ground(
    clip: Clip, height: Height, *, level: float = 0.0, landmarks: Mapping[str, str] | None = None
) -> Clip:
    """Put the feet of a clip on uneven ground.

    Args:
        clip: A motion on level ground, of a body that is free in its world.
        height: How high [m] the ground is, as a function of the two level coordinates (x and z where y is up, else x
            and y), or a `HeightField`.
        level: How high [m] the ground is that the clip was made for.
        landmarks: Which frames are hips, thighs, shins, feet; None: found by their names, as by `match_limbs`.

    Raises:
        NameNotFoundError: A landmark is not known.
        InputError: The body stands fixed, or the ground is somewhere not finite.
    """
    if not isinstance(clip, Clip):
        raise InputError(f"a Clip is expected, not {shown(clip)}")
    skeleton = clip.skeleton
    terrain = Terrain(height, skeleton.up)
    plan = _plan(skeleton, landmarks)
    angles = clip.angles.copy()
    longest = leg_length(skeleton, plan.places)
    feet = [_watch(clip, plan, side, level, longest) for side in SIDES]
    placed = [_placed(foot, terrain, clip.times, level, longest) for foot in feet]
    hips = _hips(feet, [shift for shift, _ in placed], terrain, clip.times, longest)
    carry(skeleton, plan, hips, angles)
    for side, foot, (shift, turn) in zip(SIDES, feet, placed, strict=True):
        wanted = np.zeros((len(clip), len(plan.bones), 3))
        numbers = [number for number, bone in enumerate(plan.bones) if bone.turned_with == f"{side} foot"]
        wanted[:, numbers] = turned(turn[:, None], foot.axes)
        reach(skeleton, plan, side, wanted, foot.ankle + shift, angles)
    return Clip(clip.name, skeleton, clip.times, angles)


def _plan(skeleton: Skeleton, landmarks: Mapping[str, str] | None) -> BodyPlan:
    """How the legs of the body are moved."""
    found = dict(find_landmarks(skeleton) if landmarks is None else landmarks)
    missing = [name for name in ("hips", *REQUIRED) if name not in found]
    if missing:
        raise NameNotFoundError(f"no {', no '.join(missing)} is known of {skeleton.name!r}; name it in landmarks")
    plan = plan_body(skeleton, found)
    if plan.root < 0:
        raise InputError(f"{skeleton.name!r} stands fixed: its hips hang on no free joint")
    return plan


def _watch(clip: Clip, plan: BodyPlan, side: str, level: float, leg: float) -> Foot:
    """What a foot does in the clip."""
    from gestik.motion.turning import places_of

    skeleton = clip.skeleton
    ankle, hip = plan.places[f"{side} foot"], plan.places[f"{side} thigh"]
    above = skeleton.arrays.parent.tolist()
    soles = [
        (frame.row, frame.position)
        for frame in skeleton.frames
        if frame.kind is not FrameKind.EYE and ankle.row in way_down(above, frame.row)
    ]
    marks = [(ankle.row, ankle.offset), (hip.row, hip.offset), *soles]
    rows = np.array([row for row, _ in marks], dtype=np.int32)
    places, turns = np.empty((len(clip), len(rows), 3)), np.empty((len(clip), len(rows), 4))
    places_of(skeleton.arrays, clip.angles, rows, np.array([offset for _, offset in marks]), places, turns)
    bones = [bone for bone in plan.bones if bone.turned_with == f"{side} foot" and bone.landmarks is None]
    axes = turned(turns[:, :1], np.array([bone.end.offset for bone in bones]))
    axis = int(np.argmax(skeleton.up))
    touching = places[:, 2:]
    heights = (touching[:, :, axis].min(axis=1) - level) / leg
    contacts: list[Contact] = []
    for contact in find_contacts(touching, clip.times, STANDING_SPEED * leg):
        begin, end = _while_low(contact, heights, clip.times)
        if begin > end:
            continue
        if contacts and begin <= contacts[-1][1] + 1:
            begin = contacts.pop()[0]
        contacts.append((begin, end))
    return Foot(places[:, 0], touching, axes, places[:, 1], contacts)


def _while_low(contact: Contact, heights: FloatArray, times: FloatArray) -> Contact:
    """The frames of a contact from its first low one to its last, and those around it in which the foot still touches.

    So a foot that drags its toes a little before it leaves has not left yet.
    """
    begin, end = contact
    while begin <= end and heights[begin] > STANDING_HEIGHT:
        begin += 1
    while end >= begin and heights[end] > STANDING_HEIGHT:
        end -= 1
    first, last = begin, end
    if begin > end:
        return begin, end
    touching = heights < TOUCHING
    while first > 0 and touching[first - 1] and times[begin] - times[first - 1] < DRAGGING:
        first -= 1
    while last + 1 < len(times) and touching[last + 1] and times[last + 1] - times[end] < DRAGGING:
        last += 1
    return first, last


def _placed(foot: Foot, terrain: Terrain, times: FloatArray, level: float, leg: float) -> tuple[FloatArray, FloatArray]:
    """By what the ankle is moved [frame, 3] m and the foot turned [frame, 4]."""
    up = np.eye(3)[terrain.up]
    centres = foot.soles.mean(axis=1)
    still = shifts_to_stand(foot.ankle, times, _flat(foot)) * (1.0 - up)
    vectors: FloatArray = np.zeros(foot.ankle.shape)
    rises: FloatArray = np.zeros(len(times))
    for begin, end in foot.contacts:
        span = slice(begin, end + 1)
        middle = np.median((centres + still)[span], axis=0)
        normal = terrain.normal(middle)
        vectors[span] = _tilt(up, normal)
        rises[span] = float(terrain.heights(middle)) - level
    turn = _quaternions(faded_between(vectors, times, foot.contacts, LONGEST_FADE))
    rise = faded_between(rises, times, foot.contacts, LONGEST_FADE)
    # The foot turns about the ground under it, so that its soles keep their distances to the slope.
    pivots = np.median(foot.soles, axis=1) * (1.0 - up) + level * up
    shift = still + rise[:, None] * up + turned(turn, foot.ankle - pivots) - (foot.ankle - pivots)
    arms = turned(turn[:, None], foot.soles - foot.ankle[:, None])
    soles = (foot.ankle + shift)[:, None] + arms
    clear = terrain.clearance(soles).min(axis=1)
    settle = faded_between(_kept_clear(foot, terrain.up, leg) - clear, times, foot.contacts)
    lift = _enveloped(np.maximum(-(clear + settle), 0.0), times)
    for begin, end in foot.contacts:
        lift[begin : end + 1] = 0.0
    over = np.maximum(-(clear + settle + lift), 0.0)
    return shift + (settle + lift + over)[:, None] * up, turn


def _kept_clear(foot: Foot, up: int, leg: float) -> FloatArray:
    """How far [frame] m a foot that stands stays above the ground: as much more than in its lowest frame as it was."""
    heights = foot.soles[:, :, up].min(axis=1)
    kept: FloatArray = np.zeros(len(heights))
    for begin, end in foot.contacts:
        span = slice(begin, end + 1)
        kept[span] = np.minimum(heights[span] - heights[span].min(), TOUCHING * leg)
    return kept


def _flat(foot: Foot) -> list[Contact]:
    """The part of each contact in which the ankle itself stands: not while the foot rolls over its toes."""
    parts = []
    for begin, end in foot.contacts:
        heights = np.linalg.norm(foot.ankle[begin : end + 1] - np.median(foot.ankle[begin : end + 1], axis=0), axis=1)
        frames = begin + np.flatnonzero(heights < 0.05)
        if len(frames) > 1:
            parts.append((int(frames[0]), int(frames[-1])))
    return parts


def _hips(
    feet: Sequence[Foot], shifts: Sequence[FloatArray], terrain: Terrain, times: FloatArray, leg: float
) -> FloatArray:
    """By what the hips are moved [frame, 3] m: with both feet upwards, and down where a leg would be too short."""
    up = np.eye(3)[terrain.up]
    rise = _averaged(0.5 * (shifts[0] + shifts[1]) @ up, times)
    for _ in range(ROUNDS):
        drop = np.zeros(len(times))
        for foot, shift in zip(feet, shifts, strict=True):
            reach_to = foot.ankle + shift - foot.hip
            most = np.maximum(STRETCH * leg, np.minimum(np.linalg.norm(foot.ankle - foot.hip, axis=1), leg))
            level_way = np.linalg.norm(reach_to * (1.0 - up), axis=1)
            deepest = np.sqrt(np.maximum(most**2 - level_way**2, (0.2 * leg) ** 2))
            drop = np.maximum(drop, rise - reach_to @ up - deepest)
        if not (drop > 0.0).any():
            break
        rise = rise - _enveloped(drop, times)
    return np.asarray(rise[:, None] * up, dtype=np.float64)


def _enveloped(values: FloatArray, times: FloatArray) -> FloatArray:
    """A smooth curve that is nowhere below: the most of the neighbourhood, averaged over as much."""
    return _averaged(_most_around(values, times), times)


def _most_around(values: FloatArray, times: FloatArray) -> FloatArray:
    """The greatest value within `SMOOTHING` of each moment."""
    first, last = _window(times)
    most: FloatArray = np.array([values[a:b].max() for a, b in zip(first, last, strict=True)])
    return most


def _averaged(values: FloatArray, times: FloatArray) -> FloatArray:
    """The mean within `SMOOTHING` of each moment."""
    first, last = _window(times)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    mean = (sums[last] - sums[first]) / (last - first)
    return np.asarray(mean, dtype=np.float64)


def _window(times: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The first frame within `SMOOTHING` of each moment, and the one behind the last."""
    slack = 1e-9
    first = np.searchsorted(times, times - SMOOTHING - slack)
    return first, np.searchsorted(times, times + SMOOTHING + slack)


def _tilt(up: FloatArray, normal: FloatArray) -> FloatArray:
    """The rotation vector [3] rad that leads up to a normal."""
    axis = np.cross(up, normal)
    sine = float(np.linalg.norm(axis))
    if sine == 0.0:
        return np.zeros(3)
    vector: FloatArray = axis * (np.arctan2(sine, float(up @ normal)) / sine)
    return vector


def _quaternions(vectors: FloatArray) -> FloatArray:
    """Turns [frame, 4] of rotation vectors [frame, 3]."""
    half = 0.5 * np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.hstack((np.cos(half), 0.5 * np.sinc(half / np.pi) * vectors))
