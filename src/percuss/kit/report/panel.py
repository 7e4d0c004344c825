"""What did we find: the panel, what it says in sentences, and one strip of the number that leads."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from percuss.core.labels import JUDGED
from percuss.core.records import Estimate
from percuss.core.sections import Column, Figure, Panel, PanelRow, Section
from percuss.kit.report.build import added_up, row, strip
from percuss.kit.report.context import Report
from percuss.kit.report.instrument import instrument_lines
from percuss.kit.report.outline import Shown
from percuss.measure.numbers import point, written
from percuss.measure.pairing import left_out_in
from percuss.measure.ranks import separates
from percuss.measure.wording import (
    counted,
    covers_words,
    joined,
    p_words,
    plural,
    reasons_words,
    source_words,
)

__all__ = [
    "answers_line",
    "comparison_lines",
    "covers_line",
    "findings",
    "first_sentence",
    "lead_strip",
    "left_out_line",
    "lines",
    "own_lines",
    "panel",
    "panel_row",
    "panel_table",
    "sentences",
    "words_of",
]  # fmt: skip

MOST_PAIRS = 6
MOST_ARMS = 3


def findings(report: Report) -> Iterator[Section]:
    """Yield the panel with its sentences, and the strip of the lead."""
    shown = panel(report)
    said = " ".join(part for part in (shown.first, *report.of(sentences)(report)) if part)
    yield Section.of("findings", "What did we find?", shown, said)
    yield from report.of(lead_strip)(report)


def panel(report: Report) -> Panel:
    """Return the panel: figures per model, then what was left out, who differs, and what intervals cover."""
    heads, rows = report.of(panel_table)(report)
    said = tuple(line for line in report.of(lines)(report) if line)
    return Panel(columns=heads, rows=rows, lines=said, first=report.of(first_sentence)(report))


def first_sentence(report: Report) -> str:
    """Return what must be read before any figure; "" unless the protocol has some."""
    del report
    return ""


def panel_table(report: Report) -> tuple[tuple[Column, ...], tuple[PanelRow, ...]]:
    """Return the panel's columns and rows: the outline's numbers and words, one row a model."""
    outline = report.outline
    heads = (
        Column(key="model", title="model"), *(shown.column for shown in outline.columns), *outline.words
    )  # fmt: skip
    return heads, tuple(report.of(panel_row)(report, model) for model in report.ordered)


def panel_row(report: Report, model: str) -> PanelRow:
    """Return one model's figures and words."""
    results = report.results
    figures = {
        shown.key: _in_short(results.figure(shown.name, model, shown.arm or None, missing=shown.missing))
        for shown in report.outline.columns
    }
    words = dict(report.of(words_of)(report, model))
    return PanelRow(label=model, simulated=results.is_simulated(model), figures=figures, words=words)


def _in_short(figure: Figure) -> Figure:
    """Leave the counts of what was left out to the line under the rows, which has room for them."""
    return (
        replace(figure, undefined=figure.undefined.partition(" (left out: ")[0])
        if figure.undefined
        else figure
    )


def words_of(report: Report, model: str) -> Mapping[str, str]:
    """Return the panel's words of a model, by column; none unless the protocol has some."""
    del report, model
    return {}


def lines(report: Report) -> Iterator[str]:
    """Yield what stands under the panel's rows."""
    yield report.of(answers_line)(report)
    yield report.of(left_out_line)(report)
    yield from report.of(comparison_lines)(report)
    yield covers_line(report)
    yield from report.of(own_lines)(report)
    yield from instrument_lines(report)
    if report.results.only_simulated:
        yield "All models here are simulated: the numbers show what the instrument measures, not what any product does."


def own_lines(report: Report) -> Iterator[str]:
    """Yield what only the protocol has to say under its panel."""
    del report
    yield from ()


