"""``python -m gestik.pictures FOLDER`` draws the pictures of the documentation into a folder."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

import gestik as gk
from gestik.kernels.arrays import FloatArray, Vector
from gestik.pictures.album import company, posture_sheet
from gestik.pictures.camera import Camera
from gestik.pictures.png import write_png

BALL: Vector = (0.42, 0.00, 0.20)  # m
CAMERA = Camera((1.20, -1.16, 0.50), (0.02, 0.04, 0.205), math.radians(20.5))
GUESTS = {"shy": (-0.27, -0.33, 0.0), "curious": (0.0, -0.08, 0.0), "proud": (0.30, 0.48, 0.0)}


def main(folder: Path) -> None:
    """Draw the posture sheets and the lamps around a ball."""
    lamp = gk.load_character("lamp")
    write_png(folder / "postures.png", posture_sheet(lamp))
    for name in ("puppet", "snake"):
        write_png(folder / f"{name}.png", posture_sheet(gk.load_character(name)))
    places = [(place, _looking(lamp, mood, place)) for mood, place in GUESTS.items()]
    write_png(folder / "lamp.png", company(lamp, places, BALL, CAMERA, 1200, 520))


def _looking(lamp: gk.Character, mood: str, place: Vector) -> FloatArray:
    """Return the angles of a lamp that stands at a place, looks at the ball and holds a mood."""
    point = np.subtract(BALL, place)
    return gk.solve(lamp.skeleton, [gk.Aim("eye", at=point), lamp.postures[mood]]).angles


main(Path(sys.argv[1]))
