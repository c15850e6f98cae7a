"""Compiled building blocks: floats, tuples and flat arrays only; no files, no names, no exceptions."""
