"""The text of a BVH file: its tree of joints with their channels, and its numbers, before either means anything.

The format has no standard; what programs write is described by Meredith & Maddock 2001, "Motion Capture File Formats
Explained".
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import eq
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError, FormatWarning
from gestik.formats.files import read_bytes
from gestik.kernels.arrays import FloatArray, Vector
from gestik.model import checks
from gestik.model.checks import LARGEST
from gestik.model.clip import LARGEST_CLIP, SHORTEST_STEP
from gestik.model.faults import shown
from gestik.model.transforms import ORIGIN

BYTE_LIMIT = 64_000_000
JOINT_LIMIT = 5_000
LONGEST_CHANNELS = 1_000  # letters: six channels take a hundred
CHANNEL = re.compile(r"([xyz])(position|rotation)", re.IGNORECASE)
MOTION_BEGINS = re.compile(r"^[ \t]*MOTION[ \t]*$", re.IGNORECASE | re.MULTILINE)
BLANK = re.compile(r"\s")
FRAME_HEAD = re.compile(r"\s*Frames:\s*(\S+)\s*Frame\s+Time:\s*(\S+)", re.IGNORECASE)
# Numbers are read in pieces of this many characters, so that they never stand in memory twice as text.
PIECE = 1_000_000


class Channel(NamedTuple):
    """One number of every frame."""

    axis: str  # "x", "y" or "z"
    slides: bool  # it is a position, else a rotation


@dataclass
class BvhJoint:
    """A joint as the file tells it."""

    name: str
    parent: int  # its place in the list of joints, -1 for a root
    offset: Vector = ORIGIN  # from the parent, in the file's unit
    channels: tuple[Channel, ...] = ()
    ends: list[Vector] = field(default_factory=list)  # where its bones end that carry nothing


class BvhMotion(NamedTuple):
    """The numbers of a file, in its units."""

    frame_time: float  # [s]
    values: FloatArray  # [frame, channel]


def read_tree(path: Path) -> list[BvhJoint]:
    """The joints of a file, parents first, in the order in which a frame tells their numbers; or FormatError."""
    text, source = _text(path)
    return _read_tree(text[: _motion_begins(text, source).start()], source)


def read_motion(path: Path) -> tuple[list[BvhJoint], BvhMotion]:
    """The joints and the frames of a file; a count of frames that is wrong is put right with a FormatWarning."""
    text, source = _text(path)
    begin = _motion_begins(text, source)
    joints = _read_tree(text[: begin.start()], source)
    head = FRAME_HEAD.match(text, begin.end())
    if head is None:
        raise FormatError(f"{source}: behind MOTION there must be 'Frames: n' and 'Frame Time: seconds'")
    count, frame_time = _frame_count(head[1], source), _frame_time(head[2], source)
    values = _read_values(text, head.end(), source)
    width = sum(len(joint.channels) for joint in joints)
    return joints, BvhMotion(frame_time, _by_frames(values, width, count, source))


def _text(path: Path) -> tuple[str, str]:
    """The text of a file, and how messages call it."""
    return read_bytes(path, BYTE_LIMIT).decode("utf-8", errors="replace"), repr(str(path))


def _motion_begins(text: str, source: str) -> re.Match[str]:
    """The line that parts the tree from the numbers."""
    found = MOTION_BEGINS.search(text)
    if found is None:
        raise FormatError(f"{source} has no line MOTION; a BVH file is a HIERARCHY and then its MOTION")
    return found


def _read_tree(text: str, source: str) -> list[BvhJoint]:
    """The joints of the hierarchy."""
    lines = _tree_lines(text)
    first = next(lines, (0, "", ""))
    if first[1].upper() != "HIERARCHY":
        raise FormatError(f"{source} begins with {shown(first[1])}, not with HIERARCHY")
    joints: list[BvhJoint] = []
    path: list[int] = []  # of open braces: the joint, or -1 for an end site
    opening: int | None = None  # what the next brace opens
    for number, word, rest in lines:
        place = f"{source}: line {number}"
        key = word.upper()
        if opening is not None and key != "{":
            raise FormatError(f"{place}: {shown(word)} where '{{' must be")
        if key in {"ROOT", "JOINT"}:
            if (key == "ROOT") != (not path) or (path and path[-1] < 0):
                raise FormatError(f"{place}: {key} in the wrong place; ROOTs stand outside, JOINTs in braces")
            opening = _new_joint(joints, rest, path[-1] if path else -1, place)
        elif key == "END" and path and path[-1] >= 0:
            opening = -1
        elif key == "{" and opening is not None:
            path.append(opening)
            opening = None
        elif key == "}" and path:
            path.pop()
        elif key == "OFFSET" and path:
            _take_offset(joints, path, _offset(rest, place))
        elif key == "CHANNELS" and path and path[-1] >= 0:
            joints[path[-1]].channels = _channels(rest, place)
        else:
            raise FormatError(f"{place}: {shown(word)} has no place here")
    if path or opening is not None:
        raise FormatError(f"{source}: the HIERARCHY ends before its braces close")
    if not joints:
        raise FormatError(f"{source} has no ROOT")
    return joints


def _tree_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Number, first word and rest of every line, braces on lines of their own."""
    for number, line in enumerate(text.splitlines(), start=1):
        for part in re.split(r"([{}])", line):
            words = part.split(maxsplit=1)
            if words:
                yield number, words[0], words[1].strip() if len(words) > 1 else ""


