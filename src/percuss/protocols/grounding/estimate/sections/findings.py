"""What the panel says beside its figures: the pattern of each model, and where HDI rests on too little."""

from collections.abc import Iterator, Mapping

from percuss.core.labels import JUDGED, PEOPLE
from percuss.core.records import Estimate
from percuss.evidence.shapes import shaped
from percuss.judging.sources import CORRECTED
from percuss.kit.report.context import Report
from percuss.kit.report.panel import comparison_lines as kit_comparison_lines
from percuss.measure.numbers import point, written
from percuss.measure.ranks import separates
from percuss.measure.wording import counted, joined, plural
from percuss.protocols.grounding.estimate.names import arm_words
from percuss.protocols.grounding.estimate.pattern import NOT_MEASURED
from percuss.protocols.grounding.estimate.readings import BY_ENTAILMENT
from percuss.protocols.grounding.estimate.sampled import SHARE_LABELLED
from percuss.protocols.grounding.estimate.sections.carded import beside_second
from percuss.protocols.grounding.estimate.sections.people import beside_people
from percuss.protocols.grounding.estimate.sections.trust import HOW_TO, chosen, doubt, wrong_flags
from percuss.protocols.grounding.estimate.sections.withheld import left_out_line, withheld_sentences
from percuss.protocols.grounding.estimate.word import (
    CANT_TELL,
    CORRECTS,
    FEW_WITHOUT,
    HOLDS_BACK,
    MARGIN,
    NO_EFFECT,
)
from percuss.protocols.grounding.record import reading

__all__ = ["comparison_lines", "first_sentence", "own_lines", "sentences", "unsettled", "words_of"]

SETTLED = 0.8
"""Below this share of resamples a pattern says how often it shows."""
FEWEST = 10
"""Unsupported claims without evidence, from which on the self-test holds HDI's interval to its level."""
APART = 0.2
"""Difference of two ways to count HDI from which on the first sentence says so."""
UNEVEN = 0.10
"""Difference of the shares of cut answers between arms from which on it is said."""
REPLICATIONS = frozenset({"rule:paper", "rule:strict", "rule:extended"})
STILL = 0.05
"""Share of claims that stay unsupported from which on a model that the evidence corrects is said to keep some."""


def words_of(report: Report, model: str) -> Mapping[str, str]:
    """Return the pattern with what it rests on: how often the model abstains, how much stays unsupported."""
    results = report.results
    pattern = results.get("pattern", model)
    word = pattern.note if pattern is not None else f"{CANT_TELL}: one of the two arms was not asked"
    index = results.get("hdi_pooled", model)
    if index is not None and word.startswith(f"{CANT_TELL}: "):
        word = word.replace(CANT_TELL, f"{CANT_TELL} from {plural(index.clusters, 'case')}", 1)
    aside = []
    if word == NO_EFFECT:
        aside.append(f"within {100 * report.results.options.margin:g} points")
    if word == HOLDS_BACK:
        silent = results.get("no_assertion", model, results.baseline)
        aside += [f"asserts nothing in {point(silent.value)} of answers"] if silent and silent.value else []
        spoken = results.get("unsupported_rate", model, results.baseline)
        if spoken is not None and spoken.value is not None and spoken.value >= FEW_WITHOUT:
            aside.append("invents when it speaks")
    if pattern is not None and (share := unsettled(word, pattern.value)):
        aside.append(share)
    still = report.value(report.outline.lead, model)
    if aside:
        word = f"{word} ({'; '.join(aside)})"
    elif word == CORRECTS and still is not None and still.value and still.value >= STILL:
        word = f"{word}; 1 claim in {round(1 / still.value)} still unsupported"
    return {"pattern": word}


def unsettled(word: str, share: float | None) -> str:
    """Return in what share of resamples a word shows, where that is not in nearly all; "" else, and for *can't tell*.

    Args:
        word: of a model. share: of the resamples whose point values give it; None: there are none.

    *Can't tell* is what is left where no word holds with its intervals: that few resamples alone give no word says nothing of it, and
    another word beside it would be a second one (definitions/grounding.md, version 2, "Words").

    >>> unsettled("evidence corrects it", 0.71), unsettled("can't tell", 0.0)
    ('in 71% of resamples', '')
    """
    if share is None or share >= SETTLED or word.startswith(CANT_TELL):
        return ""
    return f"in {point(share)} of resamples"


def comparison_lines(report: Report) -> Iterator[str]:
    """Yield one line per pair of models; none where their labels come from a rule that reads too little right."""
    if not doubt(report):
        yield from kit_comparison_lines(report)


