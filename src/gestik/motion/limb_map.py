"""Which joint of one body is which of another: found by their names, printed, and edited like a dictionary."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gestik.errors import InputError, NameNotFoundError, unknown_name
from gestik.model.faults import shown
from gestik.model.skeleton import Skeleton
from gestik.model.tree import way_down

SIDES = ("left", "right")
# Words for the landmarks of a limb, the better ones first; of a robot's hip, three hinges, the last one has the name.
LEG = {
    "thigh": ("thigh", "upleg", "upperleg", "femur", "hip"),
    "shin": ("shin", "calf", "knee", "lowerleg", "tibia", "leg"),
    "foot": ("foot", "ankle"),
    "toe": ("toe", "toebase", "toes"),
}
ARM = {
    "upper arm": ("upperarm", "uparm", "humerus", "arm", "shoulder"),
    "forearm": ("forearm", "lowerarm", "elbow"),
    "hand": ("hand", "wrist", "palm"),
}
TRUNK = {"head": ("head",), "neck": ("neck",)}
SIDED = (*LEG, *ARM)
# Without these nothing can be said about a body.
REQUIRED = tuple(f"{side} {part}" for side in SIDES for part in ("thigh", "shin", "foot"))
LANDMARKS = ("hips", "chest", *TRUNK, *(f"{side} {part}" for side in SIDES for part in SIDED))

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
SIDE_LETTERS = {"l": "left", "r": "right", "left": "left", "right": "right"}
# What rigs put around the words that matter.
NOISE = frozenset({"joint", "bone", "link", "pitch", "roll", "yaw", "rig", "def", "mixamorig", "j", "bip"})


class LimbMap(dict[str, tuple[str, str]]):
    """For each landmark the frame of the body that moves and that of the body that shall move.

    Printed it is a table; an entry that is wrong is assigned anew, one that shall not count is deleted.
    """

    def __init__(self, pairs: Mapping[str, tuple[str, str]] = MappingProxyType({})) -> None:
        super().__init__(pairs)

    def __str__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {source} -> {target}" for name, (source, target) in self.items())


def match_limbs(source: Skeleton, target: Skeleton) -> LimbMap:
    """Find the landmarks that both bodies have, by the names of their joints, frames and links."""
    own, others = find_landmarks(source), find_landmarks(target)
    return LimbMap({name: (own[name], others[name]) for name in LANDMARKS if name in own and name in others})


def check_limbs(limbs: Mapping[str, object], source: Skeleton, target: Skeleton) -> LimbMap:
    """The map with every name looked up, or an exception that says what would be right."""
    checked = LimbMap()
    for name, pair in limbs.items():
        if name not in LANDMARKS:
            raise unknown_name("landmark of a body", str(name), LANDMARKS)
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(f"{name!r} is {shown(pair)}, not a frame of the one body and one of the other")
        source.frame(pair[0])
        target.frame(pair[1])
        checked[name] = (pair[0], pair[1])
    missing = [name for name in ("hips", *REQUIRED) if name not in checked]
    if missing:
        raise NameNotFoundError(
            f"no {', no '.join(missing)} is known of {source.name!r} and {target.name!r}; name them, as in "
            f'limbs["{missing[0]}"] = (frame of {source.name!r}, frame of {target.name!r})'
        )
    return checked


def find_landmarks(skeleton: Skeleton) -> dict[str, str]:
    """The landmarks of one body by what its frames are called, and the two that follow from where limbs part."""
    found: dict[str, str] = {}
    words = {name: _words(name) for name in skeleton.frame_names}
    for side in SIDES:
        for part, names in (LEG | ARM).items():
            taken = set(found.values())
            frame = _named(skeleton, words, names, side, taken)
            if frame is not None:
                found[f"{side} {part}"] = frame
    for part, names in TRUNK.items():
        frame = _named(skeleton, words, names, None, set())
        if frame is not None:
            found[part] = frame
    legs = [found[f"{side} thigh"] for side in SIDES if f"{side} thigh" in found]
    arms = [found[f"{side} upper arm"] for side in SIDES if f"{side} upper arm" in found]
    if len(legs) == 2:
        above = [found["head"]] if "head" in found else arms
        _put(found, "hips", skeleton, [*legs, *above])
    if len(arms) == 2:
        _put(found, "chest", skeleton, arms)
    return found


def _put(found: dict[str, str], name: str, skeleton: Skeleton, frames: Sequence[str]) -> None:
    """Name the joint that carries all the frames, if one does."""
    above = skeleton.arrays.parent.tolist()
    ways = [way_down(above, skeleton.frame(frame).row) for frame in frames]
    shared = 0
    while all(len(way) > shared + 1 and way[shared] == ways[0][shared] for way in ways):
        shared += 1
    if shared:
        found[name] = skeleton.joint_names[skeleton.row_joints[ways[0][shared - 1]]]


def _named(
    skeleton: Skeleton,
    words: Mapping[str, tuple[str | None, str]],
    names: Sequence[str],
    side: str | None,
    taken: set[str],
) -> str | None:
    """The joint, or else the frame, that is called by the best of some names; of several the last one in a row."""
    for kind in (set(skeleton.joint_names), set(words)):
        for name in names:
            called = [
                frame for frame, told in words.items() if told == (side, name) and frame in kind and frame not in taken
            ]
            # Those without a number come before those with one.
            chosen = [frame for frame in called if not frame[-1:].isdecimal()] or called
            if chosen:
                # A chain of hinges in one place is one joint: its last one moves with all of them.
                last = max(chosen, key=lambda frame: skeleton.frame(frame).row)
                return last if _in_a_row(skeleton, chosen) else chosen[0]
    return None


def _in_a_row(skeleton: Skeleton, frames: Sequence[str]) -> bool:
    """Whether each of the frames carries the next."""
    above = skeleton.arrays.parent.tolist()
    rows = sorted(skeleton.frame(frame).row for frame in frames)
    return set(rows) <= {-1, *way_down(above, rows[-1])}


def _words(name: str) -> tuple[str | None, str]:
    """On which side a frame is, None in the middle, and the rest of its name in one word."""
    parts = [part.lower() for part in WORD.findall(name.rpartition(":")[2])]
    side = None
    kept = []
    for number, part in enumerate(parts):
        if part in SIDE_LETTERS and side is None:
            side = SIDE_LETTERS[part]
        elif number == 0 and len(part) > 1 and part[0] in "lr" and name[0].isupper() and part[1:] in _ALL_WORDS:
            side, part = SIDE_LETTERS[part[0]], part[1:]
            kept.append(part)
        elif part not in NOISE and not part.isdecimal():
            kept.append(part)
    return side, "".join(kept)


_ALL_WORDS = frozenset(word for names in (*LEG.values(), *ARM.values()) for word in names)
