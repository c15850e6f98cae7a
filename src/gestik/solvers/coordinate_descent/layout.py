"""Orders in which joints have their turn, and the layout of cones.  This module imports no numba."""

from __future__ import annotations

FROM_TIP = 0
FROM_BASE = 1

# Columns of a cone.
FIRST_JOINT = 0  # of the three of the ball
CONE_AXIS = 1  # 3, unit, of the twist
SWING = 4  # rad, at the most
LEAST_TWIST, MOST_TWIST = 5, 6  # rad
CONE_WIDTH = 7
