"""The twelve ways to turn by three angles, named by their axes: ZYX turns about z, then the new y, then the new x."""

from __future__ import annotations

from gestik.model.faults import shown

CONVENTIONS = ("XYX", "XYZ", "XZX", "XZY", "YXY", "YXZ", "YZX", "YZY", "ZXY", "ZXZ", "ZYX", "ZYZ")

# Yaw, pitch and roll: far from its singularity, a quarter turn of pitch, where a joint stands at 0.
DEFAULT_CONVENTION = "ZYX"


def read_convention(value: object) -> str:
    """Read one of the twelve, or raise ValueError with all of them."""
    if isinstance(value, str) and value in CONVENTIONS:
        return value
    raise ValueError(f"is {shown(value)}, not one of {', '.join(CONVENTIONS)}")


def angle_labels(convention: str) -> tuple[str, ...]:
    """What each angle is called: the letter of its axis, with a 2 where the axis comes a second time."""
    first, second, third = tuple(convention.lower())
    return first, second, f"{third}2" if third == first else third
