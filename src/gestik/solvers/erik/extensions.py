"""What ERIK does when it stops getting better, and what it minimises: two lists, each with a place for your own entry.

Ribeiro & Paiva 2019, sec. 3.3.1 and 3.9.  An extension is called when an iteration brought nothing new, each once in a
solve.  It leaves another solution in work.angles[NOW] and its frames in work.frames and returns False, and the solution
is judged like every other; or it changes what is aimed at, and returns True: the iterations then go on.  A measure
returns an error in [0, 1] of the solution whose angles and frames are there.
"""

from __future__ import annotations

import math
from typing import Any

from gestik.kernels.arrays import Quaternion, Vector
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import from_axis_angle, load4_at, multiply, rotate
from gestik.kernels.vector import load3_at
from gestik.solvers.erik.errors import orientation_error, posture_error
from gestik.solvers.erik.joint_model import AXIS, LOWER, SEGMENT, UPPER
from gestik.solvers.erik.latitude import clamped
from gestik.solvers.erik.orient import ccd_solution, place, rolls_by_tip
from gestik.solvers.erik.problem import AIM_DIRECTION, AIM_ROTATION, NOW, Problem, Target, Work

OFFSET_TRICK, CCD_TRICK, CCD_WHOLE, CCD_LAST_RESORT, OWN_EXTENSION = 0, 1, 2, 3, 4
EXTENSION_COUNT = 5


@kernel
def read_aim(work: Work) -> Target:
    """The target iterations aim at."""
    a = work.aim
    return Target(
        (a[AIM_ROTATION], a[AIM_ROTATION + 1], a[AIM_ROTATION + 2], a[AIM_ROTATION + 3]),
        (a[AIM_DIRECTION], a[AIM_DIRECTION + 1], a[AIM_DIRECTION + 2]),
    )


@kernel
def aim_at(problem: Problem, work: Work, rotation: Quaternion) -> None:
    """Let iterations aim at an orientation of the last joint."""
    model = problem.model
    direction = rotate(rotation, load3_at(model, len(model) - 1, SEGMENT))
    for i in range(4):
        work.aim[AIM_ROTATION + i] = rotation[i]
    for i in range(3):
        work.aim[AIM_DIRECTION + i] = direction[i]


@kernel
def offset_target(problem: Problem, target: Target, work: Work) -> bool:
    """NonConvOffsetTrick: aim a little beside the target, once, and go on.

    The text says a random offset, the formula +-disturbance about the axes of the root and the next joint: with seed 0
    it is the formula, else a turn about an axis drawn by that seed.  Corrected: the formula's condition would send a
    joint near a limit farther towards it; it moves away.
    """
    model, settings = problem.model, problem.settings
    rotation = target.rotation
    if settings.seed > 0:
        rotation = multiply(from_axis_angle(drawn_axis(settings.seed), settings.disturbance), rotation)
    else:
        for joint in range(min(2, len(model))):
            axis = rotate(load4_at(work.frames, joint + 1, 0), load3_at(model, joint, AXIS))
            now = work.angles[NOW, joint]
            near_upper = model[joint, UPPER] - now < now - model[joint, LOWER]
            step = from_axis_angle(axis, -settings.disturbance if near_upper else settings.disturbance)
            rotation = multiply(step, rotation)
    aim_at(problem, work, rotation)
    return True


@kernel
def drawn_axis(seed: int) -> Vector:
    """A direction drawn evenly from the sphere: a seed's multiples of two irrational numbers, modulo one."""
    height = 2.0 * ((seed * 0.7548776662466927) % 1.0) - 1.0
    around = 2.0 * math.pi * ((seed * 0.5698402909980532) % 1.0)
    across = math.sqrt(1.0 - height * height)
    return across * math.cos(around), height, across * math.sin(around)


@kernel
def ccd_from_here(problem: Problem, target: Target, work: Work) -> bool:
    """NonConvCCDTrick: aim the solution by CCD, which spoils the posture near the tip but reaches the target."""
    ccd_solution(problem, target, work, not rolls_by_tip(problem.model))
    return False


@kernel
def ccd_whole_orientation(problem: Problem, target: Target, work: Work) -> bool:
    """Not in the paper: where the tip's twist does not reach, let every joint turn towards the orientation."""
    if rolls_by_tip(problem.model):
        ccd_solution(problem, target, work, True)
    return False


@kernel
def ccd_from_zero(problem: Problem, target: Target, work: Work) -> bool:
    """The last resort: CCD from the zero pose, posture disregarded.

    Corrected: where limits are not symmetric, zero may be a limit; joints begin in the middle of their range.
    """
    for joint in range(len(problem.model)):
        middle = 0.5 * (problem.model[joint, LOWER] + problem.model[joint, UPPER])
        work.angles[NOW, joint] = middle if math.isfinite(middle) else clamped(problem.model, joint, 0.0)
    place(problem, work)
    ccd_solution(problem, target, work, not rolls_by_tip(problem.model))
    return False


@kernel
def no_extension(problem: Problem, target: Target, work: Work) -> bool:
    """Where nobody added a stage: nothing."""
    return False


@kernel
def no_measure(problem: Problem, target: Target, work: Work) -> float:
    """Where nobody added a measure: nothing is wrong."""
    return 0.0


# The weight of a user's own measure, that measure, and a user's own extension.  These are nobody's.
# (The weight goes first: a tuple that begins with functions the compiler takes for a table of them.)
Own = tuple[float, Any, Any]
NOBODYS: Own = (0.0, no_measure, no_extension)


@kernel
def call_extension(number: int, problem: Problem, target: Target, work: Work, own: Own) -> bool:
    """The list of extensions for solves that do not converge, in the order they are tried."""
    if number == OFFSET_TRICK:
        return offset_target(problem, target, work)
    if number == CCD_TRICK:
        return ccd_from_here(problem, target, work)
    if number == CCD_WHOLE:
        return ccd_whole_orientation(problem, target, work)
    if number == CCD_LAST_RESORT:
        return ccd_from_zero(problem, target, work)
    return bool(own[2](problem, target, work))


@kernel
def combined_error(problem: Problem, target: Target, work: Work, own: Own) -> float:
    """The error function (eq. 19): the list of measures, weighted.

    The weights are not divided by their sum, as the paper's claim that every error lies in [0, 1] would need.
    """
    settings = problem.settings
    own_error: float = own[1](problem, target, work)
    return (
        settings.orientation_weight * orientation_error(problem, target, work)
        + settings.posture_weight * posture_error(problem, work)
        + own[0] * own_error
    )
