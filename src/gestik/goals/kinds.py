"""The integer codes kernels know goals by.  No numba here: goals are made without it."""

from __future__ import annotations

POSITION_GOAL = 0
ORIENTATION_GOAL = 1
AIM_AT_POINT = 2
AIM_ALONG = 3
CENTER_OF_MASS_GOAL = 4
