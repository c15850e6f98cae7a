"""Slow twin of ERIK on the paper's skeletons: Ribeiro & Paiva 2019, Algorithms 2 to 22, with matrices and positions.

Written from the pseudo-code as corrected in docs/methods/erik.md, for chains whose bones lie along their joints' +Y.
Names are the paper's: Q is a joint's basis, theta its angle, Omega its frame after its turn, rho its position, Psi a
posture, tau a target.  The last entry of a posture's lists is the superpoint.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.reference.measures_twin import (
    ORIENTATION_WEIGHT,
    POSTURE_WEIGHT,
    orientation_measure,
    posture_measure,
    turn_matrix,
)

FloatArray = NDArray[np.float64]

UNIT = np.eye(3)
X, Y = UNIT[0], UNIT[1]
EVEN = 1e-9  # what is closer to a plane of symmetry counts as on its positive side


class Hyper(NamedTuple):
    """Lambda: the hyperparameters."""

    max_iterations: int = 8
    max_turns: int = 6
    threshold: float = 0.04
    disturbance: float = 0.01
    ccd_precision: float = 1e-6
    precision: float = 1e-4
    stall: float = 1e-3


class Twin:
    """One skeleton of the paper, given by its axes such as "yxxzy" and its limit [rad]."""

    def __init__(self, axes: str, limit: float, hyper: Hyper | None = None) -> None:
        self.axes = [UNIT["xyz".index(axis)] for axis in axes]
        self.twister = [axis == "y" for axis in axes]
        self.limit = limit
        self.hyper = hyper or Hyper()
        self.count = len(axes)

    # Helpers of sec. 7.1

    def local(self, k: int, theta: float) -> FloatArray:
        """L: the turn of joint k."""
        return turn_matrix(self.axes[k], theta)

    def clamp(self, theta: float) -> float:
        """To the limits."""
        return min(self.limit, max(-self.limit, theta))

    def safe_angle(self, theta: float) -> float:
        """SafeAngle with whole turns taken off by the nearest integer."""
        return self.clamp(theta - 2.0 * math.pi * math.floor(theta / (2.0 * math.pi) + 0.5))

    def safe_twist(self, theta: float) -> float:
        """SafeTwist: half a turn away where that lies inside the limits, else clamped."""
        theta -= 2.0 * math.pi * math.floor(theta / (2.0 * math.pi) + 0.5)
        other = theta - math.pi if theta >= 0.0 else theta + math.pi
        return other if abs(theta) > self.limit >= abs(other) else self.clamp(theta)

    def off_edge(self, theta: float) -> float:
        """AvoidJointEdge."""
        if abs(abs(theta) - self.limit) <= 1e-6:
            return theta - math.copysign(self.hyper.disturbance, theta)
        return theta

    def latitude(self, k: int, tau: FloatArray) -> float:
        """TargetLatitude, its sign kept."""
        size = 0.5 * (1.0 + float(np.clip(tau @ Y, -1.0, 1.0)))
        return math.copysign(size, -1.0 if tau @ np.cross(self.axes[k], Y) < -EVEN else 1.0)

    def lalut(self, latitude: float) -> float:
        """The angle of a latitude; the axis is at right angles to parent and segment."""
        return math.copysign(math.acos(np.clip(2.0 * abs(latitude) - 1.0, -1.0, 1.0)), latitude)

    def lay(self, angles: FloatArray) -> list[FloatArray]:
        """The bases Q of a posture and last the superpoint's."""
        bases = [np.eye(3)]
        for k, theta in enumerate(angles):
            bases.append(bases[-1] @ self.local(k, theta))
        return bases

    def positions(self, angles: FloatArray) -> FloatArray:
        """Places (rho) of every joint and of the superpoint [joint + 1, 3]."""
        steps = [Omega @ Y for Omega in self.lay(angles)[1:]]
        return np.concatenate((np.zeros((1, 3)), np.cumsum(steps, axis=0)))

    # The error function, eq. 19

    def error(self, angles: FloatArray, tau: FloatArray, posture: FloatArray) -> float:
        """CalculateSolutionError with the symmetric end-point."""
        bends = [k for k in range(self.count) if not self.twister[k]]
        directions, drawn = (np.diff(self.positions(each), axis=0)[bends] for each in (angles, posture))
        orientation = orientation_measure(self.lay(angles)[-1], tau, Y)
        return float(ORIENTATION_WEIGHT * orientation + POSTURE_WEIGHT * posture_measure(directions, drawn, Y))

    # Algorithms 19 to 22

    def miss(self, target: FloatArray, end: FloatArray) -> float:
        """CCDTest's error."""
        return 0.5 * (1.0 - float(target @ end))

    def turn_onto(self, axis: FloatArray, end: FloatArray, target: FloatArray) -> float:
        """VecAngle of the two directions projected on the plane across the axis."""
        here, there = end - (end @ axis) * axis, target - (target @ axis) * axis
        if np.linalg.norm(here) < 1e-12 or np.linalg.norm(there) < 1e-12:
            return 0.0
        return math.atan2(axis @ np.cross(here, there), here @ there)

    def bwcd_posture(self, angles: FloatArray, target: FloatArray) -> list[FloatArray]:
        """Warp a posture from the root up, limits ignored; returns its bases."""
        angles = angles.copy()
        for _ in range(self.hyper.max_turns):
            for k in range(self.count):
                bases = self.lay(angles)
                if self.miss(target, bases[-1] @ Y) <= self.hyper.ccd_precision:
                    return bases
                angles[k] += self.turn_onto(bases[k] @ self.axes[k], bases[-1] @ Y, target)
        return self.lay(angles)

    def finish_tip(self, angles: FloatArray, tau: FloatArray) -> FloatArray:
        """The twist that is left, or half a turn from it."""
        angles[-1] = self.safe_twist(twist_of(self.lay(angles)[-2].T @ tau))
        return angles

    def descend(self, angles: FloatArray, tau: FloatArray, order: list[int], is_ccd: bool) -> FloatArray:
        """BWCD_Solution from the root, CCD from the tip: clamped turns towards the direction of tau, then the twist."""
        angles, target = angles.copy(), tau @ Y
        for _ in range(self.hyper.max_turns):
            before = after = self.miss(target, self.lay(angles)[-1] @ Y)
            for k in order:
                if after <= self.hyper.ccd_precision:
                    return self.finish_tip(angles, tau)
                bases = self.lay(angles)
                angles[k] = self.safe_angle(angles[k] + self.turn_onto(bases[k] @ self.axes[k], bases[-1] @ Y, target))
                if is_ccd:
                    angles[k] = self.off_edge(angles[k])
                after = self.miss(target, self.lay(angles)[-1] @ Y)
            if abs(after - before) <= self.hyper.precision:
                break
        return self.finish_tip(angles, tau)

    def turn_whole(self, angles: FloatArray, tau: FloatArray) -> FloatArray:
        """CCD towards the whole orientation, where aiming a direction was not enough."""
        angles = angles.copy()
        for _ in range(self.hyper.max_turns):
            before = after = half_angle_sine_squared(self.lay(angles)[-1].T @ tau)
            if before <= self.hyper.ccd_precision:
                break
            for k in reversed(range(self.count)):
                bases = self.lay(angles)
                turn = twist_of(tau @ bases[-1].T, bases[k] @ self.axes[k])
                angles[k] = self.off_edge(self.safe_angle(angles[k] + turn))
                after = half_angle_sine_squared(self.lay(angles)[-1].T @ tau)
                if after <= self.hyper.ccd_precision:
                    break
            if after <= self.hyper.ccd_precision or abs(after - before) <= self.hyper.precision:
                break
        return angles

    # Algorithms 8 to 18

    def forward_phase(self, bases: list[FloatArray], tau: FloatArray) -> list[FloatArray]:
        """From the tip to the root; returns the frame each joint is asked to carry (its child's basis)."""
        wanted = [tau] * self.count
        for k in reversed(range(self.count)):
            is_end = k == self.count - 1
            # Lines 30-31: the axis must not point the other way in the basis of a twister above.
            is_below_twister = not is_end and self.twister[k + 1] and not self.twister[k]
            if is_below_twister and (bases[k + 1] @ self.axes[k]) @ (bases[k] @ self.axes[k]) < -EVEN:
                bases[k + 1 :] = [Q @ turn_matrix(Y, math.pi) for Q in bases[k + 1 :]]
            wanted[k] = tau if is_end else bases[k + 1]
            asked = bases[k].T @ wanted[k]
            if self.twister[k]:
                theta = self.safe_twist(sum(yaw_pitch_roll(asked)[::2]))
            else:
                theta = self.safe_angle(self.lalut(self.latitude(k, asked @ Y)))
            theta = self.off_edge(theta)
            if not is_end:
                bases[k] = wanted[k] @ self.local(k, theta).T
        return wanted

    def backward_phase(self, wanted: list[FloatArray], tau: FloatArray) -> FloatArray:
        """From the root to the tip: a solution that hangs together."""
        Omega, angles = np.eye(3), np.zeros(self.count)
        for k in range(self.count):
            asked = Omega.T @ wanted[k]
            if self.twister[k]:
                angles[k] = self.safe_twist(twist_of(asked))
            else:
                direction = asked @ Y
                latitude = self.latitude(k, direction)
                either = [self.safe_angle(self.lalut(side * latitude)) for side in (1.0, -1.0)]
                nearness = [float(self.local(k, theta) @ Y @ direction) for theta in either]
                angles[k] = either[1] if nearness[1] > nearness[0] and k < self.count - 1 else either[0]
            Omega = Omega @ self.local(k, angles[k])
        return angles

    # Algorithms 2, 3 and 7

    def solve(self, posture: FloatArray, tau: FloatArray) -> tuple[FloatArray, int]:
        """CalculateERIK; returns the best angles and how many iterations it took."""
        hyper, target = self.hyper, tau @ Y
        best, best_error, last = posture, math.inf, [math.inf, math.inf]
        warped = posture

        def is_good(angles: FloatArray) -> float:
            """SolutionOK."""
            nonlocal best, best_error
            error = self.error(angles, tau, posture)
            if error <= best_error:
                best, best_error = angles, error
            return error

        for iteration in range(1, hyper.max_iterations + 1):
            bases = self.bwcd_posture(warped, target)
            angles = self.backward_phase(self.forward_phase(bases, tau), tau)
            if is_good(angles) <= hyper.threshold:
                break
            angles = self.descend(angles, tau, list(range(self.count)), is_ccd=False)
            error = is_good(angles)
            if error <= hyper.threshold:
                break
            if min(abs(error - each) for each in last) <= hyper.stall:
                tip_to_root = list(reversed(range(self.count)))
                angles = self.descend(angles, tau, tip_to_root, is_ccd=True)
                if is_good(angles) > hyper.threshold and is_good(self.turn_whole(angles, tau)) > hyper.threshold:
                    is_good(self.descend(np.zeros(self.count), tau, tip_to_root, is_ccd=True))
                return best, iteration
            last = [error, last[0]]
            # The next iteration keeps the target's bends, on the sides and with the twists of the solution.
            warped = np.where(self.twister, angles, np.where(angles < -EVEN, -1.0, 1.0) * np.abs(posture))
        return best, iteration


