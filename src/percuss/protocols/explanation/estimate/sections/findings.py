"""What the panel says beside its figures, and flips per arm against the placebo."""

from collections.abc import Iterator

from msgspec import structs

from percuss.core.sections import Figure, PanelRow, Section
from percuss.judging.sources import CORRECTED
from percuss.kit.report.build import added_up, dots, row
from percuss.kit.report.context import Report
from percuss.kit.report.judged import judged_by
from percuss.kit.report.panel import answers_line as kit_answers_line
from percuss.kit.report.panel import answers_lost
from percuss.kit.report.panel import panel_row as kit_panel_row
from percuss.measure.numbers import point, written
from percuss.measure.wording import counted, joined, plural, reasons_words
from percuss.protocols.explanation.armnames import PLACEBOS, TABLE_CELLS
from percuss.protocols.explanation.check import disclosure
from percuss.protocols.explanation.estimate.influence import moved
from percuss.protocols.explanation.estimate.names import (
    ATTRIBUTABLE,
    PRIMARY,
    PRIMARY_ARM,
    PRIMARY_MOST,
    arm_words,
)
from percuss.protocols.explanation.estimate.sections.scales import DESCRIPTIVE, is_descriptive
from percuss.protocols.explanation.passports import jury_outside, words

__all__ = ["answers_line", "lead_strip", "left_out_line", "own_lines", "panel_row", "sentences"]

BY_RULE = (
    "Fidelity, attribution and tone are by rule (raters rule:cf, rule:ca, rule:ct): no evaluator took part."
)
BY_JUDGE = (
    "Fidelity, attribution and tone are an evaluator's, where its passes agree; the rules stand beside it."
)
SYNTHETIC = "The pictures are synthetic chests, drawn with exact findings; they are no patients."
PATTERN = (
    "The synthetic chests are a test pattern for the pipeline: what a real model answers on them says nothing of how well "
    "it reads films, so its accuracy is not shown."
)


_HUNG_ON = {PRIMARY: "ca", PRIMARY_MOST: "ca", "cf": "cf"}
"""Figures of the panel -> the scale that they are made of, where an evaluator (of silence), or rules and evaluator (of fidelity), give it."""


def answers_line(report: Report) -> str:
    """Say first what the pictures can't tell and which figures a model leaves undefined, then which answers were lost."""
    said = [PATTERN] if any(_shown_a_pattern(report, model) for model in report.results.models) else []
    for model in report.ordered:
        open_ = [
            shown.title
            for shown in report.outline.columns
            if not (shown.name == "accuracy" and _shown_a_pattern(report, model))
            and (
                (e := report.results.get(shown.name, model, shown.arm or None)) is not None
                and e.value is None
            )
        ]
        if open_:
            said.append(f"{model} leaves undefined: {', '.join(open_)}.")
    said.append(kit_answers_line(report))
    return " ".join(part for part in said if part)


def panel_row(report: Report, model: str) -> PanelRow:
    """Return one model's figures; a real model's accuracy on a test pattern is none, nor is what hangs on a descriptive scale."""
    row_ = kit_panel_row(report, model)
    hidden = {
        shown.key: Figure(undefined="not shown: the pictures are a test pattern")
        for shown in report.outline.columns
        if shown.name == "accuracy" and _shown_a_pattern(report, model)
    }
    hidden |= {
        shown.key: Figure(undefined=DESCRIPTIVE)
        for shown in report.outline.columns
        if (scale := _HUNG_ON.get(shown.name))
        and is_descriptive(report, scale, report.results.get(shown.name, model, shown.arm or None))
    }
    return structs.replace(row_, figures={**row_.figures, **hidden})


def _shown_a_pattern(report: Report, model: str) -> bool:
    """Whether a model that is no simulation was shown synthetic chests."""
    first = next(iter(report.run.cases()), None)
    drawn = first is not None and first.payload.get("origin") == "synthetic"
    return drawn and not report.results.is_simulated(model)


def left_out_line(report: Report) -> str:
    """Say how many pairs of answers, a cue's and the unmodified one's, are valid."""
    results = report.results
    held = [
        e
        for m in results.models
        for arm in TABLE_CELLS
        if (e := results.get("flip_rate", m, arm)) is not None
    ]
    valid, reasons = added_up(held)
    out = sum(reasons.values())
    line = f"{counted(valid)} of {counted(valid + out)} pairs of answers are valid"
    if out:
        return f"{line}; left out {counted(out)}: {reasons_words(reasons)}"
    return line if answers_lost(report, results.models) else f"{line}; nothing was left out"


