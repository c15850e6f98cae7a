"""One task of a sweep: solve its samples, judge them, keep them.  Runs in any process on any machine."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gestik
from gestik.errors import InputError
from gestik.evaluation.judge import Judge
from gestik.evaluation.parts import Results, compact, part_file, write_part
from gestik.evaluation.plan import Plan
from gestik.evaluation.sets import RandomSet
from gestik.kernels.arrays import FloatArray
from gestik.solvers.prepared import Prepared
from gestik.solvers.spec import Filled

BLOCK = 10_000  # samples solved in one call: a few megabytes


class Bench(NamedTuple):
    """What solves and what judges."""

    prepared: Prepared
    judge: Judge


def run_task(plan_text: str, folder: str, task: int) -> int:
    """Solve one task of a plan and keep its results; return how many samples it was."""
    plan = remembered_plan(plan_text)
    numbers = plan.numbers(task)
    if not part_file(Path(folder), task).exists():  # another process may have been quicker
        write_part(Path(folder), task, solve_numbers(plan, numbers))
    return len(numbers)


def solve_numbers(plan: Plan, numbers: NDArray[np.int64]) -> Results:
    """Solve and judge these samples of the grid."""
    blocks = [_solve_block(plan, numbers[at : at + BLOCK]) for at in range(0, len(numbers), BLOCK)]
    return Results(*(np.concatenate(column) for column in zip(*blocks, strict=True)))


def solve_problems(plan: Plan, problems: RandomSet) -> Filled:
    """Solve problems as the plan says."""
    prepared = bench_for(plan).prepared
    orientations = with_half_turns(problems.orientations) if plan.half_turn else problems.orientations
    rows = np.hstack((orientations, problems.postures))
    return prepared.solve_rows(rows, prepared.pack_start(None))


def with_half_turns(orientations: FloatArray) -> FloatArray:
    """Half a turn about the end's bone where the paper made one, so that skeleton C can reach what is asked (4.0.4).

    Facing forward the end's own +Z shall point down, facing backward up, as they do on an arm that bends without
    twisting; in the paper's Denavit-Hartenberg frames the bone is Z and that side is Y.
    """
    w, x, y, z = orientations.T
    forward = 2.0 * (y * z + w * x) >= 0.0  # z of the bone, the end's +Y
    side_up = 2.0 * (y * z - w * x) >= 0.0  # y of the end's +Z
    turned = np.stack((-y, -z, w, x), axis=1)  # times half a turn about +Y
    return np.where((forward == side_up)[:, None], turned, orientations)


def one_sample(plan: Plan, number: int) -> dict[str, object]:
    """What is asked, answered and judged in one sample of the grid."""
    if not 0 <= number < len(plan.grid):
        raise InputError(f"sample {number} is not in the grid; it has {len(plan.grid)}, from 0")
    problems = plan.grid.problems(np.array([number]))
    filled = solve_problems(plan, problems)
    orientation, posture, shape = bench_for(plan).judge.judge(filled.angles, *problems)[0].tolist()
    return {
        "number": number,
        "posture_degrees": np.degrees(problems.postures[0]).round(6).tolist(),
        "orientation": problems.orientations[0].tolist(),
        "angles_degrees": np.degrees(filled.angles[0]).round(6).tolist(),
        "orientation_error": orientation,
        "posture_error": posture,
        "shape_error_degrees": shape,
        "iterations": int(filled.iterations[0]),
    }


@lru_cache(maxsize=4)
def remembered_plan(text: str) -> Plan:
    """The plan of a text, read once in each process."""
    return Plan.from_json(text)


def bench_for(plan: Plan) -> Bench:
    """What solves and judges a plan's problems."""
    return _bench(plan.to_json())


@lru_cache(maxsize=4)
def _bench(text: str) -> Bench:
    plan = remembered_plan(text)
    body, frame = plan.body, plan.grid.frame
    goals: list[gestik.Orientation | gestik.Posture] = [
        gestik.Orientation(frame, (1.0, 0.0, 0.0, 0.0), symmetric=not plan.one_sided),
        gestik.Posture(np.zeros(body.dof_count), weight=0.2),
    ]
    options: dict[str, Any] = dict(plan.options)
    return Bench(gestik.prepare(body, goals, method=plan.method, **options), Judge(body, frame))


def _solve_block(plan: Plan, numbers: NDArray[np.int64]) -> Results:
    """A few thousand samples."""
    problems, bench = plan.grid.problems(numbers), bench_for(plan)
    filled = solve_problems(plan, problems)
    judged = bench.judge.judge(filled.angles, *problems)
    beyond = np.maximum(plan.body.lower - filled.angles, filled.angles - plan.body.upper).max(axis=1)
    iterations = np.minimum(filled.iterations, np.iinfo(np.uint16).max)
    return compact(numbers, *judged.T, iterations, filled.endings, np.maximum(beyond, 0.0))
