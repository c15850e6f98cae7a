"""Where Python enters ERIK: flat arrays in, one row of answers per row of targets."""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, IntArray
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import angle_of, conjugate, load4_at, multiply, rotate
from gestik.kernels.vector import load3_at, store3_at
from gestik.solvers.erik.decode import angles_of_bones
from gestik.solvers.erik.errors import bones_of, draw_posture, posture_error
from gestik.solvers.erik.extensions import NOBODYS, Own
from gestik.solvers.erik.joint_model import SEGMENT
from gestik.solvers.erik.orient import place
from gestik.solvers.erik.problem import (
    BEST,
    BEST_ERROR,
    BONE,
    NOW,
    PREVIOUS,
    Problem,
    Settings,
    Target,
    Work,
    empty_work,
)
from gestik.solvers.erik.solve import calculate_erik
from gestik.solvers.erik.warp import lay_posture
from gestik.solvers.report import COST, ENDING, ITERATIONS, SEARCHED

# How a posture stands in a row of targets, behind the quaternion.
NO_POSTURE, BY_ANGLES, BY_BONES = 0, 1, 2
POSTURE_AT = 4


@kernel
def unpack_settings(n: FloatArray) -> Settings:
    """Read the settings from their flat form, in the order of their fields."""
    return Settings(
        int(n[0]),
        int(n[1]),
        n[2],
        n[3],
        n[4],
        n[5],
        n[6],
        n[7],
        n[8],
        n[9],
        n[10],
        int(n[11]),
        int(n[12]),
        n[13] > 0.0,
        n[14] > 0.0,
        n[15] > 0.0,
        n[16] > 0.0,
        n[17] > 0.0,
        n[18] > 0.0,
        (n[19], n[20], n[21]),
        (n[22], n[23], n[24]),
    )


@kernel
def read_target(problem: Problem, tool: FloatArray, targets: FloatArray, row: int) -> Target:
    """The orientation of the last joint that gives the goal's frame the one asked for."""
    model = problem.model
    rotation = multiply(load4_at(targets, row, 0), conjugate((tool[0], tool[1], tool[2], tool[3])))
    return Target(rotation, rotate(rotation, load3_at(model, len(model) - 1, SEGMENT)))


@kernel
def read_posture(
    problem: Problem, form: int, dofs: IntArray, targets: FloatArray, row: int, start: FloatArray, work: Work
) -> None:
    """The posture's angles and bones; without a posture the previous solution is held."""
    for joint in range(len(dofs)):
        work.angles[PREVIOUS, joint] = start[dofs[joint]]
        held = targets[row, POSTURE_AT + dofs[joint]] if form == BY_ANGLES else start[dofs[joint]]
        work.posture[joint] = held
    if form == BY_BONES:
        for joint in range(len(dofs)):
            store3_at(work.drawn, joint, BONE, load3_at(targets, row, POSTURE_AT + 3 * joint))
        angles_of_bones(problem.model, work.drawn, work.angles[PREVIOUS], work.posture)
    lay_posture(problem.model, work.posture, work.warped)
    if form != BY_BONES:
        bones_of(problem.model, work.warped, work.drawn)
    draw_posture(problem, work)


@kernel
def missing_angle(problem: Problem, target: Target, work: Work) -> float:
    """The turn [rad] the end still misses."""
    end = load4_at(work.frames, len(problem.model), 0)
    angle = angle_of(multiply(target.rotation, conjugate(end)))
    if problem.settings.symmetric_endpoint:
        twin = symmetric_twin(end, problem.settings.symmetry)
        angle = min(angle, angle_of(multiply(target.rotation, conjugate(twin))))
    return angle


@stage
def solve_rows(
    model: FloatArray,
    tables: FloatArray,
    numbers: FloatArray,
    tool: FloatArray,
    form: int,
    dofs: IntArray,
    targets: FloatArray,
    starts: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
) -> None:
    """Solve each row of targets with the extensions and measures of the paper.

    answers [row, skeleton dof] holds what the joints off the chain shall be and gets the chain's angles; errors
    [row, 2] gets the turn missed [rad] and the posture error; report [row, REPORT_WIDTH] the combined error and the
    iterations.
    """
    solve_rows_with(model, tables, numbers, tool, form, dofs, targets, starts, answers, errors, report, NOBODYS)


@kernel
def solve_rows_with(
    model: FloatArray,
    tables: FloatArray,
    numbers: FloatArray,
    tool: FloatArray,
    form: int,
    dofs: IntArray,
    targets: FloatArray,
    starts: FloatArray,
    answers: FloatArray,
    errors: FloatArray,
    report: FloatArray,
    own: Own,
) -> None:
    """The same with a user's own extension and measure."""
    own_work = empty_work(len(model))
    work = borrowed(own_work)
    problem = borrowed(Problem(model, tables, unpack_settings(numbers)))
    for row in range(len(targets)):
        target = read_target(problem, tool, targets, row)
        read_posture(problem, form, dofs, targets, row, starts[row if len(starts) > 1 else 0], work)
        report[row, ITERATIONS] = calculate_erik(problem, target, work, own)
        report[row, COST] = work.errors[BEST_ERROR]
        report[row, ENDING] = SEARCHED
        for joint in range(len(dofs)):
            work.angles[NOW, joint] = work.angles[BEST, joint]
            answers[row, dofs[joint]] = work.angles[BEST, joint]
        place(problem, work)
        errors[row, 0] = missing_angle(problem, target, work)
        errors[row, 1] = posture_error(problem, work)
    # Lent memory must not be freed before the loop is over.
    own_work.errors[BEST_ERROR] = 0.0
