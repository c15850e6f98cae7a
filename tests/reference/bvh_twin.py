"""BVH read once more, by words and with matrices: where every joint and end site is at every frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def turn(axis: str, angles: np.ndarray) -> np.ndarray:
    """Matrices [n, 4, 4] of turns [rad] about x, y or z."""
    first, second = {"X": (1, 2), "Y": (2, 0), "Z": (0, 1)}[axis]
    matrices = np.tile(np.eye(4), (len(angles), 1, 1))
    matrices[:, first, first] = matrices[:, second, second] = np.cos(angles)
    matrices[:, first, second] = -np.sin(angles)
    matrices[:, second, first] = np.sin(angles)
    return matrices


def shift(offset: np.ndarray) -> np.ndarray:
    """Matrices [n, 4, 4] of shifts [n, 3]."""
    matrices = np.tile(np.eye(4), (len(offset), 1, 1))
    matrices[:, :3, 3] = offset
    return matrices


def bvh_places(path: Path, *, replaces: bool = False) -> tuple[float, dict[str, np.ndarray]]:
    """Frame time [s], and places [frame, 3] by name; end sites are called ``joint.end``.

    `replaces`: a position takes the place of the OFFSET, else it is added to it.
    """
    tree, _, motion = path.read_text(encoding="utf-8").partition("MOTION")
    words = motion.split()
    rows = np.array(words[words.index("Time:") + 2 :], dtype=float)
    frame_time = float(words[words.index("Time:") + 1])
    lines = [line.split() for line in tree.splitlines() if line.split()]
    width = sum(int(line[1]) for line in lines if line[0] == "CHANNELS")
    rows = rows[: len(rows) // width * width].reshape(-1, width)
    identity = np.tile(np.eye(4), (len(rows), 1, 1))
    frames: dict[str, np.ndarray] = {}
    open_names: list[str] = []
    named, column, offset = "", 0, np.zeros(3)
    for line in lines:
        match line[0]:
            case "ROOT" | "JOINT":
                named = line[1]
            case "End":
                named = f"{open_names[-1]}.end"
            case "{":
                open_names.append(named)
            case "}":
                open_names.pop()
            case "OFFSET":
                offset = np.array(line[1:], dtype=float)
                above = frames[open_names[-2]] if len(open_names) > 1 else identity
                frames[open_names[-1]] = above @ shift(np.tile(offset, (len(rows), 1)))
            case "CHANNELS":
                above = frames[open_names[-2]] if len(open_names) > 1 else identity
                place = np.tile(offset, (len(rows), 1))
                own = identity
                for channel in line[2:]:
                    numbers = rows[:, column]
                    if channel.endswith("position"):
                        axis = "XYZ".index(channel[0])
                        place[:, axis] = numbers if replaces else offset[axis] + numbers
                    else:
                        own = own @ turn(channel[0], np.radians(numbers))
                    column += 1
                frames[open_names[-1]] = above @ shift(place) @ own
    return frame_time, {name: frame[:, :3, 3] for name, frame in frames.items()}
