"""The same skeleton or character in another size: for files drawn in centimetres, and for giants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gestik.errors import InputError
from gestik.kernels.arrays import PRISMATIC, FloatArray, Vector
from gestik.model.character import Character
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.joints import Coupling, Frame, Shape, ShapeKind
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton

SMALLEST_SCALE = 1e-6
LARGEST_SCALE = 1e6


def scaled_skeleton(skeleton: Skeleton, scale: float) -> Skeleton:
    """Every length of the skeleton times `scale`: places, slides with their limits and speeds, shapes."""
    factor = check_scale(scale)
    if factor == 1.0:
        return skeleton
    arrays = skeleton.arrays
    slides = arrays.kind == PRISMATIC
    dof_factors = _dof_factors(skeleton, factor)
    named_factors = dict(zip(skeleton.dof_names, dof_factors.tolist(), strict=True))
    row_factors = np.where(slides, factor, 1.0)
    # A mimic row turns its leader's unit into its own, and either may be a length.  Fixed rows take the last, 1.
    leader_factors = np.append(dof_factors, 1.0)[arrays.dof]
    scaled = arrays._replace(
        gain=arrays.gain * row_factors / leader_factors,
        bias=arrays.bias * row_factors,
        rest_position=arrays.rest_position * factor,
        lower=arrays.lower * dof_factors,
        upper=arrays.upper * dof_factors,
    )
    return replace(
        skeleton,
        arrays=scaled,
        speed=skeleton.speed * dof_factors,
        rest=skeleton.rest * dof_factors,
        segments=skeleton.segments * factor,
        frames=tuple(_scaled_frame(frame, factor) for frame in skeleton.frames),
        shapes=tuple(_scaled_shape(shape, factor) for shape in skeleton.shapes),
        # Most who scale change the unit of length, and a kilogram stays one.
        masses=tuple(replace(mass, position=_scaled(mass.position, factor)) for mass in skeleton.masses),
        couplings=tuple(_scaled_coupling(coupling, named_factors) for coupling in skeleton.couplings),
    )


def scaled_character(character: Character, scale: float) -> Character:
    """The character with its skeleton, postures and clips in another size."""
    factor = check_scale(scale)
    if factor == 1.0:
        return character
    dof_factors = _dof_factors(character.skeleton, factor)
    postures = {
        name: Posture(posture.angles_for(character.skeleton) * dof_factors, weight=posture.weight)
        for name, posture in character.postures.items()
    }
    skeleton = scaled_skeleton(character.skeleton, factor)
    clips = {name: _scaled_clip(clip, skeleton, dof_factors) for name, clip in character.clips.items()}
    return replace(character, skeleton=skeleton, postures=postures, clips=clips)


def scaled_clip(clip: Clip, scale: float) -> Clip:
    """The clip on its skeleton in another size."""
    factor = check_scale(scale)
    return _scaled_clip(clip, scaled_skeleton(clip.skeleton, factor), _dof_factors(clip.skeleton, factor))


def check_scale(scale: float) -> float:
    """Return the scale as a float, or raise InputError."""
    try:
        factor = float(scale)
    except (TypeError, ValueError, OverflowError):
        factor = math.nan
    if not SMALLEST_SCALE <= factor <= LARGEST_SCALE:
        raise InputError(f"scale is {shown(scale)}, not a number from {SMALLEST_SCALE:g} to {LARGEST_SCALE:g}")
    return factor


def _dof_factors(skeleton: Skeleton, factor: float) -> FloatArray:
    """By what each angle's unit grows [dof]: `factor` for what slides, 1 for what turns."""
    return np.where(skeleton.dof_slides, factor, 1.0)


def _scaled_clip(clip: Clip, skeleton: Skeleton, dof_factors: FloatArray) -> Clip:
    """The clip on a skeleton that has grown by `dof_factors` [dof]."""
    return Clip(clip.name, skeleton, clip.times, clip.angles * dof_factors)


def _scaled_coupling(coupling: Coupling, named_factors: Mapping[str, float]) -> Coupling:
    """The coupling, whose sum stays the same when what slides has grown."""
    first, second = (factor / named_factors[dof] for factor, dof in zip(coupling.factors, coupling.dofs, strict=True))
    return replace(coupling, factors=(first, second))


def _scaled_frame(frame: Frame, factor: float) -> Frame:
    """The frame, farther from its row's origin."""
    return replace(frame, position=_scaled(frame.position, factor))


def _scaled_shape(shape: Shape, factor: float) -> Shape:
    """The shape, larger and farther out; of a mesh `size` is a factor already, of a box a length."""
    return replace(
        shape,
        position=_scaled(shape.position, factor),
        size=_scaled(shape.size, factor) if shape.kind in {ShapeKind.BOX, ShapeKind.MESH} else shape.size,
        radius=shape.radius * factor,
        top_radius=shape.top_radius * factor,
        height=shape.height * factor,
    )


def _scaled(vector: Vector, factor: float) -> Vector:
    """`vector` times `factor`."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor
