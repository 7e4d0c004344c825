"""The parts of a textbook report: what leads, types, arms, inverse against forward, what is known by heart."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from percuss.core.ports import RunView
from percuss.core.records import Case, Claim, Estimate, Verdict
from percuss.core.sections import Field, Section
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.kit.report.build import cell as figure
from percuss.kit.report.build import heat, number, row, share, strata, strip, table, text
from percuss.kit.report.context import Report, Told
from percuss.kit.report.labels import of_aspect
from percuss.protocols.textbook.arms import CLOSED, CONTINUATION, PASSAGE, WRONG
from percuss.protocols.textbook.case import task_of
from percuss.protocols.textbook.check import SUPPORT
from percuss.protocols.textbook.estimate.estimating import KNOWN, OTHER
from percuss.protocols.textbook.estimate.names import (
    BY_PEOPLE,
    DISTRACTION,
    MEMORISED,
    PENALTY,
    PER_ANSWER,
    RATE,
    SCORE,
)
from percuss.protocols.textbook.estimate.trust import comparison_lines, differences, read_line, sentences
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.options import TextbookOptions

__all__ = ["penalties", "sections"]

FEW = 20
LEAD = Shown(RATE.name, "wrong answers, closed book", CLOSED, missing="nothing could be scored")
COLUMNS = (
    LEAD,
    Shown(RATE.name, "with the passage", PASSAGE, missing="the arm was not asked"),
    Shown(RATE.name, "with another passage", WRONG, missing="the arm was not asked"),
    Shown("hdi_pooled", "taken away by the passage (HDI)", PASSAGE, "ratio", lower_first=False, missing="an arm was not asked"),
    Shown(SCORE.name, "mean score, closed book", CLOSED, lower_first=False, missing="nothing could be scored"),
)  # fmt: skip
WORDS = {
    CLOSED: "closed book", PASSAGE: "with the passage", WRONG: "with another passage of the book",
    CONTINUATION: "asked to continue the passage",
}  # fmt: skip
OUTLINE = Outline(
    lead=LEAD, columns=COLUMNS, rated=RATE.name, counted=("answer", "answers"), index=LEAD,
    compared=(LEAD, Shown(SCORE.name, "mean score, closed book", CLOSED, lower_first=False)),
    arms=(CLOSED, PASSAGE, WRONG, CONTINUATION), arm=CLOSED, baseline=PASSAGE, arm_words=lambda arm: WORDS.get(arm, arm), few=FEW,
    chapters={"evidence": "Does the passage help?"},
    method=(Path(__file__).parents[1] / "method.md").read_text(encoding="utf-8"),
)  # fmt: skip


def sections(run: RunView, estimates: Sequence[Estimate], options: TextbookOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    yield from kit_sections(run, estimates, options, outline=OUTLINE, parts=PARTS)


sources = of_aspect(SUPPORT)
"""Label source -> what it says of an answer: support alone; the probe's continuation has none."""


def own_lines(report: Report) -> Iterator[str]:
    """Say how far the rule may be trusted, how much of what was asked it could score, and which generator is under test."""
    labels = report.results.labels
    yield from read_line(report)
    if labels.startswith("rule:"):
        yield "open questions (short answer, multi-hop and the inverse forms) need a judge: they were asked, and are left out here"
    for name in sorted(_generators(report) & set(report.results.models)):
        yield f"{name} wrote questions of this set and is under test: it answers what it once said itself"


def _generators(report: Report) -> set[str]:
    return {str(task_of(case).item.provenance.get("generator", "")) for case in report.run.cases()} - {""}


def where(report: Report) -> Iterator[Section]:
    """Yield rates and scores by type, lists and steps, inverse against forward, passages, people, what is known by heart."""
    yield from _by_type(report)
    yield from _finer(report)
    yield from penalties(report, CLOSED)
    yield from _passages(report)
    yield from _people(report)
    yield from _heart(report)


def _by_type(report: Report) -> Iterator[Section]:
    results = report.results
    found = (
        e for kind in TYPES for e in results.all(RATE.name, arm=CLOSED, stratum=kind, labels=results.labels)
    )
    rows, order = strata(found, "type", order=TYPES, words=lambda kind: kind.replace("_", " "))
    if rows:
        yield heat("where", "On which type of question?", rows, x="type", y="model", alt="Share of wrong answers by model and type of question, with n.", order=order, x_title="type of question")  # fmt: skip


