"""The [clip.NAME] tables of a character file: key postures with what lies between them, as an animator sets them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from gestik.formats.toml_tables import Table
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.skeleton import Skeleton

Value = TypeVar("Value")

SHORTEST_WAY = 1e-3  # [s], between two keys

# Curves are kept as postures this often [Hz], and as one at each key.
SAMPLE_RATE = 120.0
# The most numbers all clips of one file may come to: 40 MB.
BUDGET = 5_000_000

# How a way between two keys begins and ends: standing, at the speed of the straight line, or flowing on.
STAND, STRAIGHT, FLOW = range(3)
EASES: dict[str, tuple[int, int] | None] = {
    "flow": (FLOW, FLOW),
    "smooth": (STAND, STAND),
    "linear": (STRAIGHT, STRAIGHT),
    "in": (STAND, STRAIGHT),
    "out": (STRAIGHT, STAND),
    "hold": None,  # no way at all: it stands until the next key
}
USUAL_EASE = "flow"


class Keys(NamedTuple):
    """A clip as the file tells it."""

    times: FloatArray  # [key], s, rising
    postures: tuple[str, ...]  # [key], where the joints are that have no line of their own; empty: at their rest
    eases: tuple[str, ...]  # [key - 1], the ways between the keys
    angles: Mapping[str, FloatArray]  # by degree of freedom: [key], rad or m

    @property
    def counts(self) -> list[int]:
        """Into how many steps each way between two keys is cut."""
        return [math.ceil(span * SAMPLE_RATE) for span in np.diff(self.times).tolist()]


def read_clips(document: Table, units: Mapping[str, float], postures: Mapping[str, object]) -> dict[str, Keys]:
    """The clips by name.  `units` are those [rad or m] of each degree of freedom, `postures` those of the file."""
    clips, budget = {}, BUDGET
    for name, table in document.tables("clip"):
        keys = _read_keys(table, units, postures)
        budget -= sum(keys.counts) * len(units)
        if budget < 0:
            table.fault(
                f"times: all clips of a file together last too long, by this one, which ends at {keys.times[-1]:g} s"
            )
            budget = BUDGET
            continue
        clips[document.faults.take(table.place, checks.name, name, "")] = keys
    return clips


def draw_clip(name: str, keys: Keys, skeleton: Skeleton, postures: Mapping[str, Mapping[str, float]]) -> Clip:
    """The clip whose curves go through the keys."""
    values = np.tile(skeleton.rest, (len(keys.times), 1))
    for key, posture in enumerate(keys.postures):
        values[key] = skeleton.angles_from(postures[posture])
    for dof, column in keys.angles.items():
        values[:, skeleton.dof_names.index(dof)] = column
    begin_slopes, end_slopes = _slopes(keys, values)
    times, angles = [keys.times[:1]], [values[:1]]
    for way, count in enumerate(keys.counts):
        span = keys.times[way + 1] - keys.times[way]
        part = np.arange(1, count + 1)[:, None] / count
        if EASES[keys.eases[way]] is None:
            curve = np.where(part < 1.0, values[way], values[way + 1])
        else:
            ends = values[way], values[way + 1], span * begin_slopes[way], span * end_slopes[way]
            curve = _hermite(part, *ends)
        times.append(np.append(keys.times[way] + span * part[:-1, 0], keys.times[way + 1]))
        angles.append(curve)
    return Clip(name, skeleton, np.concatenate(times), np.concatenate(angles))


def _slopes(keys: Keys, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How fast every way begins and ends [way, dof], rad/s or m/s."""
    spans = np.diff(keys.times)[:, None]
    straight = np.diff(values, axis=0) / spans
    flow = np.zeros_like(values)
    # Fritsch & Butland 1984: the weighted harmonic mean of both sides, and none at a turning point, so that no curve
    # leaves the range of its keys.
    before, after = straight[:-1], straight[1:]
    near, far = spans[:-1] + 2.0 * spans[1:], 2.0 * spans[:-1] + spans[1:]
    onward = before * after > 0.0
    slow = near * after + far * before
    flow[1:-1] = np.where(onward, (near + far) * before * after / np.where(onward, slow, 1.0), 0.0)
    choices = np.zeros_like(straight), straight
    begins, ends = np.empty_like(straight), np.empty_like(straight)
    for way, ease in enumerate(keys.eases):
        begin, end = EASES[ease] or (STAND, STAND)
        begins[way] = flow[way] if begin == FLOW else choices[begin][way]
        ends[way] = flow[way + 1] if end == FLOW else choices[end][way]
    return begins, ends


def _hermite(part: FloatArray, start: FloatArray, end: FloatArray, begin: FloatArray, finish: FloatArray) -> FloatArray:
    """The cubic from `start` to `end` at parts of the way [n, 1]; `begin` and `finish` are what slopes add over it."""
    rest = 1.0 - part
    eased = part * part * (3.0 - 2.0 * part)
    curve: FloatArray = start + eased * (end - start) + part * rest * (rest * begin - part * finish)
    curve[-1] = end
    return curve


def _read_keys(table: Table, units: Mapping[str, float], postures: Mapping[str, object]) -> Keys:
    """One table; where something is wrong, whatever can be used is returned."""
    times = table.need("times", _times, np.zeros(1))
    count = len(times)

    def known_posture(value: object) -> str:
        if not isinstance(value, str) or value not in postures:
            raise ValueError(f"has {shown(value)}, which is no posture of this file")
        return value

    def one_or_each(value: object) -> tuple[str, ...]:
        every = [value] * count if isinstance(value, str) else value
        return _listed(count, "one posture for each time", known_posture, every)

    at_rest: tuple[str, ...] = ()
    named = table.take("postures", one_or_each, at_rest)
    eases = table.take("ease", partial(_eases, count - 1), (USUAL_EASE,) * (count - 1))
    angles = {}
    for dof, value in table.table("angles").named_values().items():
        if dof not in units:
            table.faults.unknown(f"{table.place}: angles", "joint that moves by itself", dof, units.keys())
            continue
        read = partial(_listed, count, "one number for each time", checks.finite)
        column = table.faults.take(f"{table.place}: angles of {shown(dof)}", read, value, (0.0,) * count)
        angles[dof] = np.array(column) * units[dof]
    return Keys(times, named, eases, angles)


def _times(value: object) -> FloatArray:
    """Read the times of the keys [s]."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"is {shown(value)}, not a list of seconds")
    times = np.array([checks.finite(time) for time in value])
    falls = np.flatnonzero(np.diff(times) < SHORTEST_WAY)
    if len(falls):
        before, after = times[falls[0] : falls[0] + 2]
        raise ValueError(f"do not rise by a millisecond or more: {after:g} follows {before:g}")
    return times


def _listed(count: int, what: str, read: Callable[[object], Value], value: object) -> tuple[Value, ...]:
    """Read a list of one for each key."""
    if not isinstance(value, list) or len(value) != count:
        raise ValueError(f"is {shown(value)}, not a list of {count}: {what}")
    return tuple(read(item) for item in value)


def _eases(count: int, value: object) -> tuple[str, ...]:
    """Read one word for all ways between keys, or one for each."""
    words = [value] * count if isinstance(value, str) else value
    if not isinstance(words, list) or len(words) != count:
        raise ValueError(f"is {shown(value)}, neither a word nor {count} of them, one for each way between two keys")
    for word in [value] if isinstance(value, str) else words:
        if word not in EASES:
            raise ValueError(f"has {shown(word)}, not one of {', '.join(EASES)}")
    return tuple(words)
