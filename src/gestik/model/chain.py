"""A serial chain cut out of a skeleton: the joints that move between the base and a frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gestik.errors import CapabilityError
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FIXED, FloatArray, IntArray, Quaternion, Vector
from gestik.model.freezing import frozen_floats, frozen_integers
from gestik.model.joints import Frame
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import IDENTITY, ORIGIN, as_quaternion, as_vector, compose


@dataclass(frozen=True, eq=False)
class Place:
    """Where a frame sits on a chain."""

    joint: int  # of the chain, -1 before the first one
    position: Vector  # m, in the joint's frame
    rotation: Quaternion  # in the joint's frame


@dataclass(frozen=True, eq=False)
class SerialChain:
    """The moving joints from the base to a frame, with the fixed ones folded into their neighbours."""

    skeleton: Skeleton
    arrays: ct.Chain
    rows: tuple[int, ...]  # [joint], the skeleton's row of each joint
    dofs: IntArray  # [chain dof], the skeleton's coordinate each of the chain's own stands for
    places: dict[int, Place]  # where each of the skeleton's rows on the way sits

    def place(self, frame: Frame) -> Place:
        """Where a frame of the skeleton sits; it must sit on this chain and move with it."""
        place = self.places.get(frame.row)
        if place is None:
            last = self.skeleton.joint_names[self.skeleton.row_joints[self.rows[-1]]]
            raise CapabilityError(
                f"frame {frame.name!r} is not on the chain that ends at joint {last!r}: "
                "this takes frames of one serial chain"
            )
        if place.joint < 0:
            raise CapabilityError(f"frame {frame.name!r} is fixed to the base; no joint moves it")
        position, rotation = compose(place.position, place.rotation, frame.position, frame.rotation)
        return Place(place.joint, position, rotation)


def cut_chain(skeleton: Skeleton, frame: Frame) -> SerialChain:
    """Cut the chain from the base to `frame`."""
    table: list[FloatArray] = []
    codes: list[tuple[int, int]] = []
    rows: list[int] = []
    dofs: list[int] = []
    places = {-1: Place(-1, ORIGIN, IDENTITY)}
    here = places[-1]
    for row in skeleton.chain(frame.name).tolist():
        arrays = skeleton.arrays
        position, rotation = compose(
            here.position, here.rotation, as_vector(arrays.rest_position[row]), as_quaternion(arrays.rest_rotation[row])
        )
        if arrays.kind[row] == FIXED:
            here = Place(here.joint, position, rotation)
        else:
            if table:
                table[-1][ct.BONE : ct.BONE + 3] = position
            dof = int(arrays.dof[row])
            if dof not in dofs:
                dofs.append(dof)
            entry = np.zeros(ct.TABLE_WIDTH)
            entry[ct.REST_POSITION : ct.REST_POSITION + 3] = position
            entry[ct.REST_ROTATION : ct.REST_ROTATION + 4] = rotation
            entry[ct.AXIS : ct.AXIS + 3] = arrays.axis[row]
            entry[ct.GAIN], entry[ct.BIAS] = arrays.gain[row], arrays.bias[row]
            table.append(entry)
            codes.append((int(arrays.kind[row]), dofs.index(dof)))
            rows.append(row)
            here = Place(len(rows) - 1, ORIGIN, IDENTITY)
        places[row] = here
    if not rows:
        raise CapabilityError(f"frame {frame.name!r} is fixed to the base; no joint moves it")
    table[-1][ct.BONE : ct.BONE + 3] = _last_bone(skeleton, rows[-1], here, frame)
    chain = ct.Chain(
        frozen_integers(codes),
        frozen_floats([_with_unit_bone(entry) for entry in table]),
        frozen_floats([skeleton.lower[dofs], skeleton.upper[dofs]]),
    )
    return SerialChain(skeleton, chain, tuple(rows), frozen_integers(dofs), places)


def _last_bone(skeleton: Skeleton, row: int, here: Place, frame: Frame) -> Vector:
    """The last joint's bone: its own, else the way to the frame."""
    own = skeleton.segments[skeleton.row_joints[row]]
    if float(np.abs(own).max()) > 0.0:
        return as_vector(own)
    return compose(here.position, here.rotation, frame.position, frame.rotation)[0]


def _with_unit_bone(entry: FloatArray) -> FloatArray:
    """Bring a bone to length one; one too short to have a direction to zero."""
    bone = entry[ct.BONE : ct.BONE + 3]
    length = float(np.linalg.norm(bone))
    entry[ct.BONE : ct.BONE + 3] = bone / length if length > 1e-9 else 0.0
    return entry
