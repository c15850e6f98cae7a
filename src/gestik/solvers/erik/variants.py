"""ERIK with a stage of your own (Xi, sec. 3.9): another error measure, another way out when nothing converges.

Write a kernel, make a method of it with `extended`, and enter that in the list of methods:

    SOLVERS["mine"] = extended("mine", measure=lean, weight=0.3, extension=mirror)

Both kernels take (problem, target, work); what they find there and what they return is said in extensions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gestik.goals.goal import Goal
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.erik import SPEC
from gestik.solvers.erik.bind import Added, BoundErik, bind_with
from gestik.solvers.spec import SolverSpec

Stage = Callable[..., Any]  # a kernel


def extended(
    name: str, *, measure: Stage | None = None, weight: float = 0.0, extension: Stage | None = None
) -> SolverSpec:
    """Make a method of ERIK and a user's own stages; it is compiled anew in every process.

    Args:
        name: of the new method.
        measure: returns an error in [0, 1] of the solution at hand.
        weight: of that error in the error function.
        extension: called when an iteration brought nothing new, after the paper's own.
    """
    entry = _compile_entry(measure, weight, extension)
    added = Added(entry, extension is not None)

    def bind(
        skeleton: Skeleton, goals: Sequence[Goal], posture: Posture | None, options: Mapping[str, float | int | str]
    ) -> BoundErik:
        return bind_with(skeleton, goals, posture, options, added)

    return SolverSpec(name, f"{SPEC.summary}; extended", SPEC.citation, SPEC.capabilities, SPEC.options, bind)


def _compile_entry(measure: Stage | None, weight: float, extension: Stage | None) -> Callable[..., None]:
    """The entry kernel with the user's stages built in.

    No copy is kept on disk: its key would name functions that live in this process only.
    """
    from gestik.kernels.jit import _compiled
    from gestik.solvers.erik.entry import solve_rows_with
    from gestik.solvers.erik.extensions import no_extension, no_measure

    own = (float(weight), measure or no_measure, extension or no_extension)

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
        solve_rows_with(model, tables, numbers, tool, form, dofs, targets, starts, answers, errors, report, own)

    return _compiled(solve_rows, inlined=False, kept=False)
