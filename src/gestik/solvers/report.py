"""What every method's kernel says of a solve besides the angles.  This module imports no numba."""

from __future__ import annotations

# Columns of a report [problem, REPORT_WIDTH].
COST = 0  # what the method minimises
ITERATIONS = 1  # the method's own count of iterations, or of starts tried
ENDING = 2  # one of those below
REPORT_WIDTH = 3

# How a method came to its end, whether or not the goals are met.
SEARCHED = 0  # it tried all it wanted to try, and returns the best
STALLED = 1  # it stands where no step of its own brings the goals closer
SPENT = 2  # its iterations ran out while it was still getting closer
