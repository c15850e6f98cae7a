"""The live loop: a posture or a clip, layers on top, a gaze that holds the posture, limits, and a motion filter.

    base -> layers -> gaze -> limits -> filter, which goes on from the last command that was sent

What comes before the filter may jump; what is sent never does.  The order is that of Ribeiro & Paiva, ERIK, sec. 3.7:
the filter runs at the rate of the animation, which is not that of the solver.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from gestik.errors import InputError
from gestik.kernels.arrays import FloatArray
from gestik.model import checks
from gestik.model.character import Character
from gestik.model.clip import Clip
from gestik.model.faults import shown
from gestik.model.freezing import frozen_floats
from gestik.model.posture import Posture
from gestik.model.skeleton import Skeleton
from gestik.motion.desk import InlineDesk, ThreadDesk
from gestik.motion.gaze import Answer, Gaze, JointGroup, Question
from gestik.motion.layers import Layer, first_posture, make_layer, pack_layers
from gestik.motion.nutty_filter import NuttyFilter
from gestik.motion.record import Record
from gestik.motion.wishes import (
    Base,
    Mailbox,
    Target,
    played,
    read_direction,
    read_place,
    read_seconds,
    read_stamp,
    still,
)

USUAL_SPEED = 4.0  # rad/s or m/s, of joints whose own is unknown
SPEEDING_TIME = 0.12  # s, in which a joint reaches its speed
PUSHING_TIME = 0.06  # s, in which it reaches its acceleration
LONGEST_STEP = 0.1  # s: after a longer gap the body goes on as if this much time had passed
WATCHDOG = 0.5  # s without an answer from the solver, after which the body comes to rest
NEAREST = 0.05  # of the length of the body: what is nearer to the eye cannot be looked at
SOLVERS = ("inline", "thread")


class Performer:
    """Plays a character: `tick` returns what to send, a fixed number of times a second.

    Everything else may come from any thread, at any rate.  A wish (posture, clip, target) takes effect with the next
    tick, or at the `time` it is stamped with; the latest wins.  A target with a stamp is a measurement and gets stale;
    one without stays until it is replaced.
    """

    def __init__(
        self,
        character: Character,
        rate: float | None = None,
        *,
        start: ArrayLike | None = None,
        groups: Sequence[JointGroup] = (),
        speed: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        jerk: ArrayLike | None = None,
        smoothness: ArrayLike = 0.2,
        responsiveness: ArrayLike = 0.0,
        mode: str = "exact",
        solver: str = "inline",
        solver_rate: float | None = None,
        patience: float = 1.0,
    ) -> None:
        """Stand still at `start`.

        Args:
            character: Who performs.
            rate: Ticks a second [Hz]; None: the character's own.
            start: The angles the body has now [dof], even outside its limits; None: the character's first posture.
            groups: Joints that turn to a target in their own way; the others go first and do the rest.
            speed: Limits of velocity, one number or [dof], rad/s or m/s; None: the skeleton's own.
            acceleration: Limits of acceleration; None: what reaches the speed in 0.12 s.
            jerk: Limits of jerk; None: what reaches the acceleration in 0.06 s.
            smoothness: Of the motion filter.
            responsiveness: Of the motion filter.
            mode: Of the motion filter, "exact" or "classic".
            solver: "inline": the gaze is solved in the tick; "thread": beside it, and no tick waits for an answer.
            solver_rate: How often the gaze is solved inline [Hz]; None: with every tick.
            patience: When a stamped target is older than this [s], the gaze fades.
        """
        if not isinstance(character, Character):
            raise InputError(f"the character is {shown(character)}; gestik.load_character returns one")
        if solver not in SOLVERS:
            raise InputError(f"solver of a performer is {shown(solver)}; choose from {', '.join(SOLVERS)}")
        self.character, self.skeleton = character, character.skeleton
        self.rate = _read_rate("rate", character.motion.rate if rate is None else rate)
        self.patience = read_seconds("patience", patience)
        first = first_posture(character)
        begun = self.skeleton.clamp(first) if start is None else self.skeleton.check_angles(start)
        speeds = _usual_speeds(self.skeleton) if speed is None else np.asarray(speed, dtype=np.float64)
        pushes = speeds / SPEEDING_TIME if acceleration is None else np.asarray(acceleration, dtype=np.float64)
        self.filter = NuttyFilter(
            begun,
            self.rate,
            velocity=speeds,
            acceleration=pushes,
            jerk=pushes / PUSHING_TIME if jerk is None else jerk,
            smoothness=smoothness,
            responsiveness=responsiveness,
            lower=self.skeleton.lower,
            upper=self.skeleton.upper,
            mode=mode,
        )
        self._desk: InlineDesk | ThreadDesk | None = None
        if character.eye is not None:
            gaze = Gaze(self.skeleton, character.eye, np.array(np.broadcast_to(speeds, first.shape)), groups)
            period = 0.0 if solver_rate is None else 1.0 / _read_rate("solver_rate", solver_rate)
            self._desk = ThreadDesk(gaze) if solver == "thread" else InlineDesk(gaze, period)
        self._eye_row, self._eye_place = _eye(character)
        self._nearest = NEAREST * float(np.linalg.norm(self.skeleton.arrays.rest_position, axis=1).sum())

        self._bases: Mailbox[Base] = Mailbox()
        self._targets: Mailbox[Target] = Mailbox()
        self._layering = threading.Lock()
        self._layers: dict[str, tuple[Layer, float, float]] = {}
        self._packed = pack_layers(self.skeleton, [])
        self._base = self._before = still(first)
        self._target: Target | None = None
        self._weight = 0.0  # of the gaze now
        self._clock: float | None = None  # s, as the last tick was told
        self._time = 0.0  # s performed: without gaps, without the time the body was held
        self._alive = 0.0  # s since the first tick, without gaps
        self._owed = 0.0  # s the filter has yet to move on by
        self._held_base, self._held, self._nudge = np.array(first), np.array(first), np.zeros(2)
        self._set_point = np.array(begun)
        self._seen = np.zeros(6)  # where the eye is, and where it looks, in the last command
        self._look(begun, None)

    def posture(self, which: str | Posture | ArrayLike, seconds: float = 0.6, *, time: float | None = None) -> None:
        """Take a posture, by its name, as a Posture or as angles [dof], blending over `seconds`."""
        if isinstance(which, str):
            which = self.character.posture(which)
        given = which if isinstance(which, Posture) else Posture(which)
        angles = self.skeleton.check_angles(given.angles_for(self.skeleton))
        self._bases.put(still(angles, read_seconds("seconds", seconds)), read_stamp(time))

    def play(self, clip: str | Clip, *, loop: bool = False, seconds: float = 0.3, time: float | None = None) -> None:
        """Play a clip of the character, or another of its skeleton; at its end it stays, or begins anew."""
        given = self.character.clip(clip) if isinstance(clip, str) else clip
        if not isinstance(given, Clip):
            raise InputError(f"{shown(clip)} is no clip")
        if given.skeleton.dof_names != self.skeleton.dof_names:
            raise InputError(f"clip {given.name!r} is of {given.skeleton.name!r}, not of {self.skeleton.name!r}")
        self._bases.put(played(given, bool(loop), read_seconds("seconds", seconds)), read_stamp(time))

    def look_at(
        self,
        point: ArrayLike | None = None,
        *,
        along: ArrayLike | None = None,
        frame: str | None = None,
        weight: float = 1.0,
        fade: float = 0.4,
        time: float | None = None,
    ) -> None:
        """Look at a point [3, m], or along a direction [3].

        Args:
            point: In the world, or in `frame` as it stands in the last command.
            along: A direction instead of a point.
            frame: A frame of the skeleton; None: the world.
            weight: How much of the turn is made, 0 to 1.
            fade: How long the gaze takes to come from 0 to 1, or to go [s].
            time: When the target was seen, on the clock of the ticks [s]; a target with a time gets stale.
        """
        if self._desk is None:
            raise InputError(f"{self.character.name!r} has no eye to look with")
        if (point is None) == (along is None):
            raise InputError("look_at takes a point or along=direction, one of the two")
        place = read_direction(along) if along is not None else read_place("point", point if point is not None else ())
        if frame is not None:
            place = self._in_world(frame, place, is_point=along is None)
        try:
            share = checks.fraction(weight)
        except ValueError as fault:
            raise InputError(f"weight of a gaze {fault}") from fault
        stamp = read_stamp(time)
        self._targets.put(Target(along is None, frozen_floats(place), share, read_seconds("fade", fade), stamp), stamp)

    def look_away(self, fade: float = 0.4, *, time: float | None = None) -> None:
        """Let the gaze go; what remains is the posture."""
        nothing = Target(True, frozen_floats((0.0, 0.0, 0.0)), 0.0, read_seconds("fade", fade), ends=True)
        self._targets.put(nothing, read_stamp(time))

    def layer(self, name: str, layer: Layer | None = None, **settings: float) -> None:
        """Add a layer: "breathing", "sway" or "nod", with amplitude= [rad], tempo= [Hz] and seed=, or one of your own.

        One of the same name makes way for it.  Layers come and go softly; a nod ends by itself.
        """
        made = layer if layer is not None else make_layer(name, self.character, settings)
        with self._layering:
            now = self._time
            kept = {key: entry for key, entry in self._layers.items() if key != name and entry[2] > now}
            self._set_layers({**kept, name: (made, now, now + made.duration)})

    def remove_layer(self, name: str) -> None:
        """Let a layer go; where there is none of that name, nothing happens."""
        with self._layering:
            if name in self._layers:
                layer, begin, end = self._layers[name]
                self._set_layers({**self._layers, name: (layer, begin, min(end, self._time + layer.fade))})

    def tick(self, time: float | None = None) -> Record:
        """Move on to the moment `time` [s] and return what to send; None: one frame after the last.

        A clock that goes back moves nothing; after a gap the body goes on from where it was.
        """
        clock, passed = self._advance(time)
        self._read_wishes(clock)
        target = self._fade(clock, passed)
        answer = self._ask(target)
        held = answer is not None and self._alive - answer.time > WATCHDOG
        if not held:
            self._time += passed
            self._aim(answer)
        self._owed += passed
        for _ in range(int(self._owed * self.rate + 0.5)):
            self.filter.step(self._set_point)
            self._owed -= 1.0 / self.rate
        angles = self.filter.positions
        error = self._look(angles, target)
        errors = np.empty(0) if target is None else np.array([error])
        return Record(self.skeleton, clock, angles, self.filter.velocities, errors, self._weight, held)

    def close(self) -> None:
        """End the solver's thread, if there is one."""
        if self._desk is not None:
            self._desk.close()

    def _advance(self, time: float | None) -> tuple[float, float]:
        """The clock now, and how much of the time since the last tick counts [s]."""
        stamp, before = read_stamp(time), self._clock
        frame = 1.0 / self.rate
        if before is None:
            clock, passed = (0.0 if stamp is None else stamp), frame
        else:
            clock = before + frame if stamp is None else stamp
            passed = min(max(clock - before, 0.0), max(LONGEST_STEP, frame))
        self._clock = clock
        self._alive += passed
        return clock, passed

    def _read_wishes(self, clock: float) -> None:
        """Take what is wished for and due."""
        base = self._bases.take(clock)
        if base is not None:
            blending = self._base.share(self._time) < 1.0
            self._before = still(self._held_base) if blending else self._base
            self._base = base._replace(begin=self._time)
        target = self._targets.take(clock)
        if target is not None:
            if target.ends and self._target is not None:  # let go of what is looked at now
                target = self._target._replace(weight=0.0, fade=target.fade, stamp=None, ends=True)
            self._target = target

    def _fade(self, clock: float, passed: float) -> Target | None:
        """Bring the weight of the gaze on its way; the target there is, None when it has faded."""
        target = self._target
        if target is None:
            return None
        stale = target.stamp is not None and clock - target.stamp > self.patience
        eye = self._seen[:3]
        inside = target.is_point and float(np.abs(target.place - eye).max()) < self._nearest
        wanted = 0.0 if stale or inside else target.weight
        step = 1.0 if target.fade <= 0.0 else passed / target.fade
        self._weight += min(max(wanted - self._weight, -step), step)
        if self._weight <= 0.0 and target.ends:
            self._target = None
        return self._target

    def _ask(self, target: Target | None) -> Answer | None:
        """The newest pose that looks at the target, if there is any."""
        if self._desk is None:
            return None
        if target is None or self._weight <= 0.0:
            self._desk.forget()
            return None
        from gestik.motion.stages import nudge_target

        place = np.array(target.place)
        nudge_target(self._seen, target.is_point, self.skeleton.up, self._nudge, place)
        return self._desk.ask(Question(self._alive, target.is_point, place, self._held.copy(), self._set_point.copy()))

    def _aim(self, answer: Answer | None) -> None:
        """Draw the posture of this moment and turn it as the answer says; the result is where the filter goes to."""
        from gestik.motion.stages import draw_posture, settle

        skeleton, now, base, before = self.skeleton, self._time, self._base, self._before
        draw_posture(
            *skeleton.arrays,
            skeleton.ball_rows,
            skeleton.endless,
            before.times,
            before.angles,
            before.moment(now),
            base.times,
            base.angles,
            base.moment(now),
            base.share(now),
            *self._packed,
            now,
            self._held_base,
            self._held,
            self._nudge,
        )
        settle(
            *skeleton.arrays,
            *skeleton.limits,
            skeleton.ball_rows,
            skeleton.endless,
            skeleton.rest,
            self._held,
            self._held if answer is None else answer.posture,
            self._held if answer is None else answer.pose,
            self._weight,
            self.filter.positions,
            self._set_point,
        )

    def _look(self, angles: FloatArray, target: Target | None) -> float:
        """Note where the eye is with these angles; return how far it looks off the target [rad]."""
        from gestik.motion.stages import look

        place = self._seen[:3].copy() if target is None else target.place
        is_point = target is None or target.is_point
        return look(*self.skeleton.arrays, angles, self._eye_row, self._eye_place, place, is_point, self._seen)

    def _set_layers(self, layers: dict[str, tuple[Layer, float, float]]) -> None:
        """Pack the layers and let them be played from the next tick on."""
        self._packed = pack_layers(self.skeleton, list(layers.values()))
        self._layers = layers

    def _in_world(self, name: str, place: FloatArray, *, is_point: bool) -> FloatArray:
        """A place or direction in a frame of the body, as the last command puts it, in the world."""
        from gestik.kernels.quaternion import rotate

        frame = self.skeleton.forward(self.filter.positions).of(name)
        w, x, y, z = frame.rotation.tolist()
        turned = np.array(rotate((w, x, y, z), (float(place[0]), float(place[1]), float(place[2]))))
        return turned + frame.position if is_point else turned


def _read_rate(what: str, value: float) -> float:
    """Read a rate [Hz]."""
    try:
        return checks.positive(value)
    except ValueError as fault:
        raise InputError(f"{what} of a performer {fault}") from fault


def _usual_speeds(skeleton: Skeleton) -> FloatArray:
    """The speed of each degree of freedom, a usual one where its own is unknown."""
    return np.where(np.isfinite(skeleton.speed) & (skeleton.speed > 0.0), skeleton.speed, USUAL_SPEED)


def _eye(character: Character) -> tuple[int, FloatArray]:
    """The row the eye sits on, and its place and looking direction there [6]; without an eye, of the base."""
    if character.eye is None:
        return -1, frozen_floats((0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    frame = character.skeleton.frame(character.eye)
    from gestik.model.transforms import rotate

    looking = rotate(frame.rotation, frame.axis or (0.0, 0.0, 1.0))
    return frame.row, frozen_floats((*frame.position, *looking))
