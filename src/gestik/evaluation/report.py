"""A page of what sweeps came to, from their stored results alone: tables beside the paper's, figures, verdicts."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from gestik.evaluation import figures
from gestik.evaluation.gap import optimality_gap
from gestik.evaluation.parts import Results, read_parts
from gestik.evaluation.plan import read_plan
from gestik.evaluation.published import DROPPED_ABOVE, TABLE_8, TABLE_9, THRESHOLD
from gestik.evaluation.skeletons import LAYOUTS
from gestik.evaluation.statistics import Keep, Summary, find_sweeps, summarise
from gestik.evaluation.verdicts import verdicts

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;font-size:13px}td,th{padding:.25rem .7rem;text-align:right;
border-bottom:1px solid #ddd}td:first-child,th:first-child{text-align:left}img{max-width:100%}.yes{color:#2a7a3b}
.no{color:#b3362b}code{background:#f3f1ec;padding:.1rem .3rem}figure{display:inline-block;margin:.4rem}
h2{margin-top:2.2rem}"""


def write_report(folder: Path, file: Path, *, gap_samples: int = 2000, pictures: Path | None = None) -> None:
    """Write the page of all sweeps in a folder; with `pictures`, its figures as files too."""
    summaries = [summarise(place) for place in find_sweeps(folder)]
    erik = {s.plan.skeleton: s for s in summaries if s.plan.method == "erik" and s.plan.skeleton in LAYOUTS}
    dls = {s.name: s for s in summaries if s.plan.method == "prioritised" and s.plan.skeleton == "C"}
    page = _Page(pictures)
    page.write("<h1>How well methods aim and hold a posture</h1>")
    _introduce(page, summaries)
    _table_of_sweeps(page, summaries)
    _beside_the_paper(page, erik)
    if dls:
        _against_dls(page, folder, erik.get("C"), dls)
    _claims(page, erik, dls)
    _distributions(page, summaries, erik)
    if gap_samples > 0:
        _gaps(page, summaries, gap_samples)
    _worst(page, summaries)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page.text(), encoding="utf-8")


