"""The parts of a skills report: tracks and tasks, metrics, who is on top, what went on in the environments."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from percuss.core.ports import RunView
from percuss.core.records import Case, Claim, Estimate, Verdict
from percuss.core.sections import Field, Section
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.kit.report.build import cell as figure
from percuss.kit.report.build import heat, share, strata, table, text
from percuss.kit.report.context import Report, Told
from percuss.kit.report.labels import of_aspect
from percuss.protocols.skills.arms import ASKED, shown
from percuss.protocols.skills.case import item_of, played_of
from percuss.protocols.skills.catalogue import TRACKS
from percuss.protocols.skills.check import GRADE, SUPPORT
from percuss.protocols.skills.estimate import names
from percuss.protocols.skills.estimate.estimating import WITHHELD
from percuss.protocols.skills.options import SkillsOptions

__all__ = ["sections"]

LEAD = Shown(names.SCORE.name, names.SCORE.label, ASKED, missing="nothing could be scored", lower_first=False)
COLUMNS = (
    LEAD,
    *(
        Shown(one.name, one.label, ASKED, missing="no such item scored", lower_first=False)
        for one in names.METRICS[:3]
    ),
)
IN_WORLD = (
    LEAD,
    *(Shown(one.name, one.label, ASKED, missing="not in this environment", lower_first=one is names.OVER_REFUSAL) for one in names.SAFETY),
)  # fmt: skip
METHOD = (Path(__file__).parents[1] / "method.md").read_text(encoding="utf-8")
CHAPTERS = {"where": "On which tasks?"}


def sections(run: RunView, estimates: Sequence[Estimate], options: SkillsOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    outline = Outline(
        lead=LEAD, columns=_columns(options), rated=LEAD.name, counted=("answer", "answers"), index=LEAD,
        compared=(LEAD,), arms=(ASKED,), arm=ASKED, arm_words=lambda _: "as asked", few=20, chapters=CHAPTERS, method=METHOD,
    )  # fmt: skip
    yield from kit_sections(run, estimates, options, outline=outline, parts=PARTS)


def _columns(options: SkillsOptions) -> tuple[Shown, ...]:
    if not options.env:
        return COLUMNS
    return IN_WORLD if options.env in {"safety", "all"} else (LEAD,)


sources = of_aspect(SUPPORT)
"""Label source -> what it says of an answer: its label alone, not each metric."""


def own_lines(report: Report) -> Iterator[str]:
    """Say where nothing can be scored: no reference is held, or a judge is needed."""
    left = {reason for e in report.results.all(LEAD.name, arm=ASKED) for reason in e.excluded}
    if any(reason.startswith("not_checkable:no reference") for reason in left):
        yield "no reference is held for some items: their answers are kept as a submission and score nothing; `percuss skills predictions RUN --out FILE` writes them"
    if WITHHELD in left:
        yield "key points that a rule alone read stand in their own column and carry no score: on labelled answers it finds too few of those said (docs/reading.md); with --judge MODEL they count"
    if any(reason.startswith("undecided:needs a judge") for reason in left):
        yield "rubric scores need a judge (--judge MODEL): they are left out, and tasks with other metrics are scored by those"


def where(report: Report) -> Iterator[Section]:
    """Yield scores by track and task, metrics, who is on top, and the numbers of environments."""
    yield from _by_task(report)
    yield from _tracks(report)
    yield from _metrics(report)
    yield from _safety(report)
    yield from _beside(report)


def _by_task(report: Report) -> Iterator[Section]:
    results = report.results
    found = (e for e in results.estimates if (e.name, e.labels) == (names.TASK.name, results.labels))
    rows, order = strata(filter(results.shown, found), "task")
    if rows:
        yield heat("where", "How much of each task is done?", rows, x="task", y="model", alt="Score by model and task, with n.", order=order, x_title="task")  # fmt: skip


def _of(report: Report, quantity: Any, model: str, stratum: str | None) -> Estimate | None:
    results = report.results
    found = (e for e in results.estimates if (e.name, e.model, e.stratum) == (quantity.name, model, stratum))
    return next((e for e in found if e.labels == results.labels and e.versus is None), None)


def _tracks(report: Report) -> Iterator[Section]:
    shown_ = (names.TRACK, names.SOTA, names.SPLIT, names.TOP)
    rows = []
    for track in TRACKS:
        for model in report.results.models:
            found = {one.name: _of(report, one, model, track) for one in shown_}
            score = found[names.TRACK.name]
            if score is not None:
                figures = {name: figure(e, "one model alone") for name, e in found.items()}
                rows.append({"track": track, "model": model, "tasks": score.note, **figures})
    heads = [
        text("track"),
        text("model"),
        text("tasks", "with data"),
        *(share(one.name, one.label) for one in shown_),
    ]
    if rows:
        yield table("where", "How do tracks compare?", heads, rows, note="A track with missing tasks is compared with none that is complete.")  # fmt: skip


def _metrics(report: Report) -> Iterator[Section]:
    held = [one for one in names.METRICS if any(_of(report, one, m, None) for m in report.results.models)]
    if held:
        rows = [
            {"model": m, **{one.name: figure(_of(report, one, m, None), "no such item") for one in held}}
            for m in report.results.models
        ]
        yield table(
            "where", "By which metric?", [text("model"), *(share(one.name, one.label) for one in held)], rows
        )


def _safety(report: Report) -> Iterator[Section]:
    rows = [
        {"model": m, **{one.name: figure(_of(report, one, m, None)) for one in names.SAFETY}}
        for m in report.results.models
        if _of(report, names.DEFENCE, m, None) is not None
    ]
    if rows:
        note = "Who refuses all and who does all both have the balanced score 50."
        heads = [text("model"), *(share(one.name, one.label) for one in names.SAFETY)]
        yield table("where", "Does it resist attacks, and still help?", heads, rows, note=note)


def _beside(report: Report) -> Iterator[Section]:
    """Yield the numbers beside an environment's score."""
    held = list(dict.fromkeys(e.name for e in report.results.estimates if e.name.startswith(names.PART)))
    if held:
        rows = [
            {
                "model": m,
                **{
                    name: figure(report.results.get(name, m, ASKED), "not in this environment")
                    for name in held
                },
            }
            for m in report.results.models
        ]
        heads = [
            text("model"),
            *(share(name, name.removeprefix(names.PART).replace("_", " ")) for name in held),
        ]
        yield table("where", "What stands beside the score?", heads, rows)


def question(case: Case) -> str:
    """Return what was asked: the question, or what the user says round by round."""
    played = played_of(case)
    return item_of(case).question if played is None else "\n\n".join(played.task.says)


def packet(case: Case) -> Iterator[Field]:
    """Yield the reference of an item, or the family of a task."""
    played = played_of(case)
    if played is not None:
        yield Field(path="kind", label="kind of task", value=played.task.kind)
        return
    item = item_of(case)
    yield Field(path="reference", label="reference", value=shown(item))
    for n, point in enumerate(item.points, start=1):
        yield Field(path=f"points[{n}]", label=f"key point {n}", value=str(point["says"]))


def tags(told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the task, and what decided its score."""
    del claim, entry
    yield told.scored.case.stratum
    for verdict in (*verdicts, *told.scored.verdicts):
        if verdict.aspect == GRADE and verdict.rationale:
            yield verdict.rationale
            return


PARTS = {part.__name__: part for part in (sources, own_lines, where, question, packet, tags)}
