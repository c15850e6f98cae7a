"""The most faithful shapes: for any serial chain, the lowest shape error among all poses that meet a task.

`sighted_search` does the work on a chain cut out of a skeleton's tables; here the problem is posed, the starts are
chosen, and every answer is measured once more by the slow twins.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle.sighted_pose import LOOK, TURN, Sight
from benchmarks.oracle.sighted_search import search
from gestik.kernels.arrays import REVOLUTE
from gestik.model.skeleton import Skeleton
from tests.reference.forward_twin import bones, chain_segments, frame_of, joint_frames, moving_rows
from tests.reference.measures_twin import rotation_matrix, shape_error, turn_matrix

FloatArray = NDArray[np.float64]

DEFAULT_STARTS = 64  # and as many hops


class Answers(NamedTuple):
    """The best found for each sample of a set."""

    angles: FloatArray  # [n, dof], rad
    errors: FloatArray  # [n], degrees, infinite where no pose was found that meets the task


def measure_to_angle(measure: float) -> float:
    """Angle [rad] whose orientation measure Z = sqrt(2) sin(angle / 4) is this."""
    return 4.0 * math.asin(measure / math.sqrt(2.0))


def best_orientations(
    skeleton: Skeleton,
    frame: str,
    postures: FloatArray,
    targets: FloatArray,
    allowed: float = measure_to_angle(0.01),
    starts: int = DEFAULT_STARTS,
    seed: int = 0,
) -> Answers:
    """Search the shapes nearest to postures [n, dof] that turn a frame to quaternions [n, 4].

    Half a turn about the last segment is free; `allowed` is the error [rad] that counts as none.
    """
    own, segment = skeleton.frame(frame), skeleton.segments[moving_rows(skeleton, frame)[-1]]
    symmetric = turn_matrix(segment / np.linalg.norm(segment), math.pi)
    joint_targets = rotation_matrix(targets) @ rotation_matrix(own.rotation).T
    wanted = np.stack((joint_targets, joint_targets @ symmetric), axis=1)
    nothing = np.zeros((len(postures), 3))
    return _search_all(skeleton, frame, postures, TURN, wanted, nothing, allowed, starts, seed)


def best_looks(
    skeleton: Skeleton,
    eye: str,
    postures: FloatArray,
    points: FloatArray,
    allowed: float = math.radians(0.5),
    starts: int = DEFAULT_STARTS,
    seed: int = 0,
) -> Answers:
    """Search the shapes nearest to postures [n, dof] whose eye looks at points [n, 3] within `allowed` rad."""
    wanted = np.broadcast_to(np.eye(3), (len(postures), 1, 3, 3))
    return _search_all(skeleton, eye, postures, LOOK, wanted, points, allowed, starts, seed)


def shape_errors(skeleton: Skeleton, frame: str, angles: FloatArray, postures: FloatArray) -> FloatArray:
    """Shape errors [n, degrees] of angles against postures [n, dof], by the slow twins."""
    chains = [[chain_segments(skeleton, q, frame).directions for q in rows] for rows in (angles, postures)]
    return shape_error(np.array(chains[0]), np.array(chains[1]), skeleton.up)


def _search_all(
    skeleton: Skeleton,
    frame: str,
    postures: FloatArray,
    kind: int,
    wanted: FloatArray,
    points: FloatArray,
    allowed: float,
    starts: int,
    seed: int,
) -> Answers:
    """Search sample by sample; joints the frame does not depend on stay at the posture."""
    rows = moving_rows(skeleton, frame)
    dofs = skeleton.arrays.dof[rows]
    plain = _problem(skeleton, frame, kind)
    angles, generator = postures.copy(), np.random.default_rng(seed)
    for n, posture in enumerate(postures):
        drawn = _unit(bones(skeleton, posture, frame))
        sight = plain._replace(
            drawn=drawn, wanted=np.ascontiguousarray(wanted[n]), point=points[n].copy(), allowed=allowed
        )
        best = np.empty(len(rows))
        found = search(sight, _starts(posture[dofs], sight, starts, generator), seed * 1_000_003 + n, best)
        angles[n, dofs] = best if found < math.inf else math.nan
    missed = np.isnan(angles).any(axis=1)
    errors = np.full(len(angles), math.inf)
    errors[~missed] = shape_errors(skeleton, frame, angles[~missed], postures[~missed])
    return Answers(angles, errors)


def _problem(skeleton: Skeleton, frame: str, kind: int) -> Sight:
    """Cut the chain out of the tables, fixed joints folded into the rest frames."""
    table, rows = skeleton.arrays, moving_rows(skeleton, frame)
    plain = (table.kind[rows] == REVOLUTE) & (table.gain[rows] == 1.0) & (table.bias[rows] == 0.0)
    assert plain.all(), "the oracle knows chains of revolute joints that follow no other"
    straight = np.zeros(skeleton.dof_count)
    frames = joint_frames(skeleton, straight)[rows]
    own = skeleton.frame(frame)
    fixed_end = np.linalg.solve(frames[-1], joint_frames(skeleton, straight)[own.row])
    place = fixed_end @ frame_of(own.position, rotation_matrix(own.rotation))
    before = np.concatenate((np.eye(4)[None], frames[:-1]))
    rest = np.linalg.solve(before, frames)
    segment = np.einsum("kij,ki->kj", frames[:, :3, :3], _unit(bones(skeleton, straight, frame)))
    dofs = table.dof[rows]
    return Sight(
        axis=np.array(table.axis[rows]),
        rest_position=rest[:, :3, 3].copy(),
        rest_rotation=rest[:, :3, :3].copy(),
        segment=segment,
        lower=np.array(table.lower[dofs]),
        upper=np.array(table.upper[dofs]),
        up=np.array(skeleton.up),
        drawn=segment,
        kind=kind,
        tool=place[:3, 3].copy(),
        looking=_ahead_and_across(place[:3, :3] @ np.array(own.axis if own.axis is not None else (0.0, 0.0, 1.0))),
        wanted=np.eye(3)[None],
        point=np.zeros(3),
        allowed=0.0,
    )


def _starts(posture: FloatArray, sight: Sight, count: int, generator: np.random.Generator) -> FloatArray:
    """Choose where to begin: the posture; all its bends with any signs, or some of them; anywhere within limits.

    Twists begin anywhere: a posture says nothing about where to face.
    """
    lower, upper = np.maximum(sight.lower, -math.pi), np.minimum(sight.upper, math.pi)
    anywhere = generator.uniform(lower, upper, size=(count, posture.size))
    mirrored = posture * generator.choice([-1.0, 1.0], size=(count, posture.size))
    bends = np.linalg.norm(np.cross(sight.axis, sight.segment), axis=1) > 1e-6
    # The first half keeps every bend, the next quarter some of them.
    share = np.repeat([1.0, 0.6, 0.0], [count // 2, count // 4, count - count // 2 - count // 4])
    kept = bends & (generator.random((count, posture.size)) < share[:, None])
    starts = np.where(kept, mirrored, anywhere)
    starts[0] = posture
    return np.clip(starts, lower, upper)


def _ahead_and_across(ahead: FloatArray) -> FloatArray:
    """Complete a direction to three that are square to one another, as rows."""
    across = np.cross(ahead, np.eye(3)[np.argmin(np.abs(ahead))])
    across /= np.linalg.norm(across)
    return np.stack((ahead, across, np.cross(ahead, across)))


def _unit(vectors: FloatArray) -> FloatArray:
    """Make vectors [n, 3] unit; one of no length stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.where(lengths > 1e-9, vectors / np.maximum(lengths, 1e-9), 0.0)
