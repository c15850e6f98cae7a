"""When a foot stands, and what keeps it there: contacts by speed alone, and shifts that fade between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gestik.kernels.arrays import FloatArray

# Speeds are taken over this long [s] before and after, so that the rate of a clip does not matter.
HALF_WINDOW = 0.02
# Shorter stands [s] are the top of a jump, shorter gaps between stands are noise.
SHORTEST_STAND = 0.08
SHORTEST_GAP = 0.05
# How long [s] a shift needs to fade where no other contact is near.
FADE = 0.3

Contact = tuple[int, int]  # the first and the last frame of a stand


def find_contacts(places: FloatArray, times: FloatArray, slowest: float) -> list[Contact]:
    """The stands of a foot: where its place [frame, 3] m moves by less than `slowest` [m/s] for a while.

    Of several places [frame, place, 3], as heel and toe, one that stands is enough.  What is told of a frame depends on
    its neighbours only, not on where the clip was cut.
    """
    if len(times) < 3:
        return []
    columns = places.reshape(len(times), -1).T
    before, after = np.clip(times - HALF_WINDOW, *times[[0, -1]]), np.clip(times + HALF_WINDOW, *times[[0, -1]])
    moved = [np.interp(after, times, column) - np.interp(before, times, column) for column in columns]
    ways = np.linalg.norm(np.array(moved).reshape(-1, 3, len(times)), axis=1).min(axis=0)
    still = ways < slowest * (after - before)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], still, [False])).astype(int)))
    stands = [(int(begin), int(end) - 1) for begin, end in edges.reshape(-1, 2)]
    joined: list[Contact] = []
    for begin, end in stands:
        if joined and times[begin] - times[joined[-1][1]] < SHORTEST_GAP:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    return [(begin, end) for begin, end in joined if times[end] - times[begin] >= SHORTEST_STAND]


def shifts_to_stand(places: FloatArray, times: FloatArray, contacts: Sequence[Contact]) -> FloatArray:
    """By what [frame, 3] m a foot must be moved to stand still in its contacts; smooth in between.

    It stands in the middle of where it is.
    """
    shifts: FloatArray = np.zeros(places.shape)
    for begin, end in contacts:
        span = places[begin : end + 1]
        shifts[begin : end + 1] = 0.5 * (span.min(axis=0) + span.max(axis=0)) - span
    return faded_between(shifts, times, contacts)


def faded_between(
    values: FloatArray, times: FloatArray, contacts: Sequence[Contact], longest: float = FADE
) -> FloatArray:
    """What is known in contacts [frame, ...] carried on between them, each end fading over `longest` [s] at most."""
    faded: FloatArray = np.zeros(values.shape)
    for begin, end in contacts:
        faded[begin : end + 1] = values[begin : end + 1]
    for number in range(len(contacts) + 1):
        first = contacts[number - 1][1] if number > 0 else None
        last = contacts[number][0] if number < len(contacts) else None
        gap = np.arange(0 if first is None else first + 1, len(times) if last is None else last)
        span = longest if first is None or last is None else min(longest, float(times[last] - times[first]))
        for edge, away in ((first, 1.0), (last, -1.0)):
            if edge is not None:
                weights = _faded(away * (times[gap] - times[edge]) / span)
                faded[gap] += weights.reshape(-1, *[1] * (values.ndim - 1)) * values[edge]
    return faded


def _faded(progress: FloatArray) -> FloatArray:
    """From 1 to 0, level at both ends."""
    part = np.clip(progress, 0.0, 1.0)
    weight: FloatArray = 1.0 - part * part * (3.0 - 2.0 * part)
    return weight
