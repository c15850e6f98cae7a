"""What stands on the page: a skeleton, the light of its eye, a ball to look at, the ground."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import ORIGIN, between
from gestik.pictures.figure import figure_size, solids, upright
from gestik.pictures.light import KEY
from gestik.pictures.materials import LAMPLIGHT, Material
from gestik.pictures.render import BACKDROP, GROUND, Part
from gestik.pictures.shading import smoothstep
from gestik.pictures.solids import lathe
from gestik.pictures.still import ball
from gestik.viewer.glb import encode_glb

if TYPE_CHECKING:
    import viser

ARROW = 0.20  # length of the arrows the ball is taken by, in figure sizes
BEAM_LENGTH, BEAM_WIDTH = 1.5, 0.40  # of the cone of light, in figure sizes
BEAM_START = 0.08, 0.135  # where it begins along the eye's axis and how wide, likewise
BEAM_STEPS = 14
BEAM_COLOUR = (1.0, 0.80, 0.42)  # sRGB
ROOM_LIGHT, KEY_LIGHT = 0.55, 1.8  # of the room around the figure and of the lamp over the shoulder
KEY_TINT = (1.0, 0.965, 0.91)
BULB = 0.28  # strength of the light an eye gives, for a figure of one metre
SKY = (0.995, 0.99, 0.98)  # sRGB, above the horizon


class SkeletonView:
    """Draws a skeleton's shapes, or plain bones, and moves them with its joints."""

    def __init__(
        self, scene: viser.SceneApi, skeleton: Skeleton, name: str = "/skeleton", ghost: Material | None = None
    ) -> None:
        """Put a skeleton into the scene; a ghost is of one stuff all over."""
        self.skeleton = skeleton
        by_row: defaultdict[int, list[Part]] = defaultdict(list)
        for row, part in solids(skeleton):
            by_row[row].append(part if ghost is None else part._replace(material=ghost))
        self._rows = {row: scene.add_glb(f"{name}/row {row}", encode_glb(parts)) for row, parts in by_row.items()}
        self.show(skeleton.rest)

    def show(self, angles: ArrayLike) -> None:
        """Move every joint to its angle [rad or m]."""
        pose = self.skeleton.forward(angles)
        for row, node in self._rows.items():
            if row >= 0:
                node.position, node.wxyz = pose.row_positions[row], pose.row_rotations[row]

    def appear(self, seen: bool) -> None:
        """Show it, or hide it."""
        for node in self._rows.values():
            node.visible = seen


class EyeLight:
    """The light that leaves an eye, so that one sees where it looks."""

    def __init__(self, scene: viser.SceneApi, skeleton: Skeleton, eye: str) -> None:
        self._skeleton = skeleton
        self._eye = eye
        size = figure_size(skeleton)
        axis = skeleton.frame(eye).axis or (0.0, 0.0, 1.0)
        _, rotation, _ = between(ORIGIN, axis)
        part, tint = _beam(size)
        placed = Part(part.mesh.placed(ORIGIN, rotation), part.material)
        self._place = scene.add_frame("/eye", show_axes=False)
        self.beam = scene.add_glb("/eye/beam", encode_glb([placed], [tint]), cast_shadow=False, receive_shadow=False)
        scene.add_light_point(
            "/eye/bulb", color=_bytes(LAMPLIGHT), intensity=BULB * size**2, distance=1.2 * size, decay=2.0
        )
        self.show(skeleton.rest)

    def show(self, angles: ArrayLike) -> None:
        """Let the light leave the eye where the angles [rad or m] put it."""
        eye = self._skeleton.forward(angles).of(f"eye:{self._eye}")
        self._place.position, self._place.wxyz = eye.position, eye.rotation


def _beam(size: float) -> tuple[Part, FloatArray]:
    """Return a cone of light along z, for a figure of ``size`` [m], and its tint, which fades along the way."""
    along = np.linspace(0.0, 1.0, BEAM_STEPS + 1)
    begin, width = BEAM_START
    radius = width + (BEAM_WIDTH - width) * along
    height = begin + (BEAM_LENGTH - begin) * along
    mesh = lathe(list(zip((size * radius).tolist(), (size * height).tolist(), strict=True)))
    share = np.clip((mesh.vertices[:, 2] / size - begin) / (BEAM_LENGTH - begin), 0.0, 1.0)
    tint = np.ones((len(share), 4))
    tint[:, 3] = smoothstep(share / 0.15) * (1.0 - share) ** 2
    return Part(mesh, Material(BEAM_COLOUR, gloss=0.0, glow=0.22, opacity=0.36)), tint


def add_ball(scene: viser.SceneApi, skeleton: Skeleton) -> viser.TransformControlsHandle:
    """Add the ball to look at, with arrows and squares to take it by."""
    size = figure_size(skeleton)
    handle = scene.add_transform_controls(
        "/target", scale=ARROW * size, line_width=2.0, disable_rotations=True, opacity=0.5
    )
    scene.add_glb("/target/ball", encode_glb([ball(ORIGIN, size)]), receive_shadow=False)
    return handle


def add_room(scene: viser.SceneApi, skeleton: Skeleton) -> None:
    """Add a quiet ground, a light background, and a lamp over the shoulder."""
    size = figure_size(skeleton)
    x, y, z = skeleton.up.tolist()
    _, rotation, _ = between(ORIGIN, (x, y, z))
    scene.set_up_direction(skeleton.up)
    scene.configure_default_lights(enabled=False)
    scene.configure_environment_map("warehouse", environment_intensity=ROOM_LIGHT)
    key = size * (upright(skeleton).T @ np.array(KEY))
    scene.add_light_directional("/key", color=_bytes(KEY_TINT), intensity=KEY_LIGHT, cast_shadow=True, position=key)
    scene.add_grid(
        "/ground",
        infinite_grid=True,
        cell_size=0.25 * size,
        section_size=size,
        cell_thickness=0.6,
        section_thickness=0.6,
        cell_color=_bytes((0.86, 0.85, 0.83)),
        section_color=_bytes((0.83, 0.82, 0.80)),
        fade_distance=9.0 * size,
        plane_color=_bytes(GROUND),
        plane_opacity=0.55,
        shadow_opacity=0.28,
        wxyz=rotation,
    )
    height = np.linspace(0.0, 1.0, 128)[:, None, None]
    gradient = (1.0 - height) * np.array(SKY) + height * np.array(BACKDROP)
    scene.set_background_image(np.round(255.0 * np.repeat(gradient, 2, axis=1)).astype(np.uint8), format="png")


def _bytes(colour: tuple[float, float, float]) -> tuple[int, int, int]:
    """Return an sRGB colour from 0 to 255."""
    red, green, blue = (round(255.0 * component) for component in colour)
    return red, green, blue
