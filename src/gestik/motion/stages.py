"""The compiled stages of a performer's tick: what posture to hold now, and what pose to send the filter to.

Each takes flat arrays: a table of twelve handed over as a tuple would cost more than the stage.
"""

from __future__ import annotations

import math

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays, Vector
from gestik.kernels.forward import forward_rows
from gestik.kernels.jit import kernel, stage
from gestik.kernels.limit_table import LimitArrays
from gestik.kernels.limits import clamp_angles
from gestik.kernels.manifold import difference_of_angles, step_angles
from gestik.kernels.measures import looking_error
from gestik.kernels.quaternion import from_axis_angle, load4, rotate
from gestik.kernels.sampling import between_postures, sample_clip
from gestik.kernels.vector import add, cross, load3, norm, scale, subtract
from gestik.motion.layer_table import AMPLITUDE, BEGIN, DOF, END, FADE, LAYER, PHASE, TEMPO

FARTHEST = 1e3  # rad or m: what layers add up to at most, beyond all measure


@kernel
def eased(share: float) -> float:
    """From 0 to 1 with a soft start and a soft end (smoothstep); outside it stays at 0 or 1."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


@kernel
def add_layers(spans: FloatArray, waves: FloatArray, now: float, offsets: FloatArray) -> None:
    """Sum all waves at the time `now` [s] into `offsets` [dof + 2], which are overwritten."""
    offsets[:] = 0.0
    for wave in range(len(waves)):
        own = waves[wave]
        span = spans[int(own[LAYER])]
        if not span[BEGIN] < now < span[END]:
            continue
        strength = 1.0
        if span[FADE] > 0.0:
            strength = eased((now - span[BEGIN]) / span[FADE]) * eased((span[END] - now) / span[FADE])
        turns = own[TEMPO] * (now - span[BEGIN]) + own[PHASE]
        offsets[int(own[DOF])] += strength * own[AMPLITUDE] * math.sin(2.0 * math.pi * (turns - math.floor(turns)))


@stage
def draw_posture(
    parent: IntArray,
    kind: IntArray,
    dof: IntArray,
    gain: FloatArray,
    bias: FloatArray,
    axis: FloatArray,
    rest_position: FloatArray,
    rest_rotation: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    ball_rows: IntArray,
    endless: IntArray,
    times_before: FloatArray,
    angles_before: FloatArray,
    moment_before: float,
    times: FloatArray,
    angles: FloatArray,
    moment: float,
    share: float,
    spans: FloatArray,
    waves: FloatArray,
    now: float,
    base: FloatArray,
    posture: FloatArray,
    nudge: FloatArray,
) -> None:
    """Blend the base before and the present one by `share`, and add the layers.

    Overwritten: `base` [dof] with the blend, `posture` [dof] with that and the layers, `nudge` [2] with the pitch and
    yaw of the gaze [rad].
    """
    skeleton = SkeletonArrays(parent, kind, dof, gain, bias, axis, rest_position, rest_rotation, lower, upper)
    count = len(posture)
    here, other, change = np.empty((1, count)), np.empty((1, count)), np.empty(count)
    wanted = np.empty(1)
    wanted[0] = moment
    sample_clip(skeleton, ball_rows, endless, times, angles, wanted, here)
    base[:] = here[0]
    if share < 1.0:
        wanted[0] = moment_before
        sample_clip(skeleton, ball_rows, endless, times_before, angles_before, wanted, other)
        between_postures(skeleton, ball_rows, endless, other[0], here[0], eased(share), change, base)
    offsets = np.empty(count + 2)
    add_layers(spans, waves, now, offsets)
    for i in range(count):
        change[i] = min(max(offsets[i], -FARTHEST), FARTHEST)
    step_angles(skeleton, ball_rows, base, change, posture)
    nudge[0], nudge[1] = offsets[count], offsets[count + 1]


@stage
def nudge_target(seen: FloatArray, is_point: bool, up: FloatArray, nudge: FloatArray, place: FloatArray) -> None:
    """Move a target up and to the left by `nudge` [2, rad] as the eye at `seen` sees it; `place` is overwritten."""
    if nudge[0] == 0.0 and nudge[1] == 0.0:
        return
    eye = (seen[0], seen[1], seen[2]) if is_point else (0.0, 0.0, 0.0)
    upwards = (up[0], up[1], up[2])
    sight = subtract((place[0], place[1], place[2]), eye)
    side = cross(sight, upwards)
    size = norm(side)
    if size > 1e-9:
        sight = rotate(from_axis_angle(scale(side, 1.0 / size), nudge[0]), sight)
    sight = add(eye, rotate(from_axis_angle(upwards, nudge[1]), sight))
    place[0], place[1], place[2] = sight[0], sight[1], sight[2]


@stage
def settle(
    parent: IntArray,
    kind: IntArray,
    dof: IntArray,
    gain: FloatArray,
    bias: FloatArray,
    axis: FloatArray,
    rest_position: FloatArray,
    rest_rotation: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    cone_rows: IntArray,
    cone_axes: FloatArray,
    cone_ranges: FloatArray,
    coupled_dofs: IntArray,
    coupling_factors: FloatArray,
    coupling_bounds: FloatArray,
    ball_rows: IntArray,
    endless: IntArray,
    rest: FloatArray,
    posture: FloatArray,
    asked: FloatArray,
    looking: FloatArray,
    weight: float,
    emitted: FloatArray,
    set_point: FloatArray,
) -> None:
    """Turn the posture as `asked` was turned to `looking` [dof], by its weight, and bring it inside every limit.

    `set_point` [dof] is overwritten; of angles that mean the same pose it gets those nearest to what was emitted last.
    """
    skeleton = SkeletonArrays(parent, kind, dof, gain, bias, axis, rest_position, rest_rotation, lower, upper)
    limits = LimitArrays(cone_rows, cone_axes, cone_ranges, coupled_dofs, coupling_factors, coupling_bounds)
    change, pose = np.empty(len(posture)), np.empty(len(posture))
    difference_of_angles(skeleton, ball_rows, endless, asked, looking, change)
    for i in range(len(change)):
        change[i] *= weight
    step_angles(skeleton, ball_rows, posture, change, pose)
    difference_of_angles(skeleton, ball_rows, endless, emitted, pose, change)
    step_angles(skeleton, ball_rows, emitted, change, set_point)
    clamp_angles(skeleton, limits, rest, set_point)


@kernel
def steps_between(here: FloatArray, there: FloatArray, reach: FloatArray, least: float) -> float:
    """How many steps lead from one pose to another [dof], when one moves each joint by its `reach`, or by `least`."""
    steps = 0.0
    for i in range(len(here)):
        steps = max(steps, abs(there[i] - here[i]) / max(reach[i], least))
    return steps


@stage
def look(
    parent: IntArray,
    kind: IntArray,
    dof: IntArray,
    gain: FloatArray,
    bias: FloatArray,
    axis: FloatArray,
    rest_position: FloatArray,
    rest_rotation: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    angles: FloatArray,
    row: int,
    place: FloatArray,
    target: FloatArray,
    is_point: bool,
    seen: FloatArray,
) -> float:
    """Where the eye is and looks, and the angle [rad] to its target.

    The eye sits on a row at `place` [6], its position and its looking direction there; `seen` [6] is overwritten with
    the same in the world.
    """
    skeleton = SkeletonArrays(parent, kind, dof, gain, bias, axis, rest_position, rest_rotation, lower, upper)
    positions, rotations = np.empty((len(parent), 3)), np.empty((len(parent), 4))
    forward_rows(skeleton, angles, positions, rotations)
    eye: Vector = (place[0], place[1], place[2])
    looking: Vector = (place[3], place[4], place[5])
    if row >= 0:
        rotation = load4(rotations, row)
        eye = add(load3(positions, row), rotate(rotation, eye))
        looking = rotate(rotation, looking)
    for k in range(3):
        seen[k], seen[3 + k] = eye[k], looking[k]
    aimed_at: Vector = (target[0], target[1], target[2])
    if not is_point:
        aimed_at = add(eye, aimed_at)
    return looking_error(eye, looking, aimed_at)
