"""What is on the table in `gestik view`: a body, where it stands, what is asked of it.  Knows no browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import gestik as gk
from gestik.errors import InputError
from gestik.formats.load import CLIP_ENDINGS
from gestik.kernels.arrays import FloatArray
from gestik.model.joints import FrameKind, JointKind
from gestik.model.transforms import IDENTITY
from gestik.solvers.spec import Capability

AUTOMATIC = "automatic"  # the method is chosen by the goals
REMEMBERED = 200  # steps back
HELD = 0.003  # weight of the posture beside the goals: a turn of one radian counts as much as 3 mm


class Wish(StrEnum):
    """What may be asked of a frame by a thing one can drag."""

    PLACE = "be there"
    STAND = "be there, turned so"
    LOOK = "look there"


@dataclass(frozen=True)
class Asked:
    """A wish, and where the thing one drags is."""

    frame: str
    wish: Wish
    position: tuple[float, float, float]  # m
    rotation: tuple[float, float, float, float] = IDENTITY  # w first

    def goals(self) -> list[gk.Position | gk.Orientation | gk.Aim]:
        """The goals it comes to."""
        if self.wish is Wish.LOOK:
            return [gk.Aim(self.frame, at=self.position)]
        place = gk.Position(self.frame, self.position)
        return [place] if self.wish is Wish.PLACE else [place, gk.Orientation(self.frame, self.rotation)]


class Studio:
    """A body that is posed by hand and by goals."""

    def __init__(self, source: str | Path, *, skeleton: str | Path | None = None, scale: float = 1.0) -> None:
        """Open a skeleton, a character or a clip.

        Args:
            source: a file, or the name of a bundled character.
            skeleton: whose joints a recording (.csv) names.
            scale: every length is multiplied by this.
        """
        self.character: gk.Character | None = None
        self.path: Path | None = None  # of a character file, where postures can be kept
        text = str(source)
        ending = Path(text).suffix.lower()
        if skeleton is not None:
            self.skeleton = gk.load(skeleton, scale=scale)
            self.clips: Mapping[str, gk.Clip] = gk.load_clips(source, skeleton=self.skeleton)
        elif ending in ("", ".toml"):
            self.character = gk.load_character(source, scale=scale)
            self.skeleton, self.clips = self.character.skeleton, self.character.clips
            self.path = Path(text) if ending else None
        elif ending in CLIP_ENDINGS:
            self.clips = gk.load_clips(source, scale=scale)
            self.skeleton = next((clip.skeleton for clip in self.clips.values()), None) or gk.load(source, scale=scale)
        else:
            self.skeleton, self.clips = gk.load(source, scale=scale), {}
        self.postures = {} if self.character is None else self._drawn(self.character)
        self.angles: FloatArray = next(iter(self.postures.values()), self.skeleton.rest)
        self.held = self.angles  # what it stays close to while goals pull at it
        self.asked: dict[str, Asked] = {}
        self.method = AUTOMATIC
        self.options: dict[str, float | int | str] = {}
        self.roots = tuple(
            name for name, kind in self._joints() if kind is JointKind.FREE
        )  # joints that would carry the whole body to a goal
        self.roots_stay = bool(self.roots)
        self._past: list[FloatArray] = []
        self.solve_time = 0.0  # s

    def _joints(self) -> list[tuple[str, JointKind]]:
        return list(zip(self.skeleton.joint_names, self.skeleton.joint_kinds, strict=True))

    def _drawn(self, character: gk.Character) -> dict[str, FloatArray]:
        return {name: posture.angles_for(self.skeleton) for name, posture in character.postures.items()}

    def remember(self) -> None:
        """Keep where it stands, to come back to it."""
        if not self._past or not np.array_equal(self._past[-1], self.angles):
            self._past = [*self._past[1 - REMEMBERED :], self.angles]

    def undo(self) -> bool:
        """Go one step back; return whether there was one."""
        while self._past:
            before = self._past.pop()
            if not np.array_equal(before, self.angles):
                self.pose(before)
                return True
        return False

    def pose(self, angles: ArrayLike) -> None:
        """Put it by hand; this is the posture it holds from now on."""
        self.angles = self.held = self.skeleton.check_angles(angles)

    def turn(self, dof: str, angle: float) -> None:
        """Put one degree of freedom by hand [rad or m]."""
        changed = np.array(self.angles)
        changed[self.skeleton.dof_names.index(dof)] = angle
        self.pose(changed)

    def ask(self, frame: str, wish: Wish) -> Asked:
        """Ask something of a frame, at first what is already so; return it with where its handle is."""
        place = self.skeleton.forward(self.angles).of(frame)
        x, y, z = place.position.tolist()
        if wish is Wish.LOOK:
            x, y, z = (place.position + self._ahead(frame)).tolist()
        rotation = tuple(place.rotation.tolist())
        self.asked[frame] = Asked(frame, wish, (x, y, z), rotation)
        return self.asked[frame]

    def _ahead(self, eye: str) -> FloatArray:
        """The way [m] from an eye to something in front of it."""
        from gestik.pictures.figure import figure_size
        from gestik.pictures.solids import rotation_matrix

        axis = self.skeleton.frame(eye).axis
        if axis is None:
            eyes = ", ".join(frame.name for frame in self.skeleton.frames if frame.kind is FrameKind.EYE) or "none"
            raise InputError(f"{eye!r} is no eye and cannot look; eyes here: {eyes}")
        turn = rotation_matrix(self.skeleton.forward(self.angles).of(eye).rotation)
        return np.asarray(0.6 * figure_size(self.skeleton) * (turn @ np.array(axis)))

    def drag(self, frame: str, position: ArrayLike, rotation: ArrayLike) -> None:
        """Move the handle of a wish to a place [m] and turn it (w first)."""
        x, y, z = np.asarray(position, dtype=np.float64).tolist()
        w, i, j, k = np.asarray(rotation, dtype=np.float64).tolist()
        self.asked[frame] = replace(self.asked[frame], position=(x, y, z), rotation=(w, i, j, k))

    def forget(self) -> None:
        """Ask for nothing any more; what it stands in now is what it holds."""
        self.asked.clear()
        self.held = self.angles

    def solve(self, *, afresh: bool = False) -> gk.Solution | None:
        """Go where the goals want it; None when nothing is asked.  Raises one of our errors when the method cannot.

        Args:
            afresh: begin at the posture it holds, as after a change of method; else where it is, as in a drag.
        """
        solution = self.solution_by(self.method, self.options, start=self.held if afresh else self.angles)
        if solution is not None:
            self.angles = solution.angles
        return solution

    def solution_by(
        self, method: str, options: Mapping[str, float | int | str] | None = None, start: FloatArray | None = None
    ) -> gk.Solution | None:
        """What a method answers that begins at `start`, or at the posture it holds; without going there."""
        goals: list[object] = [goal for asked in self.asked.values() for goal in asked.goals()]
        if not goals:
            return None
        chosen = None if method == AUTOMATIC else method
        if chosen is None or Capability.POSTURE in _capabilities(chosen):
            goals.append(gk.Posture(self.held, weight=HELD))
        begin = perf_counter()
        settings: dict[str, Any] = dict(options or {})
        if self.roots_stay:
            settings["joints"] = [
                name for name, kind in self._joints() if kind not in (JointKind.FREE, JointKind.FIXED)
            ]
        solution = gk.solve(self.skeleton, goals, chosen, self.held if start is None else start, **settings)
        self.solve_time = perf_counter() - begin
        return solution

    def at(self, clip: str, time: float) -> FloatArray:
        """Stand where a clip is at a time [s] after its beginning, and return the angles."""
        played = self.clips[clip]
        self.pose(played.at(played.start + time))
        return self.angles

    def save(self, name: str) -> None:
        """Keep where it stands as a posture, in the character's own file."""
        if self.path is None:
            raise InputError("postures are kept in a character file of your own (.toml); this is none")
        gk.save_posture(self.path, name, self.angles)
        self.postures[name] = self.angles


def _capabilities(method: str) -> Capability:
    return next(spec.capabilities for spec in gk.list_solvers() if spec.name == method)
