"""All methods: one line each."""

from __future__ import annotations

from gestik.errors import unknown_name
from gestik.solvers.bwcd import SPEC as BWCD
from gestik.solvers.ccd import SPEC as CCD
from gestik.solvers.dls import SPEC as DLS
from gestik.solvers.erik import SPEC as ERIK
from gestik.solvers.fabrik import SPEC as FABRIK
from gestik.solvers.fabrik_constrained import SPEC as FABRIK_CONSTRAINED
from gestik.solvers.newton import SPEC as NEWTON
from gestik.solvers.poise import SPEC as POISE
from gestik.solvers.prioritised import SPEC as PRIORITISED
from gestik.solvers.pseudoinverse import SPEC as PSEUDOINVERSE
from gestik.solvers.sdls import SPEC as SDLS
from gestik.solvers.spec import SolverSpec
from gestik.solvers.transpose import SPEC as TRANSPOSE
from gestik.solvers.two_bone import SPEC as TWO_BONE

METHODS = (
    TWO_BONE,
    CCD,
    BWCD,
    FABRIK,
    FABRIK_CONSTRAINED,
    TRANSPOSE,
    PSEUDOINVERSE,
    DLS,
    SDLS,
    PRIORITISED,
    NEWTON,
    ERIK,
    POISE,
)
SOLVERS: dict[str, SolverSpec] = {spec.name: spec for spec in METHODS}


def list_solvers() -> tuple[SolverSpec, ...]:
    """Every method, with its capabilities, options and citation."""
    return tuple(SOLVERS.values())


def find_method(name: str) -> SolverSpec:
    """Return the method of that name, or raise NameNotFoundError with the nearest names."""
    if name not in SOLVERS:
        raise unknown_name("method", str(name), SOLVERS)
    return SOLVERS[name]
