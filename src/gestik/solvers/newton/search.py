"""Newton's global search: descents from places on a map of the limits, those that look best first."""

from __future__ import annotations

import math

import numpy as np

from gestik.goals.evaluate import TARGET, TWIN
from gestik.goals.kinds import AIM_AT_POINT, ORIENTATION_GOAL, POSITION_GOAL
from gestik.kernels.arrays import FloatArray
from gestik.kernels.chain import pose_chain
from gestik.kernels.chain_table import POSE_WIDTH, POSITION, ROTATION
from gestik.kernels.jit import borrowed, kernel, stage
from gestik.kernels.quaternion import inner, load4_at, rotate, store4_at
from gestik.kernels.vector import add, dot, load3_at, safe_normalise, store3_at, subtract
from gestik.solvers.newton.descent import descend, whole_cost
from gestik.solvers.newton.problem import (
    LOOKING,
    SQUARED_WEIGHT,
    TASK_JOINT,
    TASK_KIND,
    TOOL,
    Problem,
    Scratch,
    Tasks,
)

# What the map says of a goal's frame: where it is, how it is turned, where it looks.
PLACE, TURN, GAZE, SIGHT_WIDTH = 0, 3, 7, 10

NEARLY = 0.125  # of a squared weight: half a squared error of 0.5 m or rad
NEARBY = 0.5  # rad or m, as far as a joint goes while that will do
SAME = 1e-3  # of the cost: two minima closer than this are one
SURE = 10  # times that the least one is found again: there is none below it
NUDGE = 0.1  # rad or m, away from a limit


@stage
def survey(problem: Problem, places: FloatArray) -> None:
    """Write where the frames of all goals are at each place of the map, behind its angles."""
    own_pose = np.empty((len(problem.chain.codes), POSE_WIDTH))
    codes, table, pose = problem.tasks.codes, problem.tasks.table, borrowed(own_pose)
    size = problem.chain.limits.shape[1]
    for number in range(len(places)):
        pose_chain(problem.chain, places[number, :size], pose)
        seen = places[number, size:].reshape((len(codes), SIGHT_WIDTH))
        for task in range(len(codes)):
            joint = codes[task, TASK_JOINT]
            rotation = load4_at(pose, joint, ROTATION)
            place = add(load3_at(pose, joint, POSITION), rotate(rotation, load3_at(table, task, TOOL)))
            store3_at(seen, task, PLACE, place)
            store4_at(seen, task, TURN, rotation)
            store3_at(seen, task, GAZE, rotate(rotation, load3_at(table, task, LOOKING)))
    if len(places) < 0:
        own_pose[0, 0] = 0.0  # keeps the owner of lent memory alive until here


@kernel
def judge_places(tasks: Tasks, targets: FloatArray, size: int, places: FloatArray, costs: FloatArray) -> None:
    """Write what each place of the map, of `size` angles, would cost, about."""
    codes, table = tasks.codes, tasks.table
    for number in range(len(places)):
        seen, cost = places[number, size:].reshape((len(codes), SIGHT_WIDTH)), 0.0
        for task in range(len(codes)):
            kind, weight = codes[task, TASK_KIND], table[task, SQUARED_WEIGHT]
            if kind == ORIENTATION_GOAL:
                turn = load4_at(seen, task, TURN)
                wanted, twin = load4_at(targets, task, TARGET), load4_at(targets, task, TWIN)
                near = max(abs(inner(wanted, turn)), abs(inner(twin, turn)))
                cost += weight * 4.0 * (1.0 - near)
                continue
            place = load3_at(targets, task, TARGET)
            if kind == POSITION_GOAL:
                way = subtract(place, load3_at(seen, task, PLACE))
                cost += weight * 0.5 * dot(way, way)
                continue
            if kind == AIM_AT_POINT:
                place = safe_normalise(subtract(place, load3_at(seen, task, PLACE)))
            cost += weight * (1.0 - dot(place, load3_at(seen, task, GAZE)))
        costs[number] = cost


@kernel
def take_least(costs: FloatArray) -> int:
    """The number of the least cost, which is struck out."""
    least = 0
    for k in range(1, len(costs)):
        if costs[k] < costs[least]:
            least = k
    costs[least] = math.inf
    return least


@kernel
def descend_nearby(
    problem: Problem, q: FloatArray, box: FloatArray, worth: float, scratch: Scratch
) -> tuple[float, float, int]:
    """Improve q [dof]; where its goals are nearly met, no joint goes far as long as that will do.

    Near a singular pose the straight way leads round by another bend; a pose that follows a target must not.
    """
    limits, size = problem.chain.limits, len(q)
    here = whole_cost(problem, q, scratch)
    if here[0] > NEARLY * problem.tasks.table[0, SQUARED_WEIGHT]:
        return descend(problem, q, limits, worth, here, scratch)
    for i in range(size):
        box[0, i], box[1, i] = max(limits[0, i], q[i] - NEARBY), min(limits[1, i], q[i] + NEARBY)
    cost, worst, steps = descend(problem, q, box, worth, here, scratch)
    if worst <= 1.0:
        return cost, worst, steps
    # A bend that leads beyond a limit may do as well the other way.
    pressed = False
    for i in range(size):
        if q[i] <= limits[0, i] or q[i] >= limits[1, i]:
            pressed = True
            q[i] = min(limits[1, i], max(limits[0, i], q[i] + (NUDGE if q[i] <= limits[0, i] else -NUDGE)))
    if pressed:
        cost, worst, taken = descend(problem, q, box, worth, whole_cost(problem, q, scratch), scratch)
        steps += taken
        if worst <= 1.0:
            return cost, worst, steps
    cost, worst, taken = descend(problem, q, limits, worth, whole_cost(problem, q, scratch), scratch)
    return cost, worst, steps + taken


@kernel
def search(
    problem: Problem,
    places: FloatArray,
    q: FloatArray,
    best: FloatArray,
    box: FloatArray,
    costs: FloatArray,
    worth: float,
    scratch: Scratch,
) -> tuple[float, int]:
    """Improve q [dof], and while goals are not met, begin again elsewhere; returns the least cost and all steps."""
    limits = problem.chain.limits
    cost, worst, steps = descend_nearby(problem, q, box, worth, scratch)
    if worst <= 1.0 or problem.restarts == 0:
        return cost, steps
    for i in range(len(q)):
        best[i] = q[i]
    judge_places(problem.tasks, scratch.targets, len(q), places, costs)
    again = 0
    for _ in range(min(problem.restarts, len(places))):
        place = take_least(costs)
        for i in range(len(q)):
            q[i] = places[place, i]
        there, worst, taken = descend(problem, q, limits, worth, whole_cost(problem, q, scratch), scratch)
        steps += taken
        again += abs(there - cost) <= SAME * cost
        if there < cost or worst <= 1.0:
            if there < (1.0 - SAME) * cost:
                again = 0
            cost = there
            for i in range(len(q)):
                best[i] = q[i]
        if worst <= 1.0 or again == SURE:
            break
    for i in range(len(q)):
        q[i] = best[i]
    return cost, steps
