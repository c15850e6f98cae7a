"""The columns in which layers and their waves are packed for kernels.  No numba here."""

from __future__ import annotations

# Columns of the spans [layer, SPAN_WIDTH]: when each layer moves.
BEGIN = 0  # s
END = 1  # s, +inf when it goes on for ever
FADE = 2  # s, to come and to go
SPAN_WIDTH = 3

# Columns of the waves [wave, WAVE_WIDTH], each a sine.
LAYER = 0
DOF = 1  # the degree of freedom; behind the last one the pitch and the yaw of the gaze
AMPLITUDE = 2  # rad or m
TEMPO = 3  # Hz
PHASE = 4  # turns
WAVE_WIDTH = 5
