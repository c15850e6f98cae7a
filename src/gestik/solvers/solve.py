"""The front door: check, pack, call, wrap."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton
from gestik.solvers.prepared import Goals, Names, Prepared
from gestik.solvers.solution import Solution, Solutions
from gestik.solvers.spec import Filled

# A thread gets at least this many problems: below, starting it costs more than it gains.
LEAST_PER_THREAD = 64


def prepare(
    skeleton: Skeleton, goals: Goals, method: str | None = None, *, joints: Names | None = None, **options: object
) -> Prepared:
    """Bind a skeleton, goals and a method together, to solve again and again for targets that change.

    Args:
        skeleton: What moves.
        goals: One goal or several; a Posture among them is held.
        method: A name from `list_solvers`; None chooses by the goals.
        joints: The joints that may move, by name; the others stay where the start has them. None: all may.
        options: The method's own settings, as `list_solvers` describes them.
    """
    return Prepared(skeleton, goals, method, joints=joints, **options)


def solve(
    skeleton: Skeleton,
    goals: Goals,
    method: str | None = None,
    start: ArrayLike | None = None,
    *,
    joints: Names | None = None,
    **options: object,
) -> Solution:
    """Find the angles that meet the goals and hold the posture.

    Args:
        skeleton: What moves.
        goals: One goal or several; a Posture among them is held.
        method: A name from `list_solvers`; None chooses by the goals.
        start: Angles [dof] to begin at, or for a global method to break ties by. None: the skeleton's rest.
        joints: The joints that may move, by name; the others stay where the start has them. None: all may.
        options: The method's own settings, as `list_solvers` describes them.
    """
    return Prepared(skeleton, goals, method, joints=joints, **options).solve(start=start)


def solve_batch(
    skeleton: Skeleton,
    goals: Goals,
    method: str | None = None,
    start: ArrayLike | None = None,
    threads: int | None = None,
    *,
    joints: Names | None = None,
    **options: object,
) -> Solutions:
    """Solve many problems at once: every target has its own shape, shared by all, or one more leading axis.

    Args:
        skeleton: What moves.
        goals: One goal or several; their batches are of one length.
        method: A name from `list_solvers`; None chooses by the goals.
        start: Angles [dof], or [n, dof] one for each problem. None: the skeleton's rest.
        threads: How many to use; None takes one for each processor. Answers do not depend on it.
        joints: The joints that may move, by name; the others stay where the start has them. None: all may.
        options: The method's own settings, as `list_solvers` describes them.
    """
    if threads is not None and threads < 1:
        raise InputError(f"threads is {threads}, and must be at least 1")
    prepared = Prepared(skeleton, goals, method, joints=joints, **options)
    rows = prepared.pack_rows()
    starts = _pack_starts(skeleton, start, len(rows))
    wanted = threads or os.cpu_count() or 1
    parts = max(1, min(wanted, len(rows) // LEAST_PER_THREAD))
    bounds = np.linspace(0, len(rows), parts + 1).astype(int).tolist()
    pieces = [(rows[a:b], starts if len(starts) == 1 else starts[a:b]) for a, b in pairwise(bounds)]
    if parts == 1:
        filled = [prepared.solve_rows(*pieces[0])]
    else:
        with ThreadPoolExecutor(parts) as pool:
            filled = list(pool.map(lambda piece: prepared.solve_rows(*piece), pieces))
    return _joined(prepared, rows, filled)


def _pack_starts(skeleton: Skeleton, start: ArrayLike | None, count: int) -> FloatArray:
    """Starts [1, dof] or [count, dof], checked."""
    if start is None:
        return frozen_floats(skeleton.rest[None, :])
    starts = np.asarray(start, dtype=np.float64)
    if starts.ndim == 1:
        return frozen_floats(skeleton.check_angles(starts)[None, :])
    if starts.shape != (count, skeleton.dof_count) or not np.isfinite(starts).all():
        raise InputError(
            f"start has shape {starts.shape}, not ({skeleton.dof_count},) or ({count}, {skeleton.dof_count}), or is "
            "not finite"
        )
    return frozen_floats(starts)


def _joined(prepared: Prepared, rows: FloatArray, pieces: list[Filled]) -> Solutions:
    """Put the pieces of a batch together again."""
    return Solutions(
        np.concatenate([piece.angles for piece in pieces]),
        np.concatenate([piece.errors for piece in pieces]),
        np.concatenate([piece.iterations for piece in pieces]).astype(np.int64),
        np.concatenate([piece.endings for piece in pieces]),
        rows,
        prepared.asked,
    )
