"""The problems of the paper's experiment, numbered: every posture of a grid with every orientation of another.

Ribeiro & Paiva sweep every joint but the root's and the tip's twist over its range, and yaw, pitch and twist over
[-pi, pi] (ERIK, sec. 4); their steps are not stated, their counts are.  Ours are odd everywhere, so that straight
joints, limits and all critical angles are hit, and at least as many as theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gestik.errors import InputError
from gestik.evaluation.sets import RandomSet, yaw_pitch_roll
from gestik.evaluation.skeletons import LAYOUTS
from gestik.kernels.arrays import FloatArray

if TYPE_CHECKING:
    from gestik.model.skeleton import Skeleton

# Angles per swept joint, root to tip; Ribeiro & Paiva had 33, 377, 3789, 3789, 3789, 8305 and 19657 postures.
POSTURE_STEPS = {
    "A": (33,),
    "B": (21, 19),
    "C": (17, 15, 15),
    "D": (17, 15, 15),
    "E": (17, 15, 15),
    "F": (11, 11, 9, 9),
    "G": (7, 5, 5, 5, 5, 5),
}
OTHER_STEPS = 5  # of every swept joint of any other skeleton, unless told otherwise
TURN_STEPS = (25, 25, 13)  # of yaw, pitch and twist, 15, 15 and 30 degrees apart; they had 7609 orientations


@dataclass(frozen=True)
class Grid:
    """Problems numbered from 0: the orientations of the first posture come first."""

    skeleton: Skeleton
    frame: str  # whose orientation is asked, and where the chain of the posture ends
    postures: tuple[FloatArray, ...]  # one per degree of freedom: its angles [rad]
    turns: tuple[FloatArray, FloatArray, FloatArray]  # [rad], of yaw, pitch and twist

    @property
    def posture_count(self) -> int:
        """How many postures there are."""
        return math.prod(len(angles) for angles in self.postures)

    @property
    def orientation_count(self) -> int:
        """How many orientations there are."""
        return math.prod(len(angles) for angles in self.turns)

    def __len__(self) -> int:
        return self.posture_count * self.orientation_count

    def problems(self, numbers: NDArray[np.int64]) -> RandomSet:
        """The postures [n, dof] and orientations [n, 4] of these numbers."""
        posture, orientation = np.divmod(numbers, self.orientation_count)
        places = np.unravel_index(posture, [len(angles) for angles in self.postures])
        postures = np.stack([angles[place] for angles, place in zip(self.postures, places, strict=True)], axis=1)
        turned = np.unravel_index(orientation, [len(angles) for angles in self.turns])
        yaw, pitch, twist = (angles[place] for angles, place in zip(self.turns, turned, strict=True))
        return RandomSet(postures, yaw_pitch_roll(yaw, pitch, twist))


def grid_for(
    skeleton: Skeleton,
    frame: str | None = None,
    posture_steps: int | None = None,
    turn_steps: tuple[int, int, int] = TURN_STEPS,
) -> Grid:
    """The grid of a skeleton: the stated one for A to G, else one of as many steps for every joint.

    Args:
        skeleton: a serial chain of revolute joints.
        frame: whose orientation is asked; None: the end of the chain.
        posture_steps: angles per swept joint; None: the stated ones, or 5.
        turn_steps: angles of yaw, pitch and twist, over [-pi, pi].
    """
    if min(turn_steps) < 1 or (posture_steps is not None and posture_steps < 1):
        raise InputError(f"posture_steps is {posture_steps} and turn_steps {turn_steps}; they are at least 1")
    swept = swept_joints(skeleton)
    stated = POSTURE_STEPS.get(skeleton.name) if posture_steps is None and skeleton.name in LAYOUTS else None
    counts = iter(stated or [posture_steps or OTHER_STEPS] * len(swept))
    lower, upper = np.maximum(skeleton.lower, -math.pi), np.minimum(skeleton.upper, math.pi)
    still = np.clip(0.0, lower, upper)
    postures = tuple(
        np.linspace(lower[dof], upper[dof], next(counts)) if dof in swept else still[dof : dof + 1]
        for dof in range(skeleton.dof_count)
    )
    yaw, pitch, twist = (np.linspace(-math.pi, math.pi, steps) for steps in turn_steps)
    return Grid(skeleton, frame or end_of(skeleton), postures, (yaw, pitch, twist))


def swept_joints(skeleton: Skeleton) -> list[int]:
    """Degrees of freedom that are swept: all but a twist at the root and one at the tip."""
    from gestik.goals.metrics import bones_that_count
    from gestik.model.chain import cut_chain

    chain = cut_chain(skeleton, skeleton.frame(end_of(skeleton)))
    bends = bones_that_count(chain)[:, 0] > 0.0
    ends = {joint for joint in (0, len(chain.rows) - 1) if not bends[joint]}
    kept = [int(dof) for joint, dof in enumerate(chain.dofs) if joint not in ends]
    if not kept:
        raise InputError(f"{skeleton.name!r} has no joint between a twist at its root and one at its tip")
    return kept


def end_of(skeleton: Skeleton) -> str:
    """The name of the last joint of a serial chain."""
    chains = skeleton.chains()
    if len(chains) != 1:
        ends = ", ".join(repr(chain[-1]) for chain in chains)
        raise InputError(f"{skeleton.name!r} has {len(chains)} limbs; the experiment takes a single chain, not {ends}")
    return chains[0][-1]
