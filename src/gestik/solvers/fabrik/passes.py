"""FABRIK on bare points (Aristidou & Lasenby 2011): two passes over the chain until its end is where it shall be.

Corrected: a target nearer to the base than the longest link lets the chain fold to is out of reach too; where two
points coincide the link keeps its old direction; a chain that lies with its target on one line is bent sideways first,
because the passes would never leave the line.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray, Vector
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import (
    add,
    any_perpendicular,
    cross,
    dot,
    load3,
    norm,
    safe_normalise,
    scale,
    store3,
    subtract,
)

# Distances may exceed the reach by this share before they count as beyond it: sums of lengths are rounded.
ROUNDING = 1e-12
# Points within this share of the chain's length of one line lie on it.
ON_LINE = 1e-7
# How far, as a share of the chain's length, a straight chain is bent sideways.
BEND = 0.05

# How a chain stands to its target.
REACHABLE, TOO_FAR, TOO_CLOSE = 0, 1, 2


@kernel
def squared_distance(a: Vector, b: Vector) -> float:
    """The square of the distance of two points [m^2]."""
    gap = subtract(a, b)
    return dot(gap, gap)


@kernel
def placed_from(fixed: Vector, moved: Vector, length: float, old: Vector) -> Vector:
    """The point on the line from `fixed` to `moved` at `length`; along `old` where the two coincide.

    Lines 9 and 10: lambda = length / r, (1 - lambda) fixed + lambda moved.
    """
    gap = subtract(moved, fixed)
    square = dot(gap, gap)
    if square > 0.0:
        return add(fixed, scale(gap, length / math.sqrt(square)))
    return add(fixed, scale(safe_normalise(old), length))


@kernel
def pass_to_base(points: FloatArray, lengths: FloatArray, target: Vector) -> None:
    """Put the end on the target and draw the other points after it, the one next to it first."""
    last = len(points) - 1
    here, before = target, load3(points, last)
    store3(points, last, here)
    for i in range(last - 1, -1, -1):
        moved = load3(points, i)
        here = placed_from(here, moved, lengths[i], subtract(moved, before))
        before = moved
        store3(points, i, here)


@kernel
def pass_to_tip(points: FloatArray, lengths: FloatArray, base: Vector) -> None:
    """Put the first point back on the base and draw the others after it."""
    here, before = base, load3(points, 0)
    store3(points, 0, here)
    for i in range(len(lengths)):
        moved = load3(points, i + 1)
        here = placed_from(here, moved, lengths[i], subtract(moved, before))
        before = moved
        store3(points, i + 1, here)


@kernel
def measure_links(points: FloatArray, lengths: FloatArray) -> float:
    """Write the distance of each point to the next one; returns their sum."""
    total = 0.0
    for i in range(len(lengths)):
        lengths[i] = math.sqrt(squared_distance(load3(points, i), load3(points, i + 1)))
        total += lengths[i]
    return total


@kernel
def reachability(lengths: FloatArray, distance: float) -> int:
    """Whether links can span a distance [m]: together they are long enough, and none is too long to fold back."""
    total, longest = 0.0, 0.0
    for i in range(len(lengths)):
        total, longest = total + lengths[i], max(longest, lengths[i])
    slack = ROUNDING * total
    if distance > total + slack:
        return TOO_FAR
    return TOO_CLOSE if distance < 2.0 * longest - total - slack else REACHABLE


@kernel
def stretch(points: FloatArray, lengths: FloatArray, target: Vector, folds: bool) -> None:
    """Lay the chain on the line to a target out of reach; one too close is met by all links but the longest folded."""
    base = load3(points, 0)
    direction = safe_normalise(subtract(target, base))
    if dot(direction, direction) < 0.5:  # on the base itself every line is as good: that of the first link
        direction = safe_normalise(subtract(load3(points, 1), base))
    longest = 0
    for i in range(len(lengths)):
        if lengths[i] > lengths[longest]:
            longest = i
    here = base
    for i in range(len(lengths)):
        sign = -1.0 if folds and i != longest else 1.0
        here = add(here, scale(direction, sign * lengths[i]))
        store3(points, i + 1, here)


@kernel
def is_on_line(points: FloatArray, target: Vector, total: float) -> bool:
    """Whether all points and the target lie on one line."""
    base = load3(points, 0)
    farthest = subtract(target, base)
    for i in range(1, len(points)):
        arm = subtract(load3(points, i), base)
        if dot(arm, arm) > dot(farthest, farthest):
            farthest = arm
    direction = safe_normalise(farthest)
    off = norm(cross(direction, subtract(target, base)))
    for i in range(1, len(points)):
        off = max(off, norm(cross(direction, subtract(load3(points, i), base))))
    return off <= ON_LINE * total


@kernel
def bend_sideways(points: FloatArray, flat: bool, total: float) -> None:
    """Push the inner points off a straight chain's line, one side for all; in the plane z = 0 when it is `flat`."""
    base, farthest = load3(points, 0), (0.0, 0.0, 0.0)
    for i in range(1, len(points)):
        arm = subtract(load3(points, i), base)
        if dot(arm, arm) > dot(farthest, farthest):
            farthest = arm
    direction = safe_normalise(farthest)
    side = (-direction[1], direction[0], 0.0) if flat else any_perpendicular(direction)
    for i in range(1, len(points) - 1):
        store3(points, i, add(load3(points, i), scale(side, BEND * total)))


@kernel
def reach_point(
    points: FloatArray, lengths: FloatArray, total: float, target: Vector, flat: bool, tolerance: float, most: int
) -> int:
    """Algorithm 1 behind its reach test, on points [point, 3] m, which are overwritten; returns the iterations."""
    base, last = load3(points, 0), len(points) - 1
    near = tolerance * tolerance
    if squared_distance(load3(points, last), target) <= near:
        return 0
    if is_on_line(points, target, total):
        bend_sideways(points, flat, total)
    for iteration in range(most):
        pass_to_base(points, lengths, target)
        pass_to_tip(points, lengths, base)
        if squared_distance(load3(points, last), target) <= near:
            return iteration + 1
    return most


@stage
def reach_rows(
    points: FloatArray,
    lengths: FloatArray,
    targets: FloatArray,
    flat: bool,
    stretches: bool,
    tolerance: float,
    most: int,
    report: FloatArray,
) -> None:
    """Solve each row: points [row, point, 3] m are overwritten, unless they cannot reach and shall not stretch.

    lengths [link] is memory to trample on; report [row, 3] gets iterations, the distance left [m] and a code of
    `reachability`.
    """
    for row in range(len(points)):
        chain, target = points[row], load3(targets, row)
        total = measure_links(chain, lengths)
        reachable = reachability(lengths, math.sqrt(squared_distance(target, load3(chain, 0))))
        iterations = 0
        if reachable == REACHABLE:
            iterations = reach_point(chain, lengths, total, target, flat, tolerance, most)
        elif stretches:
            stretch(chain, lengths, target, reachable == TOO_CLOSE)
        report[row, 0] = iterations
        report[row, 1] = math.sqrt(squared_distance(load3(chain, len(chain) - 1), target))
        report[row, 2] = reachable
