"""What every test shares: random cases are drawn the same way on every machine, and the compiler may take its time."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("gestik", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("gestik")
