"""Where Python enters poise: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gestik.goals.evaluate import TARGET, TARGET_WIDTH, TWIN, residual_size
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray, IntArray, Vector
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import DIRECTION, PARENT, Chain
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.kernels.measures import BENT, DRAWN_DIRECTION, DRAWN_WIDTH, SHAPED, symmetric_twin
from gestik.kernels.quaternion import conjugate, load4_at, multiply, store4_at
from gestik.kernels.vector import dot, load3_at, store3_at
from gestik.solvers.poise.descent import descend
from gestik.solvers.poise.inner import TwistEnded, Work, empty_work
from gestik.solvers.poise.plan import Phase, Plan
from gestik.solvers.poise.problem import (
    LOOKING,
    SYMMETRIC,
    TASK_KIND,
    TOOL_ROTATION,
    Problem,
    Scratch,
    Settings,
    Tasks,
    Wanted,
    empty_scratch,
)
from gestik.solvers.poise.residuals import posture_cost, task_cost, task_residual
from gestik.solvers.poise.search import POOL_SIZE, search
from gestik.solvers.poise.twist_ended import solve_twist_ended
from gestik.solvers.report import COST, ENDING, ITERATIONS, SEARCHED

# Columns of `layout`, one row per task and a last one for the posture: where its numbers begin in a row of targets.
OFFSET = 0
FORM = 1  # for the posture: one of the three below
NO_POSTURE, BY_ANGLES, BY_POINTS = 0, 1, 2

# Modes.
SOLVE, FOLLOW = 0, 1
FOLLOW_STEPS = 8

# Places in `numbers`.
MEASURE, POSTURE_WEIGHT, AGGRAVATION, UP, BASE, TURNING, PLAN = 0, 1, 2, 3, 6, 9, 10

# Places in `inner_numbers`.
ROOT_AXIS, END_DIRECTION, BASE_TURN, TIP_TURN, TIP_AXIS, CLOSES = 0, 3, 6, 10, 14, 17
POOL = 1  # best vertices and settled patterns that are shared out


class Flat(NamedTuple):
    """A bound problem as the flat arguments of `solve_rows`, in their order."""

    codes: IntArray
    table: FloatArray
    limits: FloatArray
    task_codes: IntArray
    task_table: FloatArray
    numbers: FloatArray
    starts: FloatArray
    coordinates: FloatArray
    said: FloatArray  # [joint, 2], 1 where the bone counts in the paper's and in the sighted measure
    layout: IntArray  # [task + 1, 2]
    dofs: IntArray  # [chain dof], the skeleton's coordinate
    inner_table: FloatArray
    twist_limits: FloatArray
    mirrors: FloatArray
    inner_numbers: FloatArray


@kernel
def read_targets(problem: Problem, layout: IntArray, targets: FloatArray, row: int, wanted: Wanted) -> None:
    """Decode the tasks' targets of one row; rotations become those of the joint that carries the frame."""
    codes, table, target = problem.tasks.codes, problem.tasks.table, wanted.target
    for task in range(len(codes)):
        offset = layout[task, OFFSET]
        if codes[task, TASK_KIND] == ORIENTATION_GOAL:
            tool = conjugate(load4_at(table, task, TOOL_ROTATION))
            rotation = multiply(load4_at(targets, row, offset), tool)
            store4_at(target, task, TARGET, rotation)
            if codes[task, SYMMETRIC] == 1:
                rotation = symmetric_twin(rotation, load3_at(table, task, LOOKING))
            store4_at(target, task, TWIN, rotation)
        else:
            store3_at(target, task, TARGET, load3_at(targets, row, offset))
            store4_at(target, task, TWIN, (1.0, 0.0, 0.0, 0.0))


