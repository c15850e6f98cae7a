"""One picture of one figure, with what it looks at."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gestik.model.skeleton import Skeleton
from gestik.pictures.camera import Camera
from gestik.pictures.figure import beams, figure, figure_size, upright
from gestik.pictures.materials import TARGET, Material
from gestik.pictures.render import Image, Part, render
from gestik.pictures.solids import capsule

BALL = 0.042  # radius of the ball that stands for a target, as a share of the figure's size


def still(
    skeleton: Skeleton,
    angles: ArrayLike,
    *,
    target: ArrayLike | None = None,
    camera: Camera | None = None,
    width: int = 960,
    height: int = 640,
    samples: int = 2,
) -> Image:
    """Return an [height, width, 3] picture.

    Args:
        skeleton: whom to photograph.
        angles: [dof], rad or m.
        target: [3], m, where to put a red ball; None: nowhere.
        camera: where from, in a world whose z points up; None: from the front and a little above.
        width: of the picture [pixels].
        height: of the picture [pixels].
        samples: sub-pixels along each edge of a pixel.
    """
    size = figure_size(skeleton)
    parts = figure(skeleton, angles)
    if target is not None:
        parts.append(ball(upright(skeleton) @ np.asarray(target, dtype=np.float64), size))
    return render(
        parts,
        camera or front_view(size),
        width,
        height,
        size=size,
        beams=beams(skeleton, angles),
        samples=samples,
    )


def front_view(size: float, distance: float = 3.3) -> Camera:
    """Return the camera that shows a figure of ``size`` [m] from the front, ``distance`` sizes away."""
    towards = np.array([0.71, -0.64, 0.30])
    look_at = np.array([0.16, 0.0, 0.44])
    x, y, z = (size * (look_at + distance * towards)).tolist()
    return Camera((x, y, z), tuple((size * look_at).tolist()))


def ball(position: ArrayLike, size: float) -> Part:
    """Return the ball that stands for a target, for a figure of ``size`` [m]."""
    sphere = capsule(BALL * size, BALL * size, 0.0).placed(position, (1.0, 0.0, 0.0, 0.0))
    return Part(sphere, Material(TARGET, gloss=0.6))
