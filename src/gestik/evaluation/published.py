"""What Ribeiro & Paiva report of their experiment (ERIK, Tables 8 and 9), to stand beside ours.

Their times were measured on a cluster and multiplied by 0.30 to 0.72, benchmark scores of its processors over that of
an Intel i7-7700HQ (Table 7).  Their text counts 239 245 243 samples; their table's add up to 302 374 051.
"""

from __future__ import annotations

from typing import NamedTuple

THRESHOLD = 0.04  # combined error that counts as solved
POSTURE_WEIGHT = 0.2  # of the posture error, in the combined one
DROPPED_ABOVE = 3.0 * THRESHOLD  # orientation error of DLS100_nopost: such samples were left out of their DLS results


class Published(NamedTuple):
    """One row of Table 8."""

    postures: int
    samples: int
    iterations: tuple[float, float]  # mean, deviation
    milliseconds: tuple[float, float]  # mean, deviation


TABLE_8 = {
    "A": Published(33, 251_097, (4.14, 2.17), (45, 28)),
    "B": Published(377, 2_868_593, (3.42, 2.19), (45, 30)),
    "C": Published(3_789, 28_830_501, (2.31, 2.08), (37, 36)),
    "D": Published(3_789, 28_830_501, (2.02, 1.67), (36, 30)),
    "E": Published(3_789, 28_830_501, (1.93, 1.78), (28, 27)),
    "F": Published(8_305, 63_192_745, (1.61, 1.46), (35, 35)),
    "G": Published(19_657, 149_570_113, (1.35, 1.02), (74, 63)),
}
TABLE_8_DLS = {
    "DLS100": Published(3_789, 20_561_499, (63, 43.6), (167, 121)),
    "DLS200": Published(3_789, 20_561_499, (120, 92.8), (298, 240)),
    "DLS400": Published(3_789, 20_561_499, (234, 191.6), (678, 570)),
}
# Skeleton C: means of the combined error, of the orientation error and of the weighted posture error.
TABLE_9 = {
    "ERIK": (0.026614, 0.005819, 0.020795),
    "DLS100": (0.087067, 0.052744, 0.034323),
    "DLS200": (0.086973, 0.052652, 0.034321),
    "DLS400": (0.086831, 0.052523, 0.034308),
}
