"""Two bones of a skeleton in closed form: bend the middle to the length, then turn the root to the target."""

from __future__ import annotations

import math
from typing import NamedTuple

from gestik.goals.evaluate import TARGET
from gestik.kernels.arrays import FloatArray, Quaternion, Vector
from gestik.kernels.best_turn import best_angle, turn_to_direction, turn_to_point
from gestik.kernels.chain import frame_of_parent, pose_chain
from gestik.kernels.chain_table import DOF, POSITION, WORLD_AXIS
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, multiply, rotate, shortest_turn
from gestik.kernels.two_bones import present_hinge
from gestik.kernels.vector import (
    add,
    clamped_acos,
    cross,
    dot,
    load3_at,
    norm,
    safe_normalise,
    scale,
    subtract,
    wrap_angle,
)
from gestik.solvers.fabrik.body import Problem, Scratch, ball_angles, centre_of, draw_into_cone, rotate_ball
from gestik.solvers.fabrik.groups import BALL, FIRST, LAST
from gestik.solvers.task_frames import POINT, place_tasks

# Axes whose squared sine is smaller than this are one.
PARALLEL = 1e-9
# Sweeps over the joints of a root that is neither a ball nor two hinges.
SWEEPS = 30
SETTLED = 1e-10


class Limb(NamedTuple):
    """The two joints of a limb: groups of the tree, and how it bends."""

    root: int  # group
    middle: int  # group
    hinge: int  # joint of the tree that bends the middle; -1 where that is a ball
    reach: float  # m, both bones in a line
    softness: float  # share of the reach
    pole_joint: int  # the joint the pole sits on, -1 for the base
    pole: Vector  # m, there
    has_pole: bool


@kernel
def place_limb(problem: Problem, q: FloatArray, scratch: Scratch) -> None:
    """Renew the pose and where the end is."""
    pose_chain(problem.chain, q, scratch.pose)
    place_tasks(problem.tasks, scratch.pose, scratch.frames)


@kernel
def turns_for_distance(axis: Vector, centre: Vector, end: Vector, fixed: Vector, distance: float) -> Vector:
    """Both turns [rad] about an axis that put the end at a distance [m] from a fixed point, the smaller one first.

    The law of cosines for a hinge that need not be square to its bones: the squared distance is a sinusoid of the turn.
    Where none does, both are the turn that comes nearest.  The third number is 0.
    """
    arm, away = subtract(end, centre), subtract(fixed, centre)
    along = dot(axis, arm) * dot(axis, away)
    cosine, sine = dot(arm, away) - along, dot(away, cross(axis, arm))
    size = math.hypot(cosine, sine)
    if size == 0.0:
        return 0.0, 0.0, 0.0
    wanted = 0.5 * (dot(arm, arm) + dot(away, away) - distance * distance) - along
    peak, aside = math.atan2(sine, cosine), clamped_acos(wanted / size)
    less, more = wrap_angle(peak - aside), wrap_angle(peak + aside)
    if abs(more) < abs(less):
        less, more = more, less
    return less, more, 0.0


@kernel
def turn_joint(problem: Problem, joint: int, turn: float, q: FloatArray, box: FloatArray) -> None:
    """Turn a joint, or bring it to the nearest limit where it may not."""
    dof = problem.chain.codes[joint, DOF]
    q[dof] = best_angle((math.cos(turn), math.sin(turn)), q[dof], box[0, dof], box[1, dof])


@kernel
def turn_ball(problem: Problem, group: int, turn: Quaternion, q: FloatArray, scratch: Scratch) -> None:
    """Turn a ball joint by a turn told in the world, inside its limits."""
    before = ball_angles(problem, problem.groups.codes[group, FIRST], q)
    rotate_ball(problem, group, turn, q, scratch)
    draw_into_cone(problem, group, before, q)


@kernel
def bend_middle(problem: Problem, limb: Limb, other: bool, distance: float, q: FloatArray, scratch: Scratch) -> None:
    """Bend the middle joint so that the end is at a distance [m] from the root; `other` bends it the farther way."""
    pose = scratch.pose
    fixed, end = centre_of(problem, limb.root, pose), load3_at(scratch.frames, 0, POINT)
    joint = limb.hinge if limb.hinge >= 0 else problem.groups.codes[limb.middle, FIRST]
    axis, centre = load3_at(pose, joint, WORLD_AXIS), load3_at(pose, joint, POSITION)
    if limb.hinge < 0:
        axis = present_hinge(subtract(centre, fixed), subtract(end, centre), axis)
    turns = turns_for_distance(axis, centre, end, fixed, distance)
    turn = turns[1] if other else turns[0]
    if limb.hinge < 0:
        turn_ball(problem, limb.middle, from_axis_angle(axis, turn), q, scratch)
    else:
        turn_joint(problem, limb.hinge, turn, q, scratch.box)
    place_limb(problem, q, scratch)


