"""How surfaces take light, and the colours of everything that is not drawn by the character's own file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray, Vector
from gestik.model import checks
from gestik.model.joints import Finish, Shape

BONE: Vector = (0.36, 0.47, 0.53)  # sRGB, of bones drawn where a skeleton has no shapes
JOINT: Vector = (0.80, 0.62, 0.33)
TARGET: Vector = (0.85, 0.27, 0.20)
LAMPLIGHT: Vector = (1.0, 0.85, 0.55)


class Material(NamedTuple):
    """How a surface takes light."""

    colour: Vector  # sRGB, 0 to 1
    gloss: float = 0.35  # 0 chalk, 1 lacquer
    metal: float = 0.0  # 0 paint, 1 bare metal: reflections take the metal's own colour
    glow: float = 0.0  # light of its own, in multiples of its colour
    opacity: float = 1.0


FINISHES = {
    Finish.MATTE: Material((0.0, 0.0, 0.0), gloss=0.32),
    Finish.METAL: Material((0.0, 0.0, 0.0), gloss=0.62, metal=1.0),
    Finish.GLASS: Material((0.0, 0.0, 0.0), gloss=0.95),
    Finish.GLOW: Material((0.0, 0.0, 0.0), gloss=0.1, glow=1.5),
}


def material_of(shape: Shape) -> Material:
    """Return how a shape takes light."""
    return FINISHES[Finish(shape.finish)]._replace(colour=checks.colour(shape.colour), opacity=shape.opacity)


def linear(colour: ArrayLike) -> FloatArray:
    """Return sRGB values, 0 to 1, as amounts of light."""
    encoded = np.asarray(colour, dtype=np.float64)
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def encoded(light: ArrayLike) -> FloatArray:
    """Return amounts of light, 0 to 1, as sRGB values."""
    amount = np.clip(np.asarray(light, dtype=np.float64), 0.0, 1.0)
    return np.where(amount <= 0.0031308, amount * 12.92, 1.055 * amount ** (1.0 / 2.4) - 0.055)
