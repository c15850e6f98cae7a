"""Everything that can be asked of a frame, most of it beside a posture to hold.

python examples/03_every_goal.py
"""

from __future__ import annotations

import gestik as gk

lamp = gk.load_character("lamp")
body = lamp.skeleton
proud = lamp.posture("proud")

POINT = (0.6, 0.2, 0.4)  # m

# A pose the lamp can take lends the goals targets that can be reached.
model = gk.solve(body, [gk.Aim("eye", at=POINT), lamp.posture("playful")])
head, neck = body.forward(model.angles).of("head"), body.forward(model.angles).of("neck")
w, x, y, z = head.rotation
other_way_up = (-z, y, -x, w)  # half a turn about the head's own z axis first
proud_points = body.forward(proud.angles_for(body)).positions  # m, one for each joint

wishes = {
    "bring the head to a place": [gk.Position("head", head.position), proud],
    "turn the head to a rotation": [gk.Orientation("head", head.rotation), proud],
    "the same, either side will do": [gk.Orientation("head", other_way_up, symmetric=True), proud],
    "look at a point": [gk.Aim("eye", at=POINT), proud],
    "look along a direction": [gk.Aim("eye", along=(1.0, -1.0, 0.3)), proud],
    "look, and stand in a place": [gk.Aim("eye", at=POINT), gk.Position("neck", neck.position)],
    "hold a posture drawn as points": [gk.Aim("eye", at=POINT), gk.Posture(positions=proud_points)],
    "out of reach, come close": [gk.Position("head", (0.5, 0.0, 0.2)), proud],
}

for wish, goals in wishes.items():
    solution = gk.solve(body, goals)
    shape = gk.metrics.shape_error(body, solution.angles, proud, "eye")
    print(f"{wish:32}{solution.status:9}{shape:6.1f} degrees from proud   {solution.explain()}")
