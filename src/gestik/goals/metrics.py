"""How well angles do, by the measures methods are compared with; `gestik.metrics`."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.goals.aim import Aim
from gestik.goals.orientation import Orientation
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import PRISMATIC, FloatArray
from gestik.model.chain import CutTree, SerialChain, cut_chain
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import compose, rotate

__all__ = ["aim_error", "orientation_error", "posture_error", "shape_error"]

TWIST = 1e-6  # a joint whose axis and bone are closer to parallel than this is a twist


def orientation_error(
    skeleton: Skeleton,
    angles: ArrayLike,
    frame: str,
    target: ArrayLike,
    symmetric: bool | str | ArrayLike | None = None,
) -> float:
    """The ERIK paper's orientation error (eq. 20) in [0, 1]: sqrt(2) sin(angle / 4) of the turn that is missing.

    Args:
        skeleton: What moves.
        angles: [dof], rad.
        frame: Whose rotation is judged.
        target: Quaternion [4], w first.
        symmetric: An axis about which half a turn makes no difference; True for the direction of the joint's bone.
    """
    from gestik.kernels.measures import angle_measure, symmetric_twin, turn_between

    goal = Orientation(frame, target, symmetric=symmetric)
    bound = goal.bind(skeleton)
    w, x, y, z = skeleton.forward(angles).of(frame).rotation.tolist()
    tw, tx, ty, tz = _only(goal.target)
    angle = turn_between((tw, tx, ty, tz), (w, x, y, z))
    if bound.symmetric:
        angle = min(angle, turn_between((tw, tx, ty, tz), symmetric_twin((w, x, y, z), bound.axis)))
    return float(angle_measure(angle))


def aim_error(
    skeleton: Skeleton,
    angles: ArrayLike,
    frame: str,
    *,
    at: ArrayLike | None = None,
    along: ArrayLike | None = None,
    axis: str | ArrayLike | None = None,
    eye: ArrayLike | None = None,
) -> float:
    """The angle [rad] between where an eye looks and where it should; the arguments are those of `Aim`."""
    from gestik.kernels.measures import looking_error
    from gestik.kernels.quaternion import load4
    from gestik.kernels.vector import angle_between, load3

    goal = Aim(frame, at=at, along=along, axis=axis, eye=eye)
    bound = goal.bind(skeleton)
    pose, place = skeleton.forward(angles), bound.frame
    position, rotation = place.position, place.rotation
    if place.row >= 0:
        joint = load3(pose.row_positions, place.row), load4(pose.row_rotations, place.row)
        position, rotation = compose(*joint, position, rotation)
    looking = rotate(rotation, bound.axis)
    x, y, z = _only(goal.target)
    if goal.at is not None:
        return float(looking_error(position, looking, (x, y, z)))
    return float(angle_between(looking, (x, y, z)))


def posture_error(
    skeleton: Skeleton, angles: ArrayLike, posture: Posture | ArrayLike, frame: str, aggravation: float = 1.0
) -> float:
    """The ERIK paper's posture error (eq. 21-22) in [0, 1]: how far the cosines of bends differ along a chain.

    It is blind to the side a bend goes to and to a lean of the whole figure; see `shape_error`.

    Args:
        skeleton: What moves.
        angles: [dof], rad.
        posture: What was drawn, a Posture or angles [dof].
        frame: Where the chain from the base ends.
        aggravation: The paper's alpha: how much more each bend towards the tip counts.
    """
    from gestik.kernels.measures import bend_measure
    from gestik.kernels.quaternion import load4_at
    from gestik.kernels.vector import load3_at

    chain = cut_chain(skeleton, skeleton.frame(frame))
    table = chain.arrays.table
    base = rotate(load4_at(table, 0, ct.REST_ROTATION), load3_at(table, 0, ct.BONE))
    return float(bend_measure(_bones(chain, angles), 0, _drawn(chain, posture), base, aggravation))


def shape_error(skeleton: Skeleton, angles: ArrayLike, posture: Posture | ArrayLike, frame: str) -> float:
    """How different two postures look: the mean angle, in degrees, between corresponding bones of a chain.

    The figures are first turned about the vertical as well as they can be: turning away does not change an expression,
    leaning does.

    Args:
        skeleton: What moves.
        angles: [dof], rad.
        posture: What was drawn, a Posture or angles [dof].
        frame: Where the chain from the base ends.
    """
    from gestik.kernels.measures import shape_measure

    chain = cut_chain(skeleton, skeleton.frame(frame))
    x, y, z = skeleton.up.tolist()
    return float(np.degrees(shape_measure(_bones(chain, angles), 0, _drawn(chain, posture), (x, y, z))))


def _bones(chain: SerialChain, angles: ArrayLike) -> FloatArray:
    """Unit directions of the chain's bones in the world [joint, 3]; zero where a joint has none."""
    from gestik.kernels.quaternion import load4
    from gestik.kernels.vector import load3_at

    rotations, table = chain.skeleton.forward(angles).row_rotations, chain.arrays.table
    return np.array(
        [rotate(load4(rotations, row), load3_at(table, joint, ct.BONE)) for joint, row in enumerate(chain.rows)]
    )


