"""Expressive inverse kinematics: look at something and keep your expression.

Every public name is loaded when it is first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gestik import evaluation
    from gestik.errors import (
        CapabilityError,
        FormatError,
        FormatWarning,
        GestikError,
        InputError,
        MissingExtraError,
        ModelError,
        NameNotFoundError,
    )
    from gestik.formats.bundled import list_bundled
    from gestik.formats.dh import from_dh
    from gestik.formats.load import load, load_character, load_clips
    from gestik.formats.posture_editing import save_posture
    from gestik.formats.save import save_clip
    from gestik.goals import metrics
    from gestik.goals.aim import Aim
    from gestik.goals.center_of_mass import CenterOfMass
    from gestik.goals.orientation import Orientation
    from gestik.goals.position import Position
    from gestik.model.builder import SkeletonBuilder
    from gestik.model.character import Character, Motion
    from gestik.model.clip import Clip
    from gestik.model.joints import Frame, Mimic, Shape
    from gestik.model.pose import Pose, Transform
    from gestik.model.posture import Posture
    from gestik.model.skeleton import Skeleton
    from gestik.motion.capsules import Capsule
    from gestik.motion.gaze import JointGroup
    from gestik.motion.ground import clamp_to_ground
    from gestik.motion.layers import Layer, Wave
    from gestik.motion.limb_map import LimbMap, match_limbs
    from gestik.motion.nutty_filter import NuttyFilter
    from gestik.motion.performer import Performer
    from gestik.motion.record import Record
    from gestik.motion.retarget import retarget
    from gestik.motion.terrain import HeightField
    from gestik.motion.vetting import Limits, Vetting, vet
    from gestik.motion.warp import warp
    from gestik.solvers.fabrik.limited_points import LimitedReach, fabrik_constrained
    from gestik.solvers.fabrik.points import Reach, fabrik
    from gestik.solvers.methods import list_solvers
    from gestik.solvers.prepared import Prepared
    from gestik.solvers.solution import Solution, Solutions, Status
    from gestik.solvers.solve import prepare, solve, solve_batch
    from gestik.solvers.tracker import Tracker
    from gestik.solvers.two_bone.points import TwoBones, two_bone

_HOMES = {
    "evaluation": "gestik.evaluation",
    "metrics": "gestik.goals.metrics",
    **dict.fromkeys(
        (
            "CapabilityError",
            "FormatError",
            "FormatWarning",
            "GestikError",
            "InputError",
            "MissingExtraError",
            "ModelError",
            "NameNotFoundError",
        ),
        "gestik.errors",
    ),
    "list_bundled": "gestik.formats.bundled",
    "from_dh": "gestik.formats.dh",
    "load": "gestik.formats.load",
    "load_character": "gestik.formats.load",
    "load_clips": "gestik.formats.load",
    "save_posture": "gestik.formats.posture_editing",
    "save_clip": "gestik.formats.save",
    "Aim": "gestik.goals.aim",
    "CenterOfMass": "gestik.goals.center_of_mass",
    "Orientation": "gestik.goals.orientation",
    "Position": "gestik.goals.position",
    "SkeletonBuilder": "gestik.model.builder",
    "Character": "gestik.model.character",
    "Motion": "gestik.model.character",
    "Clip": "gestik.model.clip",
    "Frame": "gestik.model.joints",
    "Mimic": "gestik.model.joints",
    "Shape": "gestik.model.joints",
    "Pose": "gestik.model.pose",
    "Transform": "gestik.model.pose",
    "Posture": "gestik.model.posture",
    "Skeleton": "gestik.model.skeleton",
    "JointGroup": "gestik.motion.gaze",
    "Layer": "gestik.motion.layers",
    "Wave": "gestik.motion.layers",
    "LimitedReach": "gestik.solvers.fabrik.limited_points",
    "fabrik_constrained": "gestik.solvers.fabrik.limited_points",
    "Reach": "gestik.solvers.fabrik.points",
    "fabrik": "gestik.solvers.fabrik.points",
    "clamp_to_ground": "gestik.motion.ground",
    "HeightField": "gestik.motion.terrain",
    "LimbMap": "gestik.motion.limb_map",
    "match_limbs": "gestik.motion.limb_map",
    "NuttyFilter": "gestik.motion.nutty_filter",
    "retarget": "gestik.motion.retarget",
    "Performer": "gestik.motion.performer",
    "Record": "gestik.motion.record",
    "Capsule": "gestik.motion.capsules",
    "Limits": "gestik.motion.vetting",
    "Vetting": "gestik.motion.vetting",
    "vet": "gestik.motion.vetting",
    "warp": "gestik.motion.warp",
    "list_solvers": "gestik.solvers.methods",
    "Prepared": "gestik.solvers.prepared",
    "Solution": "gestik.solvers.solution",
    "Solutions": "gestik.solvers.solution",
    "Status": "gestik.solvers.solution",
    "prepare": "gestik.solvers.solve",
    "solve": "gestik.solvers.solve",
    "solve_batch": "gestik.solvers.solve",
    "Tracker": "gestik.solvers.tracker",
    "TwoBones": "gestik.solvers.two_bone.points",
    "two_bone": "gestik.solvers.two_bone.points",
}

__all__ = [
    "Aim",
    "CapabilityError",
    "Capsule",
    "CenterOfMass",
    "Character",
    "Clip",
    "FormatError",
    "FormatWarning",
    "Frame",
    "GestikError",
    "HeightField",
    "InputError",
    "JointGroup",
    "Layer",
    "LimbMap",
    "LimitedReach",
    "Limits",
    "Mimic",
    "MissingExtraError",
    "ModelError",
    "Motion",
    "NameNotFoundError",
    "NuttyFilter",
    "Orientation",
    "Performer",
    "Pose",
    "Position",
    "Posture",
    "Prepared",
    "Reach",
    "Record",
    "Shape",
    "Skeleton",
    "SkeletonBuilder",
    "Solution",
    "Solutions",
    "Status",
    "Tracker",
    "Transform",
    "TwoBones",
    "Vetting",
    "Wave",
    "clamp_to_ground",
    "evaluation",
    "fabrik",
    "fabrik_constrained",
    "from_dh",
    "list_bundled",
    "list_solvers",
    "load",
    "load_character",
    "load_clips",
    "match_limbs",
    "metrics",
    "prepare",
    "retarget",
    "save_clip",
    "save_posture",
    "solve",
    "solve_batch",
    "two_bone",
    "vet",
    "warp",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gestik' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    value = home if name in ("evaluation", "metrics") else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
