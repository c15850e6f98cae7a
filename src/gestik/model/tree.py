"""Who sits on whom and who follows whom: circles are found and named, rows put parents first."""

from __future__ import annotations

from collections.abc import Sequence

from gestik.model.checks import LARGEST
from gestik.model.faults import Faults, shown
from gestik.model.joints import Joint, JointKind, Mimic

LONGEST_SHOWN_CIRCLE = 12


def find_indices(joints: Sequence[Joint], faults: Faults) -> dict[str, int]:
    """Index of each joint by name; a name given twice is a fault and the first to have it keeps it."""
    indices: dict[str, int] = {}
    repeated: dict[str, int] = {}
    for index, joint in enumerate(joints):
        if joint.name and indices.setdefault(joint.name, index) != index:
            repeated[joint.name] = repeated.get(joint.name, 1) + 1
    for name, times in repeated.items():
        faults.add(f"joint {shown(name)}: there are {times} joints of that name")
    return indices


def check_dof_names(joints: Sequence[Joint], indices: dict[str, int], faults: Faults) -> None:
    """Note each joint that has the name of one of another joint's motions, such as ``hip.z``."""
    for joint in joints:
        for name in joint.dof_names if joint.kind.is_compound else ():
            if name in indices:
                faults.add(f"joint {shown(name)}: {shown(joint.name)} has a degree of freedom of that name")


def find_parents(joints: Sequence[Joint], indices: dict[str, int], faults: Faults) -> list[int]:
    """Index of each joint's parent, -1 for the base; unknown parents and circles are faults."""
    parents = []
    for joint in joints:
        parent = -1 if joint.parent is None else _index_of(joint, "parent", joint.parent, indices, faults)
        parents.append(parent)
    for circle in find_circles(parents):
        faults.add(f"joints sit on each other in a circle: {_path(joints, circle)}")
    return parents


def settle_mimics(joints: Sequence[Joint], indices: dict[str, int], faults: Faults) -> list[tuple[int, Mimic]]:
    """For each joint: which joint drives it in the end (itself, but for a mimic), and how.

    A mimic of a mimic follows that one's leader.  Following a circle, or a joint that moves in no way or in
    several, is a fault.
    """
    leaders = [
        -1 if joint.mimic is None else _index_of(joint, "mimic", joint.mimic.joint, indices, faults) for joint in joints
    ]
    for joint, leader in zip(joints, leaders, strict=True):
        if leader < 0:
            continue
        place = f"joint {shown(joint.name)}: mimic follows {shown(joints[leader].name)}, which"
        if joints[leader].kind is JointKind.FIXED:
            faults.add(f"{place} never moves")
        elif joints[leader].kind.is_compound:
            faults.add(f"{place} moves in several ways; only a joint that moves in one can be followed")
    circles = find_circles(leaders)
    for circle in circles:
        faults.add(f"joints mimic each other in a circle: {_path(joints, circle)}")
        for index in circle:
            leaders[index] = -1
    # Leaders first, so that each link of a chain of mimics is multiplied in once.
    settled: list[tuple[int, Mimic]] = [(index, Mimic(joint.name)) for index, joint in enumerate(joints)]
    for index in depth_first(leaders):
        mimic = joints[index].mimic
        if mimic is None or leaders[index] < 0:
            continue
        driver, above = settled[leaders[index]]
        gain, bias = mimic.gain * above.gain, mimic.gain * above.bias + mimic.bias
        if max(abs(gain), abs(bias)) > LARGEST:
            faults.add(f"joint {shown(joints[index].name)}: mimics multiply to a gain or bias beyond {LARGEST:g}")
            gain, bias = 1.0, 0.0
        settled[index] = driver, Mimic(joints[driver].name, gain, bias)
    return settled


def find_circles(above: Sequence[int]) -> list[list[int]]:
    """Every circle met by walking from each index to the one above it (-1: none), each circle once."""
    circles = []
    walk_of = [-1] * len(above)
    for start in range(len(above)):
        index = start
        while index >= 0 and walk_of[index] < 0:
            walk_of[index] = start
            index = above[index]
        if index >= 0 and walk_of[index] == start:
            circle = [index]
            while above[circle[-1]] != index:
                circle.append(above[circle[-1]])
            circles.append(circle)
    return circles


def way_down(above: Sequence[int], index: int) -> list[int]:
    """The indices from the topmost one down to `index`; none for -1."""
    way = []
    while index >= 0:
        way.append(index)
        index = above[index]
    return way[::-1]


def depth_first(above: Sequence[int]) -> list[int]:
    """Indices with parents before children, each limb in one piece, siblings in the order of their index.

    What hangs on a circle is left out.
    """
    children: list[list[int]] = [[] for _ in above]
    roots: list[int] = []
    for index, parent in enumerate(above):
        (children[parent] if parent >= 0 else roots).append(index)
    order = []
    waiting = roots[::-1]
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting.extend(reversed(children[index]))
    return order


def _index_of(joint: Joint, role: str, name: object, indices: dict[str, int], faults: Faults) -> int:
    """Index of a joint another one names, -1 where there is none."""
    place = f"joint {shown(joint.name)}: {role}"
    if not isinstance(name, str):
        faults.add(f"{place} is {shown(name)}, not the name of a joint")
        return -1
    if name not in indices:
        faults.unknown(place, "joint", name, indices)
        return -1
    return indices[name]


def _path(joints: Sequence[Joint], circle: Sequence[int]) -> str:
    """A circle as a path of names that ends where it began, cut when long."""
    names = [shown(joints[index].name) for index in circle]
    if len(names) > LONGEST_SHOWN_CIRCLE:
        names[LONGEST_SHOWN_CIRCLE - 1 :] = [f"... ({len(circle)} joints)"]
    return " -> ".join([*names, names[0]])
