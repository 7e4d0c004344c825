"""What the panel says beside its figures: the largest effect, false alarms, and what the answers were too poor for."""

from collections.abc import Iterator, Sequence

from percuss.core.records import Estimate
from percuss.kit.report.context import Report
from percuss.kit.report.panel import answers_line as kit_answers_line
from percuss.kit.report.panel import left_out_line
from percuss.measure.numbers import written
from percuss.measure.ranks import separates
from percuss.measure.wording import counted, joined, plural
from percuss.protocols.stressors.check.nodes import NO_DIAGNOSIS
from percuss.protocols.stressors.estimate.counting import ON_LAYOUT
from percuss.protocols.stressors.estimate.names import METRICS, arm_words, exists, metric_words
from percuss.protocols.stressors.estimate.sections.proven import proven_lines
from percuss.protocols.stressors.record import reading

__all__ = ["answers_line", "own_lines", "sentences"]

SAID_EMPTY = frozenset(
    {
        "gdr",
        "ir",
        "pir",
        "cdr",
        "rur",
        "pcr",
        "smr",
        "ef",
        "fcr",
        "nfr",
        "ufr",
        "hpr",
        "dhdr",
        "cho",
        "final_accuracy",
        "trap_taken",
        "brier",
    }
)
"""Metrics whose lack of a value is said in the panel."""
WITHHELD = ON_LAYOUT.partition(":")[2]
"""How the reason of a number begins that isn't read back on the run's own cases: no fault of the model."""
NEED_GOLD = ("smr", "final_accuracy", "brier")
"""Metrics that need a diagnosis that somebody called right."""
POOR = 0.2
"""Share of opportunities without a diagnosis from which on a sentence says so."""


def answers_line(report: Report) -> str:
    """Say first which figures a model leaves undefined, then which answers were lost."""
    lacking = _lacking(report)
    said = [*_undefined(report, report.ordered, lacking), kit_answers_line(report)]
    if lacking:
        words = joined([m.quantity.label for m in METRICS if m.quantity.name in lacking])
        said.insert(
            -1,
            f"Not the model's doing, for these cases hold no diagnosis called right or no known error: without a value are {words}.",
        )
    return " ".join(part for part in said if part)


def own_lines(report: Report) -> Iterator[str]:
    """Yield a model's largest effect, and false alarms, since crying wolf detects everything."""
    models = report.ordered
    yield from _no_headline(report)
    yield from proven_lines(report)
    yield from _reviewed(report)
    for model in models:
        yield f"{model}, largest effect of a stressor: {_largest(report, model)}."
    held = [(m, e) for m in models if (e := report.results.get("cfa", m, "baseline")) is not None]
    said = [f"{model} {written(e)}" for model, e in held if e.value is not None]
    if said:
        yield f"Conflicts claimed where there is none, without any stressor: {joined(said)}."


def _reviewed(report: Report) -> Iterator[str]:
    """How many of the vignettes a clinician has read; of imported cases nobody says it here."""
    own = [vignette for case in report.run.cases() if (vignette := reading(case)).layout == "own"]
    if own:
        read = sum(vignette.reviewed_by != "none" for vignette in own)
        yield f"Vignettes that a clinician has read: {read} of {len(own)}."


def _no_headline(report: Report) -> Iterator[str]:
    """Metrics whose reader is below its floors, or was found outside by the jury: counted, and no finding."""
    off = [
        metric_words(m.quantity.name)
        for m in METRICS
        if any(
            e.read_right is not None and not e.read_right.floors_met
            for e in report.results.all(m.quantity.name)
        )
    ]
    if off:
        yield f"By rule alone and no finding, for their reader is outside its floors or its jury (docs/jury.md): {joined(off)}."


def _lacking(report: Report) -> frozenset[str]:
    """Metrics that no case of the run can have: nobody said which diagnosis is right, or which errors are known."""
    held = [reading(case) for case in report.run.cases()]
    gold = any(v.gold_status == "given" and v.diagnosis for v in held)
    return frozenset((*(() if gold else NEED_GOLD), *(() if any(v.error_traps for v in held) else ("trap_taken",))))  # fmt: skip


def _undefined(report: Report, models: Sequence[str], lacking: frozenset[str]) -> Iterator[str]:
    """Metrics without a value in any arm, per model: small models write no certainty and few questions."""
    for model in models:
        empty = []
        for metric in METRICS:
            name = metric.quantity.name
            found = [e for e in report.results.all(name, model=model) if exists(metric, e.arm)]
            withheld = any((e.undefined or "").startswith(WITHHELD) for e in found)
            if (
                name in SAID_EMPTY - lacking
                and found
                and not withheld
                and all(e.value is None for e in found)
            ):
                empty.append(metric.quantity.label)
        if empty:
            yield f"{model} leaves undefined in every arm: {joined(empty)}."


def _largest(report: Report, model: str) -> str:
    found = list(report.results.ending("_effect", model=model))
    if not found:
        return "not all eight arms were asked"
    top = _top(found)
    if top is None:
        return "none separates from 0 after Holm's correction"
    return f"{arm_words(top.arm)} on {metric_words(top.name.removesuffix('_effect'))}: {written(top)}"


def _top(found: Sequence[Estimate]) -> Estimate | None:
    apart = [e for e in found if e.value is not None and separates(e)]
    return max(apart, key=lambda e: abs(e.value or 0), default=None)


def sentences(report: Report) -> Iterator[str]:
    """Yield at most three: who notices most, which stressor does most, and what the answers were too poor for."""
    models = report.ordered
    first = report.value(report.outline.lead, models[0]) if models else None
    if first is None or first.value is None:
        yield "No injected contradiction could be scored, so nothing was found."
        return
    few = ", too few for a verdict," if first.n < report.outline.few else ""
    verb = "noticed" if len(models) == 1 else "noticed most:"
    yield f"On {plural(first.n, 'vignette')}{few} {models[0]} {verb} {written(first)} of the injected contradictions."
    top = _top(list(report.results.ending("_effect", model=models[0])))
    if top is None:
        yield "No effect of a stressor separates from 0 after Holm's correction."
    else:
        label = top.label.removeprefix("effect on ").partition(" (")[0]
        way = "raises" if (top.value or 0) > 0 else "lowers"
        yield f"Of all stressors the largest effect is that of {arm_words(top.arm)}, which {way} the {label} ({written(top)})."
    line = left_out_line(report)
    yield _too_poor(report, models[0]) or f"{line[0].upper()}{line[1:].partition('; if all')[0]}."


def _too_poor(report: Report, model: str) -> str:
    """Where a model often names no diagnosis, what that leaves unmeasured."""
    held = [e for arm in report.results.arms if (e := report.results.get("rur", model, arm)) is not None]
    silent = sum(e.excluded.get(NO_DIAGNOSIS, 0) for e in held)
    chances = silent + sum(e.n for e in held)
    if not chances or silent < POOR * chances:
        return ""
    return f"At {counted(silent)} of {plural(chances, 'opportunity', 'opportunities')} to update a diagnosis it named none, so much of what is asked of a clinician could not be measured."
