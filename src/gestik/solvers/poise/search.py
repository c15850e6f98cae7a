"""Poise on any serial chain: structured and quasi-random starts, a few steps each, the best ones polished.

More starts are tried only while the tasks are not met.  Where even those do not meet them, the gaze goes first: the
posture is held more loosely until a pose meets the tasks, and from there as firmly as they allow.
"""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel, stage
from gestik.solvers.poise.descent import descend
from gestik.solvers.poise.plan import Phase
from gestik.solvers.poise.problem import PAPER, Problem, Scratch, Settings, Wanted
from gestik.solvers.poise.residuals import cost_at, task_cost
from gestik.solvers.poise.starts import begin_at, face_target, roll_tip

LOOSE_BATCH = 16  # starts
FIRM_BATCHES = 3  # hold the posture as firmly as was asked; those after them loosely
LOOSER = 0.1  # times the posture's weight
LOOSELY_KEPT = 4  # of a batch, to be refined
POOL_SIZE = LOOSELY_KEPT + LOOSE_BATCH + 1  # the last place keeps the firm answer

FACING = 0.1  # rad: a start that misses the heading by more is tried the other way round
MET = 0.002  # task cost below which the search is content
SADDLE = 1e-3  # rad: straight joints are saddles of the measures, so searches begin a little to one side


@kernel
def fill_start(problem: Problem, wanted: Wanted, number: int, q: FloatArray, pose: FloatArray) -> None:
    """Write start `number` into q, turned to face the target: 0 is the posture, the rest are quasi-random.

    Where the turn is beyond its limits, the turned twin stands as the start would after half a turn.
    """
    limits = problem.chain.limits
    begin_at(problem, wanted, number, False, q)
    missing = face_target(problem, wanted, q, pose)
    if missing > FACING:
        begin_at(problem, wanted, number, True, q)
        if face_target(problem, wanted, q, pose) > missing:
            begin_at(problem, wanted, number, False, q)
            face_target(problem, wanted, q, pose)
    roll_tip(problem, wanted, q, pose)
    for i in range(len(q)):
        if abs(q[i]) < SADDLE < limits[1, i]:
            q[i] = SADDLE


@kernel
def swap_rows(pool: FloatArray, costs: FloatArray, a: int, b: int) -> None:
    """Exchange two candidates."""
    for i in range(pool.shape[1]):
        pool[a, i], pool[b, i] = pool[b, i], pool[a, i]
    costs[a], costs[b] = costs[b], costs[a]


@kernel
def copy_row(pool: FloatArray, source: int, target: int) -> None:
    """Copy a candidate's angles."""
    for i in range(pool.shape[1]):
        pool[target, i] = pool[source, i]


@stage
def explore(
    problem: Problem,
    wanted: Wanted,
    pool: FloatArray,
    costs: FloatArray,
    kept: int,
    first: int,
    count: int,
    scratch: Scratch,
) -> None:
    """Put `count` starts from number `first` on behind the `kept` candidates, each improved by a few coarse steps."""
    limits = problem.chain.limits
    for place in range(kept, kept + count):
        fill_start(problem, wanted, first + place - kept, pool[place], scratch.pose)
        costs[place] = descend(problem, wanted, pool[place], limits, problem.plan.first, scratch)


@kernel
def bring_forward(pool: FloatArray, costs: FloatArray, kept: int, count: int) -> None:
    """Sort the `kept` best of `count` candidates to the front."""
    for place in range(kept):
        least = place
        for number in range(place + 1, count):
            if costs[number] < costs[least]:
                least = number
        swap_rows(pool, costs, place, least)


@stage
def refine(
    problem: Problem,
    wanted: Wanted,
    pool: FloatArray,
    costs: FloatArray,
    kept: int,
    phase: Phase,
    scratch: Scratch,
) -> None:
    """Improve the first `kept` candidates with finer steps; the best of them comes to place 0."""
    for place in range(kept):
        costs[place] = descend(problem, wanted, pool[place], problem.chain.limits, phase, scratch)
    for place in range(1, kept):
        if costs[place] < costs[0]:
            swap_rows(pool, costs, 0, place)


