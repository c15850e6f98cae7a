"""From parts to pixels: what the camera sees, over a ground with its shadow, with a little glow in the air."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gestik.kernels.arrays import FloatArray, Vector
from gestik.pictures.camera import Camera
from gestik.pictures.light import Light, Shadow, cast, studio, surface_points
from gestik.pictures.materials import Material, encoded, linear
from gestik.pictures.raster import visible
from gestik.pictures.shading import Beam, Surface, shade, smoothstep
from gestik.pictures.solids import Mesh

Image = NDArray[np.uint8]

GROUND: Vector = (0.905, 0.89, 0.865)  # sRGB
BACKDROP: Vector = (0.962, 0.952, 0.936)  # sRGB, where the ground has melted away
GROUND_TEXELS = 400
GROUND_REACH = 1.6  # how far from the middle the ground is lit point by point, in sizes of the scene
MELT = (1.2, 3.4)  # where the ground begins and ends to melt into the backdrop, likewise
HALO = ((0.012, 0.30), (0.035, 0.22), (0.09, 0.14))  # how wide bright light spreads [picture heights], and how strongly
KNEE = 0.7  # light above this rolls off towards white


class Part(NamedTuple):
    """One solid, placed in a world whose z points up and whose ground is z = 0."""

    mesh: Mesh
    material: Material


class _Set(NamedTuple):
    """The scene with its light, ready to be photographed."""

    mesh: Mesh
    size: float  # m, of everything together
    lights: Sequence[Light]
    shadows: Sequence[Shadow]
    beams: Sequence[Beam]

    def lit(self, surface: Surface) -> FloatArray:
        """Return [n, 3]: the light each point sends to the eye."""
        return shade(surface, self.lights, self.shadows, self.beams)


def render(
    parts: Sequence[Part],
    camera: Camera,
    width: int,
    height: int,
    *,
    size: float,
    spread: float = 0.0,
    beams: Sequence[Beam] = (),
    samples: int = 2,
) -> Image:
    """Return an [height, width, 3] picture.

    Args:
        parts: what to draw.
        camera: where from.
        width: of the picture [pixels].
        height: of the picture [pixels].
        size: of one figure [m]; shadows are as fine as it needs.
        spread: how far the farthest figure stands from the middle [m].
        beams: bulbs, besides the studio's own light.
        samples: sub-pixels along each edge of a pixel.
    """
    counts = np.cumsum([0] + [len(part.mesh.vertices) for part in parts])
    mesh = Mesh(
        np.vstack([part.mesh.vertices for part in parts]),
        np.vstack([part.mesh.normals for part in parts]),
        np.vstack([part.mesh.faces + first for part, first in zip(parts, counts[:-1], strict=True)]),
    )
    lights = studio()
    cloud = surface_points(mesh.vertices, mesh.faces, size)
    shadows = [cast(cloud, light.direction, size) for light in lights]
    scene = _Set(mesh, size + spread, lights, shadows, beams)
    figure, cover, glow = _figure(scene, parts, camera, width, height, samples)
    picture = _backdrop(scene, camera, width, height) * (1.0 - cover) + figure + _halo(glow)
    return np.round(encoded(picture) * 255.0).astype(np.uint8)


def _figure(
    scene: _Set, parts: Sequence[Part], camera: Camera, width: int, height: int, samples: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the figure over nothing, [height, width, 3], how much of each pixel it covers, and its own light."""
    wide, tall = width * samples, height * samples
    seen = visible(camera.project(scene.mesh.vertices, wide, tall), scene.mesh.faces, wide, tall)
    corners = scene.mesh.faces[seen.triangle]
    position = np.einsum("nk,nkd->nd", seen.weights, scene.mesh.vertices[corners])
    normal = _unit(np.einsum("nk,nkd->nd", seen.weights, scene.mesh.normals[corners]))
    towards_eye = _unit(np.asarray(camera.position) - position)

    owner = np.repeat(np.arange(len(parts)), [len(part.mesh.faces) for part in parts])[seen.triangle]
    materials = [part.material for part in parts]
    albedo = linear([material.colour for material in materials])[owner]
    gloss, metal, glow = (
        np.array([getattr(material, name) for material in materials])[owner] for name in ("gloss", "metal", "glow")
    )
    # A glowing ball is brightest where it faces the eye, which keeps it round.
    facing = np.abs(np.einsum("nd,nd->n", normal, towards_eye))
    own = albedo * (glow * (0.55 + 0.45 * facing))[:, None]
    light = _rolled_off(scene.lit(Surface(position, normal, towards_eye, albedo, gloss, metal)) + own)

    layers = np.zeros((tall * wide, 7))
    layers[seen.pixel] = np.column_stack([light, np.ones(len(light)), own])
    averaged = layers.reshape(height, samples, width, samples, 7).mean(axis=(1, 3))
    return averaged[:, :, :3], averaged[:, :, 3:4], averaged[:, :, 4:]