def _drawn(chain: SerialChain, posture: Posture | ArrayLike) -> FloatArray:
    """What a posture says about each bone, in the columns of kernels/measures.py."""
    from gestik.kernels.measures import BENT, DRAWN_WIDTH, SHAPED

    given = posture if isinstance(posture, Posture) else Posture(posture)
    drawn = np.zeros((len(chain.rows), DRAWN_WIDTH))
    if given.positions is not None:
        points = np.asarray(given.positions)
        if points.ndim != 2:
            raise InputError(f"{len(points)} postures are given; one pose is judged by one")
        drawn[:, :3] = bones_of_points(chain, points)
    else:
        drawn[:, :3] = _bones(chain, given.angles_for(chain.skeleton))
    heard = np.linalg.norm(drawn[:, :3], axis=1) > 0.5
    counts = bones_that_count(chain)
    drawn[:, BENT], drawn[:, SHAPED] = counts[:, 0] * heard, counts[:, 1] * heard
    return drawn


def bones_that_count(chain: CutTree) -> FloatArray:
    """Which bones count [joint, 2]: in the paper's measure all but twists', in the sighted one all with a direction."""
    table = chain.arrays.table
    axes, bones = table[:, ct.AXIS : ct.AXIS + 3], table[:, ct.BONE : ct.BONE + 3]
    has_direction = np.linalg.norm(bones, axis=1) > 0.5
    turns = chain.arrays.codes[:, ct.KIND] != PRISMATIC
    twist = turns & (np.linalg.norm(np.cross(axes, bones), axis=1) < TWIST)
    return np.stack((has_direction & ~twist, has_direction), axis=1).astype(np.float64)


def bones_of_points(tree: CutTree, positions: FloatArray) -> FloatArray:
    """Unit directions of a cut tree's bones [..., joint, 3], from the places of all joints of the skeleton.

    A bone whose end is not among the places, or falls together with its joint, is zero: nothing is said of it.
    """
    ends = _ends_of_bones(tree, positions.shape[-2])
    begins = tree.skeleton.row_joints[list(tree.rows)].tolist()
    bones = positions[..., ends, :] - positions[..., begins, :]
    lengths = np.linalg.norm(bones, axis=-1, keepdims=True)
    return np.asarray(np.where(lengths > 1e-12, bones / np.maximum(lengths, 1e-12), 0.0))


def _ends_of_bones(tree: CutTree, points: int) -> list[int]:
    """Which point each bone leads to; its own joint where that is not known.

    It is that of the one joint that sits on it, else of whatever joint its own bone leads to.  The last bone of a tree
    of one limb may end in a point of its own, behind those of all joints.
    """
    skeleton, codes = tree.skeleton, tree.arrays.codes
    if points not in (skeleton.joint_count, skeleton.joint_count + 1):
        raise InputError(
            f"a posture of {points} points does not fit {skeleton.name!r}: give one for each of its "
            f"{skeleton.joint_count} joints, and one more for the end of the last bone"
        )
    ends = []
    for joint, row in enumerate(tree.rows):
        own = int(skeleton.row_joints[row])
        sitting = np.flatnonzero(codes[:, ct.PARENT] == joint).tolist()
        if len(sitting) == 1:
            ends.append(int(skeleton.row_joints[tree.rows[sitting[0]]]))
        elif not sitting and points > skeleton.joint_count and tree.is_serial:
            ends.append(skeleton.joint_count)
        else:
            ends.append(_joint_at_end(skeleton, own))
    return ends


def _joint_at_end(skeleton: Skeleton, joint: int) -> int:
    """The joint that sits at the end of a joint's bone; itself where none does."""
    bone = skeleton.segments[joint]
    length = float(np.linalg.norm(bone))
    for row in np.flatnonzero(skeleton.arrays.parent == skeleton.joint_ends[joint]).tolist():
        if length > 1e-9 and np.linalg.norm(skeleton.arrays.rest_position[row] - bone) < 1e-6 * length:
            return int(skeleton.row_joints[row])
    return joint


def _only(target: FloatArray) -> list[float]:
    """The numbers of a goal that is not a batch."""
    if target.ndim != 1:
        raise InputError(f"{len(target)} targets are given; one pose is judged by one")
    numbers: list[float] = target.tolist()
    return numbers