def _finer(report: Report) -> Iterator[Section]:
    names = [q for q in PER_ANSWER if any(report.results.all(q.name, arm=CLOSED))]
    if names:
        heads = [text("model"), *(share(q.name, q.label) for q in names)]
        rows = [
            {"model": model, **{q.name: figure(_any(report, q.name, model)) for q in names}}
            for model in report.ordered
        ]
        note = "Overlap counts words: a paraphrase has little of it, a wrong answer can have much. It is part of no score."
        yield table("where", "How right are lists, steps and wordings?", heads, rows, note=note)


def _any(report: Report, name: str, model: str) -> Estimate | None:
    """Return a number that has one label source, whatever leads."""
    return next(
        (
            e
            for e in report.results.all(name, arm=CLOSED)
            if e.model == model and e.stratum is None and e.versus is None
        ),
        None,
    )


def penalties(report: Report, arm: str) -> Iterator[Section]:
    """Yield inverse minus forward questions per model, where both were scored.

    Args:
        report: of answers or of generated questions. arm: that the estimates are of.
    """
    rows = [
        row(e, model=e.model)
        for model in report.ordered
        if (e := report.results.get(PENALTY.name, model, arm)) is not None and e.value is not None
    ]
    if rows:
        yield strip("where", "Are inverse questions harder?", rows, of=PENALTY.label, unit="points", alt="Wrong answers to inverse minus forward open questions, per model, with intervals.")  # fmt: skip


def _passages(report: Report) -> Iterator[Section]:
    results = report.results
    heads = [
        text("model"),
        share("effect", "right passage minus none", "points"),
        share("distraction", "another passage minus none", "points"),
    ]
    rows = [
        {
            "model": model,
            "effect": figure(results.get(f"{RATE.name}_effect", model, PASSAGE), "an arm was not asked"),
            "distraction": figure(results.get(DISTRACTION.name, model, WRONG), "an arm was not asked"),
        }
        for model in report.ordered
    ]
    yield table("evidence", "What do passages do to wrong answers?", heads, rows)


def _people(report: Report) -> Iterator[Section]:
    bad, useful = BY_PEOPLE
    if any(report.results.all(useful.name, arm=CLOSED)):
        heads = [text("model"), share("bad", bad.label), number("useful", useful.label, "ratio")]
        rows = [
            {"model": model, "bad": figure(_any(report, bad.name, model)), "useful": figure(_any(report, useful.name, model))}
            for model in report.ordered
        ]  # fmt: skip
        yield table("where", "What do people say of the answers?", heads, rows)


def _heart(report: Report) -> Iterator[Section]:
    results = report.results
    shares = {e.model: e for e in results.all(MEMORISED.name, arm=CONTINUATION)}
    if not shares:
        return
    heads = [
        text("model"),
        share("known", MEMORISED.label),
        share("by_heart", f"wrong, {KNOWN}"),
        share("others", f"wrong, {OTHER}"),
    ]
    rows = []
    for model in report.ordered:
        by = {
            e.stratum: e
            for e in results.all(RATE.name, arm=CLOSED)
            if e.model == model and e.labels == results.labels
        }
        rows.append(
            {"model": model, "known": figure(shares.get(model)), "by_heart": figure(by.get(KNOWN), "none such"), "others": figure(by.get(OTHER), "none such")}
        )  # fmt: skip
    yield table(
        "where",
        "Is the book known by heart?",
        heads,
        rows,
        note="A low closed-book rate on passages known by heart is memory, not medicine.",
    )


def question(case: Case) -> str:
    """Return the question as it was put."""
    return task_of(case).item.question


def packet(case: Case) -> Iterator[Field]:
    """Yield the reference, then the passage that it was made from."""
    task = task_of(case)
    yield Field(path="reference", label="reference answer", value=task.item.right)
    if task.item.given_answer:
        yield Field(path="given", label="wrong answer that was shown", value=task.item.given_answer)
    if task.passage:
        yield Field(path="passage", label=f"passage of {task.book}", value=task.passage)


def tags(told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the type of the question and what was read of the answer."""
    del claim, entry
    yield told.scored.case.stratum.replace("_", " ")
    for verdict in verdicts:
        chosen = next((found["chosen"] for found in verdict.evidence if found.get("chosen")), None)
        if verdict.aspect == SUPPORT and chosen:
            yield f"read as {', '.join(map(str, chosen))}"


PARTS = {
    part.__name__: part
    for part in (sources, own_lines, sentences, comparison_lines, differences, where, question, packet, tags)
}
