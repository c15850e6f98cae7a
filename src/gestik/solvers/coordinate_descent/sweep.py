"""CCD and BWCD: sweeps over all joints, from the tips or from the base, and the loop around them.

Ribeiro & Paiva, ERIK, Algorithm 22 (CCD), Algorithms 19 and 21 (BWCD without and with limits).  Departs: each joint
takes the exact best value for all goals together, so no angle between projections has to be guarded against zero; every
value stays inside its box, which the printed solution version forgets; kinematics are renewed whether or not edges are
avoided; the error is never rounded; and what is returned is the best seen.
"""

from __future__ import annotations

import math

from gestik.kernels.arrays import PRISMATIC, FloatArray
from gestik.kernels.chain import place_joint, pose_chain
from gestik.kernels.chain_table import DOF, KIND, POSITION, WORLD_AXIS
from gestik.kernels.jit import kernel, stage
from gestik.kernels.vector import load3_at, norm, scale
from gestik.solvers.coordinate_descent.cones import kept_in_cone
from gestik.solvers.coordinate_descent.joint import best_slid, best_turned
from gestik.solvers.coordinate_descent.layout import FROM_BASE
from gestik.solvers.coordinate_descent.problem import Problem, Scratch
from gestik.solvers.report import SEARCHED, SPENT, STALLED
from gestik.solvers.task_frames import place_tasks, slide_tasks, tasks_cost, tasks_met, turn_tasks

# A sweep that takes less than this share off the cost gets nowhere.
LEAST_GAIN = 1e-7
# A sweep that moves no coordinate by more than this [rad or m] stands still.
STILL = 1e-9
# How far [rad or m] coordinates are pushed where nothing pulls at them although the goals are not met.
NUDGE = 0.1
# How often a shared coordinate's step is halved at the most.
HALVINGS = 10


@kernel
def place_all(problem: Problem, q: FloatArray, scratch: Scratch) -> None:
    """Renew the pose and the tasks' frames for the coordinates q [dof]."""
    pose_chain(problem.chain, q, scratch.pose)
    place_tasks(problem.tasks, scratch.pose, scratch.frames)


@kernel
def best_value(problem: Problem, scratch: Scratch, joint: int, value: float) -> float:
    """The best value [rad or m] inside its box of a joint that stands at `value` and is placed in `scratch`."""
    codes, pose, box = problem.chain.codes, scratch.pose, scratch.box
    dof = codes[joint, DOF]
    axis = load3_at(pose, joint, WORLD_AXIS)
    if codes[joint, KIND] == PRISMATIC:
        return best_slid(problem, scratch.wanted, scratch.frames, joint, axis, value, box[0, dof], box[1, dof])
    centre = load3_at(pose, joint, POSITION)
    return best_turned(problem, scratch.wanted, scratch.frames, joint, centre, axis, value, box[0, dof], box[1, dof])


@kernel
def move_alone(problem: Problem, joint: int, q: FloatArray, scratch: Scratch) -> float:
    """Bring one joint to its best value and carry the tasks' frames along; returns how far it moved."""
    dof = problem.chain.codes[joint, DOF]
    change = kept_in_cone(problem, joint, q, best_value(problem, scratch, joint, q[dof])) - q[dof]
    q[dof] += change
    axis = load3_at(scratch.pose, joint, WORLD_AXIS)
    if problem.chain.codes[joint, KIND] == PRISMATIC:
        slide_tasks(problem.moves, joint, scale(axis, change), scratch.frames)
    else:
        centre = load3_at(scratch.pose, joint, POSITION)
        turn_tasks(problem.moves, joint, centre, axis, change, scratch.frames)
    return float(abs(change))