@stage
def finish(problem: Problem, wanted: Wanted, pool: FloatArray, costs: FloatArray, scratch: Scratch) -> bool:
    """Bring candidate 0 to the sharp optimum and rate it by the true cost; returns whether it meets the tasks."""
    descend(problem, wanted, pool[0], problem.chain.limits, problem.plan.last, scratch)
    costs[0] = cost_at(problem, wanted, pool[0], scratch.pose)
    return bool(task_cost(problem.tasks, wanted.target, scratch.pose) < MET)


@kernel
def loosened(problem: Problem) -> Problem:
    """The same problem with the posture held loosely."""
    held = problem.settings
    loose = Settings(held.measure, LOOSER * held.posture_weight, held.aggravation, held.up, held.base, held.turning)
    return Problem(problem.chain, problem.tasks, loose, problem.plan, problem.starts, problem.coordinates)


@stage
def search_loosely(
    problem: Problem, wanted: Wanted, pool: FloatArray, costs: FloatArray, candidates: int, tried: int, scratch: Scratch
) -> int:
    """Go on from a firm answer in pool[0] that misses: first from the best candidates, then from new starts.

    Near a target that is hardly reachable a little gaze costs much shape, more than the gaze weighs; yet who can look
    at a target shall.  Leaves the answer in pool[0]; returns how many starts were tried.
    """
    total = 1 + len(problem.starts)
    loose = loosened(problem)
    firm, firm_cost = POOL_SIZE - 1, costs[0]
    copy_row(pool, 0, firm)
    met = False
    while not met:
        kept = min(LOOSELY_KEPT, candidates)
        bring_forward(pool, costs, kept, candidates)
        refine(loose, wanted, pool, costs, kept, problem.plan.loose, scratch)
        met = finish(loose, wanted, pool, costs, scratch)
        if met or tried >= total:
            break
        count = min(LOOSE_BATCH, total - tried)
        explore(loose, wanted, pool, costs, kept, tried, count, scratch)
        tried += count
        candidates = kept + count
    # Firmly again from there: keep that if the tasks stay met, or if nothing ever met them and it is cheaper.
    copy_row(pool, 0, 1)
    refine(problem, wanted, pool, costs, 1, problem.plan.loose, scratch)
    still_met = finish(problem, wanted, pool, costs, scratch)
    if met and not still_met:
        copy_row(pool, 1, 0)
    elif not met and not still_met and firm_cost < costs[0]:
        copy_row(pool, firm, 0)
    return tried


@stage
def search(problem: Problem, wanted: Wanted, pool: FloatArray, costs: FloatArray, scratch: Scratch) -> int:
    """Leave the best angles found in pool[0]; returns how many starts were tried.

    pool [POOL_SIZE, dof] and costs [POOL_SIZE] are overwritten.
    """
    total = 1 + len(problem.starts)
    tried = kept = 0
    for batch in range(FIRM_BATCHES):
        count = min(problem.plan.first_batch if batch == 0 else problem.plan.next_batch, total - tried)
        explore(problem, wanted, pool, costs, kept, tried, count, scratch)
        tried += count
        candidates = kept + count
        kept = min(LOOSELY_KEPT, candidates)
        bring_forward(pool, costs, kept, candidates)
        refine(problem, wanted, pool, costs, min(problem.plan.kept, kept), problem.plan.second, scratch)
        if finish(problem, wanted, pool, costs, scratch):
            return tried
        if tried >= total:
            break
    if problem.settings.measure == PAPER:  # there the weighted sum is the whole truth
        return tried
    return search_loosely(problem, wanted, pool, costs, kept, tried, scratch)
