"""Checking couplings: two degrees of freedom that limit each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gestik.model import checks
from gestik.model.faults import Faults, shown
from gestik.model.joints import Coupling, Joint


def inspect_coupling(lower: object, factors: object, upper: object, faults: Faults) -> Coupling | None:
    """Check a coupling by itself; None where too little of it can be understood to go on."""
    if not isinstance(factors, Mapping) or len(factors) != 2 or not all(isinstance(dof, str) for dof in factors):
        faults.add(f"coupling of {shown(factors)}: takes the factors of two degrees of freedom by name")
        return None
    first, second = factors
    place = f"coupling of {shown(first)} and {shown(second)}:"
    read = tuple(faults.take(f"{place} factor of {shown(dof)}", _factor, factors[dof], 1.0) for dof in (first, second))
    low = -math.inf if lower is None else faults.take(f"{place} lower limit", checks.number, lower, -math.inf)
    high = math.inf if upper is None else faults.take(f"{place} upper limit", checks.number, upper, math.inf)
    if low > high or low == math.inf or high == -math.inf:
        faults.add(f"{place} no sum is above {low:g} and below {high:g}")
        return None
    return Coupling((first, second), (read[0], read[1]), low, high)


def _factor(value: object) -> float:
    """Read a factor, which couples nothing when it is 0."""
    factor = checks.finite(value)
    if factor == 0.0:
        raise ValueError("is 0, which couples nothing")
    return factor


def check_couplings(couplings: Sequence[Coupling | None], joints: Sequence[Joint], faults: Faults) -> list[Coupling]:
    """The couplings, whose names must be known and which must leave room inside the limits of their joints."""
    motions = {name: motion for joint in joints for name, motion in zip(joint.dof_names, joint.motions, strict=False)}
    found = [coupling for coupling in couplings if coupling is not None]
    for coupling in found:
        place = f"coupling of {shown(coupling.dofs[0])} and {shown(coupling.dofs[1])}"
        unknown = [dof for dof in coupling.dofs if dof not in motions]
        for dof in unknown:
            faults.unknown(place, "degree of freedom", dof, motions)
        if unknown:
            continue
        ends = [
            sorted((factor * motions[dof].lower, factor * motions[dof].upper))
            for dof, factor in zip(coupling.dofs, coupling.factors, strict=True)
        ]
        least, most = ends[0][0] + ends[1][0], ends[0][1] + ends[1][1]
        if least > coupling.upper or most < coupling.lower:
            faults.add(
                f"{place}: leaves no room: inside the joints' own limits the sum runs from {least:g} to {most:g}, "
                f"never from {coupling.lower:g} to {coupling.upper:g}"
            )
    return found
