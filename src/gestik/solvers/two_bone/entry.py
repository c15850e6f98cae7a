"""Where Python enters two_bone: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

import numpy as np

from gestik.goals.evaluate import TARGET
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.chain_table import Chain
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.kernels.two_bones import soft_reach
from gestik.kernels.vector import add, norm, safe_normalise, scale, store3_at, subtract
from gestik.solvers.coordinate_descent.layout import FROM_TIP
from gestik.solvers.coordinate_descent.problem import Problem as Descent
from gestik.solvers.coordinate_descent.problem import Scratch as DescentScratch
from gestik.solvers.coordinate_descent.sweep import descend
from gestik.solvers.fabrik.body import Problem, Scratch, centre_of, empty_scratch
from gestik.solvers.fabrik.groups import FIRST, LAST, Groups
from gestik.solvers.report import COST, ENDING, ITERATIONS, SEARCHED
from gestik.solvers.task_frames import task_error, tasks_cost, tasks_met
from gestik.solvers.tasks.layout import Tasks
from gestik.solvers.tasks.targets import read_targets
from gestik.solvers.two_bone.limb import Limb, aim_root, bend_middle, place_limb, target_of

# Places in `limb_codes` and `limb_numbers`.
ROOT, MIDDLE, HINGE, POLE_JOINT, HAS_POLE = 0, 1, 2, 3, 4
REACH, SOFTNESS, POLE = 0, 1, 2
# Sweeps over the limb's joints where limits keep the closed form from its answer.
SWEEPS = 100


@kernel
def soften_target(problem: Problem, limb: Limb, scratch: Scratch) -> float:
    """Bring the target to where a soft limb stretches for it; returns its distance [m] from the root."""
    fixed = centre_of(problem, limb.root, scratch.pose)
    gap = subtract(target_of(scratch), fixed)
    distance = soft_reach(norm(gap), limb.reach, limb.softness)
    store3_at(scratch.wanted, 0, TARGET, add(fixed, scale(safe_normalise(gap), distance)))
    return distance


@kernel
def reach_with_limb(
    problem: Problem, descent: Descent, limb: Limb, start: FloatArray, q: FloatArray, scratch: Scratch
) -> tuple[int, int]:
    """Bend and aim, the near way and, where limits spoil that, the other; then sweep.  q [dof] is overwritten."""
    place_limb(problem, q, scratch)
    if tasks_met(problem.tasks, scratch.wanted, scratch.frames) and not limb.has_pole and limb.softness == 0.0:
        return 0, SEARCHED
    distance = soften_target(problem, limb, scratch)
    start[:] = q
    least = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
    scratch.best[:] = q
    for attempt in range(2):
        q[:] = start
        place_limb(problem, q, scratch)
        bend_middle(problem, limb, attempt == 1, distance, q, scratch)
        aim_root(problem, limb, target_of(scratch), q, scratch)
        cost = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        is_met = tasks_met(problem.tasks, scratch.wanted, scratch.frames)
        if is_met or cost < least:
            least = cost
            scratch.best[:] = q
        if is_met:
            return 1, SEARCHED
    q[:] = scratch.best
    lent = DescentScratch(scratch.wanted, scratch.box, scratch.pose, scratch.frames, scratch.best)
    sweeps, ending = descend(descent, FROM_TIP, SWEEPS, q, lent)
    return 1 + sweeps, ending


@kernel
def narrow_box(problem: Problem, limb: Limb, q: FloatArray, box: FloatArray, start: FloatArray) -> None:
    """Hold every coordinate that does not belong to the limb where it is; `start` [dof] is trampled on."""
    start[:] = 0.0
    for group in (limb.root, limb.middle):
        for joint in range(problem.groups.codes[group, FIRST], problem.groups.codes[group, LAST] + 1):
            if problem.groups.drives[joint] == 1:
                start[problem.chain.codes[joint, 1]] = 1.0
    for dof in range(len(q)):
        if start[dof] == 0.0:
            box[0, dof] = box[1, dof] = q[dof]


@stage
def solve_rows(
    codes: IntArray,
    table: FloatArray,
    limits: FloatArray,
    task_codes: IntArray,
    task_table: FloatArray,
    group_codes: IntArray,
    centres: FloatArray,
    handle_codes: IntArray,
    handle_table: FloatArray,
    cones: FloatArray,
    drives: IntArray,
    moves: IntArray,
    alone: IntArray,
    cone_of: IntArray,
    coned: FloatArray,
    limb_codes: IntArray,
    limb_numbers: FloatArray,
    dofs: IntArray,
    targets: FloatArray,
    low: FloatArray,
    high: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets inside its box low..high [row or 1, skeleton dof].

    answers [row, skeleton dof] holds the starts and gets the angles; errors [row, 1] and report [row, REPORT_WIDTH] are
    overwritten.
    """
    own = empty_scratch(len(codes), len(dofs), len(task_codes), len(group_codes))
    own_q, own_start = np.empty(len(dofs)), np.empty(len(dofs))
    scratch, q, start = borrowed(own), borrowed(own_q), borrowed(own_start)
    groups = Groups(group_codes, centres, handle_codes, handle_table, cones, drives)
    problem = borrowed(Problem(Chain(codes, table, limits), Tasks(task_codes, task_table), groups, True))
    descent = borrowed(Descent(problem.chain, problem.tasks, moves, alone, cone_of, coned))
    limb = Limb(
        limb_codes[ROOT],
        limb_codes[MIDDLE],
        limb_codes[HINGE],
        limb_numbers[REACH],
        limb_numbers[SOFTNESS],
        limb_codes[POLE_JOINT],
        (limb_numbers[POLE], limb_numbers[POLE + 1], limb_numbers[POLE + 2]),
        limb_codes[HAS_POLE] == 1,
    )
    for row in range(len(targets)):
        box = row if len(low) > 1 else 0
        read_targets(problem.tasks, targets, row, scratch.wanted)
        for i in range(len(dofs)):
            scratch.box[0, i], scratch.box[1, i] = low[box, dofs[i]], high[box, dofs[i]]
            q[i] = min(max(answers[row, dofs[i]], scratch.box[0, i]), scratch.box[1, i])
        narrow_box(problem, limb, q, scratch.box, start)
        report[row, ITERATIONS], report[row, ENDING] = reach_with_limb(problem, descent, limb, start, q, scratch)
        read_targets(problem.tasks, targets, row, scratch.wanted)  # as it was before it was softened
        place_limb(problem, q, scratch)
        report[row, COST] = tasks_cost(problem.tasks, scratch.wanted, scratch.frames)
        for i in range(len(dofs)):
            answers[row, dofs[i]] = q[i]
        for task in range(len(task_codes)):
            errors[row, task] = task_error(problem.tasks, scratch.wanted, scratch.frames, task)
    # The owners of lent memory must outlive the loop.
    own.pose[0, 0] = own_q[0] + own_start[0]
