"""The scalar measures everything is judged by: orientation, the paper's posture measure, the sighted one.

Ribeiro & Paiva, "Expressive inverse kinematics" (ERIK), sec. 3.6.  Corrected: directions are normalised, bends are
counted without twisters both in the sum and in its norm, and the distance is formed without cancellation.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import angle_of, conjugate, from_axis_angle, multiply
from gestik.kernels.vector import add, angle_between, cross, dot, load3_at, norm, scale, subtract


@kernel
def angle_measure(angle: float) -> float:
    """The paper's Z (eq. 20) of a turn by `angle` in [0, pi] rad: sqrt(2) sin(angle / 4), in [0, 1]."""
    return math.sqrt(2.0) * math.sin(0.25 * angle)


@kernel
def chord_measure(chord: float) -> float:
    """The same measure from the chord 2 sin(angle / 2) in [0, 2], without trigonometry and exact near zero."""
    half = 0.5 * min(2.0, chord)
    return half / math.sqrt(1.0 + math.sqrt(max(0.0, 1.0 - half * half)))


@kernel
def turn_between(a: Quaternion, b: Quaternion) -> float:
    """Angle [rad] between two orientations."""
    return angle_of(multiply(a, conjugate(b)))


@kernel
def symmetric_twin(rotation: Quaternion, local_axis: Vector) -> Quaternion:
    """`rotation` with its body turned half round about its own axis: the same to an end-point with two good sides."""
    return multiply(rotation, from_axis_angle(local_axis, math.pi))


# Columns of a drawn posture [bone, DRAWN_WIDTH]: what the animator said of each bone of a chain.
DRAWN_DIRECTION = 0  # 3, unit, world
BENT = 3  # 1 where the bone counts in the paper's measure: not a twister's, with a direction
SHAPED = 4  # 1 where it counts in the sighted measure: it has a direction
DRAWN_WIDTH = 5


@kernel
def bend_measure(bones: FloatArray, column: int, drawn: FloatArray, base: Vector, aggravation: float) -> float:
    """The paper's posture error (eq. 21-22) in [0, 1]: how far the cosines of corresponding bends differ.

    bones [bone, :] holds unit directions from `column` on, drawn [bone, DRAWN_WIDTH] the posture's; `base` is the
    direction the first bend is taken from.
    """
    total, norm_sum, weight = 0.0, 0.0, 1.0
    previous, previous_drawn = base, base
    for k in range(len(drawn)):
        if drawn[k, BENT] == 0.0:
            continue
        here, here_drawn = load3_at(bones, k, column), load3_at(drawn, k, DRAWN_DIRECTION)
        total += weight * 0.5 * abs(dot(previous, here) - dot(previous_drawn, here_drawn))
        norm_sum += weight
        weight *= aggravation
        previous, previous_drawn = here, here_drawn
    return total / norm_sum if norm_sum > 0.0 else 0.0


@kernel
def heading(bones: FloatArray, column: int, drawn: FloatArray, up: Vector) -> tuple[float, float]:
    """Sine and cosine of the turn about `up` that brings the drawn bones closest to `bones`, in least squares.

    No turn (0, 1) where every turn is as good.
    """
    sine, cosine = 0.0, 0.0
    for k in range(len(drawn)):
        if drawn[k, SHAPED] > 0.0:
            u, v = load3_at(bones, k, column), load3_at(drawn, k, DRAWN_DIRECTION)
            sine += dot(cross(v, u), up)
            cosine += dot(u, v) - dot(u, up) * dot(v, up)
    size = math.sqrt(sine * sine + cosine * cosine)
    if size < 1e-12:
        return 0.0, 1.0
    return sine / size, cosine / size


@kernel
def turn_about(v: Vector, up: Vector, turn: tuple[float, float]) -> Vector:
    """Turn `v` about the unit vector `up` by the angle of that sine and cosine."""
    along = scale(up, dot(v, up))
    return add(along, add(scale(subtract(v, along), turn[1]), scale(cross(up, v), turn[0])))


@kernel
def shape_measure(bones: FloatArray, column: int, drawn: FloatArray, up: Vector) -> float:
    """The sighted posture error: mean angle [rad] between corresponding bones after the best turn about `up`."""
    turn = heading(bones, column, drawn, up)
    total, count = 0.0, 0.0
    for k in range(len(drawn)):
        if drawn[k, SHAPED] > 0.0:
            here, wanted = load3_at(bones, k, column), load3_at(drawn, k, DRAWN_DIRECTION)
            total += angle_between(here, turn_about(wanted, up, turn))
            count += 1.0
    return total / count if count > 0.0 else 0.0


@kernel
def looking_error(eye: Vector, looking: Vector, target: Vector) -> float:
    """Angle [rad] between where an eye looks and where the target is; 0 for a target inside the eye."""
    gap = subtract(target, eye)
    return 0.0 if norm(gap) < 1e-12 else angle_between(looking, gap)
