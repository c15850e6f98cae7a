"""ERIK's hyperparameters (Lambda, Table 2) and extensions (Xi, sec. 3.9), each with its default.

The paper publishes the weights, the threshold and "less than 5" for MaxCCDIterations; every other default is ours,
found on sets of problems that no table here reports.
"""

from __future__ import annotations

from gestik.solvers.spec import Option

ON_OFF = ("on", "off")

OPTIONS = (
    Option("measure", "paper", "how a posture is compared: ERIK knows only the paper's way", choices=("paper",)),
    Option("max_iterations", 8, "MaxERIKIterations: forward and backward phases at most", lowest=1, highest=1000),
    Option("max_turns", 6, "MaxCCDIterations: rounds of CCD and BWCD at most", lowest=1, highest=1000),
    Option("threshold", 0.04, "Threshold: a combined error that is good enough ends the solve", highest=2.0),
    Option("aggravation", 1.0, "alpha: how much more each bend towards the tip counts", lowest=0.1, highest=10.0),
    Option("disturbance", 0.01, "how far joints are kept off their limits, and targets are offset", "rad", highest=0.5),
    Option("ccd_precision", 1e-6, "CCD and BWCD are content when (1 - cosine) / 2 is below this", highest=1.0),
    Option("precision", 1e-4, "Precision: CCD and BWCD give up when a round gains less of that", highest=1.0),
    Option("stall", 1e-3, "errors of two iterations closer than this do not converge", highest=1.0),
    Option("tie", 5e-4, "how much worse an answer may be and still win by being nearer to the start", highest=1.0),
    Option("latitude_step", 0.0, "step of the latitude table; 0 takes the closed form", "rad", highest=0.5),
    Option("avoid_edges", "on", "AvoidEdges: nudge joints off their limits", choices=ON_OFF),
    Option("offset_trick", "off", "NonConvOffsetTrick: aim a little beside a target that is not met", choices=ON_OFF),
    Option("offset_seed", 0, "draws the offset; 0 offsets by the paper's formula", highest=2**31),
    Option("ccd_trick", "on", "NonConvCCDTrick: CCD from the solution, then from the zero pose", choices=ON_OFF),
    Option("refresh", "on", "begin the next iteration at the candidate solution", choices=ON_OFF),
    Option("twist_parent", "off", "let a twister turn on once the next joint has swung", choices=ON_OFF),
)