def own_lines(report: Report) -> Iterator[str]:
    """Yield how much a rule could decide, and what the numbers rest on too little of."""
    why = doubt(report)
    if why:
        yield f"No index, and no comparison of models: {why}."
        yield HOW_TO
    if report.results.options.margin != MARGIN:
        yield f"The margin of no importance is {100 * report.results.options.margin:g} points here, not {100 * MARGIN:g}."
    yield from _certified(report)
    if report.results.labels in JUDGED:
        yield from beside_second(report)
    if not why:
        yield from _falls(report)
        yield from _flagged(report)
    if report.results.labels in PEOPLE:
        yield from beside_people(report)
    yield from _part(report)
    if report.results.labels in REPLICATIONS:
        yield "The paper's rule, every sentence counted: not comparable with runs that count assertions, and without a word."
    if not why and report.results.labels not in PEOPLE:
        yield from _decided(report)
    yield from _cut(report)
    yield from _silent_with(report)
    if not why and not any(map(report.results.has, ("overlap_80", BY_ENTAILMENT))):
        yield f"{NOT_MEASURED.capitalize()} (no embedder): patterns take it as low, and recycling cannot be seen."
    if not why:
        yield from _hardly_divisible(report)
    yield from _constant_fields(report)


def _flagged(report: Report) -> Iterator[str]:
    """Say how much of what the rule calls unsupported is wrong, by its passport's errors at the run's own rates."""
    said = [f"{wrong:.0%} of {model} {arm_words(arm)}" for model, arm, wrong in wrong_flags(report)]
    if said:
        yield f"Of what the rule flags here, about {joined(said)} is wrong (its errors on labelled claims, at this run's rates)."


def _part(report: Report) -> Iterator[str]:
    """Say what part of the assertions people labelled, and whether it stands for the rest; nothing where they labelled none or all."""
    if why := chosen(report):
        yield f"What people say holds for the claims that they labelled alone, and corrects nothing: {why}."
    elif report.results.labels == CORRECTED:
        said = [
            f"{point(e.value)} of {model} {arm_words(arm)}"
            for model in report.results.models
            for arm in (report.results.arm, report.results.baseline)
            if (e := report.results.get(SHARE_LABELLED.name, model, arm)) is not None and e.value is not None
        ]
        yield (
            f"People labelled {joined(said)}, the machine the rest. A random part is assumed; the machine's labels don't show it to be another. "
            "The word rests on people's part."
        )


def _certified(report: Report) -> Iterator[str]:
    """What the run's certificate says of its reader, per model."""
    results = report.results
    for model in results.models:
        gate = results.get("certificate", model)
        if gate is None:
            continue
        found = [
            f"{written(e)} {arm_words(arm)}"
            for arm in (results.arm, results.baseline)
            if (e := results.get("certificate_recall", model, arm)) is not None
        ]
        alarm = results.get("certificate_alarm", model)
        wrong = "" if alarm is None else f", and calls {written(alarm)} of known-true statements unsupported"
        verdict = gate.undefined or gate.note
        yield f"Certificate on {model}: the reader finds {' and '.join(found)} of seeded errors{wrong}; {verdict}."


def _falls(report: Report) -> Iterator[str]:
    """Say how much it would take of what is undecided to change each model's word."""
    said = []
    for model in report.results.models:
        gamma, hdi = report.results.get("gamma", model), report.results.get("hdi_pooled", model)
        if gamma is not None and hdi is not None and hdi.value is not None:
            held = (
                "even at 4 times the odds"
                if gamma.value is None
                else f"no more at {gamma.value:g} times the odds"
            )
            said.append(f"{model} {held}")
    if said:
        yield f"Would the pattern hold if undecided claims were unsupported more often than decided ones? {'; '.join(said)}."


def _decided(report: Report) -> Iterator[str]:
    """How much a rule could decide, per model and arm, where it is not all."""
    said = []
    for model in report.results.models:
        shares = [
            f"{point(e.value)} {arm_words(e.arm)}"
            for arm in (report.results.arm, report.results.baseline)
            if (e := report.results.get("decided_share", model, arm)) is not None
            and e.value is not None and e.value < 1
        ]  # fmt: skip
        said += [f"{model} {', '.join(shares)}"] if shares else []
    if said:
        yield f"What a rule could decide of the claims: {'; '.join(said)}."


def _cut(report: Report) -> Iterator[str]:
    """Where the limit of tokens cut answers of one arm much more often than of the other."""
    for model in report.results.models:
        cut = [
            report.results.get("cut_share", model, arm)
            for arm in (report.results.arm, report.results.baseline)
        ]
        values = [e.value for e in cut if e is not None and e.value is not None]
        if len(values) == 2 and abs(values[0] - values[1]) > UNEVEN:
            yield f"Answers of {model} cut at the limit of tokens: {point(values[0])} with evidence, {point(values[1])} without."


def _silent_with(report: Report) -> Iterator[str]:
    """Where a model asserts nothing much more often with the evidence than without: its index is of the cases that are left."""
    if doubt(report):
        return
    for model in report.results.models:
        silent = [
            report.results.get("no_assertion", model, arm)
            for arm in (report.results.arm, report.results.baseline)
        ]
        values = [e.value for e in silent if e is not None and e.value is not None]
        if len(values) == 2 and values[0] - values[1] > UNEVEN:
            yield (
                f"Answers of {model} that assert nothing: {point(values[0])} with evidence, {point(values[1])} without; "
                "its index is of the cases of which something is said in both arms."
            )


