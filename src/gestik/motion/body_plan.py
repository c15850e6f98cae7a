"""How a body is turned to look like another one: which of its bones count, and which joints are turned for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.model.freezing import frozen_integers
from gestik.model.joints import FrameKind, JointKind
from gestik.model.quaternion_stacks import inverses, products, turned
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_quaternion, as_vector, invert, rotate
from gestik.model.tree import way_down
from gestik.motion.limb_map import SIDES
from gestik.motion.turning import Bones, Steps

# How much bones count beside each other: what shows, then what only steadies.
LINE, LIMB, HEAD, END = 1.0, 1.0, 0.3, 0.01
# A joint farther from its landmark than this share of the bone is a collar bone, not part of a shoulder.
NEAR_SHOULDER, NEAR_HIP = 0.35, 0.6
# How often a leg is corrected at most.
ROUNDS = 60
# By what share of the way to the middle of their range hinges are bent before they are turned.
BEND = 0.25
AXES = np.eye(3)


class Place(NamedTuple):
    """A landmark on a skeleton."""

    row: int
    offset: Vector  # m, in the row's frame


class Bone(NamedTuple):
    """One thing that shall point as it does on the other body."""

    start: Place
    end: Place
    landmarks: tuple[str, str] | None  # between which landmarks it lies; None: an axis of a landmark
    turned_with: str  # that landmark
    axis: Vector  # in the world at rest
    weight: float


class Limb(NamedTuple):
    """Joints that are turned for some bones."""

    rows: list[int]  # first rows of joints, parents first
    bones: list[Bone]


class BodyPlan(NamedTuple):
    """All that does not change from frame to frame."""

    bones: list[Bone]
    arrays: Bones
    steps: Steps
    places: dict[str, Place]
    leg_rows: dict[str, IntArray]  # by side: the rows that bring a foot to its place
    foot_steps: dict[str, Steps]  # by side: what turns the foot itself
    start: FloatArray  # [dof], from where every frame is solved
    root: int  # the first row of the free joint that carries the hips, -1 where they stand fixed


def plan_body(skeleton: Skeleton, landmarks: Mapping[str, str]) -> BodyPlan:
    """The plan of a body by the frames that are its landmarks."""
    places = {name: place_of(skeleton, frame) for name, frame in landmarks.items()}
    _seat_feet(skeleton, places)
    root = _free_row(skeleton, places["hips"].row)
    limbs = [_pelvis(skeleton, places, root), _trunk(skeleton, places), _head(skeleton, places)]
    legs = {side: _leg(skeleton, places, side) for side in SIDES}
    limbs += [_arm(skeleton, places, side) for side in SIDES] + list(legs.values())
    bones = [bone for limb in limbs for bone in limb.bones]
    arrays = Bones(
        frozen_integers([bone.start.row for bone in bones]),
        np.array([bone.start.offset for bone in bones]),
        frozen_integers([bone.end.row for bone in bones]),
        np.array([bone.end.offset for bone in bones]),
    )
    feet = {side: places[f"{side} foot"].row for side in SIDES}
    return BodyPlan(
        bones,
        arrays,
        _steps(skeleton, limbs, bones),
        places,
        {side: _reaching(skeleton, leg, feet[side]) for side, leg in legs.items()},
        {side: _steps(skeleton, [_end_of(skeleton, leg, feet[side])], bones) for side, leg in legs.items()},
        _bent(skeleton, limbs),
        root,
    )


def place_of(skeleton: Skeleton, name: str) -> Place:
    """Where a frame sits."""
    frame = skeleton.frame(name)
    return Place(frame.row, frame.position)


def _seat_feet(skeleton: Skeleton, places: dict[str, Place]) -> None:
    """A foot that hangs on no shin, as rigs with pole targets have it, is the place on the shin where it is at rest."""
    pose = skeleton.forward(skeleton.rest)
    for side in SIDES:
        shin, foot = places[f"{side} shin"], places[f"{side} foot"]
        if shin.row not in way_down(skeleton.arrays.parent.tolist(), foot.row):
            turn = as_quaternion(pose.row_rotations[foot.row])
            there = np.array(pose.row_positions[foot.row]) + rotate(turn, foot.offset)
            back, inverse = invert(as_vector(pose.row_positions[shin.row]), as_quaternion(pose.row_rotations[shin.row]))
            x, y, z = (np.array(back) + rotate(inverse, as_vector(there))).tolist()
            places[f"{side} foot"] = Place(shin.row, (x, y, z))


def _free_row(skeleton: Skeleton, row: int) -> int:
    """The first row of the free joint nearest above a row, or -1."""
    for above in reversed(way_down(skeleton.arrays.parent.tolist(), row)):
        joint = int(skeleton.row_joints[above])
        if skeleton.joint_kinds[joint] is JointKind.FREE:
            return int(skeleton.turns_of(joint)[0]) - 3
    return -1


def _pelvis(skeleton: Skeleton, places: Mapping[str, Place], root: int) -> Limb:
    """The free joint, if there is one, turned for the line between the hips and the pelvis' own upright."""
    line = _between(places, "right thigh", "left thigh", LINE)
    upright = _axes(skeleton, places, "hips", 0.5 * LINE)
    return Limb([root + 3] if root >= 0 else [], [*line, *upright])


