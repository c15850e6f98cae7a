"""Names as other programs give them, with what ours may not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def plain_names(names: Sequence[str]) -> list[str]:
    """The names without the part before a colon, as in ``mixamorig:Hips``; with an underscore where that is needed."""
    bare = [name.rpartition(":")[2] for name in names]
    times = Counter(bare)
    pairs = zip(names, bare, strict=True)
    return [short if short and times[short] == 1 else name.replace(":", "_") for name, short in pairs]
