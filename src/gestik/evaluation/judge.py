"""Many answers judged at once by the measures of `gestik.metrics`."""

from __future__ import annotations

import numpy as np

from gestik.goals.metrics import bones_that_count
from gestik.goals.orientation import Orientation
from gestik.kernels import chain_table as ct
from gestik.kernels.arrays import FloatArray
from gestik.model.chain import cut_chain
from gestik.model.freezing import frozen_floats
from gestik.model.skeleton import Skeleton
from gestik.model.transforms import as_quaternion, as_vector, rotate


class Judge:
    """Measures answers to the paper's problem on one chain: orientation, posture, and shape in degrees."""

    def __init__(self, skeleton: Skeleton, frame: str, *, symmetric: bool = True, aggravation: float = 1.0) -> None:
        goal = Orientation(frame, (1.0, 0.0, 0.0, 0.0), symmetric=symmetric).bind(skeleton)
        chain = cut_chain(skeleton, goal.frame)
        place, table = chain.place(goal.frame), chain.arrays.table
        base = rotate(as_quaternion(table[0, ct.REST_ROTATION :][:4]), as_vector(table[0, ct.BONE :][:3]))
        self._dofs = chain.dofs
        self._flat = (
            *chain.arrays,
            frozen_floats(bones_that_count(chain)),
            place.joint,
            frozen_floats(place.rotation),
            frozen_floats(goal.axis),
            bool(goal.symmetric),
            float(aggravation),
            frozen_floats(base),
            frozen_floats(skeleton.up),
        )

    def judge(self, angles: FloatArray, postures: FloatArray, orientations: FloatArray) -> FloatArray:
        """Orientation error, posture error and shape error in degrees [n, 3] of angles [n, dof]."""
        from gestik.kernels.judging import JUDGED_WIDTH, SHAPE, judge_rows

        judged = np.empty((len(angles), JUDGED_WIDTH))
        solved, drawn = np.ascontiguousarray(angles[:, self._dofs]), np.ascontiguousarray(postures[:, self._dofs])
        judge_rows(*self._flat, solved, drawn, np.ascontiguousarray(orientations), judged)
        judged[:, SHAPE] = np.degrees(judged[:, SHAPE])
        return judged
