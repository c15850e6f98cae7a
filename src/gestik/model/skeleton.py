"""The skeleton every kernel runs on: flat, frozen, and able to say what each of its names means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.errors import InputError, unknown_name
from gestik.kernels.arrays import PRISMATIC, REVOLUTE, FloatArray, IntArray, SkeletonArrays
from gestik.kernels.limit_table import LimitArrays
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Cone, Coupling, Frame, JointKind, Mass, Shape
from gestik.model.limits import limit_arrays, limit_excess
from gestik.model.naming import FrameIndex
from gestik.model.pose import Pose
from gestik.model.rerooting import rerooted
from gestik.model.tree import way_down

SHOWN_NAMES = 8


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """A tree of joints, immutable.  Made by `SkeletonBuilder`, or read from a file by `gestik.load`.

    Angles are one flat array in `dof_names` order: radians, metres for what slides.  A joint is one row of the flat
    table, but for a ball joint, which is three, and a free one, which is six.
    """

    name: str
    up: FloatArray  # [3], unit, which way is up in the world
    arrays: SkeletonArrays  # one row per single motion, parents first
    joint_names: tuple[str, ...]  # [joint], fixed joints too
    joint_kinds: tuple[JointKind, ...]  # [joint]
    joint_ends: IntArray  # [joint], its last row, whose frame is the joint's; the others stand right before it
    dof_names: tuple[str, ...]  # [dof], what moves by itself: ``knee``, of a ball joint ``hip.z hip.y hip.x``
    dof_rows: IntArray  # [dof], the row that is moved; rows that only follow it are not told
    speed: FloatArray  # [dof], rad/s or m/s, +inf when unknown
    rest: FloatArray  # [dof], rad or m, within the limits
    segments: FloatArray  # [joint, 3], m, from the joint to where its bone ends, in the joint's frame
    frames: tuple[Frame, ...]  # every named place: the joints in their order, then links, frames and eyes
    shapes: tuple[Shape, ...]  # what to draw
    cones: tuple[Cone, ...] = ()  # how far ball joints swing and twist
    couplings: tuple[Coupling, ...] = ()  # degrees of freedom that limit each other
    masses: tuple[Mass, ...] = ()  # what weighs, where it is known
    row_joints: IntArray = field(init=False)  # [row], the joint each row belongs to
    parents: IntArray = field(init=False)  # [joint], the joint each one sits on, -1 for the base
    limits: LimitArrays = field(init=False)  # cones and couplings, for kernels
    ball_rows: IntArray = field(init=False)  # [ball or free joint], where its three turning rows begin
    endless: IntArray = field(init=False)  # [k], the degrees of freedom of continuous joints
    _index: FrameIndex = field(init=False)

    def __post_init__(self) -> None:
        settle = partial(object.__setattr__, self)
        tables = (frozen_integers(part) if part.dtype.kind == "i" else frozen_floats(part) for part in self.arrays)
        settle("arrays", SkeletonArrays._make(tables))
        for name in ("up", "speed", "rest", "segments"):
            settle(name, frozen_floats(getattr(self, name)))
        for name in ("joint_ends", "dof_rows"):
            settle(name, frozen_integers(getattr(self, name)))
        begins = np.append(-1, self.joint_ends)[: self.joint_count] + 1
        row_joints = np.repeat(np.arange(self.joint_count), self.joint_ends + 1 - begins)
        settle("row_joints", frozen_integers(row_joints))
        # Behind the last row's joint stands the base's -1, which is where a parent of -1 points.
        settle("parents", frozen_integers(np.append(row_joints, -1)[self.arrays.parent[begins]]))
        balls = [joint for joint, kind in enumerate(self.joint_kinds) if kind.is_compound]
        settle("ball_rows", frozen_integers([self.turns_of(joint)[0] for joint in balls]))
        endless = [self.joint_kinds[joint] is JointKind.CONTINUOUS for joint in row_joints[self.dof_rows]]
        settle("endless", frozen_integers(np.flatnonzero(endless)))
        settle("limits", limit_arrays(self))
        settle("_index", FrameIndex(self.frames))

    def __reduce__(self) -> tuple[type[Skeleton], tuple[object, ...]]:
        # Built anew, because a pickled array comes back writable.
        return Skeleton, tuple(getattr(self, part.name) for part in fields(self) if part.init)

    def __repr__(self) -> str:
        names = ", ".join(self.dof_names[:SHOWN_NAMES]) + (", ..." if self.dof_count > SHOWN_NAMES else "")
        moving = f"{self.dof_count} degrees of freedom" + (f" ({names})" if names else "")
        return f"<Skeleton {self.name!r}: {self.joint_count} joints, {moving}>"

    @property
    def joint_count(self) -> int:
        """How many joints there are, fixed ones included."""
        return len(self.joint_names)

    @property
    def dof_count(self) -> int:
        """How many angles describe a posture."""
        return len(self.dof_names)

    @property
    def dof_slides(self) -> NDArray[np.bool_]:
        """[dof], whether it slides, and its unit is m."""
        return np.asarray(self.arrays.kind[self.dof_rows] == PRISMATIC)

    @property
    def lower(self) -> FloatArray:
        """[dof], rad or m, -inf when unlimited."""
        return self.arrays.lower

    @property
    def upper(self) -> FloatArray:
        """[dof], rad or m, +inf when unlimited."""
        return self.arrays.upper

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Every name a goal may use; with its kind in front (``joint:head``) where the bare name is ambiguous."""
        return self._index.names

    def frame(self, name: str) -> Frame:
        """Return the joint, link, frame or eye of that name, or raise NameNotFoundError with the nearest names."""
        return self._index.find(name)

    def chain(self, name: str, *, start: str | None = None) -> IntArray:
        """The rows that move the named frame as seen from the base, or from the frame `start`, in the order of the way.

        From a frame on another limb the way leads up to where the limbs part and down again.
        """
        above = self.arrays.parent.tolist()
        way = way_down(above, self.frame(name).row)
        back = [] if start is None else way_down(above, self.frame(start).row)
        shared = sum(1 for row, other in zip(way, back, strict=False) if row == other)
        return frozen_integers(back[shared:][::-1] + way[shared:])

    def chains(self) -> tuple[tuple[str, ...], ...]:
        """The names of the joints from the base to each joint that carries no other: one chain for every limb's end.

        Erleben & Andrews 2017, Algorithm 1; in time that grows with the length of the answer.
        """
        above = self.parents.tolist()
        ends = sorted(set(range(self.joint_count)).difference(above))
        return tuple(tuple(self.joint_names[joint] for joint in way_down(above, end)) for end in ends)

    def rerooted(self, name: str) -> Skeleton:
        """The same body, held by a named frame: that is its base, and angles mean the same postures.

        Every name means the place it meant.  Of the joints on the way to the old base, `Pose.positions` and
        `Pose.rotations` are those before their motion.
        """
        return rerooted(self, self.frame(name))

    def turns_of(self, joint: int) -> list[int]:
        """The rows a joint turns by, the one nearest the base first."""
        begin = int(self.joint_ends[joint - 1]) + 1 if joint > 0 else 0
        return [row for row in range(begin, int(self.joint_ends[joint]) + 1) if self.arrays.kind[row] == REVOLUTE]

    def forward(self, angles: ArrayLike) -> Pose:
        """Where every joint is, in the world, for angles [dof] in rad and m."""
        from gestik.kernels.forward import forward_rows

        checked = self.check_angles(angles)
        positions = np.empty((len(self.arrays.parent), 3))
        rotations = np.empty((len(self.arrays.parent), 4))
        forward_rows(self.arrays, checked, positions, rotations)
        return Pose(self._index, positions[self.joint_ends], rotations[self.joint_ends], positions, rotations)

    def center_of_mass(self, angles: ArrayLike) -> FloatArray:
        """Where the centre of all masses is, in the world [3] m."""
        return self.forward(angles).center_of(self.masses)

    def jacobian(self, angles: ArrayLike, name: str) -> FloatArray:
        """How the named frame moves with each angle, [6, dof], in the world: linear rows 0-2, angular rows 3-5."""
        from gestik.kernels.jacobian import frame_jacobian

        checked = self.check_angles(angles)
        frame = self.frame(name)
        jacobian = np.zeros((6, self.dof_count))
        frame_jacobian(self.arrays, checked, frame.row, np.array(frame.position), jacobian)
        return jacobian

    def hessian(self, angles: ArrayLike, name: str) -> FloatArray:
        """How the Jacobian of the named frame changes, [6, dof, dof]: column i of the Jacobian by angle j at [:, i, j].

        Rows 0-2 are second derivatives of a place and symmetric in i and j.  Rows 3-5 are not, because an angular
        velocity is no derivative of three numbers.
        """
        from gestik.kernels.hessian import frame_hessian

        checked = self.check_angles(angles)
        frame = self.frame(name)
        hessian = np.empty((6, self.dof_count, self.dof_count))
        frame_hessian(self.arrays, checked, frame.row, np.array(frame.position), hessian)
        return hessian

    def step(self, angles: ArrayLike, change: ArrayLike) -> FloatArray:
        """Angles [dof] moved by a change [dof].

        For the three angles of a ball joint, and the turns of a free one, the change is a rotation vector [rad] in the
        joint's own frame, so that it means the same in every pose; the angles come out as near as can be to the old
        ones, and inside their limits when some are.
        """
        from gestik.kernels.manifold import step_angles

        checked, moved = self.check_angles(angles), np.empty(self.dof_count)
        step_angles(self.arrays, self.ball_rows, checked, self.check_angles(change), moved)
        return moved

    def difference(self, start: ArrayLike, end: ArrayLike) -> FloatArray:
        """The smallest change [dof] with which `step` leads from one posture to the other; no turn exceeds pi."""
        from gestik.kernels.manifold import difference_of_angles

        change = np.empty(self.dof_count)
        checked = self.check_angles(start), self.check_angles(end)
        difference_of_angles(self.arrays, self.ball_rows, self.endless, *checked, change)
        return change

    def clamp(self, angles: ArrayLike) -> FloatArray:
        """Angles [dof] brought inside every limit, cones and couplings too; those that are inside stay as they are."""
        from gestik.kernels.limits import clamp_angles

        checked = self.check_angles(angles)
        clamp_angles(self.arrays, self.limits, self.rest, checked)
        return checked

    def limit_excess(self, angles: ArrayLike) -> dict[str, float]:
        """By how much each limit that is broken is broken [rad or m], below 0 under a lower one; empty inside all.

        Boxes go by their degree of freedom, cones as ``swing of hip`` and ``twist of hip``, couplings as their sum.
        """
        return limit_excess(self, self.check_angles(angles).tolist())

    def mask(self, names: Iterable[str]) -> NDArray[np.bool_]:
        """Which degrees of freedom [dof] belong to the names: of one each, or of a whole ball or free joint."""
        joints = [self.joint_names[joint] for joint in self.row_joints[self.dof_rows]]
        chosen = [names] if isinstance(names, str) else list(names)
        for name in chosen:
            if name not in (*self.dof_names, *joints):
                kind = f"joint that moves by itself, or degree of freedom, of {self.name!r}"
                raise unknown_name(kind, str(name), {*self.dof_names, *joints})
        pairs = zip(self.dof_names, joints, strict=True)
        return np.array([dof in chosen or joint in chosen for dof, joint in pairs], dtype=np.bool_)

    def named(self, angles: ArrayLike) -> dict[str, float]:
        """Angles [dof] by the names of their joints."""
        return dict(zip(self.dof_names, self.check_angles(angles).tolist(), strict=True))

    def angles_from(self, named: Mapping[str, float]) -> FloatArray:
        """Angles [dof] from names; a joint left out is at its rest."""
        angles = self.rest.copy()
        for name, angle in named.items():
            if name not in self.dof_names:
                raise unknown_name(f"degree of freedom of {self.name!r}", str(name), self.dof_names)
            try:
                angles[self.dof_names.index(name)] = angle
            except (TypeError, ValueError) as fault:
                raise InputError(f"angle of {name!r} is {shown(angle)}, not a number") from fault
        return self.check_angles(angles)

    def check_angles(self, angles: ArrayLike) -> FloatArray:
        """Return angles as a new float64 array [dof], or raise InputError; limits are not looked at."""
        try:
            checked = np.array(angles, np.float64)
        except (TypeError, ValueError, OverflowError) as fault:
            raise InputError(f"angles of {self.name!r} are {shown(angles)}, not numbers") from fault
        if checked.shape != (self.dof_count,):
            raise InputError(
                f"angles of {self.name!r} have shape {checked.shape}, not ({self.dof_count},): "
                f"one for each of {', '.join(self.dof_names) or 'no joints'}"
            )
        wrong = ~(np.abs(checked) <= LARGEST)  # also true of NaN
        if wrong.any():
            dof = int(np.argmax(wrong))
            raise InputError(f"angle of {self.dof_names[dof]!r} is {checked[dof]}, not finite and within {LARGEST:g}")
        return checked
