"""How much light leaves each point of a surface towards the eye."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, Vector
from gestik.pictures.light import Light, Shadow
from gestik.pictures.materials import linear


class Surface(NamedTuple):
    """Points to be lit, one row each."""

    position: FloatArray  # [n, 3], m
    normal: FloatArray  # [n, 3], unit
    towards_eye: FloatArray  # [n, 3], unit
    albedo: FloatArray  # [n, 3], amounts of light
    gloss: FloatArray  # [n]
    metal: FloatArray  # [n]


class Beam(NamedTuple):
    """A bulb in a shade: it lights what is close all around, and throws a cone of light on what it looks at."""

    position: FloatArray  # [3], m
    direction: FloatArray  # [3], unit
    colour: Vector  # sRGB, 0 to 1
    reach: float  # m, where the cone has lost half its strength
    strength: float = 1.0
    half_angle: float = math.radians(27.0)


def shade(surface: Surface, lights: Sequence[Light], shadows: Sequence[Shadow], beams: Sequence[Beam]) -> FloatArray:
    """Return [n, 3]: the light each point sends to the eye."""
    diffuse = np.zeros_like(surface.position)
    mirrored = np.zeros_like(surface.position)
    sharpness = 6.0 + 90.0 * surface.gloss**2
    strength = surface.gloss * (sharpness + 8.0) / 40.0
    glossy = bool(surface.gloss.any())
    lifted = surface.position + surface.normal * shadows[0].bias
    for light, shadow in zip(lights, shadows, strict=True):
        arriving = np.maximum(surface.normal @ light.direction, 0.0) * shadow.reaches(lifted)
        diffuse += arriving[:, None] * light.colour
        if glossy:
            halfway = surface.towards_eye + light.direction
            cosine = _dot(surface.normal, halfway) / np.sqrt(_dot(halfway, halfway))
            shine = np.maximum(cosine, 0.0) ** sharpness
            mirrored += (arriving * shine * strength)[:, None] * light.colour
    room = _reflected_room(surface) * np.minimum(diffuse, 1.0)
    for beam in beams:
        diffuse += _from_beam(surface, beam)
    metal = surface.metal[:, None]
    paint = surface.albedo * diffuse + mirrored + room * _grazing(surface)
    return paint * (1.0 - metal) + surface.albedo * (0.3 * diffuse + 1.6 * mirrored + 1.7 * room) * metal


def _reflected_room(surface: Surface) -> FloatArray:
    """Return [n, 1]: what a mirror would show: a light ceiling with a wide window, a darker floor."""
    cosine = _dot(surface.normal, surface.towards_eye)
    height = 2.0 * cosine * surface.normal[:, 2] - surface.towards_eye[:, 2]
    return (0.22 + 0.5 * smoothstep((height + 0.35) / 0.9) + 0.7 * smoothstep((height - 0.45) / 0.25))[:, None]


def _grazing(surface: Surface) -> FloatArray:
    """Return [n, 1]: how much of the room paint mirrors, little but at its edges (Schlick 1994)."""
    cosine = np.clip(_dot(surface.normal, surface.towards_eye), 0.0, 1.0)
    return (surface.gloss * (0.06 + 0.94 * (1.0 - cosine) ** 5))[:, None]


def _from_beam(surface: Surface, beam: Beam) -> FloatArray:
    """Return [n, 3]: the light a beam brings; its cone fades over the outer half, so that it has no edge."""
    offset = surface.position - beam.position
    distance = np.linalg.norm(offset, axis=1)
    away = offset / np.maximum(distance, 1e-9)[:, None]
    angle = np.arccos(np.clip(away @ beam.direction, -1.0, 1.0))
    inside = smoothstep((beam.half_angle - angle) / (0.5 * beam.half_angle))
    cone = inside / (1.0 + (distance / beam.reach) ** 2)
    close = 1.0 / (1.0 + (distance / (0.08 * beam.reach)) ** 2)
    arriving = beam.strength * np.maximum(-_dot(away, surface.normal), 0.0) * (cone + close)
    return np.asarray(arriving[:, None] * linear(beam.colour))


def smoothstep(amount: FloatArray) -> FloatArray:
    """Return 0 below 0, 1 above 1, and a smooth ramp between."""
    ramp = np.clip(amount, 0.0, 1.0)
    return np.asarray(ramp * ramp * (3.0 - 2.0 * ramp))


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the inner products of matching rows."""
    return np.asarray(np.einsum("nd,nd->n", a, b))
