"""A shuffled order of hundreds of millions of numbers that nobody has to store: a small cipher, walked in cycles.

A Feistel network turns every number of a power of four into another, one to one; results outside the range are turned
again until they are inside (Black and Rogaway 2002).  The first n numbers of the order are a random subset.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

IntegerArray = NDArray[np.int64]

ROUNDS = 6
MIX = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)  # odd constants with well spread bits


def shuffled(places: IntegerArray, count: int, seed: int) -> IntegerArray:
    """The numbers at these places of the order of range(count) that belongs to a seed."""
    half = max(1, (max(count - 1, 1).bit_length() + 1) // 2)
    keys = np.random.default_rng(seed).integers(2**63, size=ROUNDS, dtype=np.uint64)
    numbers = places.astype(np.uint64)
    outside = np.ones(len(numbers), dtype=bool)
    while outside.any():
        numbers[outside] = _permuted(numbers[outside], half, keys)
        outside = numbers >= count
    return numbers.astype(np.int64)


def _permuted(numbers: NDArray[np.uint64], half: int, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Turn numbers of twice `half` bits into others, one to one."""
    bits, mask = np.uint64(half), np.uint64((1 << half) - 1)
    left, right = numbers >> bits, numbers & mask
    for key in keys:
        left, right = right, left ^ (_scrambled(right + key) & mask)
    return (left << bits) | right


def _scrambled(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over the whole word; overflow is meant."""
    words = words * np.uint64(MIX[0])
    words = (words ^ (words >> np.uint64(30))) * np.uint64(MIX[1])
    words = (words ^ (words >> np.uint64(27))) * np.uint64(MIX[2])
    return words ^ (words >> np.uint64(31))
