"""The columns in which the motion filter keeps its numbers.  No numba here: a filter is made without it."""

from __future__ import annotations

# Columns of the settings [joint, SETTING_WIDTH].
VELOCITY = 0  # rad/s or m/s, and so on: the limits
ACCELERATION = 1
JERK = 2
LOWER = 3  # rad or m, -inf when unlimited
UPPER = 4
SMOOTHNESS = 5  # 0 to 1
RESPONSIVENESS = 6  # 0 up to, but not, 1
BETA = 7  # exponent of the position limiter
SETTING_WIDTH = 8

# Columns of the state [joint, ...] that both modes share: what is sent now.
POSITION = 0
SPEED = 1
PUSH = 2  # acceleration
KICK = 3  # jerk

# Columns of the state of the classic mode: the last three outputs, the newest first.
NEWEST = 4
MIDDLE = 5
OLDEST = 6
CLASSIC_WIDTH = 7

# Columns of the state of the exact mode: the set-point of the plan, and the plan.
SET_POINT = 4
PLAN = 5  # of each part how long it still lasts [s] and its jerk
PARTS = 7
EXACT_WIDTH = PLAN + 2 * PARTS
