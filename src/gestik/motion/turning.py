"""Turning the joints of a body until its bones point where they should: block by block, each in closed form.

One joint at a time, from the base outwards and again, is turned by the angle that serves all bones it moves best: a
hinge by the arc tangent of two sums, a ball by the shortest turn of its own bone and then the best twist about it.
Limits are kept at every step, and nothing depends on the frame before.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays, Vector
from gestik.kernels.euler import ball_rotation, turn_ball
from gestik.kernels.forward import forward_part, forward_rows
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import (
    conjugate,
    from_axis_angle,
    load4,
    multiply,
    rotate,
    shortest_turn,
)
from gestik.kernels.vector import (
    add,
    any_perpendicular,
    cross,
    dot,
    load3,
    safe_normalise,
    scale,
    store3,
    subtract,
    wrap_angle,
)

# Sums of pulls below this say nothing about an angle.
SLACK = 1e-9
# A sweep that turns no joint by more [rad] is the last one.
SETTLED = 1e-5
# No joint turns by more [rad] at once to bring a foot to its place, so that no knee is thrown over.
LONGEST_TURN = 0.1


class Bones(NamedTuple):
    """What shall point somewhere: from a place on one row to a place on another, or on the same one."""

    start_row: IntArray  # [bone]
    start: FloatArray  # [bone, 3], m, in the row's frame
    end_row: IntArray  # [bone]
    end: FloatArray  # [bone, 3]


class Steps(NamedTuple):
    """The joints that are turned, in that order."""

    row: IntArray  # [step], the first row of a ball
    is_ball: IntArray  # [step], 1 or 0
    own: IntArray  # [step], the bone a ball is turned for first
    pull: FloatArray  # [step, bone], how much each bone counts, 0 where the joint does not move it
    carries: IntArray  # [step, bone], 1 where the bone turns as a whole, 0 where its beginning stays
    last: IntArray  # [step], behind the last row the joint carries


@kernel
def room_for(skeleton: SkeletonArrays) -> tuple[FloatArray, FloatArray]:
    """Room for the frames of all rows and, behind them where row -1 points, the frame of the base."""
    count = len(skeleton.parent)
    positions, rotations = np.zeros((count + 1, 3)), np.zeros((count + 1, 4))
    rotations[count, 0] = 1.0
    return positions, rotations


@kernel
def turn_to(
    skeleton: SkeletonArrays,
    bones: Bones,
    steps: Steps,
    wanted: FloatArray,
    sweeps: int,
    angles: FloatArray,
    positions: FloatArray,
    rotations: FloatArray,
) -> None:
    """Turn joints until the bones point along `wanted` [bone, 3]; angles, positions and rotations are overwritten."""
    forward_rows(skeleton, angles, positions, rotations)
    for _ in range(sweeps):
        largest = 0.0
        for step in range(len(steps.row)):
            if steps.is_ball[step]:
                turned = _turn_ball(skeleton, bones, steps, step, wanted, angles, positions, rotations)
            else:
                turned = _turn_hinge(skeleton, bones, steps, step, wanted, angles, positions, rotations)
            largest = max(largest, turned)
            if turned > 0.0:
                forward_part(skeleton, angles, steps.row[step], steps.last[step], positions, rotations)
        if largest < SETTLED:
            break


@kernel
def _pair(
    bones: Bones,
    steps: Steps,
    step: int,
    bone: int,
    pivot: Vector,
    wanted: FloatArray,
    positions: FloatArray,
    rotations: FloatArray,
) -> tuple[Vector, Vector]:
    """What a joint turns of a bone, and where that should point: unit vectors."""
    start_row, end_row = bones.start_row[bone], bones.end_row[bone]
    start = add(load3(positions, start_row), rotate(load4(rotations, start_row), load3(bones.start, bone)))
    end = add(load3(positions, end_row), rotate(load4(rotations, end_row), load3(bones.end, bone)))
    goal = load3(wanted, bone)
    if steps.carries[step, bone]:
        return safe_normalise(subtract(end, start)), goal
    span = subtract(end, start)
    length = math.sqrt(dot(span, span))
    return safe_normalise(subtract(end, pivot)), safe_normalise(subtract(scale(goal, length), subtract(pivot, start)))


@kernel
def _turn_hinge(
    skeleton: SkeletonArrays,
    bones: Bones,
    steps: Steps,
    step: int,
    wanted: FloatArray,
    angles: FloatArray,
    positions: FloatArray,
    rotations: FloatArray,
) -> float:
    """Turn a hinge to where its bones are served best within its limits; by how much it turned."""
    row = steps.row[step]
    pivot = load3(positions, row)
    axis = rotate(load4(rotations, row), load3(skeleton.axis, row))
    along, across = 0.0, 0.0
    for bone in range(len(bones.start_row)):
        pull = steps.pull[step, bone]
        if pull > 0.0:
            here, goal = _pair(bones, steps, step, bone, pivot, wanted, positions, rotations)
            along += pull * (dot(here, goal) - dot(here, axis) * dot(goal, axis))
            across += pull * dot(cross(axis, here), goal)
    if math.hypot(along, across) < SLACK:
        return 0.0
    dof = skeleton.dof[row]
    best = angles[dof] + math.atan2(across, along)
    lower, upper = skeleton.lower[dof], skeleton.upper[dof]
    if best > upper and best - 2.0 * math.pi >= lower:
        best -= 2.0 * math.pi
    elif best < lower and best + 2.0 * math.pi <= upper:
        best += 2.0 * math.pi
    if best < lower or best > upper:
        best = lower if math.cos(lower - best) > math.cos(upper - best) else upper
    turned: float = abs(best - angles[dof])
    angles[dof] = best
    return turned


@kernel
def _turn_ball(
    skeleton: SkeletonArrays,
    bones: Bones,
    steps: Steps,
    step: int,
    wanted: FloatArray,
    angles: FloatArray,
    positions: FloatArray,
    rotations: FloatArray,
) -> float:
    """Turn a ball joint: its own bone by the shortest turn, then all others by the best twist about it."""
    row = steps.row[step]
    pivot = load3(positions, row)
    own = steps.own[step]
    here, goal = _pair(bones, steps, step, own, pivot, wanted, positions, rotations)
    swing = shortest_turn(here, goal, any_perpendicular(here))
    along, across = 0.0, 0.0
    for bone in range(len(bones.start_row)):
        pull = steps.pull[step, bone]
        if pull > 0.0 and bone != own:
            other, other_goal = _pair(bones, steps, step, bone, pivot, wanted, positions, rotations)
            other = rotate(swing, other)
            along += pull * (dot(other, other_goal) - dot(other, goal) * dot(other_goal, goal))
            across += pull * dot(cross(goal, other), other_goal)
    turn = swing
    if math.hypot(along, across) > SLACK:
        turn = multiply(from_axis_angle(goal, math.atan2(across, along)), swing)
    before = load4(rotations, row + 2)
    parent = skeleton.parent[row]
    base = load4(skeleton.rest_rotation, row)
    if parent >= 0:
        base = multiply(load4(rotations, parent), base)
    turn_ball(skeleton, row, multiply(conjugate(base), multiply(turn, before)), angles)
    for k in range(3):
        dof = skeleton.dof[row + k]
        angles[dof] = min(max(angles[dof], skeleton.lower[dof]), skeleton.upper[dof])
    return 2.0 * math.sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3])


@kernel
def reach_for(
    skeleton: SkeletonArrays,
    rows: IntArray,
    row: int,
    offset: Vector,
    target: Vector,
    rounds: int,
    angles: FloatArray,
    positions: FloatArray,
    rotations: FloatArray,
) -> float:
    """Bring a place on a row to a target by small turns of `rows` within their limits; how far it stays [m].

    Damped least squares, the damping as strong as the end is far: near the answer it is Newton's method, and a limb
    that cannot reach stretches towards its target without a jump.
    """
    # Of turns in rows the Jacobian has one column each; the 3 x 3 system J J^T + damping is solved by Cramer's rule.
    count = len(rows)
    columns = np.empty((count, 3))
    missing = 0.0
    for _ in range(rounds):
        forward_rows(skeleton, angles, positions, rotations)
        end = add(load3(positions, row), rotate(load4(rotations, row), offset))
        gap = subtract(target, end)
        missing = math.sqrt(dot(gap, gap))
        if missing < 1e-6:
            break
        for k in range(count):
            axis = rotate(load4(rotations, rows[k]), load3(skeleton.axis, rows[k]))
            column = cross(axis, subtract(end, load3(positions, rows[k])))
            dof = skeleton.dof[rows[k]]
            push = dot(column, gap)
            # What stands at a limit and would go on beyond it takes no part.
            if (angles[dof] <= skeleton.lower[dof] and push < 0.0) or (
                angles[dof] >= skeleton.upper[dof] and push > 0.0
            ):
                column = (0.0, 0.0, 0.0)
            store3(columns, k, column)
        damping = 1e-3 * missing + 1e-9
        pulled = _solved(columns, damping, gap)
        for k in range(count):
            dof = skeleton.dof[rows[k]]
            change = min(max(dot(load3(columns, k), pulled), -LONGEST_TURN), LONGEST_TURN)
            angles[dof] = min(max(angles[dof] + change, skeleton.lower[dof]), skeleton.upper[dof])
    forward_rows(skeleton, angles, positions, rotations)
    end = add(load3(positions, row), rotate(load4(rotations, row), offset))
    gap = subtract(target, end)
    return math.sqrt(dot(gap, gap))


@kernel
def _solved(columns: FloatArray, damping: float, gap: Vector) -> Vector:
    """(J J^T + damping) x = gap."""
    xx, xy, xz, yy, yz, zz = damping, 0.0, 0.0, damping, 0.0, damping
    for k in range(len(columns)):
        x, y, z = load3(columns, k)
        xx += x * x
        xy += x * y
        xz += x * z
        yy += y * y
        yz += y * z
        zz += z * z
    first, second, third = (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
    normal = cross(second, third)
    whole = dot(first, normal)
    other, last = cross(third, first), cross(first, second)
    return (
        (gap[0] * normal[0] + gap[1] * other[0] + gap[2] * last[0]) / whole,
        (gap[0] * normal[1] + gap[1] * other[1] + gap[2] * last[1]) / whole,
        (gap[0] * normal[2] + gap[1] * other[2] + gap[2] * last[2]) / whole,
    )


@kernel
def turn_all(
    skeleton: SkeletonArrays,
    bones: Bones,
    steps: Steps,
    wanted: FloatArray,
    sweeps: int,
    angles: FloatArray,
    ends: FloatArray,
    end_rows: IntArray,
    end_offsets: FloatArray,
) -> None:
    """`turn_to` for every frame: wanted [frame, bone, 3], angles [frame, dof] are overwritten.

    Where some places are afterwards is written to `ends` [frame, place, 3].
    """
    positions, rotations = room_for(skeleton)
    for frame in range(len(wanted)):
        turn_to(skeleton, bones, steps, wanted[frame], sweeps, angles[frame], positions, rotations)
        for place in range(len(end_rows)):
            row = end_rows[place]
            end = add(load3(positions, row), rotate(load4(rotations, row), load3(end_offsets, place)))
            store3(ends[frame], place, end)


@kernel
def places_of(
    skeleton: SkeletonArrays,
    angles: FloatArray,
    rows: IntArray,
    offsets: FloatArray,
    places: FloatArray,
    turns: FloatArray,
) -> None:
    """Where places on rows are at every frame; places [frame, k, 3] and turns of the rows [frame, k, 4] overwritten."""
    positions, rotations = room_for(skeleton)
    for frame in range(len(angles)):
        forward_rows(skeleton, angles[frame], positions, rotations)
        for k in range(len(rows)):
            rotation = load4(rotations, rows[k])
            store3(places[frame], k, add(load3(positions, rows[k]), rotate(rotation, load3(offsets, k))))
            for component in range(4):
                turns[frame, k, component] = rotation[component]


@kernel
def reach_all(
    skeleton: SkeletonArrays,
    bones: Bones,
    steps: Steps,
    wanted: FloatArray,
    rows: IntArray,
    row: int,
    offset: FloatArray,
    targets: FloatArray,
    rounds: int,
    angles: FloatArray,
    missing: FloatArray,
) -> None:
    """`reach_for` at every frame, then the joints of `steps` are turned again; angles [frame, dof] are overwritten.

    Targets [frame, 3]; missing [frame] m is overwritten.
    """
    positions, rotations = room_for(skeleton)
    place = (offset[0], offset[1], offset[2])
    for frame in range(len(targets)):
        goal = load3(targets, frame)
        missing[frame] = reach_for(skeleton, rows, row, place, goal, rounds, angles[frame], positions, rotations)
        turn_to(skeleton, bones, steps, wanted[frame], 2, angles[frame], positions, rotations)


@kernel
def unwind(skeleton: SkeletonArrays, ball_rows: IntArray, endless: IntArray, angles: FloatArray) -> None:
    """Angles [frame, dof] that mean the same, each as near as can be to the frame before; overwritten."""
    for frame in range(1, len(angles)):
        for k in range(len(endless)):
            before = angles[frame - 1, endless[k]]
            angles[frame, endless[k]] = before + wrap_angle(angles[frame, endless[k]] - before)
        for ball in range(len(ball_rows)):
            row = ball_rows[ball]
            rotation = ball_rotation(skeleton, row, angles[frame])
            for k in range(3):
                angles[frame, skeleton.dof[row + k]] = angles[frame - 1, skeleton.dof[row + k]]
            turn_ball(skeleton, row, rotation, angles[frame])
