"""What one sweep does: written beside its results, so that it can be taken up again, repeated and reported."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import gestik
from gestik.errors import FormatError, InputError
from gestik.evaluation.grids import TURN_STEPS, Grid, grid_for
from gestik.evaluation.shuffle import shuffled
from gestik.evaluation.skeletons import LAYOUTS
from gestik.evaluation.skeletons import skeleton as skeleton_of_letter
from gestik.model.skeleton import Skeleton

PLAN_FILE = "plan.json"
PACKAGES = ("gestik", "numpy", "numba")


@dataclass(frozen=True)
class Plan:
    """A sweep of one method over one skeleton."""

    skeleton: str  # a letter A to G, a bundled name, or a file
    method: str
    options: Mapping[str, object] = field(default_factory=dict)
    samples: int | None = None  # how many, drawn without repetition; None: the whole grid in its order
    seed: int = 0  # of the order in which samples are drawn
    frame: str | None = None  # whose orientation is asked; None: the last joint
    posture_steps: int | None = None
    turn_steps: tuple[int, int, int] = TURN_STEPS  # of yaw, pitch and twist
    one_sided: bool = (
        False  # whether the method is told of one good side of the end only; it is judged by the better one
    )
    half_turn: bool = False  # whether orientations are given upside down where the paper did so for its DLS
    name: str = ""  # what it is called, beside the skeleton's name; empty: method and options
    task_size: int = 0  # samples; 0: as many as take some seconds, found out when the sweep begins
    digest: str = ""  # of the skeleton
    made_with: Mapping[str, str] = field(default_factory=dict)  # versions and machine

    @cached_property
    def body(self) -> Skeleton:
        """The skeleton itself."""
        return find_skeleton(self.skeleton)

    @cached_property
    def grid(self) -> Grid:
        """All problems there are."""
        return grid_for(self.body, self.frame, self.posture_steps, self.turn_steps)

    @property
    def total(self) -> int:
        """How many samples are solved."""
        return len(self.grid) if self.samples is None else min(self.samples, len(self.grid))

    @property
    def task_count(self) -> int:
        """How many tasks they make."""
        return math.ceil(self.total / self.task_size)

    @property
    def label(self) -> str:
        """A name for its folder: skeleton, and the name it was given or the method and what it was told."""
        words = [self.method, *(f"{key}-{value}" for key, value in self.options.items())]
        words += ["one-sided"] * self.one_sided + ["half-turn"] * self.half_turn
        return "_".join([Path(self.skeleton).stem, *([self.name] if self.name else words)]).replace(" ", "-")

    @property
    def command(self) -> str:
        """What to type for the same problems and the same method."""
        words = ["gestik", "sweep", "--skeleton", self.skeleton, "--method", self.method]
        words += [f"--option {key}={value}" for key, value in self.options.items()]
        words += ["--one-sided"] * self.one_sided + ["--half-turn"] * self.half_turn
        if self.posture_steps is not None:
            words += ["--posture-steps", str(self.posture_steps)]
        if tuple(self.turn_steps) != TURN_STEPS:
            words += ["--turn-steps", *map(str, self.turn_steps)]
        return " ".join(words)

    def numbers(self, task: int) -> NDArray[np.int64]:
        """The numbers of a task's samples in the grid."""
        places = np.arange(task * self.task_size, min(self.total, (task + 1) * self.task_size))
        return places if self.samples is None else self.drawn(places)

    def drawn(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers at these places of the seeded order."""
        return shuffled(places, len(self.grid), self.seed)

    def to_json(self) -> str:
        """Everything, as text."""
        return json.dumps(dataclasses.asdict(self), indent=2, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read what `to_json` wrote."""
        try:
            read = json.loads(text)
            plan = cls(**{**read, "turn_steps": tuple(read["turn_steps"])})
        except (ValueError, TypeError, KeyError) as fault:
            raise FormatError(f"this is no plan of a sweep: {fault}") from fault
        return plan


def find_skeleton(source: str) -> Skeleton:
    """One of the paper's skeletons by its letter, else whatever `gestik.load` finds."""
    return skeleton_of_letter(source) if source in LAYOUTS else gestik.load(source)


def completed(plan: Plan) -> Plan:
    """The plan with the skeleton's digest and what it is run with."""
    made_with = {name: version(name) for name in PACKAGES}
    made_with |= {"python": platform.python_version(), "machine": f"{platform.machine()}, {_processor()}"}
    return dataclasses.replace(plan, digest=_digest(plan.body), made_with=made_with)


def has_plan(folder: Path) -> bool:
    """Whether a sweep was begun in a folder."""
    return (folder / PLAN_FILE).exists()


def keep_plan(folder: Path, plan: Plan) -> Plan:
    """Write the plan into an empty folder; or return the one that is there, if it asks the same."""
    file = folder / PLAN_FILE
    if not has_plan(folder):
        folder.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".draft")
        draft.write_text(plan.to_json())
        draft.replace(file)
        return plan
    kept = read_plan(folder)
    asked_for = {field.name for field in dataclasses.fields(Plan)} - {"task_size", "made_with"}
    for name in sorted(asked_for):
        here, asked = getattr(kept, name), getattr(plan, name)
        if here != asked:
            raise InputError(f"{folder} holds a sweep whose {name} is {here!r}, not {asked!r}; choose another folder")
    return kept


def read_plan(folder: Path) -> Plan:
    """The plan a folder was made with."""
    return Plan.from_json((folder / PLAN_FILE).read_text())


def _digest(body: Skeleton) -> str:
    """Condense what of a skeleton matters to a solver."""
    digest = hashlib.sha256(" ".join(body.dof_names).encode())
    for part in (*body.arrays, body.lower, body.upper, body.rest, body.segments, body.up):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
