"""Poise on any serial chain: a few structured and quasi-random starts, a few steps each, the best ones polished."""

from __future__ import annotations

import math

from gestik.kernels.arrays import FloatArray
from gestik.kernels.chain import DOF
from gestik.kernels.jit import kernel
from gestik.solvers.poise.descent import descend
from gestik.solvers.poise.problem import Problem, Scratch, Wanted
from gestik.solvers.poise.starts import face_target, nearest_turn, roll_tip


@kernel
def fill_start(problem: Problem, wanted: Wanted, number: int, q: FloatArray, pose: FloatArray, heads: int) -> None:
    """Write start `number` into q: 0 the posture, 1 its turned twin, then the quasi-random ones; all facing the target."""
    chain = problem.chain
    limits = chain.limits
    for i in range(len(q)):
        drawn = wanted.angles[i] if number < heads else problem.starts[number - heads, i]
        q[i] = min(limits[1, i], max(limits[0, i], drawn))
    face_target(problem, wanted, q, pose)
    if 0 < number < heads:
        dof = chain.codes[0, DOF]
        off = 2*math.pi*number/heads
        turned = q[dof] - off if q[dof] > 0.0 else q[dof] + off
        q[dof] = nearest_turn(turned, 0.0, limits[0, dof], limits[1, dof])
    roll_tip(problem, wanted, q, pose)
    for i in range(len(q)):
        # Straight joints are saddles of the measures: begin a little to one side.
        if abs(q[i]) < 1e-3 and limits[1, i] > 1e-3:
            q[i] = 1e-3


@kernel
def search(
    problem: Problem,
    wanted: Wanted,
    best: FloatArray,
    pool: FloatArray,
    costs: FloatArray,
    scratch: Scratch,
    par: FloatArray,
) -> float:
    """Find the angles of least cost; `best` [dof] is overwritten, pool [start, dof] and costs [start] are scratch."""
    limits = problem.chain.limits
    count = int(par[8])
    for number in range(count):
        fill_start(problem, wanted, number, pool[number], scratch.pose, int(par[9]))
        costs[number] = descend(problem, wanted, pool[number], limits, int(par[0]), par[4], par[6], scratch)
    least = math.inf
    k2=int(par[1])
    for i in range(k2):
        c=i
        for number in range(i,count):
            if costs[number]<costs[c]: c=number
        for d in range(len(best)):
            t=pool[i,d]; pool[i,d]=pool[c,d]; pool[c,d]=t
        t=costs[i]; costs[i]=costs[c]; costs[c]=t
        costs[i]=descend(problem, wanted, pool[i], limits, int(par[2]), par[5], par[7], scratch)
    c=0
    for i in range(k2):
        if costs[i]<costs[c]: c=i
    best[:]=pool[c]
    return descend(problem, wanted, best, limits, int(par[3]), 1e-5, .3, scratch)
