"""What a figure looks like from afar: which cells of a coarse grid it covers.  Much quicker than a picture."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gestik.kernels.arrays import FloatArray
from gestik.model.character import Character
from gestik.pictures.figure import figure, figure_size
from gestik.pictures.still import front_view

WIDTH, HEIGHT = 96, 72  # cells


def silhouette(character: Character, angles: FloatArray) -> NDArray[np.bool_]:
    """Return [HEIGHT, WIDTH], which cells the figure covers from the front and a little above."""
    vertices = np.vstack([part.mesh.vertices for part in figure(character.skeleton, angles)])
    seen = front_view(figure_size(character.skeleton)).project(vertices, WIDTH, HEIGHT)[:, :2].astype(int)
    inside = ((seen >= 0) & (seen < (WIDTH, HEIGHT))).all(axis=1)
    cells = np.zeros((HEIGHT, WIDTH), dtype=bool)
    cells[seen[inside, 1], seen[inside, 0]] = True
    return cells


def most_alike(character: Character) -> tuple[float, str, str]:
    """Return the two postures whose silhouettes differ least, and by how much: as a share of the larger one's area."""
    seen = {
        name: silhouette(character, posture.angles_for(character.skeleton))
        for name, posture in character.postures.items()
    }
    return min(
        (float((seen[one] ^ seen[other]).sum() / max(seen[one].sum(), seen[other].sum())), one, other)
        for one, other in combinations(seen, 2)
    )