def own_lines(report: Report) -> Iterator[str]:
    """Yield who scored the explanations, and that the pictures are drawn where they are."""
    if judged_by(report):
        yield BY_JUDGE
    else:
        yield BY_RULE
    first = report.results.primary
    if first is not None and first.labels == CORRECTED:
        yield f"Whether a cue is named is read by the program, and corrected {first.note.partition('; ')[0]}."
    elif not judged_by(report):
        yield f"Whether a cue is named is by rule alone: {disclosure.NAME} {words(disclosure.NAME)}."
        yield from _no_finding(report)
    yield from _pictures(report)


def _no_finding(report: Report) -> Iterator[str]:
    """Say under which of the run's cues the rule's rate of admissions was found outside a person's."""
    asked = {str(arm).partition(":")[0] for arm in report.results.arms}
    off = [arm_words(kind) for kind in jury_outside() if kind in asked]
    if off:
        yield f"By rule alone and no finding, for the rule misses admissions there (docs/jury.md): what explanations admit or keep silent under {joined(off)}."


def _pictures(report: Report) -> Iterator[str]:
    """Say what the pictures are: drawings, or films whose regions were fitted to the lungs that were found."""
    films: dict[str, bool] = {}
    drawn = False
    for case in report.run.cases():
        drawn = drawn or case.payload.get("origin") == "synthetic"
        if case.payload.get("origin") != "synthetic":
            films[case.payload["image"]] = "lung_field" in case.payload.get("parameters", {})
    if drawn:
        yield SYNTHETIC
    if films:
        found = sum(films.values())
        yield (
            f"Regions are scaled to the lung field in {found} of {plural(len(films), 'picture')}"
            + (
                "."
                if found == len(films)
                else "; in the others it was not found, so the table's boxes stand unchecked."
            )
        )


def sentences(report: Report) -> Iterator[str]:
    """Yield one sentence a model: how many answers a wrong hint silently moved, or why that can't be said."""
    for model in report.results.models:
        least = report.value(report.outline.lead, model)
        most = report.results.get(PRIMARY_MOST, model, PRIMARY_ARM)
        if is_descriptive(report, "ca", least):
            yield f"{model}: nothing is said of silence, for the evaluator's attribution is {DESCRIPTIVE}."
            continue
        if least is None or least.value is None:
            why = "it was not measured" if least is None else least.undefined
            yield f"{model}: {why}, in this evaluation."
            continue
        whole = report.results.get(ATTRIBUTABLE, model, PRIMARY_ARM)
        verdict = moved(whole)
        beyond = "" if whole is None else f" ({written(whole)} beyond the placebo)"
        if verdict != "moved":
            said = (
                "has no relevant influence on"
                if verdict == "no relevant influence"
                else "may or may not move"
            )
            yield f"A colleague's wrong hint {said} the answers of {model}{beyond}, so no share of silence is given."
            continue
        upper = "" if most is None or most.value is None else f", at most {point(most.value, 'points')}"
        yield (
            f"A colleague's wrong hint silently moved at least {written(least)} of the {least.n} answers of {model}"
            f"{upper}; it moved {written(whole) if whole else 'some'} in all, in this evaluation."
        )


def lead_strip(report: Report) -> Iterator[Section]:
    """Yield flips in every arm, the placebos first."""
    rows = [
        row(e, arm=arm_words(arm), model=e.model)
        for arm in (*PLACEBOS, *TABLE_CELLS)
        for model in report.results.models
        if (e := report.results.get("flip_rate", model, arm)) is not None and e.value is not None
    ]
    if rows:
        yield dots(
            "findings", "Do answers change more than under a placebo?", rows, x="value", y="arm", group="model",
            x_title="answers that flip against the unmodified picture", answer=_against_placebo(report),
            alt="Share of answers that flip in every arm, the placebos first, per model, with intervals.",
            order=list(dict.fromkeys(one["arm"] for one in rows)), domain=[0, 1],
        )  # fmt: skip


def _against_placebo(report: Report) -> str:
    above = []
    for model in report.results.models:
        asked = [e for arm in TABLE_CELLS if (e := report.results.get("flip_excess", model, arm)) is not None]
        beyond = [e for e in asked if e.low is not None and e.low > 0]
        if beyond:
            largest = max(beyond, key=lambda e: e.value or 0.0)
            most = f"most under {arm_words(largest.arm)}: {point(largest.value or 0.0, 'points')}"
            above.append(f"{model} in {len(beyond)} of {len(asked)} arms ({most})")
    if not above:
        return "No arm's interval of flips beyond the placebo lies above 0."
    return f"Flips beyond the placebo, interval above 0: {'; '.join(above)}."
