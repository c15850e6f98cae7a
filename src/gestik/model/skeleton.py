"""The skeleton every kernel runs on: flat, frozen, and able to say what each of its names means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gestik.errors import InputError, unknown_name
from gestik.kernels.arrays import PRISMATIC, FloatArray, IntArray, SkeletonArrays
from gestik.model.checks import LARGEST
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Frame, JointKind, Shape
from gestik.model.naming import FrameIndex
from gestik.model.pose import Pose

SHOWN_NAMES = 8


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """A tree of joints, immutable.  Made by `SkeletonBuilder`, or read from a file by `gestik.load`.

    Angles are one flat array in `dof_names` order: radians, metres for what slides.  A joint is one row of
    the flat table, but for a ball joint, which is three, and a free one, which is six.
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
    row_joints: IntArray = field(init=False)  # [row], the joint each row belongs to
    parents: IntArray = field(init=False)  # [joint], the joint each one sits on, -1 for the base
    _index: FrameIndex = field(init=False)

    def __post_init__(self) -> None:
        arrays = SkeletonArrays._make(
            frozen_integers(array) if array.dtype.kind == "i" else frozen_floats(array) for array in self.arrays
        )
        object.__setattr__(self, "arrays", arrays)
        for name in ("up", "speed", "rest", "segments"):
            object.__setattr__(self, name, frozen_floats(getattr(self, name)))
        for name in ("joint_ends", "dof_rows"):
            object.__setattr__(self, name, frozen_integers(getattr(self, name)))
        begins = np.concatenate(([0], self.joint_ends[:-1] + 1))[: self.joint_count]
        row_joints = np.repeat(np.arange(self.joint_count), self.joint_ends + 1 - begins)
        object.__setattr__(self, "row_joints", frozen_integers(row_joints))
        # Behind the last row's joint stands the base's -1, which is where a parent of -1 points.
        object.__setattr__(self, "parents", frozen_integers(np.append(row_joints, -1)[arrays.parent[begins]]))
        object.__setattr__(self, "_index", FrameIndex(self.frames))

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

    def chain(self, name: str) -> IntArray:
        """Rows from the base to the row the named frame sits on; none for a frame on the base."""
        rows = []
        row = self.frame(name).row
        while row >= 0:
            rows.append(row)
            row = int(self.arrays.parent[row])
        return frozen_integers(rows[::-1])

    def forward(self, angles: ArrayLike) -> Pose:
        """Where every joint is, in the world, for angles [dof] in rad and m."""
        from gestik.kernels.forward import forward_rows

        checked = self.check_angles(angles)
        positions = np.empty((len(self.arrays.parent), 3))
        rotations = np.empty((len(self.arrays.parent), 4))
        forward_rows(self.arrays, checked, positions, rotations)
        return Pose(self._index, positions[self.joint_ends], rotations[self.joint_ends], positions, rotations)

    def jacobian(self, angles: ArrayLike, name: str) -> FloatArray:
        """How the named frame moves with each angle, [6, dof], in the world: linear rows 0-2, angular rows 3-5."""
        from gestik.kernels.jacobian import frame_jacobian

        checked = self.check_angles(angles)
        frame = self.frame(name)
        jacobian = np.zeros((6, self.dof_count))
        frame_jacobian(self.arrays, checked, frame.row, np.array(frame.position), jacobian)
        return jacobian

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
            checked = np.array(angles, dtype=np.float64)
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
