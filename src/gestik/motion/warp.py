"""A whole animation aimed at a target, fixed or moving, that keeps its expression and never pops.

Several lanes run through the clip: each begins with the best pose of one moment and glides from there to either end, a
local optimum carried along by the motion of the clip.  The best path through all lanes, in which moments lost on leaps
count, crosses from lane to lane softly and is brought inside the speeds of the joints; wherever that moved it off its
lane it is aimed anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.errors import InputError
from gestik.goals.goal import Goal
from gestik.kernels.arrays import FloatArray, IntArray
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.posture import Posture
from gestik.solvers.prepared import Goals, Names, Prepared
from gestik.solvers.spec import Capability, Filled

LANES = 2  # at most, beside the clip itself
SEEDS = 8  # moments at which the best pose of all is searched
BETTER = 0.003  # cost: a lane is worth its while where it is better than all others by this
LOOKS = 1e-6  # rad or m of every goal: a clip that misses them by less is left alone
CROSSING = 0.25  # s, at least, from one lane to another
USUAL_SPEED = 4.0  # rad/s or m/s, of joints whose own is unknown
QUICKER = 1.5  # times the clip's own speed, where that is more
FASTEST = 1e6  # rad/s or m/s: limits nothing
MOVED = 1e-6  # rad or m: by more than this the speeds changed a pose
ROUNDS = 2  # of slowing down and looking again


def warp(
    clip: Clip,
    goals: Goals | Callable[[float], Goals],
    *,
    method: str | None = None,
    joints: Names | None = None,
    speed: ArrayLike | None = None,
    weight: float = 0.2,
    **options: object,
) -> Clip:
    """Aim a whole clip.

    Args:
        clip: What the animator made; its postures are held.
        goals: One goal or several, as for `gestik.solve`; with targets that move, one target for each posture of the
            clip, or a function from the time [s] to goals.
        method: One that can follow; None: poise.
        joints: Joints or degrees of freedom that may leave the clip; None: all that move the frames of the goals.
        speed: The fastest each joint may move, one number or [dof], rad/s or m/s; None: the skeleton's own, and where
            that is unknown 4 or one and a half times what the clip does, whichever is more.
        weight: How much the clip's postures count beside the goals.
        options: Of the method.

    Returns:
        The clip at the same moments; one that reaches its goals at the speeds allowed is returned as it is.
    """
    from gestik.motion.goals_over_time import goals_over_time

    if not isinstance(clip, Clip):
        raise InputError(f"{shown(clip)} is no clip")
    return _Warp(clip, goals_over_time(clip, goals), method or "poise", joints, speed, weight, options).result()


class _Warp:
    """One clip, its goals, and the paths through it."""

    def __init__(
        self,
        clip: Clip,
        goals: list[Goal],
        method: str,
        joints: Names | None,
        speed: ArrayLike | None,
        weight: float,
        options: dict[str, Any],
    ) -> None:
        held = Posture(clip.angles, weight=weight)
        self.problem = Prepared(clip.skeleton, [*goals, held], method=method, **options)
        if Capability.FOLLOWS not in self.problem.spec.capabilities:
            raise InputError(f"method {method!r} cannot follow a clip; poise can")
        self.clip, self.skeleton, self.times = clip, clip.skeleton, clip.times
        self.rows = self.problem.pack_rows()
        if len(self.rows) != len(clip):
            self.rows = frozen_floats(np.broadcast_to(self.rows, (len(clip), self.rows.shape[1])))
        count = self.skeleton.dof_count
        self.free = np.full(count, True) if joints is None else self.skeleton.mask(joints)
        self.turning = self._turning_balls()
        self.drawn = self._without_wraps(np.clip(clip.angles, self.skeleton.lower, self.skeleton.upper))
        self.speeds = self._speeds(speed)
        # Of a ball joint three angles say little about how fast it turns: only a speed that is told limits them.
        turns = [
            self.skeleton.joint_kinds[joint].is_compound for joint in self.skeleton.row_joints[self.skeleton.dof_rows]
        ]
        unknown = np.array(turns, dtype=np.bool_) & ~np.isfinite(self.skeleton.speed)
        self.limits = self.speeds if speed is not None else frozen_floats(np.where(unknown, FASTEST, self.speeds))

    def result(self) -> Clip:
        """The clip, aimed."""
        own = frozen_floats(self.drawn)
        filled = self.problem.follow_rows(self.rows, own, own, own)
        is_slow = (self._steps(self.drawn) <= self.limits * (1.0 + 1e-9)).all()
        if is_slow and (filled.errors[:, :-1] <= LOOKS).all():
            return self.clip
        lanes = [(self.drawn, filled.cost), *self._lanes()]
        angles = self._cross(
            np.stack([lane for lane, _ in lanes], axis=1), np.stack([cost for _, cost in lanes], axis=1)
        )
        return Clip(self.clip.name, self.skeleton, self.times, self._slow_down(angles))

    def _turning_balls(self) -> IntArray:
        """Where the rows of those ball joints begin that may leave the clip and move a goal."""
        skeleton = self.skeleton
        moving = {
            row for goal in self.problem.goals if goal is not None for row in skeleton.chain(goal.frame.name).tolist()
        }
        dofs = skeleton.arrays.dof
        return frozen_integers([row for row in skeleton.ball_rows.tolist() if row in moving and self.free[dofs[row]]])

    def _steps(self, angles: FloatArray) -> FloatArray:
        """How fast every degree of freedom is from moment to moment."""
        return np.asarray(np.abs(np.diff(angles, axis=0)) / np.diff(self.times)[:, None])

    def _without_wraps(self, angles: FloatArray) -> FloatArray:
        """The same poses by angles that do not leap."""
        from gestik.motion.paths import without_wraps

        smooth = np.array(angles)
        without_wraps(self.skeleton.arrays, self.turning, self.skeleton.endless, smooth)
        return smooth

    def _speeds(self, speed: ArrayLike | None) -> FloatArray:
        """The speed of each degree of freedom, above 0."""
        count = self.skeleton.dof_count
        if speed is not None:
            try:
                given = np.array(np.broadcast_to(np.asarray(speed, dtype=np.float64), (count,)))
            except (TypeError, ValueError) as fault:
                raise InputError(f"speed is {shown(speed)}; give one number or {count}") from fault
            if not (given > 0.0).all():
                raise InputError(f"speed is {shown(given.tolist())}; every joint's is above 0 [rad/s or m/s]")
            return frozen_floats(np.minimum(given, FASTEST))
        own = self._steps(self.drawn).max(axis=0, initial=0.0)
        known = np.isfinite(self.skeleton.speed) & (self.skeleton.speed > 0.0)
        return frozen_floats(np.where(known, self.skeleton.speed, np.maximum(USUAL_SPEED, QUICKER * own)))

    def _follow(self, moments: NDArray[np.int64], starts: FloatArray, held: FloatArray | None = None) -> Filled:
        """Improve starts [moment, dof]; `held` are other postures to hold.  What is not free stays as it starts."""
        rows = frozen_floats(self.rows[moments])
        if held is not None:
            rows = frozen_floats(self.problem.with_posture(rows, held))
        low = np.where(self.free, self.skeleton.lower, starts)
        high = np.where(self.free, self.skeleton.upper, starts)
        return self.problem.follow_rows(rows, frozen_floats(starts), frozen_floats(low), frozen_floats(high))

    def _lanes(self) -> list[tuple[FloatArray, FloatArray]]:
        """Lanes through the clip, each with the costs of its poses, from the best poses of a few moments."""
        count = len(self.clip)
        seeds = np.unique(np.linspace(0, count - 1, min(SEEDS, count)).round().astype(int))
        starts = frozen_floats(self.drawn[seeds])
        if self.free.all():
            found = self.problem.solve_rows(frozen_floats(self.rows[seeds]), starts)
        else:
            found = self._follow(seeds, starts)
        lanes: list[tuple[FloatArray, FloatArray]] = []
        for number in np.argsort(found.cost, kind="stable").tolist():
            seed = int(seeds[number])
            cost = float(found.cost[number])
            if len(lanes) < LANES and all(cost < costs[seed] - BETTER for _, costs in lanes):
                pose = self._without_wraps(np.stack((self.drawn[seed], found.angles[number])))[1]
                lanes.append(self._lane(seed, pose, cost))
        return lanes

    def _lane(self, seed: int, pose: FloatArray, cost: float) -> tuple[FloatArray, FloatArray]:
        """Glide from the pose of one moment to both ends of the clip."""
        from gestik.motion.stages import settle

        skeleton, problem, free, drawn = self.skeleton, self.problem, self.free, self.drawn
        lane, costs, begun = np.empty(drawn.shape), np.empty(len(drawn)), np.empty(skeleton.dof_count)
        low, high = frozen_floats(skeleton.lower[None, :]), frozen_floats(skeleton.upper[None, :])
        all_free = bool(free.all())
        lane[seed], costs[seed] = pose, cost
        for way in (1, -1):
            for k in range(seed + way, len(drawn) if way > 0 else -1, way):
                before = lane[k - way]
                # The turn from the clip's posture to the pose before, made from the posture of this moment.
                settle(
                    *skeleton.arrays,
                    *skeleton.limits,
                    self.turning,
                    skeleton.endless,
                    skeleton.rest,
                    drawn[k],
                    drawn[k - way],
                    before,
                    1.0,
                    before,
                    begun,
                )
                if not all_free:
                    begun[~free] = drawn[k, ~free]
                    low = frozen_floats(np.where(free, skeleton.lower, begun)[None, :])
                    high = frozen_floats(np.where(free, skeleton.upper, begun)[None, :])
                glided = problem.follow_rows(self.rows[k : k + 1], frozen_floats(begun[None, :]), low, high)
                lane[k], costs[k] = glided.angles[0], glided.cost[0]
        return lane, costs

    def _cross(self, poses: FloatArray, costs: FloatArray) -> FloatArray:
        """The best path through the lanes [moment, dof], which crosses softly from one to the next."""
        from gestik.motion.paths import best_path

        path = np.empty(len(poses), dtype=np.int32)
        best_path(self.times, poses, costs, self.speeds, path)
        angles = poses[np.arange(len(poses)), path]
        changes = np.flatnonzero(np.diff(path)) + 1
        for number, k in enumerate(changes.tolist()):
            old, new = poses[:, path[k - 1]], poses[:, path[k]]
            way = np.abs(self.skeleton.difference(old[k], new[k])) / self.speeds
            half = max(0.5 * CROSSING, 1.0 * float(way.max()))
            first = int(np.searchsorted(self.times, self.times[k] - half))
            last = int(np.searchsorted(self.times, self.times[k] + half))
            first = max(first, changes[number - 1] if number else 0)
            last = min(last, changes[number + 1] if number + 1 < len(changes) else len(path))
            moments = np.arange(first, last)
            shares = np.clip((self.times[moments] - self.times[k] + half) / (2.0 * half), 0.0, 1.0)
            shares = shares * shares * (3.0 - 2.0 * shares)
            between = np.array(
                [
                    self.skeleton.step(old[j], share * self.skeleton.difference(old[j], new[j]))
                    for j, share in zip(moments.tolist(), shares.tolist(), strict=True)
                ]
            )
            if len(moments):
                inside = np.clip(between, self.skeleton.lower, self.skeleton.upper)
                angles[moments] = self._follow(moments, inside, held=inside).angles
        return self._without_wraps(angles)

    def _slow_down(self, angles: FloatArray) -> FloatArray:
        """Angles no faster than their speeds; where that moved a joint, the others look again as well as they can."""
        from gestik.motion.paths import keep_speeds

        slow = angles.copy()
        keep_speeds(self.times, self.limits, slow)
        steps = np.diff(self.times, prepend=self.times[0] - 1.0)
        for _ in range(ROUNDS):
            late = np.abs(slow - angles) > MOVED
            moments = np.flatnonzero(late.any(axis=1))
            if not len(moments):
                break
            here = slow[moments]
            pinned, room = late[moments] | ~self.free, self.limits * steps[moments, None]
            low = np.where(pinned, here, np.maximum(self.skeleton.lower, here - room))
            high = np.where(pinned, here, np.minimum(self.skeleton.upper, here + room))
            rows = frozen_floats(self.problem.with_posture(self.rows[moments], here))
            aimed = self.problem.follow_rows(rows, frozen_floats(here), frozen_floats(low), frozen_floats(high))
            angles = slow.copy()
            angles[moments] = aimed.angles
            slow = angles.copy()
            keep_speeds(self.times, self.limits, slow)
        return slow