def _trunk(skeleton: Skeleton, places: Mapping[str, Place]) -> Limb:
    """The spine, turned for the line from hips to neck and the one between the shoulders."""
    top = next((name for name in ("neck", "head") if name in places), None)
    bones = _between(places, "right upper arm", "left upper arm", LINE)
    if top is not None:
        bones += _between(places, "hips", top, LINE)
    rows = _joint_rows(skeleton, places["hips"].row, places["chest"].row) if "chest" in places else []
    return Limb(rows, bones)


def _head(skeleton: Skeleton, places: Mapping[str, Place]) -> Limb:
    """Neck and head, turned for the neck's direction and the way the head is held."""
    if "head" not in places:
        return Limb([], [])
    below = places.get("chest", places["hips"]).row
    bones = _between(places, "neck", "head", HEAD) if "neck" in places else []
    return Limb(_joint_rows(skeleton, below, places["head"].row), [*bones, *_axes(skeleton, places, "head", LIMB)])


def _arm(skeleton: Skeleton, places: Mapping[str, Place], side: str) -> Limb:
    """Shoulder, elbow and wrist."""
    names = [name for name in (f"{side} upper arm", f"{side} forearm", f"{side} hand") if name in places]
    return _limb(skeleton, places, names, places.get("chest", places["hips"]).row, NEAR_SHOULDER)


def _leg(skeleton: Skeleton, places: Mapping[str, Place], side: str) -> Limb:
    """Hip, knee and ankle."""
    names = [f"{side} thigh", f"{side} shin", f"{side} foot"]
    return _limb(skeleton, places, names, places["hips"].row, NEAR_HIP)


def _limb(skeleton: Skeleton, places: Mapping[str, Place], names: Sequence[str], below: int, near: float) -> Limb:
    """The joints of a limb, with its bones from landmark to landmark and the turn of its end."""
    if len(names) < 2:
        return Limb([], [])
    bones = [bone for pair in pairwise(names) for bone in _between(places, *pair, LIMB)]
    last = places[names[-1]].row
    bones += _axes(skeleton, places, names[-1], END)
    rows = _joint_rows(skeleton, below, last)
    pose = skeleton.forward(skeleton.rest)
    first, second = (pose.row_positions[places[name].row] for name in names[:2])
    reach = near * float(np.linalg.norm(second - first))
    under = way_down(skeleton.arrays.parent.tolist(), last)
    begin = under.index(places[names[0]].row) if places[names[0]].row in under else 0
    rows = [
        row for row in rows if under.index(row) >= begin or np.linalg.norm(pose.row_positions[row] - first) <= reach
    ]
    return Limb(rows, bones)


