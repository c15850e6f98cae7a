"""Newton's method with the exact Hessian, on trees, inside limits.

It minimises ``1/2 sum of (weight error)^2``, errors in metres and radians, a held posture included.
"""

from __future__ import annotations

from gestik.solvers.newton.bind import MODELS, SAMPLES, bind
from gestik.solvers.spec import Capability, Option, SolverSpec

SPEC = SolverSpec(
    name="newton",
    summary="least squares with the exact Hessian; trees, any mix of goals, every limit kept, restarts",
    citation="Erleben & Andrews 2017, Inverse kinematics problems with exact Hessian matrices",
    capabilities=(
        Capability.POSITION
        | Capability.ORIENTATION
        | Capability.AIM
        | Capability.POSTURE
        | Capability.SEVERAL_GOALS
        | Capability.SEVERAL_LIMBS
        | Capability.JOINT_MASK
        | Capability.LIMITS
        | Capability.FOLLOWS
    ),
    options=(
        Option("model", "hybrid", "which curvature steps are taken with", choices=MODELS),
        Option("max_iterations", 60, "steps of one descent, at most", lowest=1, highest=100_000),
        Option("restarts", 100, "descents from elsewhere, while goals are not met", lowest=0, highest=SAMPLES),
    ),
    bind=bind,
)