def answers_line(report: Report) -> str:
    """Say how many answers came and cannot be used, and in which arms; the heading says which never came or were unchecked."""
    models = report.results.models
    total, lost = report.steps.of(models), _unreadable(report, models)
    if not lost:
        return ""
    came = (
        f"of {plural(total['answered', ''], 'answer')} that came {counted(total['usable', ''])} can be used"
    )
    parts = [(arm, sum(_unreadable(report, models, [arm]).values())) for arm in report.steps.arms(models)]
    parts = sorted((part for part in parts if part[1]), key=lambda part: -part[1])
    said = [
        f"{counted(n)} of {counted(report.steps.of(models, [arm])['answered', ''])} {report.arm_words(arm)}"
        for arm, n in parts
    ]
    more = f" and {plural(len(said) - MOST_ARMS, 'more arm')}" if len(said) > MOST_ARMS else ""
    return f"{came}; lost {counted(sum(lost.values()))} ({reasons_words(lost)}): {', '.join(said[:MOST_ARMS])}{more}"


def _unreadable(report: Report, models: Sequence[str], arms: Sequence[str] | None = None) -> dict[str, int]:
    held = report.steps.of(models, arms)
    return {reason: n for (step, reason), n in held.items() if step == "unreadable" and reason}


def answers_lost(report: Report, models: Sequence[str], arms: Sequence[str] | None = None) -> dict[str, int]:
    """Return reason -> how many answers of these models never came or cannot be used."""
    held = report.steps.of(models, arms)
    lost: dict[str, int] = {}
    for (step, reason), n in held.items():
        if step in {"asked", "answered"} and reason:
            lost[reason] = lost.get(reason, 0) + n
    return lost


def left_out_line(report: Report) -> str:
    """Say how much was scored of what was made, by reason, and how far the primary could move over the rest."""
    results, (_, many) = report.results, report.counted
    held = [
        e
        for m in results.models
        for a in _arms(report)
        if (e := results.get(results.rated, m, a)) is not None
    ]
    scored, reasons = added_up(held)
    out = sum(reasons.values())
    line = f"scored {counted(scored)} of {counted(scored + out)} {many}{_never_came(report, reasons)}"
    if out:
        return f"{line}; left out {counted(out)}: {reasons_words(reasons)}{_worst(report)}"
    return line if answers_lost(report, results.models) else f"{line}; nothing was left out"


def _never_came(report: Report, told: Mapping[str, int]) -> str:
    """Say how many answers gave nothing to score, and why, but for reasons told already: what is scored says nothing of them."""
    models = report.results.models
    lost = {reason: n for reason, n in answers_lost(report, models).items() if reason not in told}
    if not lost:
        return ""
    asked = plural(report.steps.of(models)["asked", ""], "answer")
    return f"; {counted(sum(lost.values()))} of {asked} can't be used ({reasons_words(lost)})"


def _arms(report: Report) -> Sequence[str]:
    """The pair of arms that the report is about; every arm where there is no pair."""
    results = report.results
    pair = [arm for arm in (results.arm, results.baseline) if arm in results.arms]
    return pair if results.baseline else results.arms


def _worst(report: Report) -> str:
    index, results = report.outline.index, report.results
    if index is None:
        return ""
    said = []
    for model in results.models:
        e = results.get(index.name, model, index.arm or None)
        if e is not None and e.bounds is not None and e.bounds[0] < e.bounds[1]:
            low, high = (point(bound, index.unit) for bound in e.bounds)
            said.append(f"{model} {low} to {high}")
    return f"; if all were wrong / right: {index.words} {', '.join(said)}" if said else ""


def comparison_lines(report: Report) -> Iterator[str]:
    """Yield on which cases models are compared, if not on all, then one line a pair, or how many pairs differ where they are many."""
    outline, results = report.outline, report.results
    shown = outline.contrasted or next(iter(outline.compared), None)
    if shown is None:
        return
    pairs = results.pairs(shown.name, shown.arm or results.arm)
    yield from dict.fromkeys(line for e in pairs if (line := _compared_on(report, e)))
    if len(pairs) > MOST_PAIRS:
        apart = counted(sum(map(separates, pairs)))
        yield f"{apart} of {plural(len(pairs), 'pair')} of models differ in {shown.words} after Holm's correction; the next section names them."
        return
    yield from (_pair_line(e, shown) for e in pairs)


