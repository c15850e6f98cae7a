"""What a performer sends at one moment, with an account of how well it does."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gestik.kernels.arrays import FloatArray
from gestik.model.skeleton import Skeleton
from gestik.solvers.explanation import limits_reached

ON_TARGET = math.radians(0.5)
RESTING = 1e-3  # rad/s or m/s


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One tick of a performer."""

    skeleton: Skeleton
    time: float  # s, as the tick was told
    angles: FloatArray  # [dof], rad or m
    velocities: FloatArray  # [dof], rad/s or m/s
    errors: FloatArray  # [1], rad between where the eye looks and its target; [0] without a target
    weight: float  # of the gaze, 0 to 1
    held: bool  # the solver is overdue, and the body rests

    @property
    def limits(self) -> tuple[str, ...]:
        """Names of the degrees of freedom that stand at a limit."""
        return tuple(self.skeleton.dof_names[dof] for dof, _ in limits_reached(self.skeleton, self.angles))

    @property
    def reached(self) -> bool:
        """Whether the eye is on its target, to half a degree."""
        return len(self.errors) > 0 and float(self.errors[0]) <= ON_TARGET

    def named(self) -> dict[str, float]:
        """The angles by the names of their joints."""
        return self.skeleton.named(self.angles)

    def explain(self) -> str:
        """Say in one sentence where the gaze is, and what keeps it from its target."""
        if self.held:
            return "the solver does not answer; the body rests"
        if not len(self.errors):
            return "there is no target"
        if self.reached:
            return "the eye is on its target"
        reasons = [f"the weight of the gaze is {self.weight:.2g}"] if self.weight < 1.0 else []
        reasons += [f"{', '.join(self.limits)} at a limit"] if self.limits else []
        reasons += ["the body is on its way"] if np.abs(self.velocities).max(initial=0.0) > RESTING else []
        return f"the eye is {np.degrees(self.errors[0]):.3g} degrees off; {', '.join(reasons) or 'out of reach'}"