@kernel
def aim_ball(problem: Problem, limb: Limb, target: Vector, q: FloatArray, scratch: Scratch) -> None:
    """Turn a root that is a ball by the shortest way, or so that the limb bends towards its pole."""
    fixed, end = centre_of(problem, limb.root, scratch.pose), load3_at(scratch.frames, 0, POINT)
    middle = centre_of(problem, limb.middle, scratch.pose)
    here, wish = safe_normalise(subtract(end, fixed)), safe_normalise(subtract(target, fixed))
    if dot(here, here) < 0.5 or dot(wish, wish) < 0.5:
        return
    idle = present_hinge(subtract(middle, fixed), subtract(end, middle), (0.0, 0.0, 1.0))
    turn = shortest_turn(here, wish, idle)
    if limb.has_pole:
        position, rotation = frame_of_parent(limb.pole_joint, scratch.pose)
        pole = add(position, rotate(rotation, limb.pole))
        bent = add(fixed, rotate(turn, subtract(middle, fixed)))
        turn = multiply(from_axis_angle(wish, turn_to_point(wish, fixed, bent, pole)), turn)
    turn_ball(problem, limb.root, turn, q, scratch)


@kernel
def aim_two_hinges(problem: Problem, limb: Limb, target: Vector, q: FloatArray, scratch: Scratch) -> bool:
    """Turn a root of two hinges that meet: two circles of directions cross at two places, the nearer one is taken.

    Returns False for hinges about one axis.
    """
    first = problem.groups.codes[limb.root, FIRST]
    fixed, end = centre_of(problem, limb.root, scratch.pose), load3_at(scratch.frames, 0, POINT)
    outer, inner = load3_at(scratch.pose, first, WORLD_AXIS), load3_at(scratch.pose, first + 1, WORLD_AXIS)
    arm = subtract(end, fixed)
    wish = scale(safe_normalise(subtract(target, fixed)), norm(arm))
    lean = dot(outer, inner)
    square = 1.0 - lean * lean
    if square < PARALLEL:
        return False
    # Where both circles cross: its parts along the outer axis, the inner one, and both.
    along_outer = (dot(outer, wish) - lean * dot(inner, arm)) / square
    along_inner = (dot(inner, arm) - lean * dot(outer, wish)) / square
    rest = dot(arm, arm) - along_outer**2 - along_inner**2 - 2.0 * along_outer * along_inner * lean
    up = math.sqrt(max(0.0, rest / square))
    flat = add(scale(outer, along_outer), scale(inner, along_inner))
    least, best_outer, best_inner = math.inf, 0.0, 0.0
    for sign in (1.0, -1.0):
        crossing = add(flat, scale(cross(outer, inner), sign * up))
        by_inner, by_outer = turn_to_direction(inner, arm, crossing), turn_to_direction(outer, crossing, wish)
        price = abs(by_inner) + abs(by_outer)
        price += 10.0 * broken(problem, first, by_outer, q, scratch.box)
        price += 10.0 * broken(problem, first + 1, by_inner, q, scratch.box)
        if price < least:
            least, best_outer, best_inner = price, by_outer, by_inner
    turn_joint(problem, first, best_outer, q, scratch.box)
    turn_joint(problem, first + 1, best_inner, q, scratch.box)
    return True


@kernel
def broken(problem: Problem, joint: int, turn: float, q: FloatArray, box: FloatArray) -> float:
    """How far on the circle [rad] a joint's limits keep it from a turn."""
    dof = problem.chain.codes[joint, DOF]
    nearest = best_angle((math.cos(turn), math.sin(turn)), q[dof], box[0, dof], box[1, dof])
    return float(abs(wrap_angle(q[dof] + turn - nearest)))


@kernel
def aim_root(problem: Problem, limb: Limb, target: Vector, q: FloatArray, scratch: Scratch) -> None:
    """Turn the root joint so that the end points at the target."""
    first, last = problem.groups.codes[limb.root, FIRST], problem.groups.codes[limb.root, LAST]
    if problem.groups.codes[limb.root, BALL] == 1:
        aim_ball(problem, limb, target, q, scratch)
    elif last != first + 1 or not aim_two_hinges(problem, limb, target, q, scratch):
        for _ in range(SWEEPS):
            largest = 0.0
            for joint in range(first, last + 1):
                axis, centre = load3_at(scratch.pose, joint, WORLD_AXIS), load3_at(scratch.pose, joint, POSITION)
                turn = turn_to_point(axis, centre, load3_at(scratch.frames, 0, POINT), target)
                before = q[problem.chain.codes[joint, DOF]]
                turn_joint(problem, joint, turn, q, scratch.box)
                largest = max(largest, abs(q[problem.chain.codes[joint, DOF]] - before))
                place_limb(problem, q, scratch)
            if largest < SETTLED or first == last:
                break
    place_limb(problem, q, scratch)


@kernel
def target_of(scratch: Scratch) -> Vector:
    """Where the end shall be [m]."""
    return load3_at(scratch.wanted, 0, TARGET)
