"""Slow answers are searched once and kept in the git-ignored .cache/oracle, under names that know their source."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "oracle"
SOURCES = (
    "benchmarks/oracle/*.py",
    "tests/reference/forward_twin.py",
    "tests/reference/measures_twin.py",
    "src/gestik/evaluation/skeletons.py",
)


def remembered(
    name: str, search: Callable[[], tuple[FloatArray, FloatArray]], *problem: FloatArray | float
) -> tuple[FloatArray, FloatArray]:
    """Return the angles and errors a search gives, from the cache when neither problem nor searcher has changed.

    Args:
        name: what is searched, part of the file's name.
        search: finds (angles, errors).
        problem: everything the answers depend on, beside the oracle's own source.
    """
    file = FOLDER / f"{name}-{_digest(*problem)}.npz"
    if file.exists():
        with np.load(file) as kept:
            return kept["angles"], kept["errors"]
    angles, errors = search()
    FOLDER.mkdir(parents=True, exist_ok=True)
    # Another run may be writing the same answers: a whole file appears at once, or none.
    draft = file.with_suffix(f".{np.random.default_rng().integers(2**32):08x}.npz")
    np.savez_compressed(draft, angles=angles, errors=errors)
    draft.replace(file)
    return angles, errors


def _digest(*problem: FloatArray | float) -> str:
    """Condense the oracle's source and the problem into a name."""
    digest = hashlib.sha256()
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    for part in problem:
        digest.update(np.ascontiguousarray(part, dtype=np.float64).tobytes())
    return digest.hexdigest()[:16]
