"""What a method says about itself, once: lists, menus, checks and pages all read this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import NamedTuple, Protocol

from gestik.errors import InputError, unknown_name
from gestik.goals.goal import Goal
from gestik.kernels.arrays import FloatArray
from gestik.model.checks import number
from gestik.model.faults import shown
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.solvers.report import COST, ENDING, ITERATIONS


class Capability(Flag):
    """What a method can do; what a problem asks for is checked against it before any kernel runs."""

    # Goals it takes.
    POSITION = auto()
    ORIENTATION = auto()
    AIM = auto()
    CENTER_OF_MASS = auto()
    POSTURE = auto()  # holds one that is given by angles
    POSTURE_POINTS = auto()  # holds one that is given by positions
    # What goals may say besides.
    SEVERAL_GOALS = auto()
    SEVERAL_LIMBS = auto()  # goals on frames that lie on no common chain
    RELATIVE = auto()  # targets that move with another frame
    AXES = auto()  # goals that count along or about some axes only
    SLACK = auto()  # goals that leave room around their target
    PRIORITIES = auto()  # goals that come before others
    # What it does.
    JOINT_MASK = auto()  # moves only some of the joints
    LIMITS = auto()  # answers keep every limit
    GLOBAL = auto()  # searches everywhere; a start only breaks ties
    FOLLOWS = auto()  # can also improve a start locally, inside a box: what a Tracker needs

    @property
    def words(self) -> str:
        """Its name for people."""
        return str(self.name).lower().replace("_", " ")


@dataclass(frozen=True)
class Option:
    """One setting of a method."""

    name: str
    default: float | int | str
    help: str
    unit: str = ""
    lowest: float = 0.0
    highest: float = 1e9
    choices: tuple[str, ...] = ()

    def read(self, value: object) -> float | int | str:
        """Check a value, or raise InputError naming it and what would be right."""
        if self.choices:
            if value not in self.choices:
                raise InputError(f"option {self.name} is {shown(value)}; choose from {', '.join(self.choices)}")
            return str(value)
        if isinstance(self.default, str):
            if not isinstance(value, str):
                raise InputError(f"option {self.name} is {shown(value)}, not a name")
            return value
        try:
            amount = number(value)
        except ValueError as fault:
            raise InputError(f"option {self.name} {fault}") from fault
        if not self.lowest <= amount <= self.highest:
            raise InputError(f"option {self.name} is {amount:g}; it lies from {self.lowest:g} to {self.highest:g}")
        if isinstance(self.default, int):
            if amount != int(amount):
                raise InputError(f"option {self.name} is {amount:g}; it is a whole number")
            return int(amount)
        return amount


class Filled(NamedTuple):
    """What a bound method returns, one row per problem."""

    angles: FloatArray  # [n, dof]
    errors: FloatArray  # [n, goal], in each goal's unit, the posture's last
    report: FloatArray  # [n, REPORT_WIDTH] of solvers/report.py

    @property
    def cost(self) -> FloatArray:
        """[n], what the method minimises."""
        return self.report[:, COST]

    @property
    def iterations(self) -> FloatArray:
        """[n], the method's own count of starts, steps or iterations."""
        return self.report[:, ITERATIONS]

    @property
    def endings(self) -> FloatArray:
        """[n], how the method came to its end: a code of solvers/report.py."""
        return self.report[:, ENDING]


class Bound(Protocol):
    """A method bound to a skeleton and goals: flat arrays around one compiled entry."""

    @property
    def widths(self) -> Sequence[int]:
        """How many numbers each goal's target has, in the order of the goals."""
        ...

    def solve(self, targets: FloatArray, starts: FloatArray) -> Filled:
        """Solve every row of targets [n, sum of widths]; starts is [1, dof] or [n, dof]."""
        ...

    def follow(self, targets: FloatArray, starts: FloatArray, low: FloatArray, high: FloatArray) -> Filled:
        """Improve starts [n, dof] locally inside the boxes low..high [n, dof]; only for methods that follow."""
        ...


Bind = Callable[[Skeleton, Sequence[Goal], Posture | None, Mapping[str, float | int | str]], Bound]


@dataclass(frozen=True)
class SolverSpec:
    """One method."""

    name: str
    summary: str
    citation: str
    capabilities: Capability
    options: tuple[Option, ...]
    bind: Bind

    def read_options(self, given: Mapping[str, object]) -> dict[str, float | int | str]:
        """Check the options given and fill in the others."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise unknown_name(f"option of {self.name!r}", name, known)
        return {name: option.read(given.get(name, option.default)) for name, option in known.items()}
