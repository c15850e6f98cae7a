"""``python -m gestik`` is ``gestik``."""

from __future__ import annotations

from gestik.cli import main

raise SystemExit(main())