def _backdrop(scene: _Set, camera: Camera, width: int, height: int) -> FloatArray:
    """Return the ground with the figure's shadow, melting into the backdrop, [height, width, 3]."""
    rays = camera.rays(width, height)
    falling = rays[:, 2] < -1e-4
    distance = np.where(falling, camera.position[2] / np.maximum(-rays[:, 2], 1e-4), 0.0)
    ground = np.asarray(camera.position)[:2] + rays[:, :2] * distance[:, None]
    radius = np.hypot(ground[:, 0], ground[:, 1]) / scene.size
    melted = np.where(falling, smoothstep((radius - MELT[0]) / (MELT[1] - MELT[0])), 1.0)[:, None]
    colour = _between_texels(_ground(scene), ground / (GROUND_REACH * scene.size))
    # A breath darker towards the corners, as in any studio.
    row, column = np.linspace(-1.0, 1.0, height), np.linspace(-1.0, 1.0, width)
    vignette = 1.0 - 0.045 * (row[:, None] ** 2 + column[None, :] ** 2)
    backdrop = colour * (1.0 - melted) + linear(BACKDROP) * melted
    return np.asarray(backdrop.reshape(height, width, 3) * vignette[:, :, None])


def _ground(scene: _Set) -> FloatArray:
    """Return the lit ground as a square texture, columns along x and rows along y."""
    axis = np.linspace(-1.0, 1.0, GROUND_TEXELS) * GROUND_REACH * scene.size
    x, y = (values.ravel() for values in np.meshgrid(axis, axis))
    upwards = np.tile([0.0, 0.0, 1.0], (x.size, 1))
    chalk = np.zeros(x.size)
    position = np.column_stack([x, y, chalk])
    albedo = np.tile(linear(GROUND), (x.size, 1))
    texture = scene.lit(Surface(position, upwards, upwards, albedo, chalk, chalk)).reshape(axis.size, axis.size, 3)
    outside = texture[0, 0]  # beyond every shadow
    return _rolled_off(outside + _convolved(texture - outside, ((1.2 / GROUND_TEXELS, 1.0),)))


def _between_texels(texture: FloatArray, place: FloatArray) -> FloatArray:
    """Read a square texture between its texels; ``place`` [n, 2] runs from -1 to 1, columns first."""
    size = len(texture)
    at = np.clip(0.5 * (place + 1.0) * (size - 1), 0.0, size - 1.001)
    column, row = at.astype(np.int64).T
    s, t = (at - np.floor(at)).T[:, :, None]
    near = texture[row, column] * (1.0 - s) + texture[row, column + 1] * s
    far = texture[row + 1, column] * (1.0 - s) + texture[row + 1, column + 1] * s
    return np.asarray(near * (1.0 - t) + far * t)


def _halo(glow: FloatArray) -> FloatArray:
    """Return the light that bright parts spread into the air around them."""
    return np.maximum(_convolved(glow, HALO), 0.0)


def _convolved(image: FloatArray, bells: Sequence[tuple[float, float]]) -> FloatArray:
    """Blur an image with a sum of Gaussians, each of (width in image heights, share)."""
    height, width, _ = image.shape
    frequency = np.fft.fftfreq(2 * height)[:, None] ** 2 + np.fft.rfftfreq(2 * width)[None, :] ** 2
    response = sum(share * np.exp(-2.0 * (math.pi * spread * height) ** 2 * frequency) for spread, share in bells)
    # Twice the size, so that light leaving one edge does not come back at the other.
    spectrum = np.fft.rfft2(image, s=(2 * height, 2 * width), axes=(0, 1)) * np.asarray(response)[:, :, None]
    return np.asarray(np.fft.irfft2(spectrum, s=(2 * height, 2 * width), axes=(0, 1))[:height, :width])


def _rolled_off(light: FloatArray) -> FloatArray:
    """Let bright light approach white instead of clipping it."""
    over = np.maximum(light - KNEE, 0.0)
    return np.minimum(light, KNEE) + (1.0 - KNEE) * (1.0 - np.exp(-over / (1.0 - KNEE)))


def _unit(vectors: FloatArray) -> FloatArray:
    """Return rows brought to length one."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
