"""Stills: a skeleton photographed with a small software camera that needs nothing but NumPy."""
