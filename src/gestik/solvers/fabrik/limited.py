"""FABRIK with joint limits on bare points: two passes in which every link stays inside its angles.

Corrected, in the names of the summary's Algorithms 2 and 3:

- A link's direction is projected on the plane of z and the named axis.  As printed it is the plane of z and the other
  axis, across the one the sign is taken from, and no angle is ever negative.
- The second angle is the elevation above the plane of the first: two projected angles do not compose to the direction.
  With v the direction in the joint's frame, x = atan2(v_x, v_z), y = atan2(v_y, hypot(v_x, v_z)), and the way back is
  (cos y sin x, sin y, cos y cos x).
- The closest value inside the limits is the closest on the circle.
- Frames may be carried along the chain, so that limits are those between links; printed, they stand in the world.
- Angles are measured for a chain that is there from the beginning too, and one outside its limits is brought inside.
- Where two points coincide the link keeps its old angles.
- A chain that is stuck, straight or held by its limits, is bent anew inside them, a fixed sequence of bends.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel, stage
from gestik.kernels.limits import nearest_on_circle
from gestik.kernels.quaternion import conjugate, from_axis_angle, load4, multiply, rotate, store4
from gestik.kernels.spreading import spread
from gestik.kernels.vector import add, dot, load3, scale, store3, subtract, wrap_angle
from gestik.solvers.fabrik.passes import squared_distance

# Iterations without coming this share closer than ever before mean that the chain is stuck.
PATIENCE = 15
LEAST_GAIN = 1e-2
# An angle outside its limits by less than this [rad] is inside.
KEPT = 1e-9


@kernel
def link_angles(frame: Quaternion, link: Vector, old_x: float, old_y: float) -> tuple[float, float]:
    """The angles [rad] of a link in its joint's frame; the old ones where it has no length."""
    v = rotate(conjugate(frame), link)
    if dot(v, v) == 0.0:
        return old_x, old_y
    return math.atan2(v[0], v[2]), math.atan2(v[1], math.hypot(v[0], v[2]))


@kernel
def direction_of(x: float, y: float) -> Vector:
    """The unit direction two angles mean, in the joint's frame."""
    return math.cos(y) * math.sin(x), math.sin(y), math.cos(y) * math.cos(x)


@kernel
def swing_of(x: float, y: float) -> Quaternion:
    """The turn of a link by its angles, about the frame's y, then the x carried along; z becomes its direction."""
    return multiply(from_axis_angle((0.0, 1.0, 0.0), x), from_axis_angle((1.0, 0.0, 0.0), -y))


@kernel
def constrained_angles(
    frame: Quaternion, link: Vector, limits: FloatArray, joint: int, angles: FloatArray
) -> tuple[float, float]:
    """Algorithm 2 for both axes: the angles of a link, each brought to the closest value inside limits [joint, 4]."""
    x, y = link_angles(frame, link, angles[joint, 0], angles[joint, 1])
    return nearest_on_circle(x, limits[joint, 0], limits[joint, 1]), min(max(y, limits[joint, 2]), limits[joint, 3])


@kernel
def frame_of_joint(rest: FloatArray, joint: int, carried: bool, frames: FloatArray, angles: FloatArray) -> Quaternion:
    """The frame a joint's angles are measured in: as given, or carried along by the swing of the link before."""
    own = load4(rest, joint)
    if joint == 0 or not carried:
        return own
    before = multiply(conjugate(load4(rest, joint - 1)), own)
    turned = multiply(load4(frames, joint - 1), swing_of(angles[joint - 1, 0], angles[joint - 1, 1]))
    return multiply(turned, before)


@kernel
def lay_out(
    points: FloatArray,
    lengths: FloatArray,
    rest: FloatArray,
    carried: bool,
    frames: FloatArray,
    angles: FloatArray,
) -> None:
    """Place the points, and the frames, as the angles say."""
    here = load3(points, 0)
    for i in range(len(lengths)):
        frame = frame_of_joint(rest, i, carried, frames, angles)
        store4(frames, i, frame)
        here = add(here, scale(rotate(frame, direction_of(angles[i, 0], angles[i, 1])), lengths[i]))
        store3(points, i + 1, here)