@kernel
def read_posture(
    problem: Problem,
    layout: IntArray,
    said: FloatArray,
    dofs: IntArray,
    targets: FloatArray,
    row: int,
    start: FloatArray,
    wanted: Wanted,
    scratch: Scratch,
) -> None:
    """Decode the posture of one row into the bones it draws; without angles of its own the start lends them."""
    offset, form = layout[len(layout) - 1, OFFSET], layout[len(layout) - 1, FORM]
    drawn = wanted.drawn
    for i in range(len(dofs)):
        wanted.angles[i] = targets[row, offset + dofs[i]] if form == BY_ANGLES else start[dofs[i]]
    if form == BY_ANGLES:
        pose_chain(problem.chain, wanted.angles, scratch.pose)
    for joint in range(len(said)):
        direction: Vector = (0.0, 0.0, 0.0)
        if form == BY_ANGLES:
            direction = load3_at(scratch.pose, joint, DIRECTION)
        elif form == BY_POINTS:
            direction = load3_at(targets, row, offset + 3 * joint)
        speaks = 1.0 if dot(direction, direction) > 0.5 else 0.0
        store3_at(drawn, joint, DRAWN_DIRECTION, direction)
        drawn[joint, BENT] = said[joint, 0] * speaks
        drawn[joint, SHAPED] = said[joint, 1] * speaks


@kernel
def unpack_settings(numbers: FloatArray) -> Settings:
    """Read the settings from their flat form."""
    n = numbers
    return Settings(
        int(n[MEASURE]),
        n[POSTURE_WEIGHT],
        n[AGGRAVATION],
        (n[UP], n[UP + 1], n[UP + 2]),
        (n[BASE], n[BASE + 1], n[BASE + 2]),
        int(n[TURNING]),
    )


@kernel
def unpack_phase(n: FloatArray, p: int) -> Phase:
    """Read a phase of the search from place `p` on."""
    return Phase(int(n[p]), n[p + 1], n[p + 2], n[p + 3], n[p + 4])


@kernel
def unpack_plan(n: FloatArray) -> Plan:
    """Read the search's plan from its flat form."""
    p, first, width = PLAN, PLAN + 3, 5
    return Plan(
        int(n[p]),
        int(n[p + 1]),
        int(n[p + 2]),
        unpack_phase(n, first),
        unpack_phase(n, first + width),
        unpack_phase(n, first + 2 * width),
        unpack_phase(n, first + 3 * width),
    )


@kernel
def unpack_twist_ended(table: FloatArray, limits: FloatArray, mirrors: FloatArray, n: FloatArray) -> TwistEnded:
    """Read the two-twist form of the chain from its flat form."""
    a, e, b, t, x = ROOT_AXIS, END_DIRECTION, BASE_TURN, TIP_TURN, TIP_AXIS
    return TwistEnded(
        table,
        limits,
        mirrors,
        (n[a], n[a + 1], n[a + 2]),
        (n[e], n[e + 1], n[e + 2]),
        (n[b], n[b + 1], n[b + 2], n[b + 3]),
        (n[t], n[t + 1], n[t + 2], n[t + 3]),
        (n[x], n[x + 1], n[x + 2]),
        n[CLOSES] > 0.0,
    )


@kernel
def joints_that_part(codes: IntArray) -> int:
    """How many joints begin a limb of their own."""
    count = 0
    for joint in range(len(codes)):
        if codes[joint, PARENT] != joint - 1:
            count += 1
    return count


@kernel
def keep_alive(
    wanted: Wanted,
    scratch: Scratch,
    work: Work,
    pool: FloatArray,
    costs: FloatArray,
    q: FloatArray,
    box: FloatArray,
) -> None:
    """Touch the owners of lent memory, so that the compiler does not free them before the loop is over."""
    if len(pool) == 0:
        wanted.angles[0] = scratch.step[0] = work.closed[0] = costs[0] = q[0] = box[0, 0] = 0.0


@stage
def solve_one(
    problem: Problem,
    twist_ended: TwistEnded,
    wanted: Wanted,
    work: Work,
    pool: FloatArray,
    costs: FloatArray,
    scratch: Scratch,
    q: FloatArray,
) -> int:
    """Write the best angles of the chain to q; returns how many starts were tried."""
    if len(twist_ended.table) > 0 and solve_twist_ended(twist_ended, wanted, work, q) < math.inf:
        return 1
    tried = search(problem, wanted, pool, costs, scratch)
    for i in range(len(q)):
        q[i] = pool[0, i]
    return tried


