"""Random problems over random skeletons: whatever can be built and asked, for every method.

One problem is one seed and one method: a body, goals, options, and a handful of targets and starts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.solvers.methods import SOLVERS
from gestik.solvers.spec import Capability, SolverSpec

ROWS = 32  # targets and starts for one body and its goals
TRIES = 40  # problems drawn until the method can take one
SHORT = 30  # iterations, descents or starts at most, where an option says how many: many problems, not long ones
BOX_SLACK = 1e-12  # rad or m
WITHOUT_LIMITS = ("version", "posture")  # the option by which a method says that it keeps none

Generator = np.random.Generator


class Problem(NamedTuple):
    """A problem in many rows."""

    body: gk.Skeleton
    goals: list[object]
    starts: FloatArray  # [row, dof]
    options: dict[str, float | int | str]


def unit(values: FloatArray) -> FloatArray:
    """Length one along the last axis."""
    return np.asarray(values / np.linalg.norm(values, axis=-1, keepdims=True))


def random_body(rng: Generator) -> gk.Skeleton:
    """A chain or a tree of up to ten joints of any kind: bones of no length, tight limits, mimics, cones, couplings."""
    builder = gk.SkeletonBuilder("random", up=str(rng.choice(["x", "y", "z"])))
    count = int(rng.integers(1, 11))
    is_chain, is_plain = rng.random() < 0.6, rng.random() < 0.4
    kinds = ["revolute"] if is_plain else ["revolute"] * 5 + ["continuous", "prismatic", "fixed", "ball"]
    singles: list[str] = []
    rests: list[float] = []
    for number in range(count):
        name = f"j{number}"
        kind = "free" if number == 0 and not is_plain and rng.random() < 0.15 else str(rng.choice(kinds))
        parent = None
        if number > 0:
            parent = f"j{number - 1 if is_chain else rng.integers(number)}"
        given: dict[str, object] = {"parent": parent, "kind": kind, "position": _bone(rng)}
        if rng.random() < 0.4:
            given["rotation"] = unit(rng.normal(size=4))
        if kind in {"revolute", "continuous", "prismatic"}:
            given["axis"] = str(rng.choice(["x", "y", "z"])) if rng.random() < 0.7 else unit(rng.normal(size=3))
        if kind in {"revolute", "prismatic"}:
            if singles and rng.random() < 0.1:
                given["mimic"] = gk.Mimic(str(rng.choice(singles)), float(rng.uniform(-1, 1)), 0.0)
            else:
                given |= _limits(rng, 3.1 if kind == "revolute" else 0.5)
                singles.append(name)
                rests.append(float(given["rest"]))
        if kind == "ball":
            given["convention"] = str(rng.choice(["ZYX", "XYZ", "YXY", "ZXZ"]))
            if rng.random() < 0.3:
                given |= {"swing": float(rng.uniform(0.2, 3.0)), "twist": (-1.0, 2.0), "twist_axis": "x"}
        builder.joint(name, **given)
        if rng.random() < 0.5:
            builder.mass(float(rng.random()), parent=name, position=_bone(rng))
    if len(singles) > 1 and rng.random() < 0.2:
        # Around the rest, which must keep every limit.
        stands = rests[0] - 0.7 * rests[1]
        builder.coupling(stands - 0.4 * rng.random(), {singles[0]: 1.0, singles[1]: -0.7}, stands + 0.5)
    builder.frame("hand", parent=f"j{count - 1}", position=_bone(rng), kind="eye", axis=unit(rng.normal(size=3)))
    return builder.build()


def _bone(rng: Generator) -> FloatArray:
    """A bone along an axis or anywhere; now and then of no length."""
    if rng.random() < 0.12:
        return np.zeros(3)
    length = rng.uniform(0.05, 1.0)
    return length * (np.eye(3)[rng.integers(3)] if rng.random() < 0.6 else unit(rng.normal(size=3)))


def _limits(rng: Generator, widest: float) -> dict[str, object]:
    """Limits around, beside or beyond zero, sometimes with next to no room; the rest is inside."""
    lower = float(rng.uniform(-widest, widest))
    upper = lower + float(rng.choice([1e-9, 0.1, 1.0, widest]) * rng.random())
    return {"lower": lower, "upper": upper, "rest": float(np.clip(0.0, lower, upper))}


def random_angles(body: gk.Skeleton, rng: Generator, count: int) -> FloatArray:
    """Angles inside the boxes, [count, dof]."""
    lower = np.where(np.isfinite(body.lower), body.lower, -3.0)
    upper = np.where(np.isfinite(body.upper), body.upper, np.maximum(lower, 3.0))
    return rng.uniform(np.minimum(lower, upper), upper, size=(count, body.dof_count))


def random_goals(body: gk.Skeleton, rng: Generator, capabilities: Capability) -> list[object]:
    """One to four goals with terms a method knows; two of three targets come from a pose, the others from anywhere."""
    poses = [body.forward(angles) for angles in random_angles(body, rng, ROWS)]
    count = 1 if Capability.SEVERAL_GOALS not in capabilities or rng.random() < 0.4 else int(rng.integers(2, 5))
    if Capability.CENTER_OF_MASS in capabilities and count > 1 and body.masses and rng.random() < 0.3:
        return [
            *random_goals(body, rng, capabilities & ~Capability.CENTER_OF_MASS),
            gk.CenterOfMass(rng.normal(size=3)),
        ]
    kinds = [kind for kind in ("POSITION", "ORIENTATION", "AIM") if Capability[kind] in capabilities]
    goals: list[object] = []
    for _ in range(count):
        frame = "hand" if rng.random() < 0.6 else str(rng.choice(body.joint_names))
        terms = _terms(body, frame, rng, capabilities)
        places = np.array([pose.of(frame).position for pose in poses])
        places[rng.random(ROWS) < 0.3] += 2.0 * rng.normal(size=3)
        places[0] *= rng.choice([0.0, 1.0, 1e3, 1e6])
        kind = str(rng.choice(kinds))
        if kind == "POSITION":
            goals.append(gk.Position(frame, places, **terms))
            continue
        box = terms.pop("axes", None) if kind == "AIM" else None
        if kind == "AIM":
            if np.ndim(terms.get("slack", 0.0)):
                terms.pop("slack")
            eye = {} if frame == "hand" else {"axis": unit(rng.normal(size=3)), "eye": _bone(rng)}
            goals.append(gk.Aim(frame, at=places, **eye, **terms))
            assert box is None or box
            continue
        turns = np.array([pose.of(frame).rotation for pose in poses])
        turns[rng.random(ROWS) < 0.3] = unit(rng.normal(size=4))
        symmetric = {"symmetric": unit(rng.normal(size=3))} if rng.random() < 0.2 else {}
        goals.append(gk.Orientation(frame, turns, **symmetric, **terms))
    if Capability.POSTURE in capabilities and rng.random() < 0.4:
        goals.append(gk.Posture(random_angles(body, rng, ROWS) + rng.normal(size=body.dof_count)))
    return goals


def _terms(body: gk.Skeleton, frame: str, rng: Generator, capabilities: Capability) -> dict[str, object]:
    """Terms of a goal at random."""
    terms: dict[str, object] = {}
    if rng.random() < 0.2:
        terms["weight"] = float(rng.choice([0.0, 1e-3, 0.5, 20.0]))
    if Capability.RELATIVE in capabilities and rng.random() < 0.2:
        terms["relative_to"] = str(rng.choice([name for name in ("hand", *body.joint_names) if name != frame]))
    if Capability.AXES in capabilities and rng.random() < 0.2:
        terms["axes"] = str(rng.choice(["x", "yz", "xz"]))
    if Capability.SLACK in capabilities and rng.random() < 0.2:
        terms["slack"] = (0.1, 0.0, 0.3) if rng.random() < 0.5 else 0.2
    if Capability.PRIORITIES in capabilities and rng.random() < 0.5:
        terms["priority"] = int(rng.integers(3))
    return terms


def random_options(spec: SolverSpec, rng: Generator) -> dict[str, float | int | str]:
    """The defaults, or something in range for some of the options; never many iterations."""
    chosen: dict[str, float | int | str] = {}
    for option in spec.options:
        if isinstance(option.default, str) and not option.choices:
            continue  # the name of something, which no random text is
        if isinstance(option.default, int) and not option.choices:
            chosen[option.name] = int(np.clip(rng.integers(SHORT), option.lowest, max(option.lowest, SHORT)))
        elif rng.random() < 0.2:
            if option.choices:
                chosen[option.name] = str(rng.choice(option.choices))
            else:
                low, high = max(option.lowest, 1e-3 * min(1.0, option.highest)), min(option.highest, 10.0)
                chosen[option.name] = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    return chosen


def random_problem(method: str, seed: int) -> tuple[Problem, gk.Prepared] | None:
    """The problem of a seed, bound to its method; None where nothing drawn suits it."""
    spec = SOLVERS[method]
    rng = np.random.default_rng([seed, sum(map(ord, method))])
    for _ in range(TRIES):
        body = random_body(rng)
        if body.dof_count == 0:
            continue
        goals = random_goals(body, rng, spec.capabilities)
        starts = random_angles(body, rng, ROWS)
        starts[::3] += rng.normal(size=body.dof_count)
        options = random_options(spec, rng)
        try:
            return Problem(body, goals, starts, options), gk.prepare(body, goals, method, **options)
        except gk.CapabilityError:
            continue
    return None


def solve_and_judge(method: str, seed: int) -> tuple[int, list[str]]:
    """Solve the problem of a seed: how many rows it has, and what is wrong with the answers."""
    drawn = random_problem(method, seed)
    if drawn is None:
        return 0, []
    problem, prepared = drawn
    body, rows = problem.body, prepared.pack_rows()
    filled = prepared.solve_rows(rows, np.ascontiguousarray(problem.starts))
    found = []
    if not np.isfinite(filled.angles).all():
        return ROWS, ["angles that are no numbers"]
    if not (np.isfinite(filled.errors).all() and (filled.errors >= 0.0).all()):
        found.append("errors that are no numbers")
    claims_limits = Capability.LIMITS in SOLVERS[method].capabilities
    if claims_limits and WITHOUT_LIMITS not in problem.options.items():
        outside = np.maximum(body.lower - filled.angles, filled.angles - body.upper).max()
        is_tied = bool(body.cones or body.couplings)
        if outside > BOX_SLACK or (is_tied and any(body.limit_excess(angles) for angles in filled.angles)):
            found.append(f"a broken limit, by {outside:g}")
    solution = prepared.wrap(filled, rows)
    if not solution.explain() or solution.status not in set(gk.Status):
        found.append("no word of how it ended")
    again = prepared.solve_rows(rows[:1], np.ascontiguousarray(problem.starts[:1]))
    if not np.array_equal(again.angles, filled.angles[:1]):
        found.append("another answer the second time")
    return ROWS, found