@stage
def move_shared(problem: Problem, joint: int, q: FloatArray, scratch: Scratch) -> float:
    """Move a coordinate that drives several joints as one of them asks, halving until the goals come closer.

    The other joints it drives turn the same goals, so what is best for one need not be good.
    """
    dof = problem.chain.codes[joint, DOF]
    axis = load3_at(scratch.pose, joint, WORLD_AXIS)
    gain = norm(axis)
    if gain == 0.0:
        return 0.0
    before, cost = q[dof], tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
    centre, pose = load3_at(scratch.pose, joint, POSITION), scratch.pose
    unit = scale(axis, 1.0 / gain)
    if problem.chain.codes[joint, KIND] == PRISMATIC:
        change = best_slid(problem, scratch.wanted, scratch.frames, joint, unit, 0.0, -math.inf, math.inf)
    else:
        change = best_turned(problem, scratch.wanted, scratch.frames, joint, centre, unit, 0.0, -math.inf, math.inf)
    change /= gain
    for _ in range(HALVINGS):
        q[dof] = min(max(before + change, scratch.box[0, dof]), scratch.box[1, dof])
        pose_chain(problem.chain, q, pose)
        place_tasks(problem.tasks, pose, scratch.frames)
        if tasks_cost(problem.tasks, scratch.wanted, scratch.frames) <= cost:
            return float(abs(q[dof] - before))
        change *= 0.5
    q[dof] = before
    place_all(problem, q, scratch)
    return 0.0


@kernel
def move_joint(problem: Problem, joint: int, q: FloatArray, scratch: Scratch) -> float:
    """Give one joint its turn; returns how far it moved [rad or m]."""
    if problem.alone[problem.chain.codes[joint, DOF]] == 1:
        return move_alone(problem, joint, q, scratch)
    return move_shared(problem, joint, q, scratch)


@kernel
def sweep_from_tip(problem: Problem, q: FloatArray, scratch: Scratch) -> float:
    """Give every joint its turn, the last one first; stops when all goals are met.  Returns the largest move.

    What stands nearer the base has not moved yet when a joint has its turn: only the tasks' frames are carried along.
    """
    largest = 0.0
    for back in range(len(problem.chain.codes)):
        largest = max(largest, move_joint(problem, len(problem.chain.codes) - 1 - back, q, scratch))
        if tasks_met(problem.tasks, scratch.wanted, scratch.frames):
            break
    place_all(problem, q, scratch)
    return largest


@kernel
def sweep_from_base(problem: Problem, q: FloatArray, scratch: Scratch) -> float:
    """Give every joint its turn, the first one first; stops when all goals are met.  Returns the largest move."""
    largest = 0.0
    for joint in range(len(problem.chain.codes)):
        place_joint(problem.chain, joint, q, scratch.pose)
        largest = max(largest, move_joint(problem, joint, q, scratch))
        place_joint(problem.chain, joint, q, scratch.pose)
        if tasks_met(problem.tasks, scratch.wanted, scratch.frames):
            break
    place_all(problem, q, scratch)
    return largest


@kernel
def nudge(problem: Problem, q: FloatArray, box: FloatArray) -> None:
    """Push the joints a little this way and that, inside their limits: a straight chain is pulled by nothing."""
    push = NUDGE
    for joint in range(len(problem.chain.codes)):
        dof = problem.chain.codes[joint, DOF]
        if problem.alone[dof] == 0:
            continue
        pushed = q[dof] + push
        if not box[0, dof] <= pushed <= box[1, dof]:
            pushed = min(max(q[dof] - push, box[0, dof]), box[1, dof])
        q[dof] = kept_in_cone(problem, joint, q, pushed)
        push *= -0.8


@kernel
def descend(problem: Problem, order: int, most: int, q: FloatArray, scratch: Scratch) -> tuple[int, int]:
    """Sweep until the goals are met, at most `most` times; q [dof] is overwritten with the best seen.

    `scratch` brings the targets and the box q lies in, and leaves with the pose and the tasks' frames at q.  Returns
    how many sweeps it took, and how it ended.
    """
    place_all(problem, q, scratch)
    if tasks_met(problem.tasks, scratch.wanted, scratch.frames):
        return 0, SEARCHED
    best_cost = cost = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
    best = scratch.best
    best[:] = q
    ending, sweeps, is_nudged = SPENT, 0, False
    while sweeps < most:
        moved = sweep_from_base(problem, q, scratch) if order == FROM_BASE else sweep_from_tip(problem, q, scratch)
        sweeps += 1
        before, cost = cost, tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        if cost < best_cost:
            best_cost = cost
            best[:] = q
        if tasks_met(problem.tasks, scratch.wanted, scratch.frames):
            return sweeps, SEARCHED
        if before - cost > LEAST_GAIN * before:
            continue
        if moved > STILL or is_nudged:
            ending = STALLED
            break
        nudge(problem, q, scratch.box)
        place_all(problem, q, scratch)
        cost = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        is_nudged = True
    q[:] = best
    place_all(problem, q, scratch)
    return sweeps, ending