def _new_joint(joints: list[BvhJoint], name: str, parent: int, place: str) -> int:
    """Add a joint; its place in the list."""
    if len(joints) == JOINT_LIMIT:
        raise FormatError(f"{place}: there are more than {JOINT_LIMIT} joints")
    joints.append(BvhJoint(name, parent))
    return len(joints) - 1


def _take_offset(joints: list[BvhJoint], path: list[int], offset: Vector) -> None:
    """An offset belongs to the joint whose braces are open, or ends the bone of the one around an end site."""
    if path[-1] >= 0:
        joints[path[-1]].offset = offset
    else:
        joints[path[-2]].ends.append(offset)


def _offset(text: str, place: str) -> Vector:
    """Read three lengths."""
    try:
        x, y, z = (checks.finite(float(word)) for word in text.split())
    except ValueError as fault:
        raise FormatError(f"{place}: OFFSET {shown(text)} is not three numbers within {LARGEST:g}") from fault
    return x, y, z


def _channels(text: str, place: str) -> tuple[Channel, ...]:
    """Read the count and the names of channels."""
    count, *words = text[:LONGEST_CHANNELS].split() or [""]
    found = [CHANNEL.fullmatch(word) for word in words]
    channels = tuple(Channel(match[1].lower(), match[2].lower() == "position") for match in found if match)
    if not count.isdecimal() or len(count) > 3 or int(count) != len(words) or len(channels) != len(words):
        raise FormatError(
            f"{place}: CHANNELS {shown(text)} is not a count and so many of Xposition, Yposition, Zposition, "
            "Xrotation, Yrotation, Zrotation"
        )
    slides, turns = ([channel.axis for channel in channels if channel.slides is kind] for kind in (True, False))
    if len(set(slides)) < len(slides) or len(turns) > 3 or any(map(eq, turns, turns[1:])):
        raise FormatError(f"{place}: CHANNELS {shown(text)} tells the same motion twice")
    return channels


def _frame_count(text: str, source: str) -> int:
    """Read the number of frames, which may be wrong but not beyond what a file can hold."""
    if not text.isdecimal() or len(text) > 100:
        raise FormatError(f"{source}: Frames: {shown(text)} is not a count")
    count = int(text)
    if count > BYTE_LIMIT:
        most = BYTE_LIMIT // 1_000_000
        raise FormatError(f"{source}: Frames: {count} are more than a file of {most} MB holds, the most it may")
    return count


def _frame_time(text: str, source: str) -> float:
    """Read the seconds of a frame."""
    try:
        seconds = checks.positive(float(text))
    except ValueError as fault:
        raise FormatError(f"{source}: Frame Time: {shown(text)} is not seconds above 0") from fault
    if seconds <= SHORTEST_STEP:
        raise FormatError(f"{source}: Frame Time: {seconds:g} s is no time at all")
    return seconds


def _read_values(text: str, begin: int, source: str) -> FloatArray:
    """All numbers from a place in the text on."""
    pieces = [np.empty(0)]
    total = 0
    while begin < len(text):
        blank = BLANK.search(text, begin + PIECE)
        end = blank.start() if blank else len(text)
        words = text[begin:end].split()
        try:
            pieces.append(np.array([float(word) for word in words]))
        except ValueError as fault:
            raise FormatError(f"{source}: MOTION holds something that is no number: {fault}") from fault
        total += len(words)
        if total > LARGEST_CLIP:
            raise FormatError(f"{source}: MOTION holds more than {LARGEST_CLIP:.0e} numbers")
        begin = end
    values = np.concatenate(pieces)
    wrong = ~(np.abs(values) <= LARGEST)  # also true of NaN
    if wrong.any():
        raise FormatError(f"{source}: MOTION holds {values[wrong][0]}, not finite and within {LARGEST:g}")
    return values


def _by_frames(values: FloatArray, width: int, count: int, source: str) -> FloatArray:
    """The numbers [frame, channel], as many frames as are whole, whatever the file says."""
    if width == 0:
        raise FormatError(f"{source}: no joint has a channel, so nothing moves")
    whole, left = divmod(len(values), width)
    if not whole:
        raise FormatError(f"{source} holds no whole frame of {width} numbers")
    if left or whole != count:
        rest = f" and {left} numbers, which are left out" if left else ""
        message = f"{source} says it has {count} frames and holds {whole} of {width} numbers{rest}"
        warnings.warn(message, FormatWarning, stacklevel=2)
    return values[: whole * width].reshape(whole, width)