def _between(places: Mapping[str, Place], start: str, end: str, weight: float) -> list[Bone]:
    """The bone between two landmarks, where both are known."""
    if start not in places or end not in places:
        return []
    return [Bone(places[start], places[end], (start, end), start, (0.0, 0.0, 0.0), weight)]


def _axes(skeleton: Skeleton, places: Mapping[str, Place], name: str, weight: float) -> list[Bone]:
    """Two axes of the world at rest, fixed to a landmark."""
    row = places[name].row
    pose = skeleton.forward(skeleton.rest)
    turn = as_quaternion(pose.row_rotations[row]) if row >= 0 else (1.0, 0.0, 0.0, 0.0)
    back = (turn[0], -turn[1], -turn[2], -turn[3])
    up = int(np.argmax(np.abs(skeleton.up)))
    bones = []
    for axis in (AXES[up], AXES[(up + 1) % 3]):
        own = rotate(back, as_vector(axis))
        bones.append(Bone(Place(row, (0.0, 0.0, 0.0)), Place(row, own), None, name, as_vector(axis), weight))
    return bones


def _joint_rows(skeleton: Skeleton, above: int, last: int) -> list[int]:
    """First turning rows of the joints that move by themselves below one row, down to another."""
    way = way_down(skeleton.arrays.parent.tolist(), last)
    begin = way.index(above) + 1 if above in way else 0
    rows = []
    for row in way[begin:]:
        joint = int(skeleton.row_joints[row])
        turns = skeleton.turns_of(joint)
        if turns and turns[0] == row and row in skeleton.dof_rows:
            rows.append(row)
    return rows


def _steps(skeleton: Skeleton, limbs: Sequence[Limb], bones: Sequence[Bone]) -> Steps:
    """The joints of limbs, each with the bones of its limb that it moves."""
    above = skeleton.arrays.parent.tolist()
    ways = {row: set(way_down(above, row)) for bone in bones for row in (bone.start.row, bone.end.row)}
    rows, balls, owns, pulls, carries = [], [], [], [], []
    for limb in limbs:
        numbers = [number for number, bone in enumerate(bones) if bone in limb.bones]
        for row in limb.rows:
            pull, carried = np.zeros(len(bones)), np.zeros(len(bones), dtype=np.int32)
            for number in numbers:
                bone = bones[number]
                pull[number] = bone.weight if row in ways[bone.end.row] and not _turns_on(skeleton, row, bone) else 0.0
                carried[number] = row in ways[bone.start.row]
            if not pull.any():
                continue
            kind = skeleton.joint_kinds[skeleton.row_joints[row]]
            rows.append(row)
            balls.append(kind.is_compound)
            owns.append(next(number for number in numbers if pull[number] > 0.0))
            pulls.append(pull)
            carries.append(carried)
    count = len(bones)
    return Steps(
        frozen_integers(rows),
        frozen_integers(balls),
        frozen_integers(owns),
        np.array(pulls, dtype=np.float64).reshape(-1, count),
        np.array(carries, dtype=np.int32).reshape(-1, count),
        frozen_integers([_last_row(above, row) for row in rows]),
    )


def _last_row(above: Sequence[int], row: int) -> int:
    """Behind the last row a row carries; in depth-first order they stand in one piece."""
    last = row + 1
    while last < len(above) and above[last] >= row:
        last += 1
    return last


def _turns_on(skeleton: Skeleton, row: int, bone: Bone) -> bool:
    """Whether a bone ends right where a joint turns, so that it stays where it is."""
    at_the_joint = skeleton.row_joints[row] == skeleton.row_joints[bone.end.row]
    return bool(at_the_joint and not any(bone.end.offset))


