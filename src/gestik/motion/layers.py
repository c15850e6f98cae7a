"""Additive layers: small motions on top of a posture or a clip, each a sum of waves, made by named generators.

A generator asks the body which of its joints do what (which raise the eye, which pitch it), so that the same word means
the same on every body.  Its amplitude, its tempo and its seed are all there is to choose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gestik.errors import InputError, unknown_name
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.character import Character
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton
from gestik.motion import layer_table as lt

GAZE_PITCH = "gaze pitch"  # what a wave may also move, beside degrees of freedom: where the character looks
GAZE_YAW = "gaze yaw"
NEGLIGIBLE = 0.05  # of the strongest joint's share, below which a joint is left alone


class Wave(NamedTuple):
    """A sine that moves one degree of freedom, or the gaze."""

    dof: str  # its name, or GAZE_PITCH, up, or GAZE_YAW, to the left
    amplitude: float  # rad or m
    tempo: float  # Hz
    phase: float = 0.0  # turns, at the begin of the layer


@dataclass(frozen=True)
class Layer:
    """Waves that come and go together."""

    waves: Sequence[Wave]
    duration: float = math.inf  # s
    fade: float = 0.8  # s, to come and to go

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "fade", checks.finite_not_negative(self.fade))
            object.__setattr__(self, "duration", checks.not_negative(self.duration))
            for wave in self.waves:
                for value in wave[1:]:
                    checks.finite(value)
        except (TypeError, ValueError) as fault:
            raise InputError(f"a number of a layer {fault}") from fault


def breathing(character: Character, amplitude: float = 0.03, tempo: float = 0.25, seed: int = 0) -> Layer:
    """Breathe: the body rises and sinks, never quite the same.

    Args:
        character: Whose joints are asked.
        amplitude: How far the joint moves that does most [rad].
        tempo: Breaths a second [Hz].
        seed: Of what makes one breath unlike the next.
    """
    effects = effects_on_eye(character)
    strongest = float(np.abs(effects.rise).max(initial=0.0))
    shares = effects.rise / strongest if strongest > 1e-9 else effects.pitch
    phases = np.random.default_rng(seed).uniform(size=2).tolist()
    swings = ((1.0, 1.0, 0.0), (0.2, 2.0, -0.15), (0.25, 0.37, phases[0]), (0.15, 0.61, phases[1]))
    return Layer(
        [
            Wave(name, amplitude * float(share) * size, tempo * pace, phase)
            for name, share in zip(character.skeleton.dof_names, shares, strict=True)
            if abs(share) > NEGLIGIBLE
            for size, pace, phase in swings
        ]
    )


def sway(character: Character, amplitude: float = 0.04, tempo: float = 0.8, seed: int = 0) -> Layer:
    """Sway as speakers do: every joint that turns the eye drifts here and there at paces that never meet again.

    Args:
        character: Whose joints are asked.
        amplitude: How far each joint moves at most [rad].
        tempo: The pace of the middle of three waves [Hz].
        seed: Of where each wave begins.
    """
    effects, rng = effects_on_eye(character), np.random.default_rng(seed)
    waves = []
    for name, turns in zip(character.skeleton.dof_names, effects.turn, strict=True):
        if turns > NEGLIGIBLE:
            phases = rng.uniform(size=3).tolist()
            parts = zip((0.55, 0.3, 0.15), (0.382, 1.0, 1.618), phases, strict=True)
            waves += [Wave(name, amplitude * size, tempo * pace, phase) for size, pace, phase in parts]
    return Layer(waves)


def nod(character: Character, amplitude: float = 0.25, tempo: float = 1.6, seed: int = 0) -> Layer:
    """Nod, yes, yes: the gaze goes down and up twice, and with it the joint that pitches the head.

    Args:
        character: Whose joints are asked.
        amplitude: How far down [rad].
        tempo: Nods a second [Hz].
        seed: Of how the second differs from the first.
    """
    effects = effects_on_eye(character)
    second = float(np.random.default_rng(seed).uniform(0.1, 0.3))
    waves = _dips(GAZE_PITCH, -amplitude, tempo, second)
    strong = np.flatnonzero(np.abs(effects.pitch) > 0.5)
    if len(strong):
        joint = int(strong[-1])  # the nearest to the head
        share = -amplitude * math.copysign(1.0, float(effects.pitch[joint]))
        waves += _dips(character.skeleton.dof_names[joint], share, tempo, second)
    return Layer(waves, duration=2.0 / tempo, fade=0.0)


def _dips(what: str, amplitude: float, tempo: float, second: float) -> list[Wave]:
    """Go there and back twice, from rest to rest: (1 - cos) / 2, and a slow sine that makes the second smaller."""
    return [
        Wave(what, 0.5 * amplitude, 0.0, 0.25),
        Wave(what, 0.5 * amplitude, tempo, -0.25),
        Wave(what, 0.25 * second * amplitude, 0.5 * tempo, 0.0),
        Wave(what, -0.125 * second * amplitude, tempo, 0.0),
    ]


GENERATORS: dict[str, Callable[..., Layer]] = {"breathing": breathing, "sway": sway, "nod": nod}


def make_layer(name: str, character: Character, settings: dict[str, float]) -> Layer:
    """A layer by the name of its generator."""
    if name not in GENERATORS:
        raise unknown_name("layer", str(name), GENERATORS)
    for setting, value in settings.items():
        if setting not in ("amplitude", "tempo", "seed"):
            raise unknown_name(f"setting of layer {name!r}", setting, ("amplitude", "tempo", "seed"))
        try:
            checks.positive(value) if setting == "tempo" else checks.finite_not_negative(value)
        except ValueError as fault:
            raise InputError(f"{setting} of layer {name!r} {fault}") from fault
    if "seed" in settings:
        settings = {**settings, "seed": int(settings["seed"])}
    return GENERATORS[name](character, **settings)


class Effects(NamedTuple):
    """What each degree of freedom does to the eye in the rest posture, [dof] each."""

    rise: FloatArray  # how far it is lifted, m per rad
    pitch: FloatArray  # how much its looking direction is raised, rad per rad, within [-1, 1]
    turn: FloatArray  # how much it is turned at all


def effects_on_eye(character: Character) -> Effects:
    """Ask the body, in the posture it begins with, what its joints do to its eye; without one, to its last frame."""
    skeleton = character.skeleton
    name = character.eye or skeleton.joint_names[-1]
    angles = first_posture(character)
    jacobian = skeleton.jacobian(angles, name)
    slides = skeleton.dof_slides
    rise = np.where(slides, 0.0, skeleton.up @ jacobian[:3])
    looking = _looking_direction(skeleton, angles, name)
    side = np.cross(looking, skeleton.up)
    length = float(np.linalg.norm(side))
    pitch = side @ jacobian[3:] / length if length > 1e-6 else np.zeros(skeleton.dof_count)
    return Effects(rise, np.where(slides, 0.0, pitch), np.linalg.norm(jacobian[3:], axis=0))


def first_posture(character: Character) -> FloatArray:
    """Angles [dof] of the posture a character begins with: the first it knows, else its rest."""
    for posture in character.postures.values():
        if posture.positions is None:
            return posture.angles_for(character.skeleton)
    return np.array(character.skeleton.rest)


def _looking_direction(skeleton: Skeleton, angles: FloatArray, name: str) -> FloatArray:
    """Where a frame looks in the world, or points when it is no eye."""
    rotation = skeleton.forward(angles).of(name).rotation
    w, vector = rotation[0], rotation[1:]
    axis = np.array(skeleton.frame(name).axis or (0.0, 0.0, 1.0))
    turned = 2.0 * np.cross(vector, axis)
    return np.asarray(axis + w * turned + np.cross(vector, turned))


def pack_layers(skeleton: Skeleton, layers: Sequence[tuple[Layer, float, float]]) -> tuple[FloatArray, FloatArray]:
    """Spans and waves as kernels read them, for layers with the times they begin and end [s]."""
    names = [*skeleton.dof_names, GAZE_PITCH, GAZE_YAW]
    spans, waves = np.zeros((len(layers), lt.SPAN_WIDTH)), []
    for number, (layer, begin, end) in enumerate(layers):
        spans[number, [lt.BEGIN, lt.END, lt.FADE]] = begin, end, layer.fade
        for wave in layer.waves:
            if wave.dof not in names:
                raise unknown_name("degree of freedom of a wave", str(wave.dof), names)
            waves.append((number, names.index(wave.dof), wave.amplitude, wave.tempo, wave.phase))
    return frozen_floats(spans), frozen_floats(np.reshape(waves, (-1, lt.WAVE_WIDTH)) if waves else np.zeros((0, 5)))
