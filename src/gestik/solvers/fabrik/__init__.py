"""FABRIK: forward and backward reaching, on bare points."""
