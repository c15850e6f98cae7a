"""The ERIK paper's skeletons and random problems to compare methods on."""

from __future__ import annotations

from gestik.evaluation.sets import RandomSet, random_set
from gestik.evaluation.skeletons import skeleton

__all__ = ["RandomSet", "random_set", "skeleton"]