@stage
def solve_rows(
    codes: IntArray,
    table: FloatArray,
    limits: FloatArray,
    task_codes: IntArray,
    task_table: FloatArray,
    numbers: FloatArray,
    quasi_random: FloatArray,
    coordinates: FloatArray,
    said: FloatArray,
    layout: IntArray,
    dofs: IntArray,
    inner_table: FloatArray,
    twist_limits: FloatArray,
    mirrors: FloatArray,
    inner_numbers: FloatArray,
    mode: int,
    targets: FloatArray,
    starts: FloatArray,
    low: FloatArray,
    high: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets, or in mode FOLLOW improve each row of starts inside its box low..high.

    answers [row, skeleton dof] holds what the joints off the chain shall be and gets the chain's angles; errors
    [row, task + 1] gets each task's error and the posture measure; report [row, REPORT_WIDTH] the cost, how many starts
    or steps it took, and how it ended.
    """
    joints, dof_count = len(codes), len(dofs)
    own_wanted = Wanted(np.empty((len(task_codes), TARGET_WIDTH)), np.empty((joints, DRAWN_WIDTH)), np.empty(dof_count))
    own_scratch = empty_scratch(joints, dof_count, len(task_codes), joints_that_part(codes))
    own_work = empty_work(len(inner_table), POOL)
    own_pool, own_costs = np.empty((POOL_SIZE, dof_count)), np.empty(POOL_SIZE)
    own_q, own_box = np.empty(dof_count), np.empty((2, dof_count))
    wanted, scratch, work = borrowed(own_wanted), borrowed(own_scratch), borrowed(own_work)
    pool, costs, q, box = borrowed(own_pool), borrowed(own_costs), borrowed(own_q), borrowed(own_box)
    problem = borrowed(
        Problem(
            Chain(codes, table, limits),
            Tasks(task_codes, task_table),
            unpack_settings(numbers),
            unpack_plan(numbers),
            quasi_random,
            coordinates,
        )
    )
    twist_ended = borrowed(unpack_twist_ended(inner_table, twist_limits, mirrors, inner_numbers))

    for row in range(len(targets)):
        start = starts[row if len(starts) > 1 else 0]
        read_targets(problem, layout, targets, row, wanted)
        read_posture(problem, layout, said, dofs, targets, row, start, wanted, scratch)
        if mode == SOLVE:
            report[row, ITERATIONS] = solve_one(problem, twist_ended, wanted, work, pool, costs, scratch, q)
        else:
            for i in range(dof_count):
                box[0, i], box[1, i] = low[row, dofs[i]], high[row, dofs[i]]
                q[i] = min(box[1, i], max(box[0, i], start[dofs[i]]))
            descend(problem, wanted, q, box, Phase(FOLLOW_STEPS, 1e-3, 0.1, 0.5, 0.0), scratch)
            descend(problem, wanted, q, box, Phase(FOLLOW_STEPS, 1e-6, 0.1, 0.1, 0.0), scratch)
            report[row, ITERATIONS] = 2 * FOLLOW_STEPS
        for i in range(dof_count):
            answers[row, dofs[i]] = q[i]
        pose_chain(problem.chain, q, scratch.pose)
        for task in range(len(task_codes)):
            residual = task_residual(problem.tasks, wanted.target, scratch.pose, task)
            errors[row, task] = residual_size(task_codes[task, TASK_KIND], residual)
        held = posture_cost(problem.settings, wanted.drawn, scratch.pose)
        errors[row, len(task_codes)] = held
        report[row, COST] = (
            task_cost(problem.tasks, wanted.target, scratch.pose) + problem.settings.posture_weight * held
        )
        report[row, ENDING] = SEARCHED
    keep_alive(own_wanted, own_scratch, own_work, own_pool, own_costs, own_q, own_box)
