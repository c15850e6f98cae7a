"""Draw one posture aimed six ways: ``uv run python tools/erik_poses.py docs/methods/erik-poses.png``.

Rows: the posture as drawn; erik; poise by the paper's measure; poise sighted.  A ball stands where the end shall face.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gestik as gk
from gestik.pictures.camera import Camera
from gestik.pictures.lettering import write
from gestik.pictures.png import write_png
from gestik.pictures.still import still

LETTER = "F"
POSTURE = np.radians((0.0, 45.0, -80.0, 0.0, -50.0, 0.0))  # leaning, and curled over
DIRECTIONS = {
    "ahead": (0.0, 0.0, 1.0),
    "up": (0.0, 0.9, 0.45),
    "left": (0.9, 0.1, 0.3),
    "right": (-0.8, 0.5, 0.2),
    "down": (0.3, -0.6, 0.75),
    "behind": (0.2, 0.3, -0.9),
}
METHODS = {
    "erik": {"method": "erik"},
    "poise by paper": {"method": "poise", "measure": "paper"},
    "poise sighted": {"method": "poise"},
}
CARD = (230, 250)  # pixels
STRIP = 26
CAMERA = Camera((14.5, -13.0, 6.5), (0.0, 0.0, 2.4))
INK, PAPER = np.array((70.0, 74.0, 78.0)), 255.0


def label(words: str) -> NDArray[np.uint8]:
    """A strip of paper with words on it."""
    ink = np.zeros((STRIP, CARD[0]))
    letters = write(words, STRIP - 10)[:, : CARD[0]]
    left = (CARD[0] - letters.shape[1]) // 2
    ink[4 : 4 + letters.shape[0], left : left + letters.shape[1]] = letters
    return np.round(PAPER + ink[:, :, None] * (INK - PAPER)).astype(np.uint8)


def card(skeleton: gk.Skeleton, angles: NDArray[np.float64], direction: tuple[float, ...] | None) -> NDArray[np.uint8]:
    """One pose, with a ball ahead of its end."""
    target = None
    if direction is not None:
        away = np.array(direction) / np.linalg.norm(direction)
        target = skeleton.forward(angles).of("end").position + 1.1 * away
    return still(skeleton, angles, target=target, camera=CAMERA, width=CARD[0], height=CARD[1], samples=2)


def main(file: Path) -> None:
    """Draw all poses."""
    skeleton = gk.evaluation.skeleton(LETTER)
    rows = []
    for name, options in METHODS.items():
        cards = []
        for where, direction in DIRECTIONS.items():
            turn = gk.Orientation("tip", facing_of(direction), symmetric=True)
            found = gk.solve(skeleton, [turn, gk.Posture(POSTURE)], **options)
            cards.append(np.vstack((card(skeleton, found.angles, direction), label(f"{name} {where}"))))
        rows.append(np.hstack(cards))
    drawn = np.vstack((card(skeleton, POSTURE, None), label("as drawn")))
    first = np.full((drawn.shape[0], rows[0].shape[1], 3), 255, dtype=np.uint8)
    first[:, : drawn.shape[1]] = drawn
    write_png(file, np.vstack((first, *rows)))


def facing_of(direction: tuple[float, ...]) -> NDArray[np.float64]:
    """The orientation that turns +Y to a direction by the shortest way."""
    d = np.array(direction) / np.linalg.norm(direction)
    q = np.array((1.0 + d[1], d[2], 0.0, -d[0]))
    return np.asarray(q / np.linalg.norm(q))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