def _bent(skeleton: Skeleton, limbs: Sequence[Limb]) -> FloatArray:
    """The rest with its hinges a little bent: a straight knee does not show which way its leg has to be twisted."""
    start = skeleton.rest.copy()
    for dof in (int(skeleton.arrays.dof[row]) for limb in limbs for row in limb.rows):
        lower, upper = skeleton.lower[dof], skeleton.upper[dof]
        if np.isfinite(upper - lower):
            start[dof] += BEND * (0.5 * (lower + upper) - start[dof])
    return start


def _reaching(skeleton: Skeleton, leg: Limb, foot: int) -> IntArray:
    """The rows of a leg that move its foot, each turn of a ball by itself."""
    rows: list[int] = []
    for row in leg.rows:
        joint = int(skeleton.row_joints[row])
        if joint != skeleton.row_joints[foot]:
            rows += skeleton.turns_of(joint)
    return frozen_integers(rows)


def _end_of(skeleton: Skeleton, leg: Limb, foot: int) -> Limb:
    """The joints at the foot itself."""
    return Limb([row for row in leg.rows if skeleton.row_joints[row] == skeleton.row_joints[foot]], leg.bones)


def ground_height(skeleton: Skeleton, foot: Place) -> float:
    """How high [m] an ankle is over the lowest place of its foot when the body is at rest."""
    pose = skeleton.forward(skeleton.rest)
    above = skeleton.arrays.parent.tolist()
    here = float(pose.row_positions[foot.row] @ skeleton.up)
    below = [
        f"{frame.kind}:{frame.name}"
        for frame in skeleton.frames
        if frame.kind is not FrameKind.EYE and foot.row in way_down(above, frame.row)
    ]
    return max([0.0, *(here - float(pose.of(name).position @ skeleton.up) for name in below)])


def leg_length(skeleton: Skeleton, places: Mapping[str, Place]) -> float:
    """From hip to ankle along the bones [m], the mean of both legs."""
    pose = skeleton.forward(skeleton.rest)

    def at(name: str) -> FloatArray:
        place = places[name]
        base: FloatArray = pose.row_positions[place.row] + np.array(
            rotate(as_quaternion(pose.row_rotations[place.row]), place.offset)
        )
        return base

    bones = [(f"{side} {a}", f"{side} {b}") for side in SIDES for a, b in (("thigh", "shin"), ("shin", "foot"))]
    return 0.5 * sum(float(np.linalg.norm(at(end) - at(start))) for start, end in bones)


def carry(skeleton: Skeleton, plan: BodyPlan, shifts: FloatArray, angles: FloatArray) -> None:
    """Move the whole body by shifts [frame, 3] m; angles [frame, dof] are overwritten."""
    parent = int(skeleton.arrays.parent[plan.root])
    rest = skeleton.forward(skeleton.rest)
    base = rest.row_rotations[parent] if parent >= 0 else np.array([1.0, 0.0, 0.0, 0.0])
    base = products(base, skeleton.arrays.rest_rotation[plan.root])
    dofs = skeleton.arrays.dof[plan.root : plan.root + 3]
    moved = angles[:, dofs] + turned(inverses(base), shifts)
    angles[:, dofs] = np.clip(moved, skeleton.lower[dofs], skeleton.upper[dofs])


def reach(
    skeleton: Skeleton, plan: BodyPlan, side: str, wanted: FloatArray, targets: FloatArray, angles: FloatArray
) -> None:
    """Bring a foot to its places; angles [frame, dof] are overwritten."""
    from gestik.motion.turning import reach_all

    foot = plan.places[f"{side} foot"]
    reach_all(
        skeleton.arrays,
        plan.arrays,
        plan.foot_steps[side],
        wanted,
        plan.leg_rows[side],
        foot.row,
        np.array(foot.offset),
        np.ascontiguousarray(targets),
        ROUNDS,
        angles,
        np.empty(len(angles)),
    )
