"""Steps and differences of postures where they live: angles on a line, ball joints on the rotations of space.

For the three angles of a ball joint a step is a rotation vector [rad] in the joint's own frame: it has no singular
pose, and a step of a given length turns the joint by that angle wherever it stands.
"""

from __future__ import annotations

from gestik.kernels.arrays import FloatArray, IntArray, SkeletonArrays
from gestik.kernels.euler import ball_angles, ball_rotation, turn_ball
from gestik.kernels.jit import kernel
from gestik.kernels.quaternion import conjugate, from_rotation_vector, multiply, rotation_vector
from gestik.kernels.vector import wrap_angle


@kernel
def step_angles(
    skeleton: SkeletonArrays, ball_rows: IntArray, angles: FloatArray, change: FloatArray, out: FloatArray
) -> None:
    """Move `angles` by `change` [dof]; `out` is overwritten.  ball_rows [ball]: where each one's rows begin."""
    for dof in range(len(angles)):
        out[dof] = angles[dof] + change[dof]
    for ball in range(len(ball_rows)):
        row = ball_rows[ball]
        # From where it stood, so that the angles found are the nearest to those.
        for k in range(3):
            out[skeleton.dof[row + k]] = angles[skeleton.dof[row + k]]
        turn = from_rotation_vector(ball_angles(skeleton, row, change))
        turn_ball(skeleton, row, multiply(ball_rotation(skeleton, row, angles), turn), out)


@kernel
def difference_of_angles(
    skeleton: SkeletonArrays,
    ball_rows: IntArray,
    endless: IntArray,
    start: FloatArray,
    end: FloatArray,
    out: FloatArray,
) -> None:
    """The shortest step from `start` to `end` [dof]; `out` is overwritten.  endless [k]: dofs that turn without end."""
    for dof in range(len(start)):
        out[dof] = end[dof] - start[dof]
    for k in range(len(endless)):
        out[endless[k]] = wrap_angle(out[endless[k]])
    for ball in range(len(ball_rows)):
        row = ball_rows[ball]
        before, after = ball_rotation(skeleton, row, start), ball_rotation(skeleton, row, end)
        turn = rotation_vector(multiply(conjugate(before), after))
        for k in range(3):
            out[skeleton.dof[row + k]] = turn[k]
