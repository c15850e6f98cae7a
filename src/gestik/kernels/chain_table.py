"""The sub-tree of a skeleton that carries some frames, fixed joints folded away: what methods read in inner loops.

Everything about a joint stands in one row of one table.  Compiled functions receive an array as a header of seven or
more words, so a tuple of twenty arrays would cost more to hand over than a joint costs to place.  This module imports
no numba, so that chains can be cut without it.
"""

from __future__ import annotations

from typing import NamedTuple

from gestik.kernels.arrays import FloatArray, IntArray

# Columns of Chain.codes.
KIND = 0  # REVOLUTE or PRISMATIC
DOF = 1  # the chain's own coordinate that drives the joint
PARENT = 2  # the joint it sits on, -1 for the base; joint - 1 all along a serial chain
CODE_WIDTH = 3

# Columns of Chain.table.
REST_POSITION = 0  # 3, m, in the frame of the parent, of the world for the base
REST_ROTATION = 3  # 4, the same
AXIS = 7  # 3, unit, joint frame
BONE = 10  # 3, unit direction of the bone in the joint frame, zero where it has none
GAIN = 13  # of a mimic joint, else 1
BIAS = 14  # rad or m
TABLE_WIDTH = 15

# Columns of a pose [joint, POSE_WIDTH]: the world frames of a chain for one set of angles.
POSITION = 0  # 3, m
ROTATION = 3  # 4
WORLD_AXIS = 7  # 3, unit times gain
DIRECTION = 10  # 3, unit direction of the bone
POSE_WIDTH = 13


class Chain(NamedTuple):
    """The moving joints between the base and some frames, parents first, each limb in one piece."""

    codes: IntArray  # [joint, CODE_WIDTH]
    table: FloatArray  # [joint, TABLE_WIDTH]
    limits: FloatArray  # [2, dof], rad or m: lower, upper
