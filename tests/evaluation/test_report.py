"""The report says what the results say, and nothing that is not in them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

from gestik.errors import InputError
from gestik.evaluation.parts import write_part
from gestik.evaluation.plan import Plan, completed, keep_plan
from gestik.evaluation.published import POSTURE_WEIGHT, THRESHOLD
from gestik.evaluation.statistics import Measure, summarise
from gestik.evaluation.task import solve_numbers, with_half_turns
from gestik.evaluation.verdicts import downward, verdicts
from tests.reference.measures_twin import rotation_matrix

pytest.importorskip("pyarrow")


def swept(folder: Path, plan: Plan) -> Path:
    """A sweep's folder, filled without any cluster."""
    place = folder / plan.label
    kept = keep_plan(place, completed(plan))
    for task in range(kept.task_count):
        write_part(place, task, solve_numbers(kept, kept.numbers(task)))
    return place


def erik(letter: str, samples: int = 600) -> Plan:
    """ERIK on a few samples of a skeleton."""
    return Plan(letter, "erik", samples=samples, seed=2, task_size=250)


def test_a_summary_is_what_the_samples_say(tmp_path: Path) -> None:
    """Means, deviations, shares, groups and the worst, against NumPy over all samples at once."""
    place, plan = swept(tmp_path, erik("B")), erik("B")
    summary, raw = summarise(place), solve_numbers(plan, plan.drawn(np.arange(600)))
    combined = raw.orientation.astype(float) + POSTURE_WEIGHT * raw.posture.astype(float)
    assert summary.count == 600
    assert summary.finished
    for name, values in (("combined", combined), ("orientation", raw.orientation), ("shape", raw.shape)):
        measure = summary.measures[name]
        assert measure.mean == pytest.approx(values.mean(), rel=1e-5)
        assert measure.deviation == pytest.approx(values.std(), rel=1e-3)
        assert (measure.least, measure.most) == (values.min(), values.max())
        assert measure.histogram.sum() == 600
    assert summary.solved == np.count_nonzero(combined <= THRESHOLD)
    assert summary.worst[0] == (combined.max(), raw.number[combined.argmax()])
    turn = raw.number[0] % plan.grid.orientation_count
    same = raw.number % plan.grid.orientation_count == turn
    assert summary.by_orientation[turn] == pytest.approx(raw.orientation[same].mean(), abs=1e-6)
    assert np.isnan(summary.by_orientation).sum() == plan.grid.orientation_count - len(
        np.unique(raw.number % plan.grid.orientation_count)
    )
    half = summarise(place, lambda part: part.orientation <= np.median(raw.orientation))
    assert half.count == np.count_nonzero(raw.orientation <= np.median(raw.orientation))


def test_measures_of_nothing_are_no_numbers() -> None:
    """And raise no warning."""
    empty = Measure(1.0)
    empty.add(np.zeros(0))
    assert np.isnan([empty.mean, empty.deviation, empty.confidence]).all()


def test_verdicts_follow_the_numbers(tmp_path: Path) -> None:
    """Claims that hold for ERIK fail once the numbers say otherwise."""
    summaries = {letter: summarise(swept(tmp_path, erik(letter))) for letter in "ABCDEFG"}
    found = {verdict.claim[:1] + verdict.claim.split()[1]: verdict for verdict in verdicts(summaries, {})}
    assert len(found) == 5
    assert all("nan" not in verdict.grounds for verdict in found.values())
    assert verdicts({"A": summaries["A"]}, {})[0].holds
    swapped = {**summaries, "G": summaries["A"], "D": summaries["C"], "C": summaries["D"]}
    assert not any(verdict.holds for verdict in verdicts(swapped, {}) if verdict.claim[0] in "GD")
    assert verdicts({}, {}) == []


def test_downward_is_down() -> None:
    """Against matrices: the sine of how far the end's bone points below the horizon."""
    plan = erik("A")
    orientations = plan.grid.problems(np.arange(plan.grid.orientation_count)).orientations
    expected = -rotation_matrix(orientations)[:, 1, 1]
    found = downward(dataclasses.make_dataclass("Swept", ["plan"])(plan))
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_half_turns_leave_the_bone_and_choose_the_side() -> None:
    """Facing forward the end's +Z points down, facing backward up; the bone's direction stays."""
    orientations = np.random.default_rng(3).normal(size=(500, 4))
    orientations /= np.linalg.norm(orientations, axis=1, keepdims=True)
    before, after = rotation_matrix(orientations), rotation_matrix(with_half_turns(orientations))
    np.testing.assert_allclose(after[:, :, 1], before[:, :, 1], atol=1e-12)
    forward, up = after[:, 2, 1] > 1e-9, after[:, 1, 2] > 1e-9
    assert (up == ~forward).all()


def test_the_page_stands_alone_and_names_what_it_shows(tmp_path: Path) -> None:
    """Tables, verdicts, pictures inside the page, a command for every worst sample; nothing is fetched."""
    pytest.importorskip("matplotlib")
    from gestik.evaluation.report import write_report

    paired = {"samples": 300, "seed": 5, "task_size": 300, "one_sided": True, "half_turn": True}
    for plan in (
        erik("A"),
        Plan("C", "erik", samples=300, seed=5, task_size=300),
        Plan("C", "prioritised", {"max_iterations": 30, "hold": "shape"}, name="DLS30", **paired),
        Plan("C", "prioritised", {"max_iterations": 30, "hold": "nothing"}, name="DLS30_nopost", **paired),
    ):
        swept(tmp_path / "results", plan)
    write_report(tmp_path / "results", tmp_path / "page.html", gap_samples=20, pictures=tmp_path / "figures")
    page = (tmp_path / "page.html").read_text()
    assert not re.search(r'(src|href)="(?!data:)', page)
    for words in (
        "Table 8",
        "Table 9",
        "below the horizon",
        "DLS30_nopost",
        "kept",
        "--half-turn --number",
        "28,830,501",
    ):
        assert words in page, words
    assert len(list((tmp_path / "figures").glob("*.png"))) == page.count("<img")
    with pytest.raises(InputError, match="there is no sweep"):
        write_report(tmp_path / "nowhere", tmp_path / "page.html")