def twist_of(turn: FloatArray, axis: FloatArray = Y) -> float:
    """The angle of the twist about an axis that comes nearest to a turn."""
    sine = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1])) @ axis
    return math.atan2(sine, np.trace(turn) - axis @ turn @ axis)


def yaw_pitch_roll(turn: FloatArray) -> tuple[float, float, float]:
    """YPR (Algorithm 11): the angles of turn = Ry(yaw) Rx(pitch) Ry(roll)."""
    y, x = turn @ Y, turn @ X
    normal = np.cross(Y, y)
    size = np.linalg.norm(normal)
    if size < 1e-9:
        if y @ Y > 0.0:
            return 0.0, 0.0, math.atan2(turn[0, 2], turn[0, 0])
        return 0.0, -math.pi, signed_angle(X, x, y)
    normal = normal / size
    if normal @ X < 0.0:
        normal = -normal
    return signed_angle(X, normal, Y), signed_angle(Y, y, normal), signed_angle(normal, x, y)


def signed_angle(a: FloatArray, b: FloatArray, axis: FloatArray) -> float:
    """VecAngle about an axis."""
    return math.atan2(axis @ np.cross(a, b), a @ b)


def half_angle_sine_squared(turn: FloatArray) -> float:
    """(1 - cosine) / 2 of the angle of a turn."""
    return 0.25 * (3.0 - float(np.trace(turn)))
