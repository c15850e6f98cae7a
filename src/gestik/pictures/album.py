"""Pictures of a character's moods: each on its own card, or several figures around one ball."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from gestik.kernels.arrays import FloatArray, Vector
from gestik.model.character import Character
from gestik.pictures.camera import Camera
from gestik.pictures.figure import beams, figure, figure_size
from gestik.pictures.lettering import write
from gestik.pictures.render import Image, render
from gestik.pictures.still import ball, still

TOWARDS = (3.0, -2.8, 0.85)  # from the figure to the camera of its cards, in sizes
ROOM = 1.16  # how much larger a card is than what is on it
CARD = (300, 320)  # width and height [pixels]
LABEL = 34  # height of the strip under a card [pixels]
GUTTER = 10  # between cards [pixels]
INK = np.array([70.0, 74.0, 78.0])  # sRGB bytes
PAPER = 255.0


def posture_sheet(character: Character, columns: int = 4, samples: int = 2) -> Image:
    """Return a card for every posture of the character, with its name under it."""
    skeleton = character.skeleton
    drawn = {name: posture.angles_for(skeleton) for name, posture in character.postures.items()}
    camera = _overview([part.mesh.vertices for angles in drawn.values() for part in figure(skeleton, angles)])
    width, height = CARD
    cards = []
    for name, angles in drawn.items():
        picture = still(skeleton, angles, camera=camera, width=width, height=height, samples=samples)
        cards.append(np.vstack([picture, _label(name, width)]))
    return _arranged(cards, columns)


def _overview(solids: Sequence[FloatArray]) -> Camera:
    """Return the camera from the front that has all of some points [n, 3], m, on its card, with a little room."""
    points = np.vstack(solids)
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    camera = _from_the_front(middle, float(np.linalg.norm(points - middle, axis=1).max()))
    for _ in range(4):  # what is nearer looks larger, so that the right place is found in a few steps
        column, row = camera.project(points, *CARD)[:, :2].T
        distance = float(np.linalg.norm(np.subtract(camera.position, camera.look_at)))
        pixel = 2.0 * distance * math.tan(0.5 * camera.field_of_view) / CARD[1]  # [m], in the middle of the figure
        right, up, _ = camera.axes()
        sideways = 0.5 * (column.min() + column.max()) - 0.5 * CARD[0]
        upwards = 0.5 * CARD[1] - 0.5 * (row.min() + row.max())
        middle = middle + pixel * (sideways * right + upwards * up)
        filled = max(np.ptp(column) / CARD[0], np.ptp(row) / CARD[1])
        camera = _from_the_front(middle, distance / float(np.linalg.norm(TOWARDS)) * ROOM * float(filled))
    return camera


def _from_the_front(middle: FloatArray, size: float) -> Camera:
    """Return the camera that looks at the middle [m] of a figure of some size [m]."""
    x, y, z = (middle + size * np.array(TOWARDS)).tolist()
    return Camera((x, y, z), tuple(middle.tolist()))


def _label(name: str, width: int) -> Image:
    """Return a strip of paper with a name in its middle."""
    ink = np.zeros((LABEL, width))
    text = write(name, LABEL - 10)[:, :width]
    left = (width - text.shape[1]) // 2
    ink[6 : 6 + text.shape[0], left : left + text.shape[1]] = text
    return np.round(PAPER + ink[:, :, None] * (INK - PAPER)).astype(np.uint8)


def _arranged(cards: Sequence[Image], columns: int) -> Image:
    """Lay cards out in rows, on white."""
    height, width, _ = cards[0].shape
    rows = -(-len(cards) // columns)
    sheet = np.full((rows * (height + GUTTER) + GUTTER, columns * (width + GUTTER) + GUTTER, 3), 255, dtype=np.uint8)
    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        top, left = GUTTER + row * (height + GUTTER), GUTTER + column * (width + GUTTER)
        sheet[top : top + height, left : left + width] = card
    return sheet


def company(
    character: Character,
    places: Sequence[tuple[Vector, FloatArray]],
    target: Vector,
    camera: Camera,
    width: int,
    height: int,
    samples: int = 2,
) -> Image:
    """Return a picture of several figures of one character, z up, around one ball.

    Args:
        character: who is seen several times.
        places: for each figure where its base stands [m] and its angles [dof, rad or m].
        target: where the ball is [m].
        camera: where from.
        width: of the picture [pixels].
        height: of the picture [pixels].
        samples: sub-pixels along each edge of a pixel.
    """
    size = figure_size(character.skeleton)
    parts, lights = [ball(target, size)], []
    for place, angles in places:
        parts += [
            part._replace(mesh=part.mesh._replace(vertices=part.mesh.vertices + place))
            for part in figure(character.skeleton, angles)
        ]
        lights += [beam._replace(position=beam.position + place) for beam in beams(character.skeleton, angles)]
    spread = max(float(np.linalg.norm(place)) for place, _ in places)
    return render(parts, camera, width, height, size=size, spread=spread, beams=lights, samples=samples)
