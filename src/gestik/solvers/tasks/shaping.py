"""From what is missing to what counts: arcs for chords, axes that count, slack.  Each acts on residual and Jacobian."""

from __future__ import annotations

import math
from typing import NamedTuple

from gestik.kernels.arrays import Vector
from gestik.kernels.jit import kernel
from gestik.kernels.vector import add, dot, norm, scale

# Next to half a turn the arc rises without bound over the chord; there its slope is that of this cosine.
LEAST_COSINE = 1e-6


class Stretch(NamedTuple):
    """A vector made longer or shorter along itself: ``v -> along v``, with the slope ``along 1 + across v v^T``."""

    vector: Vector
    along: float
    across: float


@kernel
def stretched(stretch: Stretch) -> Vector:
    """The vector it makes."""
    return scale(stretch.vector, stretch.along)


@kernel
def carried(stretch: Stretch, change: Vector) -> Vector:
    """What it makes of a small change of the vector."""
    return add(scale(change, stretch.along), scale(stretch.vector, stretch.across * dot(stretch.vector, change)))


@kernel
def arc_of_chord(chord: Vector) -> Stretch:
    """From the chord 2 sin(angle / 2) to the angle [rad], whose square keeps its slope all the way to half a turn."""
    length = norm(chord)
    if length < 1e-3:
        return Stretch(chord, 1.0 + length * length / 24.0, 1.0 / 12.0 + 3.0 / 160.0 * length * length)
    half = min(1.0, 0.5 * length)
    angle = 2.0 * math.asin(half)
    slope = 1.0 / max(math.sqrt(1.0 - half * half), LEAST_COSINE)
    ratio = angle / length
    return Stretch(chord, ratio, (slope - ratio) / (length * length))


@kernel
def beyond_slack(vector: Vector, slack: float) -> Stretch:
    """What is left of a vector beyond a ball of slack; nothing inside it."""
    length = norm(vector)
    if slack <= 0.0:
        return Stretch(vector, 1.0, 0.0)
    if length <= slack:
        return Stretch(vector, 0.0, 0.0)
    return Stretch(vector, 1.0 - slack / length, slack / (length * length * length))


@kernel
def boxed(part: float, slack: float, counts: bool) -> tuple[float, float]:
    """What counts of one component beyond its slack, and its slope, 1 or 0."""
    if not counts or abs(part) <= slack:
        # On the point without slack the slope is still there.
        return 0.0, 1.0 if counts and slack == 0.0 else 0.0
    return part - math.copysign(slack, part), 1.0
