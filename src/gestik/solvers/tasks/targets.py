"""Reading the targets of one problem."""

from __future__ import annotations

from gestik.goals.evaluate import TARGET, TWIN
from gestik.goals.kinds import ORIENTATION_GOAL
from gestik.kernels.arrays import FloatArray
from gestik.kernels.jit import kernel
from gestik.kernels.measures import symmetric_twin
from gestik.kernels.quaternion import load4_at, store4_at
from gestik.kernels.vector import load3_at, store3_at
from gestik.solvers.tasks.layout import AXIS, KIND, OFFSET, SYMMETRIC, Tasks


@kernel
def read_targets(tasks: Tasks, targets: FloatArray, row: int, wanted: FloatArray) -> None:
    """Decode one row of targets; wanted [task, TARGET_WIDTH] is overwritten."""
    for task in range(len(tasks.codes)):
        offset = tasks.codes[task, OFFSET]
        if tasks.codes[task, KIND] == ORIENTATION_GOAL:
            rotation = load4_at(targets, row, offset)
            store4_at(wanted, task, TARGET, rotation)
            if tasks.codes[task, SYMMETRIC] == 1:
                rotation = symmetric_twin(rotation, load3_at(tasks.table, task, AXIS))
            store4_at(wanted, task, TWIN, rotation)
        else:
            store3_at(wanted, task, TARGET, load3_at(targets, row, offset))
