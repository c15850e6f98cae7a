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

    What is told of a frame depends on its neighbours only, not on where the clip was cut.
    """
    if len(times) < 3:
        return []
    before, after = np.clip(times - HALF_WINDOW, *times[[0, -1]]), np.clip(times + HALF_WINDOW, *times[[0, -1]])
    moved = [np.interp(after, times, column) - np.interp(before, times, column) for column in places.T]
    still = np.linalg.norm(moved, axis=0) < slowest * (after - before)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], still, [False])).astype(int)))
    stands = [(int(begin), int(end) - 1) for begin, end in edges.reshape(-1, 2)]
    joined: list[Contact] = []
    for begin, end in stands:
        if joined and times[begin] - times[joined[-1][1]] < SHORTEST_GAP:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((begin, end))
    return [(begin, end) for begin, end in joined if times[end] - times[begin] >= SHORTEST_STAND]


def shifts_to_stand(
    places: FloatArray, times: FloatArray, contacts: Sequence[Contact], stands: FloatArray | None = None
) -> FloatArray:
    """By what [frame, 3] m a foot must be moved to stand still in its contacts; smooth in between.

    `stands` [contact, 3]: where it stands in each; None: in the middle of where it is.
    """
    if stands is None:
        spans = [places[begin : end + 1] for begin, end in contacts]
        stands = np.array([0.5 * (span.min(axis=0) + span.max(axis=0)) for span in spans]).reshape(-1, 3)
    shifts: FloatArray = np.zeros(places.shape)
    for (begin, end), stand in zip(contacts, stands, strict=True):
        shifts[begin : end + 1] = stand - places[begin : end + 1]
    for number in range(len(contacts) + 1):
        first = contacts[number - 1][1] if number > 0 else None
        last = contacts[number][0] if number < len(contacts) else None
        gap = np.arange(0 if first is None else first + 1, len(times) if last is None else last)
        span = FADE if first is None or last is None else min(FADE, float(times[last] - times[first]))
        if first is not None:
            shifts[gap] += _faded((times[gap] - times[first]) / span)[:, None] * shifts[first]
        if last is not None:
            shifts[gap] += _faded((times[last] - times[gap]) / span)[:, None] * shifts[last]
    return shifts


def _faded(progress: FloatArray) -> FloatArray:
    """From 1 to 0, level at both ends."""
    part = np.clip(progress, 0.0, 1.0)
    weight: FloatArray = 1.0 - part * part * (3.0 - 2.0 * part)
    return weight
