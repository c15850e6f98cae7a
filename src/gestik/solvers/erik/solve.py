"""CalculateERIK (Algorithm 3): warp the posture, then forward, backward, aim, until the error is small enough."""

from __future__ import annotations

import math

from gestik.kernels.jit import kernel
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.vector import wrap_angle
from gestik.solvers.erik.backward import backward_phase
from gestik.solvers.erik.errors import orientation_error
from gestik.solvers.erik.extensions import (
    EXTENSION_COUNT,
    Own,
    aim_at,
    call_extension,
    combined_error,
    read_aim,
)
from gestik.solvers.erik.forward import forward_phase
from gestik.solvers.erik.joint_model import EVEN, LOWER, TWISTER, UPPER
from gestik.solvers.erik.latitude import clamped
from gestik.solvers.erik.orient import bwcd_solution, place
from gestik.solvers.erik.problem import (
    BEST,
    BEST_ERROR,
    LAST_ERROR,
    NEXT,
    NOW,
    ONE_BEFORE,
    PREVIOUS,
    TWO_BEFORE,
    Problem,
    Target,
    Work,
)
from gestik.solvers.erik.warp import lay_posture, warp_posture

# Orientation error, 40 degrees: a previous solution that faces farther away was no frame before this one.
NEIGHBOUR = 0.25


@kernel
def calculate_erik(problem: Problem, target: Target, work: Work, own: Own) -> int:
    """Leave the best solution in work.angles[BEST] and its error in work.errors; returns the iterations it took."""
    settings = problem.settings
    for i in range(len(work.errors)):
        work.errors[i] = math.inf
    aim_at(problem, work, target.rotation)
    tried, iteration, good = 0, 0, False
    while iteration < settings.max_iterations and not good:
        good = iterate(problem, target, work, iteration, own)
        iteration += 1
        both_ways = problem.settings.even_limits or iteration > 1
        if not good and not_converging(problem, work) and both_ways:
            tried, good = try_extensions(problem, target, work, tried, own)
            if tried < 0:
                break
        if not good:
            next_posture(problem, work)
    keep_previous(problem, target, work, own)
    return iteration


@kernel
def iterate(problem: Problem, target: Target, work: Work, iteration: int, own: Own) -> bool:
    """One iteration: returns whether a solution is good enough.

    Where half a turn of the end is as good but no half turn of the last joint, every second iteration aims at that;
    and where limits are not symmetric, only every second one turns twists half round instead of clamping them, which
    asks the joints above to bend the other way as far.
    """
    settings, aim = problem.settings, read_aim(work)
    if settings.symmetric_endpoint and not settings.tip_flips and iteration % 2 == 1:
        aim = Target(symmetric_twin(aim.rotation, settings.symmetry), aim.direction)
    may_flip = settings.even_limits or iteration % 2 == 1
    warp_posture(problem, aim, work)
    forward_phase(problem, aim, work, may_flip)
    backward_phase(problem, aim, work, may_flip)
    if solution_ok(problem, target, work, own):
        return True
    bwcd_solution(problem, aim, work)
    return solution_ok(problem, target, work, own)


@kernel
def solution_ok(problem: Problem, target: Target, work: Work, own: Own) -> bool:
    """SolutionOK (Algorithm 7): remember the best solution so far; is this one good enough?"""
    error = combined_error(problem, target, work, own)
    work.errors[LAST_ERROR] = error
    if error <= work.errors[BEST_ERROR]:
        take(work, error)
    return error <= problem.settings.threshold


@kernel
def not_converging(problem: Problem, work: Work) -> bool:
    """NonConversionDetected: the error is what it was one or two iterations ago.  The paper leaves this undefined."""
    errors, stall = work.errors, problem.settings.stall
    last = errors[LAST_ERROR]
    stands = abs(last - errors[ONE_BEFORE]) <= stall or abs(last - errors[TWO_BEFORE]) <= stall
    errors[TWO_BEFORE], errors[ONE_BEFORE] = errors[ONE_BEFORE], last
    return bool(stands)


@kernel
def try_extensions(problem: Problem, target: Target, work: Work, tried: int, own: Own) -> tuple[int, bool]:
    """Call the extensions that are on, from number `tried` on, until one is good enough or lets the iterations go on.

    Returns the number of the next one, -1 when none is left, and whether a solution is good enough.
    """
    for number in range(tried, EXTENSION_COUNT):
        if (problem.settings.extensions >> number) & 1 == 0:
            continue
        if call_extension(number, problem, target, work, own):
            return number + 1, False
        if solution_ok(problem, target, work, own):
            return number + 1, True
    return -1, False


@kernel
def next_posture(problem: Problem, work: Work) -> None:
    """The posture the next iteration warps: the target's bends, on the sides and with the twists of the solution.

    Corrected: the text lets the next iteration start from the candidate, the pseudo-code from the same warped posture,
    which repeats the last iteration.
    """
    model = problem.model
    for joint in range(len(model)):
        now = work.angles[NOW, joint]
        if not problem.settings.refresh:
            now = work.posture[joint]
        elif model[joint, TWISTER] == 0.0:
            now = -abs(work.posture[joint]) if now < -EVEN else abs(work.posture[joint])
        work.angles[NEXT, joint] = now
    lay_posture(model, work.angles[NEXT], work.warped)


@kernel
def take(work: Work, error: float) -> None:
    """Make the solution at hand the best so far."""
    work.errors[BEST_ERROR] = error
    for joint in range(work.angles.shape[1]):
        work.angles[BEST, joint] = work.angles[NOW, joint]


@kernel
def recall_previous(problem: Problem, work: Work) -> None:
    """Take up the previous solution, inside limits."""
    for joint in range(len(problem.model)):
        work.angles[NOW, joint] = clamped(problem.model, joint, work.angles[PREVIOUS, joint])
    place(problem, work)


@kernel
def distance_to_previous(problem: Problem, work: Work, row: int) -> float:
    """Sum of the squares of what each joint has turned since the previous solution [rad^2]."""
    total = 0.0
    for joint in range(len(problem.model)):
        away = work.angles[row, joint] - work.angles[PREVIOUS, joint]
        if not math.isfinite(problem.model[joint, UPPER] - problem.model[joint, LOWER]):
            away = wrap_angle(away)
        total += away * away
    return total


@kernel
def keep_previous(problem: Problem, target: Target, work: Work, own: Own) -> None:
    """Of solutions as good within the tie take the one nearest to the previous solution (Pi's Theta_(t-1)).

    Two more are tried: an iteration that begins at the previous solution, and the previous solution aimed anew.  One
    that faces elsewhere was no frame before this one, and is left alone.
    Corrected: the paper lists the previous solution among the parameters and uses it nowhere.
    """
    if problem.settings.tie == 0.0:
        return
    recall_previous(problem, work)
    if orientation_error(problem, target, work) > NEIGHBOUR:
        return
    allowed = work.errors[BEST_ERROR] + problem.settings.tie
    nearest = distance_to_previous(problem, work, BEST)
    for attempt in range(2):
        if attempt == 0:
            next_posture(problem, work)
            warp_posture(problem, target, work)
            forward_phase(problem, target, work, True)
            backward_phase(problem, target, work, True)
        else:
            recall_previous(problem, work)
        bwcd_solution(problem, target, work)
        error = combined_error(problem, target, work, own)
        distance = distance_to_previous(problem, work, NOW)
        if error <= allowed and distance < nearest:
            nearest = distance
            take(work, error)
