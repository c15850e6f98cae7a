"""What every demo plays: a character looks at a moving target and holds a posture, one step at a time."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import numpy as np

import gestik as gk
from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray

REST = "rest"


class Reading(NamedTuple):
    """What happened in one step."""

    time: float  # s
    point: FloatArray  # [3], m, what it looked at
    angles: FloatArray  # [dof], rad or m
    aim_error: float  # rad, between where the eye looks and where the target is
    shape_error: float  # degrees, how far the shape is from the posture's, whichever way the figure faces
    solve_time: float  # s
    at_limit: tuple[str, ...]  # joints that can go no further


class Act:
    """A character, the posture it holds, and the tracker that keeps its eye on the target."""

    def __init__(self, character: gk.Character, posture: str | None = None) -> None:
        if character.eye is None:
            raise InputError(f"character {character.name!r} has no eye to look with; give it an [eye.*] in its file")
        self.character = character
        self.skeleton = character.skeleton
        self.eye = character.eye
        self.postures: dict[str, FloatArray] = {
            name: drawn.angles_for(self.skeleton) for name, drawn in character.postures.items()
        } or {REST: self.skeleton.rest}
        self._posture = next(iter(self.postures))
        if posture is not None:
            self.posture = posture
        goals: list[gk.Aim | gk.Posture] = [
            gk.Aim(self.eye, at=(1.0, 0.0, 0.0)),
            gk.Posture(self.postures[self._posture]),
        ]
        self._prepared = gk.prepare(self.skeleton, goals)
        self._tracker = gk.Tracker(self._prepared)

    @property
    def posture(self) -> str:
        """The name of the posture it holds."""
        return self._posture

    @posture.setter
    def posture(self, name: str) -> None:
        if name not in self.postures:
            self.character.posture(name)  # raises, and names the right ones
        self._posture = name

    def warm_up(self) -> None:
        """Compile everything a step needs, so that nobody waits for it in the middle of the play."""
        tracker = gk.Tracker(self._prepared)
        for step, sideways in enumerate((-1.0, 1.0, 1.0)):
            tracker.step((1.0, sideways, 0.5), self.postures[self._posture], time=step / 60.0)

    def step(self, point: FloatArray, time: float) -> Reading:
        """Look at a point [3], m, at a time [s]."""
        wanted = self.postures[self._posture]
        begin = perf_counter()
        solution = self._tracker.step(point, wanted, time=time)
        solve_time = perf_counter() - begin
        angles = solution.angles
        return Reading(
            time=time,
            point=np.asarray(point),
            angles=angles,
            aim_error=gk.metrics.aim_error(self.skeleton, angles, self.eye, at=point),
            shape_error=gk.metrics.shape_error(self.skeleton, angles, wanted, self.eye),
            solve_time=solve_time,
            at_limit=solution.at_limit,
        )
