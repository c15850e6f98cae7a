"""`gestik.retarget`: a clip of one body played by another, whatever its proportions, its rest and its limits.

What is kept is what is seen: where limbs point, how head, hands and feet are turned, where feet stand, how far the body
travels for the length of its legs.  Every frame is solved by itself, so it does not matter where the clip begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray, Quaternion
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.quaternion_stacks import inverses, products, turned
from gestik.model.scaling import check_scale
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_vector, between, multiply
from gestik.motion.body_plan import (
    BodyPlan,
    Place,
    carry,
    ground_height,
    leg_length,
    place_of,
    plan_body,
    reach,
)
from gestik.motion.contacts import find_contacts, shifts_to_stand
from gestik.motion.limb_map import SIDES, LimbMap, check_limbs, match_limbs

# A foot stands while its ankle is slower than this many legs a second.
STANDING_SPEED = 0.2
# How often each frame's joints are turned again at most.
SWEEPS = 16


class Performance(NamedTuple):
    """What the first body does, seen in the world of the second one."""

    places: dict[str, FloatArray]  # by landmark: [frame, 3] m
    turns: dict[str, FloatArray]  # by landmark: [frame, 4], away from its rest
    upright: Quaternion  # from the first world to the second


def retarget(
    clip: Clip,
    skeleton: Skeleton,
    *,
    limbs: Mapping[str, tuple[str, str]] | None = None,
    scale: float | None = None,
    feet: bool = True,
) -> Clip:
    """Play a clip on another body.

    Args:
        clip: The motion.
        skeleton: The body that shall move. Where its hips hang on a free joint it travels, else it moves on the spot.
        limbs: Which frame of the one is which of the other; None: what `match_limbs` finds.
        scale: By what the way it travels is multiplied; None: the ratio of the legs' lengths.
        feet: Whether feet that stand are kept where they stand.

    Raises:
        NameNotFoundError: A landmark that is needed is not known, or a frame has another name.
        InputError: An argument is not one.
    """
    for thing, kind in ((clip, Clip), (skeleton, Skeleton)):
        if not isinstance(thing, kind):
            raise InputError(f"a {kind.__name__} is expected, not {shown(thing)}")
    map_ = check_limbs(match_limbs(clip.skeleton, skeleton) if limbs is None else limbs, clip.skeleton, skeleton)
    plan = plan_body(skeleton, {name: pair[1] for name, pair in map_.items()})
    done = _performed(clip, map_, skeleton)
    factor = _scale(clip.skeleton, map_, skeleton, plan, scale)
    wanted = _wanted(skeleton, plan, done)
    angles, ankles = _turned(skeleton, plan, wanted)
    _travel(clip.skeleton, skeleton, map_, plan, done, factor, angles, ankles)
    if feet and plan.root >= 0:
        slowest = STANDING_SPEED * leg_length(clip.skeleton, _source_places(clip.skeleton, map_))
        _stand(skeleton, plan, done, clip.times, slowest, wanted, ankles, angles)
    _unwind(skeleton, angles)
    return Clip(clip.name, skeleton, clip.times, angles)


def _source_places(skeleton: Skeleton, limbs: LimbMap) -> dict[str, Place]:
    """Where the landmarks of the first body sit."""
    return {name: place_of(skeleton, pair[0]) for name, pair in limbs.items()}


def _performed(clip: Clip, limbs: LimbMap, skeleton: Skeleton) -> Performance:
    """Where the landmarks of the first body are at every frame, and how they are turned."""
    from gestik.motion.turning import places_of

    own = clip.skeleton
    marks = _source_places(own, limbs)
    rows = np.array([mark.row for mark in marks.values()], dtype=np.int32)
    offsets = np.array([mark.offset for mark in marks.values()])
    angles = np.vstack((own.rest, clip.angles))
    places, turns = np.empty((len(angles), len(rows), 3)), np.empty((len(angles), len(rows), 4))
    places_of(own.arrays, angles, rows, offsets, places, turns)
    upright = between((0.0, 0.0, 0.0), as_vector(own.up))[1]
    upright = multiply(
        between((0.0, 0.0, 0.0), as_vector(skeleton.up))[1], (upright[0], -upright[1], -upright[2], -upright[3])
    )
    turn = np.array(upright)
    away = products(products(turn, products(turns, inverses(turns[:1]))), inverses(turn))
    in_world = turned(turn, places)
    named = list(marks)
    return Performance(
        {name: in_world[:, k] for k, name in enumerate(named)},
        {name: away[:, k] for k, name in enumerate(named)},
        upright,
    )


def _wanted(skeleton: Skeleton, plan: BodyPlan, done: Performance) -> FloatArray:
    """Where each bone shall point [frame, bone, 3], units; the rest of the first body, frame 0, is left out."""
    pose = skeleton.forward(skeleton.rest)
    own = _heading(
        np.array(
            pose.row_positions[plan.places["left thigh"].row] - pose.row_positions[plan.places["right thigh"].row]
        ),
        skeleton.up,
    )
    other = _heading(done.places["left thigh"][0] - done.places["right thigh"][0], skeleton.up)
    aligned = other @ own.T
    wanted = []
    for bone in plan.bones:
        if bone.landmarks is not None:
            start, end = (done.places[name] for name in bone.landmarks)
            wanted.append(end - start)
        else:
            wanted.append(turned(done.turns[bone.turned_with], aligned @ np.array(bone.axis)))
    directions = np.stack(wanted, axis=1)[1:]
    length = np.linalg.norm(directions, axis=2, keepdims=True)
    directions = directions / np.where(length > 0.0, length, 1.0)
    if plan.root < 0:  # seen from the hips, which stand still
        back = inverses(done.turns["hips"][1:])
        directions = turned(back[:, None], directions) @ aligned
    return np.ascontiguousarray(directions)


def _heading(left: FloatArray, up: FloatArray) -> FloatArray:
    """The axes of a body that stands upright: left, up and forth as columns."""
    level = left - (left @ up) * up
    level = level / np.linalg.norm(level)
    return np.column_stack((level, up, np.cross(level, up)))


def _turned(skeleton: Skeleton, plan: BodyPlan, wanted: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Angles [frame, dof] with which the bones point so, and where hips and feet are then [frame, 3, 3]."""
    from gestik.motion.turning import turn_all

    angles = np.tile(plan.start, (len(wanted), 1))
    marks = [plan.places[name] for name in (*(f"{side} foot" for side in SIDES), "hips")]
    ends = np.empty((len(wanted), len(marks), 3))
    rows = np.array([mark.row for mark in marks], dtype=np.int32)
    offsets = np.array([mark.offset for mark in marks])
    turn_all(skeleton.arrays, plan.arrays, plan.steps, wanted, SWEEPS, angles, ends, rows, offsets)
    return angles, ends


