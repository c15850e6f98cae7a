"""Finding angles: one file or folder per method, and the front door that checks, packs, calls and wraps."""
