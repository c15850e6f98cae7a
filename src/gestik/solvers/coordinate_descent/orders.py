"""Orders in which joints have their turn.  This module imports no numba."""

from __future__ import annotations

FROM_TIP = 0
FROM_BASE = 1
