"""The animations of a glTF: keys for places and turns of nodes, sampled as the specification says (its appendix C)."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from gestik.errors import FormatError, FormatWarning
from gestik.formats.foreign_names import told_apart
from gestik.formats.gltf_file import GltfFile, Json
from gestik.kernels.arrays import FloatArray
from gestik.model.faults import shown
from gestik.model.quaternion_stacks import normalised, slerps

PLACES, TURNS, SCALES = "translation", "rotation", "scale"
KINDS = {PLACES: "VEC3", TURNS: "VEC4", SCALES: "VEC3"}
STEP, LINEAR, CUBIC = "STEP", "LINEAR", "CUBICSPLINE"

# Curves are kept as postures this often [Hz], and as one at each key.
SAMPLE_RATE = 120.0
# How long [s] a step takes, because a clip goes steadily from posture to posture.
STEP_WIDTH = 1e-6
# Nearer moments [s] are one.
SHORTEST_STEP = 1e-8
# The most moments of all animations together.
MOMENT_LIMIT = 200_000
# By what share a scale may move before it is worth a warning.
STILL = 1e-3


class Track(NamedTuple):
    """How one property of one node goes."""

    node: int
    path: str  # PLACES, TURNS or SCALES
    mode: str  # STEP, LINEAR or CUBIC
    keys: FloatArray  # [key], s, rising
    values: FloatArray  # [key, width]; cubic: [key, 3, width], slope in, value, slope out; turns w first

    def at(self, times: FloatArray) -> FloatArray:
        """Values [time, width]; before the first key and after the last one they stand still."""
        last = len(self.keys) - 1
        inside = np.clip(times, self.keys[0], self.keys[-1])
        before = np.clip(np.searchsorted(self.keys, inside, side="right") - 1, 0, max(last - 1, 0))
        after = np.minimum(before + 1, last)
        if self.mode == STEP or not last:
            held = np.clip(np.searchsorted(self.keys, inside, side="right") - 1, 0, last)
            return self._points[held]
        span = self.keys[after] - self.keys[before]
        fraction = (inside - self.keys[before]) / span
        start, end = self._points[before], self._points[after]
        if self.mode == LINEAR:
            if self.path == TURNS:
                return slerps(start, end, fraction)
            straight: FloatArray = start + fraction[:, None] * (end - start)
            return straight
        f, long = fraction[:, None], span[:, None]
        slope_out, slope_in = self.values[before, 2], self.values[after, 0]
        curve: FloatArray = (
            (1.0 + 2.0 * f) * (1.0 - f) ** 2 * start
            + long * f * (1.0 - f) ** 2 * slope_out
            + f**2 * (3.0 - 2.0 * f) * end
            + long * f**2 * (f - 1.0) * slope_in
        )
        return normalised(curve) if self.path == TURNS else curve

    @property
    def _points(self) -> FloatArray:
        """[key, width], without slopes."""
        return self.values[:, 1] if self.mode == CUBIC else self.values

    @property
    def moments(self) -> FloatArray:
        """The times between which it goes straight, or nearly so."""
        if self.mode == STEP:
            return np.concatenate((self.keys, self.keys[1:] - STEP_WIDTH))
        if self.mode == CUBIC and len(self.keys) > 1:
            count = (self.keys[-1] - self.keys[0]) * SAMPLE_RATE
            if count > MOMENT_LIMIT:
                raise ValueError(f"lasts {self.keys[-1] - self.keys[0]:g} s, too long for a curve")
            return np.concatenate((self.keys, self.keys[0] + np.arange(int(count) + 1) / SAMPLE_RATE))
        return self.keys


class Animation(NamedTuple):
    """What moves, and when."""

    name: str
    tracks: list[Track]
    moments: FloatArray  # [moment], s, rising


def read_animations(file: GltfFile, node_count: int) -> list[Animation]:
    """The animations in which a node moves or turns, by name."""
    items = file.items("animations")
    names = told_apart([str(item.get("name") or f"clip{number}") for number, item in enumerate(items)])
    animations, moments = [], 0
    for name, item in zip(names, items, strict=True):
        tracks = _read_tracks(file, item, node_count, f"animation {shown(name)}")
        if not tracks:
            continue
        try:
            times = np.unique(np.concatenate([track.moments for track in tracks]))
        except ValueError as fault:
            raise FormatError(f"{file.source}: animation {shown(name)} {fault}") from fault
        moments += len(times)
        if moments > MOMENT_LIMIT:
            raise FormatError(f"{file.source}: its animations have more than {MOMENT_LIMIT} moments")
        kept = np.append(True, np.diff(times) > SHORTEST_STEP)
        animations.append(Animation(name, tracks, times[kept]))
    return animations


def _read_tracks(file: GltfFile, item: Json, node_count: int, place: str) -> list[Track]:
    """The channels of an animation that move nodes."""
    samplers, channels = (_objects(file, item, key, place) for key in ("samplers", "channels"))
    tracks = []
    for number, channel in enumerate(channels):
        where = f"{place}, channel {number}"
        target = channel.get("target")
        if not isinstance(target, dict):
            raise FormatError(f"{file.source}: {where} has no target")
        path = target.get("path")
        if path not in KINDS or "node" not in target:
            continue  # the weights of a face, or what an extension moves
        node = file.index(target, "node", node_count, where)
        sampler = samplers[file.index(channel, "sampler", len(samplers), where)]
        tracks.append(_read_track(file, sampler, node, str(path), where))
    return tracks


def _read_track(file: GltfFile, sampler: Json, node: int, path: str, place: str) -> Track:
    """One channel's keys and values."""
    mode = sampler.get("interpolation", LINEAR)
    if mode not in {STEP, LINEAR, CUBIC}:
        raise FormatError(f"{file.source}: {place}: interpolation is {shown(mode)}, not STEP, LINEAR or CUBICSPLINE")
    accessors = len(file.items("accessors"))
    keys = file.numbers(file.index(sampler, "input", accessors, place), "SCALAR")[:, 0]
    values = file.numbers(file.index(sampler, "output", accessors, place), KINDS[path])
    if not len(keys) or (np.diff(keys) <= SHORTEST_STEP).any():
        raise FormatError(f"{file.source}: {place}: its times do not rise, or there are none")
    each = 3 if mode == CUBIC else 1
    if len(values) != each * len(keys):
        raise FormatError(f"{file.source}: {place} has {len(values)} values for {len(keys)} times, not {each} each")
    if path == TURNS:
        values = values[:, [3, 0, 1, 2]]
    if mode == CUBIC:
        values = values.reshape(len(keys), 3, -1)
    elif path == TURNS:
        values = normalised(values)
    return Track(node, path, str(mode), keys, values)


def _objects(file: GltfFile, item: Json, key: str, place: str) -> list[Json]:
    """A list of objects in an object."""
    found = item.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise FormatError(f"{file.source}: {place}: {key} is no list of objects")
    return found


def warn_of_scales(file: GltfFile, animations: list[Animation]) -> None:
    """Say so where sizes are animated, which no skeleton can do."""
    for animation in animations:
        for track in animation.tracks:
            if track.path == SCALES and np.ptp(track.values, axis=0).max() > STILL * np.abs(track.values).max():
                message = f"{file.source}: animation {shown(animation.name)} changes sizes, which is left out"
                warnings.warn(message, FormatWarning, stacklevel=3)
                return
