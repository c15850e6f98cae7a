"""The contract every method keeps, whatever it does inside; each one on all it says it can take."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gestik as gk
from gestik.kernels.arrays import FloatArray
from gestik.model.freezing import frozen_floats
from gestik.solvers.methods import SOLVERS
from gestik.solvers.spec import Capability
from tests.reference.tasks_twin import missing
from tests.solvers.specimens import BODIES, Case, arm, cases

DOCS = Path(__file__).parents[2] / "docs" / "methods"
SEED = 20

local = [name for name, spec in SOLVERS.items() if Capability.GLOBAL not in spec.capabilities]
iterating = [name for name in local if "max_iterations" in {option.name for option in SOLVERS[name].options}]
limited = [name for name, spec in SOLVERS.items() if Capability.LIMITS in spec.capabilities]


@cache
def cases_of(method: str) -> list[Case]:
    """The cases a method takes: at least one."""
    found = cases(method)
    assert found, f"{method} takes none of the cases; add one that it is made for"
    return found


def inside(body: gk.Skeleton, angles: FloatArray) -> bool:
    """Whether angles keep every limit."""
    return not body.limit_excess(angles)


def recomputed(body: gk.Skeleton, angles: FloatArray, goals: list[object]) -> FloatArray:
    """The errors of goals by matrices, without slack."""
    return np.array([np.linalg.norm(missing(body, angles, goal)) for goal in goals])


def near(body: gk.Skeleton, angles: FloatArray) -> FloatArray:
    """A start next to a pose, inside the limits."""
    return np.asarray(body.clamp(angles + 0.1 * np.random.default_rng(SEED).normal(size=len(angles))))


@pytest.mark.parametrize("method", SOLVERS)
def test_the_same_problem_has_the_same_answer_bit_for_bit_and_starts_stay_as_they_are(method: str) -> None:
    """No hidden state, no random numbers, and nothing given is written to."""
    for case in cases_of(method):
        goals, start = case.goals(case.body, case.angles), near(case.body, case.angles)
        kept = start.copy()
        prepared = gk.prepare(case.body, goals, method)
        first, second = prepared.solve(start=start), prepared.solve(start=start)
        again = gk.solve(case.body, goals, method, start=start)
        np.testing.assert_array_equal(start, kept)
        for other in (second, again):
            np.testing.assert_array_equal(first.angles, other.angles, err_msg=case.name)
            np.testing.assert_array_equal(first.errors, other.errors)
            assert first.iterations == other.iterations


@pytest.mark.parametrize("method", SOLVERS)
def test_errors_are_those_of_forward_kinematics_and_reached_means_it(method: str) -> None:
    """What is reported is recomputed with matrices, for targets that can and that cannot be met."""
    for case in cases_of(method):
        goals = case.goals(case.body, case.angles)
        for start in (near(case.body, case.angles), case.body.rest):
            solution = gk.solve(case.body, goals, method, start=start)
            errors = recomputed(case.body, solution.angles, goals)
            np.testing.assert_allclose(solution.errors, errors, atol=2e-7, err_msg=case.name)
            tolerances = np.array([goal.tolerance for goal in goals])
            assert solution.reached == bool((solution.errors <= tolerances).all())
            assert (solution.status == "reached") == solution.reached
            assert solution.explain()


@pytest.mark.parametrize("method", SOLVERS)
def test_next_to_a_pose_that_meets_the_goals_they_are_met(method: str) -> None:
    """A start a tenth of a radian away: any method that takes the case can do that."""
    for case in cases_of(method):
        solution = gk.solve(case.body, case.goals(case.body, case.angles), method, start=near(case.body, case.angles))
        assert solution.reached, f"{case.name}: {solution.explain()}"


@pytest.mark.parametrize("method", limited)
def test_answers_keep_every_limit_wherever_they_start(method: str) -> None:
    """Starts on, next to and far beyond the limits; targets inside and out of reach."""
    rng = np.random.default_rng(SEED)
    for case in cases_of(method):
        prepared = gk.prepare(case.body, case.goals(case.body, case.angles), method)
        lower, upper = np.maximum(case.body.lower, -9.0), np.minimum(case.body.upper, 9.0)
        for start in (lower, upper, lower - 0.01, upper + 5.0, rng.uniform(lower, upper)):
            solution = prepared.solve(start=start)
            assert inside(case.body, solution.angles), case.name
            assert np.isfinite(solution.errors).all()


@pytest.mark.parametrize("method", iterating)
def test_at_the_target_nothing_is_done(method: str) -> None:
    """Zero iterations, and the angles of the start."""
    for case in cases_of(method):
        solution = gk.solve(case.body, case.goals(case.body, case.angles), method, start=case.angles)
        assert solution.iterations == 0, case.name
        np.testing.assert_allclose(solution.angles, case.angles, atol=1e-12)
        assert solution.reached


@pytest.mark.parametrize("method", SOLVERS)
def test_out_of_reach_is_said_and_answers_stay_finite(method: str) -> None:
    """Ten metres away, a thousand kilometres away, and inside the root."""
    for case in cases_of(method):
        goals = case.goals(case.body, case.angles)
        if not any(isinstance(goal, gk.Position) for goal in goals):
            continue
        rest = case.body.rest
        for far in (10.0, 1e6):
            asked = [
                gk.Position("hand", (far, 0.3 * far, -0.2 * far)),
                *(g for g in goals if not isinstance(g, gk.Position)),
            ]
            solution = gk.solve(case.body, asked, method, start=rest)
            assert solution.status == "out of reach", case.name
            assert "out of reach" in solution.explain()
            assert np.isfinite(solution.angles).all()
            if method in local:
                before = recomputed(case.body, case.body.clamp(rest), asked)
                weights = np.array([goal.weight for goal in asked])
                assert np.linalg.norm(weights * solution.errors) <= np.linalg.norm(weights * before) * (1.0 + 1e-9)


@pytest.mark.parametrize("method", local)
def test_a_point_out_of_reach_is_approached_by_the_straight_body(method: str) -> None:
    """Beyond the arm's length the hand comes within a fiftieth of a metre of the nearest point it can be at.

    Without damping a step next to straight is too long by nature; the best of all steps still comes near.
    """
    allowed = 0.1 if method == "pseudoinverse" else 0.02
    for case in cases_of(method):
        if case.name not in {"arm, place", "limb, place", "ball limb, place"}:
            continue
        straight = case.body.forward(near(case.body, np.zeros(case.body.dof_count))).of("hand").position
        root = case.body.forward(case.body.rest).positions[1]
        reach = np.linalg.norm(case.body.forward(np.zeros(case.body.dof_count)).of("hand").position - root)
        point = root + 1.5 * reach * (straight - root) / np.linalg.norm(straight - root)
        solution = gk.solve(case.body, gk.Position("hand", point), method, start=near(case.body, case.angles))
        assert solution.errors[0] <= 0.5 * reach + allowed, (case.name, solution.explain())


@pytest.mark.parametrize("method", SOLVERS)
def test_degenerate_bodies_and_targets_give_finite_answers(method: str) -> None:
    """A bone of no length, a target on the root, a straight chain with its target on its line."""
    for bones in ((0.4, 0.3, 0.2), (0.4, 0.0, 0.2), (0.0, 0.0, 0.0), (0.3, 0.3, 0.0)):
        body = arm(bones=bones)
        for goal in (
            gk.Position("hand", (0.0, 0.1, 0.0)),
            gk.Position("hand", (0.0, 0.4, 0.0)),
            gk.Position("hand", (0.0, 0.0, 0.0)),
            gk.Aim("hand", at=(0.0, 0.3, 0.0)),
            gk.Orientation("hand", (0.0, 0.0, 0.0, 1.0)),
        ):
            try:
                solution = gk.solve(body, goal, method, start=np.zeros(4))
            except gk.CapabilityError:
                continue
            assert np.isfinite(solution.angles).all()
            assert np.isfinite(solution.errors).all()
            if method in limited:
                assert inside(body, solution.angles)


@pytest.mark.parametrize("method", SOLVERS)
def test_the_world_may_be_moved_and_turned_about_the_vertical(method: str) -> None:
    """The same problem somewhere else has the same angles."""
    turned = np.array([np.cos(0.6), 0.0, np.sin(0.6), 0.0])
    for case in cases_of(method):
        body_name = case.name.split(",")[0]
        moved = BODIES[body_name][0](((0.5, -0.2, 0.8), tuple(turned.tolist())))
        start = near(case.body, case.angles)
        here = gk.solve(case.body, case.goals(case.body, case.angles), method, start=start)
        there = gk.solve(moved, case.goals(moved, case.angles), method, start=start)
        assert here.reached == there.reached
        np.testing.assert_allclose(here.angles, there.angles, atol=1e-5, err_msg=case.name)


@pytest.mark.parametrize("method", SOLVERS)
def test_a_batch_is_the_loop_bit_for_bit_on_any_number_of_threads(method: str) -> None:
    """Two hundred targets, one start and many."""
    rng = np.random.default_rng(SEED)
    case = cases_of(method)[0]
    lower, upper = np.maximum(case.body.lower, -3.0), np.minimum(case.body.upper, 3.0)
    poses = rng.uniform(lower, upper, size=(200, case.body.dof_count))
    single = [case.goals(case.body, pose) for pose in poses]
    batch = [_stacked([goals[k] for goals in single]) for k in range(len(single[0]))]
    starts = rng.uniform(lower, upper, size=poses.shape)
    for start in (starts[0], starts):
        one = gk.solve_batch(case.body, batch, method, start=start, threads=1)
        two = gk.solve_batch(case.body, batch, method, start=start, threads=2)
        np.testing.assert_array_equal(one.angles, two.angles)
        np.testing.assert_array_equal(one.iterations, two.iterations)
        for k in (0, 1, 57, 199):
            alone = gk.solve(case.body, single[k], method, start=start if start.ndim == 1 else start[k])
            np.testing.assert_array_equal(one.angles[k], alone.angles)
            np.testing.assert_array_equal(one.errors[k], alone.errors)
            assert one[k].status == alone.status == one.status[k]


def _stacked(goals: list[object]) -> object:
    """One goal with many targets."""
    first = goals[0]
    targets = np.array([goal.target for goal in goals])
    if isinstance(first, gk.Position):
        return gk.Position(first.frame, targets)
    return (
        gk.Orientation(first.frame, targets) if isinstance(first, gk.Orientation) else gk.Aim(first.frame, at=targets)
    )


@pytest.mark.parametrize("method", SOLVERS)
def test_what_is_no_number_is_refused_and_named(method: str) -> None:
    """NaN and infinity in targets, starts and options; wrong shapes; options that are none."""
    case = cases_of(method)[0]
    goals = case.goals(case.body, case.angles)
    prepared = gk.prepare(case.body, goals, method)
    for bad in (np.nan, np.inf):
        with pytest.raises(gk.InputError, match=r"nan|inf"):
            prepared.solve(np.full(len(goals[0].target), bad))
        with pytest.raises(gk.InputError, match=r"nan|inf"):
            prepared.solve(start=np.full(case.body.dof_count, bad))
    with pytest.raises(gk.InputError, match="numbers"):
        prepared.solve(np.zeros(7))
    with pytest.raises(gk.InputError, match="shape"):
        prepared.solve(start=np.zeros(case.body.dof_count + 1))
    with pytest.raises(gk.NameNotFoundError, match="option"):
        gk.prepare(case.body, goals, method, no_such_option=1)


@pytest.mark.parametrize("method", SOLVERS)
def test_options_are_declared_once_and_checked(method: str) -> None:
    """Each with a help, its default in its range; what lies outside is refused with the range."""
    case = cases_of(method)[0]
    goals = case.goals(case.body, case.angles)
    for option in SOLVERS[method].options:
        assert option.help
        assert option.read(option.default) == option.default
        # A text that is neither a number, nor a choice, nor the name of anything.
        with pytest.raises(gk.GestikError):
            gk.prepare(case.body, goals, method, **{option.name: "no such thing"})
        if option.choices:
            for choice in option.choices:
                gk.prepare(case.body, goals, method, **{option.name: choice})
            continue
        for bad in (option.lowest - 1.0, option.highest + 1.0, np.nan):
            with pytest.raises(gk.InputError, match=option.name):
                gk.prepare(case.body, goals, method, **{option.name: bad})


@pytest.mark.parametrize("method", SOLVERS)
def test_a_method_says_where_it_comes_from_and_has_its_page(method: str) -> None:
    """Name, summary, citation, and a page of that name."""
    spec = SOLVERS[method]
    assert spec.name == method
    assert spec.summary
    assert spec.citation
    page = DOCS / f"{method}.md"
    assert page.exists(), f"docs/methods/{method}.md is missing"
    assert page.read_text(encoding="utf-8").startswith(f"# {method}\n")


@pytest.mark.parametrize("method", [name for name in SOLVERS if Capability.FOLLOWS in SOLVERS[name].capabilities])
def test_who_follows_stays_in_the_box(method: str) -> None:
    """However small the box; one of no size keeps the angles and tells their errors."""
    for case in cases_of(method):
        goals = case.goals(case.body, case.angles)
        prepared = gk.prepare(case.body, goals, method)
        start = near(case.body, case.angles)[None, :]
        rows = prepared.pack_rows()
        for room in (0.0, 0.01, 0.1):
            low = np.clip(start - room, case.body.lower, case.body.upper)
            high = np.clip(start + room, case.body.lower, case.body.upper)
            filled = prepared.follow_rows(rows, *map(frozen_floats, (start, low, high)))
            assert (filled.angles >= low).all()
            assert (filled.angles <= high).all()
            np.testing.assert_allclose(
                filled.errors[0], recomputed(case.body, filled.angles[0], goals), atol=2e-7, err_msg=case.name
            )


@pytest.mark.parametrize("method", [name for name in SOLVERS if Capability.JOINT_MASK in SOLVERS[name].capabilities])
def test_joints_that_may_not_move_do_not(method: str) -> None:
    """The first one stays where the start has it, to the last bit."""
    for case in cases_of(method):
        start = near(case.body, case.angles)
        names = case.body.dof_names[1:]
        solution = gk.solve(case.body, case.goals(case.body, case.angles), method, start=start, joints=names)
        assert solution.angles[0] == start[0], case.name
        assert inside(case.body, solution.angles)


def test_no_public_call_compiles_an_entry_anew() -> None:
    """Once a single problem is solved, batches, other starts and masks run what is there: one kind of arrays."""
    numba = pytest.importorskip("numba")
    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is compiled")
    from gestik.solvers.stepping.entry import solve_rows

    body, goal = arm(), gk.Position("hand", (0.2, 0.3, 0.1))
    many = gk.Position("hand", np.tile(goal.point, (200, 1)))
    gk.solve(body, goal, "dls")
    before = len(solve_rows.signatures)
    gk.solve(body, goal, "dls", start=np.zeros(4))
    gk.solve(body, [goal, gk.Posture(body.rest)], "sdls", joints="elbow")
    gk.solve_batch(body, many, "dls", start=np.zeros((200, 4)), threads=2)
    gk.solve_batch(body, many, "dls", start=np.zeros(4), joints=["yaw", "elbow"])
    gk.Tracker(gk.prepare(body, goal, "dls")).step(time=0.0)
    assert len(solve_rows.signatures) == before
