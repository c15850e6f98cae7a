"""Coordinate descent: one joint after the other takes the angle that is best for it.

`ccd` goes from the tips to the base, `bwcd` from the base to the tips; nothing else is different, so they share

    problem.py   what the kernels read and trample on
    joint.py     `best_value`, the angle or slide that is best for one joint, in closed form, inside its limits
    sweep.py     `sweep_from_tip` and `sweep_from_base`: once over all joints; `descend`: until the goals are met
    entry.py     where Python enters
    bind.py      packs goals and options

A composite method takes `best_value`, the sweeps or `descend`, for goals of its own or for a part of its chain.
"""