def first_sentence(report: Report) -> str:
    """Return where HDI depends on how it is counted, of every model: before any index is read; "" where it doesn't, or none is given."""
    if doubt(report):
        return ""
    said = [words for model in report.ordered if (words := _lengths(report, model))]
    return f"HDI depends on how it is counted: {'; '.join(said)}." if said else ""


def _lengths(report: Report, model: str) -> str:
    """Say where HDI over claims disagrees with HDI over counts per answer or over answers with any."""
    results = report.results
    pooled = results.get("hdi_pooled", model)
    if pooled is None or pooled.value is None:
        return ""
    others = [e for name in ("hdi_per_answer", "hdi_any") if (e := results.get(name, model)) is not None]
    off = [
        e for e in others
        if e.value is not None and (e.value * pooled.value < 0 or abs(e.value - pooled.value) > APART)
    ]  # fmt: skip
    if not off:
        return ""
    named = " and ".join(f"{point(e.value, 'ratio')} by {e.label.partition(', ')[2]}" for e in off)
    return f"{_named(pooled)} {point(pooled.value, 'ratio')} over claims, {named}"


def _hardly_divisible(report: Report) -> Iterator[str]:
    """HDI divides by the rate without evidence: say where that rests on too few claims for an interval."""
    results = report.results
    for model in results.models:
        hdi, without = (
            results.get("hdi_pooled", model),
            results.get("unsupported_rate", model, results.baseline),
        )
        if (
            hdi is None
            or hdi.value is None
            or hdi.low is not None
            or without is None
            or without.value is None
        ):
            continue
        found = round(without.value * without.n)
        if found < FEWEST:
            verb = "is" if found == 1 else "are"
            yield (
                f"HDI of {_named(hdi)} has no interval: without evidence {found} of its {plural(without.n, 'claim')} {verb} "
                "unsupported, too few to divide by."
            )


def _named(e: Estimate) -> str:
    return f"{e.model} (simulated)" if e.simulated else e.model


def _constant_fields(report: Report) -> Iterator[str]:
    values: dict[str, list[str]] = {}
    n = 0
    for case in report.run.cases():
        n += 1
        for fact in shaped(reading(case).packet).packet.facts:
            values.setdefault(fact.path, []).append(repr(fact.value))
    everywhere = {path: set(held) for path, held in values.items() if len(held) == n}
    layered = [path for path, held in everywhere.items() if len(held) == 1 and not held & {"None", "True"}]
    if n > 1 and layered:
        more = f" and {len(layered) - 3} more" if len(layered) > 3 else ""
        yield f"Evidence fields that are the same in all {counted(n)} cases: {', '.join(layered[:3])}{more}."


def sentences(report: Report) -> Iterator[str]:
    """Yield at most three: the fewest unsupported claims, whether that is certain, what was left out."""
    models, lead = report.ordered, report.outline.lead
    why = doubt(report)
    if why:
        yield from withheld_sentences(report, why)
        return
    first = report.value(lead, models[0]) if models else None
    likely = report.results.get("u_all", models[0], lead.arm) if models else None
    if first is not None and first.value is None and likely is not None and likely.value is not None:
        yield f"With the evidence given {_named(first)} asserts nothing flatly; of what it says as likely {written(likely)} is unsupported."
        yield _left_out(report)
        return
    if first is None or first.value is None:
        why = "" if first is None else f" ({first.undefined})"
        yield f"Nothing was scored with the evidence given{why}, so nothing was found."
        return
    pairs = report.results.pairs(lead.name, lead.arm)
    alone = next((e.withheld for e in pairs if e.value is None and e.withheld), "")
    if len(models) == 1 or alone:
        without = report.results.get(lead.name, models[0], report.results.baseline)
        beside = f", and {written(without)} without it." if without is not None else "."
        yield f"In this evaluation {written(first)} of the claims of {_named(first)} were unsupported with the evidence given{beside}"
    else:
        yield f"In this evaluation {_named(first)} left the fewest claims unsupported with the evidence given: {written(first)}."
    if alone:
        yield f"Each model stands alone: {alone}."
        yield _left_out(report)
        return
    apart = sum(separates(e) for e in pairs)
    if len(pairs) == 1:
        yield f"The two models {'differ' if apart else 'cannot be told apart'} in that rate."
    elif pairs:
        yield f"Of {plural(len(pairs), 'pair')} of models {counted(apart)} {'differs' if apart == 1 else 'differ'} in that rate after correction."
    yield _left_out(report)


def _left_out(report: Report) -> str:
    line = left_out_line(report).partition(": ")[0]
    return f"{line[0].upper()}{line[1:]}."