def _compared_on(report: Report, e: Estimate) -> str:
    """Say on which cases a difference of models rests, in the arms' words; "" where it rests on all."""
    left = left_out_in(e.note)
    for arm in report.results.arms:
        left = left.replace(f" in {arm} ", f" {report.arm_words(arm)} ")
    return f"Models are compared on {left}." if left else ""


def _pair_line(e: Estimate, shown: Shown) -> str:
    names = f"{e.model} and {e.versus}"
    if e.value is None:
        return f"{names} cannot be compared in {shown.words}: {e.undefined}."
    if separates(e):
        p = f", {p_words(e.p_adjusted)}" if e.p_adjusted is not None else ""
        return f"{names} differ in {shown.words}: {written(e)}{p} (Holm{_family(e)})."
    seen = "" if e.detectable is None else f"; we could have seen {point(e.detectable, e.unit)}"
    return f"{names} are not separable in {shown.words}: {written(e)}{seen}."


def _family(e: Estimate) -> str:
    size = (e.family or "").rpartition("· ")[2]
    return f", {size.replace('1 pairs', '1 pair')}" if "pair" in size else ""


def covers_line(report: Report) -> str:
    """Say whose labels these are and what the intervals account for."""
    results = report.results
    first = results.primary or next((e for e in results.estimates if e.name == results.rated), None)
    covers = first.covers if first is not None else "sampling of cases, not of answers (1 epoch)"
    judged = any(source in JUDGED for source in results.sources)
    return f"Labels: {source_words(results.labels)}{_read_right(first)}. Intervals cover {covers_words(covers, judged=judged)}."


def _read_right(first: Estimate | None) -> str:
    """Say how often the reader of the labels was right on labelled text, where it was held against any."""
    if first is None or first.read_right is None:
        return ""
    found = first.read_right
    return f" (read {100 * found.right:.0f}% of {found.n:,} labelled texts right, {found.date})"


def sentences(report: Report) -> Iterator[str]:
    """Yield at most three: who leads, whether models can be told apart, and what was left out."""
    lead, results = report.outline.lead, report.results
    models = report.ordered
    first = report.value(lead, models[0]) if models else None
    if first is None or first.value is None:
        yield f"Nothing was found: {lead.words} could not be measured{'' if first is None else f' ({first.undefined})'}."
        return
    few = ", too few for a verdict," if first.n < report.outline.few else ""
    most = "lowest" if lead.lower_first else "highest"
    one = report.counted[0 if first.n == 1 else 1]
    said = f"{lead.words} of {models[0]}" if len(models) == 1 else f"{lead.words}, {most} with {models[0]}"
    yield f"In this evaluation, on {counted(first.n)} {one}{few} {said}: {written(first)}."
    pairs = results.pairs(lead.name, lead.arm or results.arm)
    if pairs:
        apart = [f"{e.model} and {e.versus}" for e in pairs if separates(e)]
        yield (
            f"Models that can be told apart in it: {joined(apart)}."
            if apart
            else "No two models can be told apart in it."
        )
    line = report.of(left_out_line)(report)
    yield f"{line[0].upper()}{line[1:].partition(': ')[0]}."


def lead_strip(report: Report) -> Iterator[Section]:
    """Yield one strip: the lead of each model, in order."""
    lead = report.outline.lead
    held = [(model, e) for model in report.ordered if (e := report.value(lead, model)) is not None]
    rows = [row(e, model=model) for model, e in held if e.value is not None]
    if rows:
        order = [one["model"] for one in rows]
        alt = f"{lead.title[0].upper()}{lead.title[1:]}, per model, with intervals."
        yield strip("findings", f"{lead.title[0].upper()}{lead.title[1:]}, model by model", rows, of=lead.title, alt=alt, unit=lead.unit, order=order)  # fmt: skip
