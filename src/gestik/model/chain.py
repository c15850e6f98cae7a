"""The sub-tree of a skeleton that carries some frames: the joints that move them, the fixed ones folded away."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gestik.errors import CapabilityError
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FIXED, FloatArray, IntArray, Quaternion, Vector
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Frame
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose
from gestik.model.tree import way_down


@dataclass(frozen=True, eq=False)
class Place:
    """Where a frame sits on a cut tree."""

    joint: int  # of the tree, -1 before the first one
    position: Vector  # m, in the joint's frame
    rotation: Quaternion  # in the joint's frame


@dataclass(frozen=True, eq=False)
class CutTree:
    """The moving joints between the base and some frames, with the fixed ones folded into their neighbours."""

    skeleton: Skeleton
    arrays: ct.Chain
    rows: tuple[int, ...]  # [joint], the skeleton's row of each joint
    dofs: IntArray  # [chain dof], the skeleton's coordinate each of the tree's own stands for
    places: dict[int, Place]  # where each of the skeleton's rows on the ways sits, -1 being the base

    @property
    def is_serial(self) -> bool:
        """Whether each joint sits on the one before it."""
        return bool((self.arrays.codes[:, ct.PARENT] == np.arange(-1, len(self.rows) - 1)).all())

    def way_to(self, joint: int) -> list[int]:
        """The joints from the base to `joint`, which is the last one."""
        return way_down(self.arrays.codes[:, ct.PARENT].tolist(), joint)

    def place(self, frame: Frame) -> Place:
        """Where a frame of the skeleton sits; it must sit on this tree and move with it."""
        place = self.seat(frame)
        if place.joint < 0:
            raise CapabilityError(f"frame {frame.name!r} is fixed to the base; no joint moves it")
        return place

    def seat(self, frame: Frame) -> Place:
        """Where a frame of the skeleton sits; it must sit on this tree or on the base."""
        place = self.places.get(frame.row)
        if place is None:
            last = self.skeleton.joint_names[self.skeleton.row_joints[self.rows[-1]]]
            raise CapabilityError(
                f"frame {frame.name!r} is not on the chain that ends at joint {last!r}: "
                "this takes frames of one serial chain"
            )
        position, rotation = compose(place.position, place.rotation, frame.position, frame.rotation)
        return Place(place.joint, position, rotation)


class SerialChain(CutTree):
    """A cut tree of one limb; methods that know chains only take this."""


def cut_chain(skeleton: Skeleton, frame: Frame) -> SerialChain:
    """Cut the chain from the base to `frame`."""
    return SerialChain(*_cut(skeleton, [frame]))


def cut_tree(skeleton: Skeleton, frames: Iterable[Frame]) -> CutTree:
    """Cut the tree of all joints between the base and the frames."""
    return CutTree(*_cut(skeleton, list(frames)))


_Parts = tuple[Skeleton, ct.Chain, tuple[int, ...], IntArray, dict[int, Place]]


def _cut(skeleton: Skeleton, frames: list[Frame]) -> _Parts:
    """Gather the rows above the frames, and fold what is fixed among them."""
    arrays = skeleton.arrays
    above = arrays.parent.tolist()
    table: list[FloatArray] = []
    codes: list[tuple[int, int, int]] = []
    rows: list[int] = []
    dofs: list[int] = []
    places = {-1: Place(-1, ORIGIN, IDENTITY)}
    for row in sorted({row for frame in frames for row in way_down(above, frame.row)}):
        here = places[above[row]]
        position, rotation = compose(
            here.position, here.rotation, as_vector(arrays.rest_position[row]), as_quaternion(arrays.rest_rotation[row])
        )
        if arrays.kind[row] == FIXED:
            places[row] = Place(here.joint, position, rotation)
            continue
        dof = int(arrays.dof[row])
        if dof not in dofs:
            dofs.append(dof)
        entry = np.zeros(ct.TABLE_WIDTH)
        entry[ct.REST_POSITION : ct.REST_POSITION + 3] = position
        entry[ct.REST_ROTATION : ct.REST_ROTATION + 4] = rotation
        entry[ct.AXIS : ct.AXIS + 3] = arrays.axis[row]
        entry[ct.GAIN], entry[ct.BIAS] = arrays.gain[row], arrays.bias[row]
        places[row] = Place(len(rows), ORIGIN, IDENTITY)
        table.append(entry)
        codes.append((int(arrays.kind[row]), dofs.index(dof), here.joint))
        rows.append(row)
    if not rows:
        names = " and ".join(repr(frame.name) for frame in frames)
        raise CapabilityError(f"frame {names} is fixed to the base; no joint moves it")
    for joint, entry in enumerate(table):
        entry[ct.BONE : ct.BONE + 3] = _unit_bone(skeleton, joint, rows[joint], codes, table, places, frames)
    chain = ct.Chain(
        frozen_integers(codes), frozen_floats(table), frozen_floats([skeleton.lower[dofs], skeleton.upper[dofs]])
    )
    return skeleton, chain, tuple(rows), frozen_integers(dofs), places


def _unit_bone(
    skeleton: Skeleton,
    joint: int,
    row: int,
    codes: list[tuple[int, int, int]],
    table: list[FloatArray],
    places: dict[int, Place],
    frames: list[Frame],
) -> FloatArray:
    """The direction of a joint's bone; zero for one too short to have a direction.

    It leads to the one joint that sits on it; where limbs part and at the end of one it is the joint's own, else it
    leads to the first joint or frame there.
    """
    children = [child for child, code in enumerate(codes) if code[ct.PARENT] == joint]
    bone = skeleton.segments[skeleton.row_joints[row]]
    if len(children) == 1 or (children and not bone.any()):
        bone = table[children[0]][ct.REST_POSITION : ct.REST_POSITION + 3]
    elif not bone.any():
        carried = next(frame for frame in frames if places[frame.row].joint == joint)
        seat = places[carried.row]
        bone = np.array(compose(seat.position, seat.rotation, carried.position, carried.rotation)[0])
    length = float(np.linalg.norm(bone))
    return bone / length if length > 1e-9 else np.zeros(3)