class _Page:
    """A page as it is written."""

    def __init__(self, pictures: Path | None) -> None:
        self._parts: list[str] = []
        self._pictures = pictures

    def write(self, text: str) -> None:
        """Add HTML."""
        self._parts.append(text)

    def table(self, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Add a table."""
        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in headings)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        self.write(f"<table><tr>{head}</tr>{body}</table>")

    def picture(self, name: str, png: bytes, caption: str) -> None:
        """Add a picture inside the page, and keep it as a file too where asked."""
        if self._pictures is not None:
            self._pictures.mkdir(parents=True, exist_ok=True)
            (self._pictures / f"{name}.png").write_bytes(png)
        source = base64.b64encode(png).decode()
        told = html.escape(caption)
        self.write(
            f'<figure><img alt="{told}" src="data:image/png;base64,{source}"><figcaption>{told}</figcaption></figure>'
        )

    def text(self) -> str:
        """The whole page."""
        return (
            '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>gestik: sweeps</title><style>{STYLE}</style><body>{''.join(self._parts)}</body></html>\n"
        )


def _introduce(page: _Page, summaries: Sequence[Summary]) -> None:
    """What was done, with what."""
    total = sum(summary.count for summary in summaries)
    made = {", ".join(f"{k} {v}" for k, v in sorted(s.plan.made_with.items())) for s in summaries}
    page.write(
        f"<p>{total:,} samples: a posture is held while the last joint takes an orientation, either side up. "
        "Errors are those of Ribeiro and Paiva (ERIK, eq. 19 to 22): combined is orientation plus 0.2 of posture. "
        "The shape error is the mean angle between corresponding bones after the best turn about the vertical. Grids: "
        f"{_grids(summaries)}. Nothing was tuned on them.</p><p>Made with {html.escape('; '.join(sorted(made)))}.</p>"
    )


def _grids(summaries: Sequence[Summary]) -> str:
    """The grids in words, each once."""
    told = {}
    for summary in summaries:
        grid = summary.plan.grid
        steps = "·".join(str(len(angles)) for angles in grid.postures if len(angles) > 1)
        turns = "·".join(str(len(angles)) for angles in grid.turns)
        told[summary.plan.skeleton] = f"{html.escape(summary.plan.skeleton)} {steps} postures by {turns} orientations"
    return ", ".join(told.values())


def _table_of_sweeps(page: _Page, summaries: Sequence[Summary]) -> None:
    """Everything that was swept."""
    page.write("<h2>All sweeps</h2>")
    rows = []
    for summary in summaries:
        combined, orientation, posture, shape = (
            summary.measures[k] for k in ("combined", "orientation", "posture", "shape")
        )
        rows.append(
            (
                html.escape(summary.plan.label) + ("" if summary.finished else " (unfinished)"),
                f"{summary.count:,}",
                f"{combined.mean:.6f} ± {combined.confidence:.6f}",
                f"{orientation.mean:.6f}",
                f"{posture.mean:.6f}",
                f"{shape.mean:.2f}°",
                f"{summary.solved / max(summary.count, 1):.1%}",
                f"{summary.limits_broken}",
                _microseconds(summary),
                _cost(summary),
            )
        )
    page.table(
        ("sweep", "samples", "combined, 95 %", "orientation", "weighted posture", "shape", f"<= {THRESHOLD}",
         "limits broken", "us a solve", "processor-days for 10^12"),
        rows,
    )  # fmt: skip


def _cost(summary: Summary) -> str:
    """What a million million solves would take, on processors like the one that was measured."""
    return f"{summary.timing['mean'] * 1e12 / 1e6 / 86400.0:,.0f}" if summary.timing else ""


def _beside_the_paper(page: _Page, erik: Mapping[str, Summary]) -> None:
    """Tables 8 and 9."""
    if not erik:
        return
    page.write(
        "<h2>Beside the paper's Table 8</h2><p>Its times are those of a cluster's processors, multiplied by 0.30 to "
        "0.72 to stand for one laptop processor (its Table 7); ours are of the machine named above, uncorrected.</p>"
    )
    rows = []
    for letter, summary in sorted(erik.items()):
        paper, ours = TABLE_8[letter], summary.iterations
        rows.append(
            (
                letter,
                f"{summary.plan.grid.posture_count:,} ({paper.postures:,})",
                f"{summary.count:,} ({paper.samples:,})",
                f"{ours.mean:.2f} ± {ours.deviation:.2f} ({paper.iterations[0]} ± {paper.iterations[1]})",
                f"{ours.most:.0f}",
                f"{_microseconds(summary)} us ({paper.milliseconds[0]:.0f} ± {paper.milliseconds[1]:.0f} ms)",
            )
        )
    page.table(("skeleton", "postures", "samples", "iterations", "most", "time a sample"), rows)
    if "C" in erik:
        page.write("<h2>Beside the paper's Table 9</h2>")
        measures = [erik["C"].measures[key] for key in ("combined", "orientation", "posture")]
        rows9 = [("erik, skeleton C", *(f"{m.mean:.6f} ± {m.deviation:.6f}" for m in measures))]
        rows9 += [(f"{name} in the paper", *(f"{mean:.6f}" for mean in means)) for name, means in TABLE_9.items()]
        page.table(("method", "combined", "orientation", "weighted posture"), rows9)


def _against_dls(page: _Page, folder: Path, erik: Summary | None, dls: Mapping[str, Summary]) -> None:
    """The comparators on C, all samples and those the paper would have kept."""
    page.write("<h2>Two-priority DLS on skeleton C</h2>")
    rows = [_dls_row(name, "all", summary) for name, summary in dls.items()]
    if erik is not None:
        rows.insert(0, _dls_row("erik", "all", erik))
    blind = {name: s for name, s in dls.items() if s.plan.options.get("hold") == "nothing"}
    everyone = ({"erik": erik} if erik else {}) | dict(dls)
    for name, summary in blind.items():
        page.write(
            f"<p>Kept: samples in which {html.escape(name)}, which holds no posture, has an orientation error of at "
            f"most {DROPPED_ABOVE:.2f}; the paper left the others out of its DLS results.</p>"
        )
        keep = _among(_kept_numbers(folder / summary.plan.label))
        rows += [_dls_row(other, "kept", summarise(folder / s.plan.label, keep)) for other, s in everyone.items()]
    page.table(("method", "samples of", "samples", "combined, 95 %", "orientation", "weighted posture", "us"), rows)


def _dls_row(name: str, which: str, summary: Summary) -> tuple[str, ...]:
    """One method on some samples."""
    combined, orientation, posture = (summary.measures[key] for key in ("combined", "orientation", "posture"))
    return (
        html.escape(name),
        which,
        f"{summary.count:,}",
        f"{combined.mean:.6f} ± {combined.confidence:.6f}",
        f"{orientation.mean:.6f}",
        f"{posture.mean:.6f}",
        _microseconds(summary),
    )


def _kept_numbers(folder: Path) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    """Numbers of samples whose orientation error is small enough, in order."""
    plan = read_plan(folder)
    kept = [part.number[part.orientation <= DROPPED_ABOVE] for part in read_parts(folder, plan.task_count)]
    return np.sort(np.concatenate(kept))


def _among(kept: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> Keep:
    """Samples whose number is among these."""

    def keep(part: Results) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        place = np.searchsorted(kept, part.number)
        return np.asarray(kept[np.minimum(place, len(kept) - 1)] == part.number)

    return keep


def _claims(page: _Page, erik: Mapping[str, Summary], dls: Mapping[str, Summary]) -> None:
    """What the paper concludes, and whether it is so here."""
    found = verdicts(erik, dls)
    if not found:
        return
    page.write("<h2>The paper's findings, held against these numbers</h2>")
    marks = {True: '<span class="yes">holds</span>', False: '<span class="no">does not hold</span>'}
    page.table(
        ("finding", "here", "because"), [(html.escape(v.claim), marks[v.holds], html.escape(v.grounds)) for v in found]
    )


def _distributions(page: _Page, summaries: Sequence[Summary], erik: Mapping[str, Summary]) -> None:
    """Histograms, normal plots, clouds."""
    page.write("<h2>Distributions</h2>")
    page.picture("histograms", figures.histograms(summaries), "Errors of all samples; dashed: 0.04, solid: the largest")
    if len(erik) > 1:
        page.picture("normals", figures.normals(erik), "Normal distributions of the same mean and deviation")
    page.write("<h2>Where the errors lie</h2>")
    for summary in summaries:
        label = summary.plan.label
        page.picture(f"clouds-{label}", figures.clouds(summary), label)


def _gaps(page: _Page, summaries: Sequence[Summary], count: int) -> None:
    """How much better the best answers are that poise finds."""
    page.write(
        f"<h2>How far from the best</h2><p>On {count:,} seeded samples, against the better of the method's own answer "
        "and poise's on the paper's measure with 300 starts.</p>"
    )
    rows = []
    for summary in summaries:
        gap = optimality_gap(summary.plan, count)
        rows.append(
            (html.escape(summary.plan.label), f"{gap.found:.6f}", f"{gap.best:.6f}", f"{gap.found - gap.best:.6f}")
        )
    page.table(("sweep", "combined", "best known", "gap"), rows)


def _worst(page: _Page, summaries: Sequence[Summary]) -> None:
    """The samples each sweep does worst on."""
    page.write(
        "<h2>The worst samples</h2><p>Grey: the posture; colour: the result; dotted: where the end should point.</p>"
    )
    for summary in summaries:
        plan = summary.plan
        page.write(f"<h3>{html.escape(plan.label)}</h3>")
        for error, number in summary.worst[:4]:
            picture = figures.sample_picture(summary, number)
            page.picture(f"worst-{plan.label}-{number}", picture, f"combined error {error:.3f}")
        command = f"{plan.command} --number {summary.worst[0][1]}"
        page.write(f"<p><code>{html.escape(command)}</code> solves the first of them again.</p>")


def _microseconds(summary: Summary) -> str:
    """Time of a solve, where it was measured."""
    timing = summary.timing
    return f"{timing['mean']:.2f} ± {timing['deviation']:.2f}" if timing else "not measured"