@kernel
def measure_angles(
    points: FloatArray, rest: FloatArray, carried: bool, limits: FloatArray, frames: FloatArray, angles: FloatArray
) -> bool:
    """Write frames and angles of a chain as it is; returns whether they are inside their limits."""
    inside = True
    for i in range(len(angles)):
        frame = frame_of_joint(rest, i, carried, frames, angles)
        store4(frames, i, frame)
        angles[i, 0] = angles[i, 1] = 0.0
        link = subtract(load3(points, i + 1), load3(points, i))
        x, y = link_angles(frame, link, 0.0, 0.0)
        near_x, near_y = constrained_angles(frame, link, limits, i, angles)
        turned = abs(wrap_angle(near_x - x)) if math.cos(y) > KEPT else 0.0
        inside = inside and turned <= KEPT and abs(near_y - y) <= KEPT
        angles[i, 0], angles[i, 1] = x, y
    return inside


@kernel
def limited_pass_to_base(
    points: FloatArray, lengths: FloatArray, target: Vector, limits: FloatArray, frames: FloatArray, angles: FloatArray
) -> None:
    """Put the end on the target and draw the other points after it, inside their limits in the frames as they are."""
    last = len(lengths)
    here = target
    store3(points, last, here)
    for i in range(last - 1, -1, -1):
        frame = load4(frames, i)
        x, y = constrained_angles(frame, subtract(here, load3(points, i)), limits, i, angles)
        here = subtract(here, scale(rotate(frame, direction_of(x, y)), lengths[i]))
        store3(points, i, here)


@kernel
def limited_pass_to_tip(
    points: FloatArray,
    lengths: FloatArray,
    base: Vector,
    rest: FloatArray,
    carried: bool,
    limits: FloatArray,
    frames: FloatArray,
    angles: FloatArray,
) -> None:
    """Put the first point back on the base and draw the others after it, every link inside its limits."""
    here = base
    store3(points, 0, here)
    for i in range(len(lengths)):
        frame = frame_of_joint(rest, i, carried, frames, angles)
        store4(frames, i, frame)
        link = subtract(load3(points, i + 1), here)
        angles[i, 0], angles[i, 1] = constrained_angles(frame, link, limits, i, angles)
        here = add(here, scale(rotate(frame, direction_of(angles[i, 0], angles[i, 1])), lengths[i]))
        store3(points, i + 1, here)


@kernel
def bend_anew(limits: FloatArray, turn: int, angles: FloatArray) -> None:
    """Write the next of a fixed sequence of bends spread over the limits."""
    for i in range(len(angles)):
        for k in range(2):
            share = spread(turn, 2 * i + k, 2 * len(angles))
            angles[i, k] = limits[i, 2 * k] + share * (limits[i, 2 * k + 1] - limits[i, 2 * k])


@stage
def reach_limited(
    points: FloatArray,
    lengths: FloatArray,
    target: Vector,
    rest: FloatArray,
    carried: bool,
    limits: FloatArray,
    tolerance: float,
    most: int,
    frames: FloatArray,
    angles: FloatArray,
) -> tuple[int, float]:
    """Algorithm 3 behind its reach test: points [n, 3] m, frames [n - 1, 4] and angles [n - 1, 2] rad are overwritten.

    rest [n - 1, 4]: the joints' frames as given; limits [n - 1, 4] rad: x from, to, y from, to.  What is left are the
    best angles seen.  Returns the iterations and the distance left [m].
    """
    base = load3(points, 0)
    is_inside = measure_angles(points, rest, carried, limits, frames, angles)
    missing = math.sqrt(squared_distance(load3(points, len(lengths)), target))
    best = angles.copy()
    best_missing = missing if is_inside else math.inf
    landmark, since, turn, iterations = math.inf, 0, 0, 0
    while iterations < most and best_missing > tolerance:
        limited_pass_to_base(points, lengths, target, limits, frames, angles)
        limited_pass_to_tip(points, lengths, base, rest, carried, limits, frames, angles)
        iterations += 1
        missing = math.sqrt(squared_distance(load3(points, len(lengths)), target))
        if missing < best_missing:
            best_missing = missing
            best[:, :] = angles
        if missing < (1.0 - LEAST_GAIN) * landmark:
            landmark, since = missing, 0
        else:
            since += 1
        if since >= PATIENCE and best_missing > tolerance:
            turn += 1
            bend_anew(limits, turn, angles)
            lay_out(points, lengths, rest, carried, frames, angles)
            landmark, since = math.inf, 0
    if iterations > 0:
        angles[:, :] = best
        lay_out(points, lengths, rest, carried, frames, angles)
        missing = math.sqrt(squared_distance(load3(points, len(lengths)), target))
    return iterations, missing
