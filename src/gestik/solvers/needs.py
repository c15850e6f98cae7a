"""What a problem asks of a method, and which methods can give it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gestik.errors import CapabilityError
from gestik.goals.goal import WORLD, BoundGoal
from gestik.goals.kinds import AIM_ALONG, AIM_AT_POINT, CENTER_OF_MASS_GOAL, ORIENTATION_GOAL, POSITION_GOAL
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.tree import way_down
from gestik.solvers.methods import SOLVERS
from gestik.solvers.spec import Capability, SolverSpec

# What a method must be able to do for a goal of each kind.
CAPABILITY_OF_KIND = {
    POSITION_GOAL: Capability.POSITION,
    ORIENTATION_GOAL: Capability.ORIENTATION,
    AIM_AT_POINT: Capability.AIM,
    AIM_ALONG: Capability.AIM,
    CENTER_OF_MASS_GOAL: Capability.CENTER_OF_MASS,
}

# Who is asked first when no method is named.  Where something is looked at or a posture held, how a pose looks counts;
# else how surely and how exactly the goals are met.
EXPRESSIVE = Capability.AIM | Capability.POSTURE | Capability.POSTURE_POINTS
PREFERRED = ("newton", "poise", "dls", "prioritised")
PREFERRED_EXPRESSIVE = ("poise", "newton", "dls", "prioritised")


def needs_of(
    skeleton: Skeleton, goals: Iterable[BoundGoal], posture: Posture | None, is_masked: bool
) -> list[Capability]:
    """Everything a method must be able to do for these goals, in the order people would name it."""
    asked = list(goals)
    needed = [CAPABILITY_OF_KIND[goal.kind] for goal in asked]
    if posture is not None:
        needed.append(Capability.POSTURE if posture.positions is None else Capability.POSTURE_POINTS)
    if len(asked) > 1:
        needed.append(Capability.SEVERAL_GOALS)
    if _several_limbs(skeleton, asked):
        needed.append(Capability.SEVERAL_LIMBS)
    terms = {
        Capability.RELATIVE: any(goal.reference is not WORLD for goal in asked),
        Capability.AXES: not all(all(goal.axes) for goal in asked),
        Capability.SLACK: any(any(goal.slack) for goal in asked),
        Capability.PRIORITIES: len({goal.priority for goal in asked}) > 1,
        Capability.JOINT_MASK: is_masked,
    }
    needed += [capability for capability, is_needed in terms.items() if is_needed]
    return list(dict.fromkeys(needed))


def _several_limbs(skeleton: Skeleton, goals: Sequence[BoundGoal]) -> bool:
    """Whether the frames that goals name, and those their targets move with, lie on no common chain."""
    above = skeleton.arrays.parent.tolist()
    frames = [frame for goal in goals for frame in (goal.frame, goal.reference)]
    ways = sorted((way_down(above, frame.row) for frame in frames), key=len)
    return any(way != ways[-1][: len(way)] for way in ways)


def check_needs(spec: SolverSpec, needed: Sequence[Capability]) -> None:
    """Refuse what the method cannot do, before any kernel runs, and name the methods that can."""
    lacking = [capability for capability in needed if capability not in spec.capabilities]
    if not lacking:
        return
    able = [other.name for other in SOLVERS.values() if all(capability in other.capabilities for capability in needed)]
    hint = f"these can: {', '.join(able)}" if able else "no method can do all that is asked at once"
    raise CapabilityError(
        f"method {spec.name!r} cannot take {', '.join(capability.words for capability in lacking)}; {hint}"
    )


def choose_method(needed: Sequence[Capability]) -> SolverSpec:
    """The method for a problem when none is named: the first of the preferred, then of all, that can do it."""
    is_expressive = any(capability in EXPRESSIVE for capability in needed)
    names = PREFERRED_EXPRESSIVE if is_expressive else PREFERRED
    wanted = [SOLVERS[name] for name in names if name in SOLVERS]
    for spec in (*wanted, *SOLVERS.values()):
        if all(capability in spec.capabilities for capability in needed):
            return spec
    asked = ", ".join(capability.words for capability in needed)
    raise CapabilityError(f"no method can do all that is asked at once: {asked}")