def _scale(source: Skeleton, limbs: LimbMap, target: Skeleton, plan: BodyPlan, scale: float | None) -> float:
    """By what ways are multiplied."""
    if scale is None:
        return leg_length(target, plan.places) / leg_length(source, _source_places(source, limbs))
    return check_scale(scale)


def _travel(
    source: Skeleton,
    target: Skeleton,
    limbs: LimbMap,
    plan: BodyPlan,
    done: Performance,
    scale: float,
    angles: FloatArray,
    ends: FloatArray,
) -> None:
    """Carry the body along, feet on the ground it has; angles and ends [frame, 3, 3] are overwritten."""
    if plan.root < 0:
        return
    up = target.up
    marks = _source_places(source, limbs)
    sole = np.mean([ground_height(target, plan.places[f"{side} foot"]) for side in SIDES])
    own_sole = np.mean([ground_height(source, marks[f"{side} foot"]) for side in SIDES])
    own_drop = 0.5 * sum((done.places[f"{side} thigh"][0] - done.places["hips"][0]) @ up for side in SIDES)
    pose = target.forward(target.rest)
    hips = pose.row_positions[plan.places["hips"].row]
    drop = 0.5 * sum((pose.row_positions[plan.places[f"{side} thigh"].row] - hips) @ up for side in SIDES)
    lift = sole - scale * own_sole + scale * own_drop - drop
    shifts = scale * done.places["hips"][1:] + lift * up - ends[:, 2]
    carry(target, plan, shifts, angles)
    ends += shifts[:, None]


def _stand(
    skeleton: Skeleton,
    plan: BodyPlan,
    done: Performance,
    times: FloatArray,
    slowest: float,
    wanted: FloatArray,
    ends: FloatArray,
    angles: FloatArray,
) -> None:
    """Keep feet where they stand; angles [frame, dof] are overwritten.

    What both feet need the hips do, so that the legs keep their looks.
    """
    shifts = []
    for number, side in enumerate(SIDES):
        stands = find_contacts(done.places[f"{side} foot"][1:], times, slowest)
        shifts.append(shifts_to_stand(ends[:, number], times, stands))
    both = 0.5 * (shifts[0] + shifts[1])
    carry(skeleton, plan, np.outer(both @ skeleton.up, skeleton.up), angles)
    for number, side in enumerate(SIDES):
        reach(skeleton, plan, side, wanted, ends[:, number] + shifts[number], angles)


def _unwind(skeleton: Skeleton, angles: FloatArray) -> None:
    """The same postures by angles that do not leap from frame to frame; `angles` [frame, dof] is overwritten."""
    from gestik.motion.turning import unwind

    unwind(skeleton.arrays, skeleton.ball_rows, skeleton.endless, angles)
