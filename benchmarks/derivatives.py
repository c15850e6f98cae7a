"""Forward kinematics, Jacobian and Hessian of a frame, compiled kernels against the same loops in C at -O3.

    python -m benchmarks.derivatives

A chain and a tree like a person, of 7 and of 31 joints each. Both sides read the same table, take turns, and are timed
by what the process used; the least of several turns counts. Exits with 1 when the answers differ or the kernels take
more than 1.2 times as long as C.
"""

from __future__ import annotations

import ctypes
import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.calibration import compile_library
from benchmarks.verdict import Verdict
from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays
from gestik.kernels.forward import forward_rows
from gestik.kernels.hessian import add_hessian, add_jacobian, collect_columns
from gestik.kernels.jit import borrowed, kernel
from gestik.kernels.vector import load3
from gestik.model.builder import SkeletonBuilder
from gestik.model.skeleton import Skeleton

SOURCE = Path(__file__).with_suffix(".c")
TIME_BAR = 1.2  # times the C twin
DIFFERENCE_BAR = 1e-12  # of any number of the answers, as a share of the largest
TURNS = 15
EVALUATIONS = 200_000  # of a turn, divided by the number of joints


class Tree(ctypes.Structure):
    """The flat table as the C twin takes it."""

    _fields_ = [("rows", ctypes.c_int), ("dofs", ctypes.c_int)]
    _fields_ += [(name, ctypes.c_void_p) for name in ("parent", "kind", "dof")]
    _fields_ += [(name, ctypes.c_void_p) for name in ("gain", "bias", "axis", "rest_position", "rest_rotation")]

    @classmethod
    def of(cls, skeleton: Skeleton) -> Tree:
        """The table of a skeleton, which must outlive it."""
        columns = [array.ctypes.data for array in skeleton.arrays[: len(cls._fields_) - 2]]
        return cls(len(skeleton.arrays.parent), skeleton.dof_count, *columns)


@kernel
def evaluate_often(
    skeleton: SkeletonArrays, start: FloatArray, ends: IntArray, count: int, jacobian: FloatArray, hessian: FloatArray
) -> None:
    """Evaluate `count` times for all ends, keeping the answers for the last; each time needs the time before."""
    rows = len(skeleton.parent)
    positions, rotations, angles = np.empty((rows, 3)), np.empty((rows, 4)), start.copy()
    columns, dofs = np.empty((6, rows)), np.empty(rows, dtype=np.int32)
    lent = borrowed((skeleton, angles, positions, rotations, columns, dofs, jacobian, hessian))
    for _ in range(count):
        forward_rows(lent[0], lent[1], lent[2], lent[3])
        for end in ends:
            _differentiate(lent[0], lent[2], lent[3], end, lent[4], lent[5], lent[6], lent[7])
        for dof in range(len(start)):
            angles[dof] = start[dof] + 1e-3 * hessian[0, 0, dof]


@kernel
def _differentiate(
    skeleton: SkeletonArrays,
    positions: FloatArray,
    rotations: FloatArray,
    row: int,
    columns: FloatArray,
    dofs: IntArray,
    jacobian: FloatArray,
    hessian: FloatArray,
) -> None:
    """Jacobian and Hessian of the origin of a row."""
    count = collect_columns(skeleton, positions, rotations, row, load3(positions, row), columns, dofs)
    jacobian[:, :] = 0.0
    hessian[:, :, :] = 0.0
    add_jacobian(columns, dofs, count, jacobian)
    add_hessian(columns, dofs, count, hessian)


def chain(joints: int) -> Skeleton:
    """A snake whose axes turn from joint to joint."""
    builder = SkeletonBuilder(f"chain of {joints}")
    _add_limb(builder, "j", joints, None)
    return builder.build()


def person(joints: int) -> Skeleton:
    """A spine with two legs at its first joint and two arms at its last, all limbs of one length."""
    builder = SkeletonBuilder(f"person of {joints}")
    limb = (joints - joints // 5) // 4
    spine = joints - 4 * limb
    _add_limb(builder, "spine", spine, None)
    for name, root in (("left leg", 0), ("right leg", 0), ("left arm", spine - 1), ("right arm", spine - 1)):
        _add_limb(builder, name, limb, f"spine{root}")
    return builder.build()


def _add_limb(builder: SkeletonBuilder, name: str, joints: int, parent: str | None) -> None:
    """Joints called after the limb and their number, one on the other."""
    for number in range(joints):
        axis = np.roll((1.0, 0.3, 0.1), number)
        own = f"{name}{number}"
        builder.joint(own, kind="continuous", parent=parent, axis=axis, position=(0.01, 0.1, 0.02))
        parent = own


def measure(skeleton: Skeleton, library: ctypes.CDLL) -> tuple[float, float, float]:
    """Microseconds per evaluation in C and in the kernels, and how far their answers differ."""
    dofs = skeleton.dof_count
    ends = np.array([skeleton.chain(chain[-1])[-1] for chain in skeleton.chains()], dtype=np.int32)
    start = np.random.default_rng(dofs).uniform(-1.5, 1.5, dofs)
    count = EVALUATIONS // dofs
    answers = [(np.empty((6, dofs)), np.empty((6, dofs, dofs))) for _ in range(2)]
    tree, timed = Tree.of(skeleton), library.time_derivatives
    timed.restype = ctypes.c_double
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (start, ends, *answers[0])]
    evaluate_often(skeleton.arrays, start, ends, 1, *answers[1])
    in_c, here = [], []
    for _ in range(TURNS):
        in_c.append(timed(ctypes.byref(tree), *pointers[:2], len(ends), ctypes.c_long(count), *pointers[2:]))
        began = time.process_time()
        evaluate_often(skeleton.arrays, start, ends, count, *answers[1])
        here.append(time.process_time() - began)
    apart = max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(*answers, strict=True))
    return 1e6 * min(in_c) / count, 1e6 * min(here) / count, apart


def main() -> int:
    """Run the benchmark; return the exit code."""
    console, verdict = Console(), Verdict()
    library = compile_library(SOURCE)
    table = Table(title="forward kinematics + Jacobian + Hessian for every end")
    for heading in ("skeleton", "ends", "C -O3", "kernels", "ratio", "difference"):
        table.add_column(heading, justify="right")
    for skeleton in (chain(7), person(7), chain(31), person(31)):
        in_c, here, apart = measure(skeleton, library)
        numbers = (f"{in_c:.2f} us", f"{here:.2f} us", f"{here / in_c:.2f}", f"{apart:.1e}")
        table.add_row(skeleton.name, str(len(skeleton.chains())), *numbers)
        verdict.at_most(f"time on {skeleton.name}", here / in_c, TIME_BAR, "x C")
        verdict.at_most(f"difference on {skeleton.name}", apart, DIFFERENCE_BAR)
    console.print(table)
    return verdict.tell(console)


if __name__ == "__main__":
    sys.exit(main())
