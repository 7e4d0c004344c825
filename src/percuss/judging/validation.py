"""Validating a judge: agreement with people, ceiling, bias, coverage, gates (papers/0 4.4; papers/1 5.2, appendix F)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.core.labels import Support, is_simulated
from percuss.judging.card import Card, GateLine, MetricCard, Number, StratumLine, number
from percuss.judging.people import CONSENSUS, among_people, human_ceiling, majority, table_of
from percuss.stats import (
    PAPER_GATES,
    cohen_kappa,
    confusion,
    consensus,
    gate,
    gwet_ac,
    judge_accuracy,
    kendall_tau_b,
    leave_one_out_ceiling,
    outcome_rates,
    raw_agreement,
)

__all__ = ["CONSENSUS", "judges_of", "validate"]

SMALL = 5
"""Strata of fewer items are listed without a coefficient."""


def judges_of(judgements: Iterable[Judgement]) -> tuple[str, ...]:
    """Return the raters that are no people, in the order in which they were first met."""
    return tuple(dict.fromkeys(one.rater for one in judgements if not one.human))


def validate(
    judgements: Sequence[Judgement],
    judge: str,
    *,
    seed: int,
    positive: str = Support.UNSUPPORTED.value,
    double_count_abstain: bool = False,
    thresholds: Mapping[str, float] = PAPER_GATES,
    resamples: int = 10_000,
    split: str = "all",
) -> Card:
    """Return the card of one judge.

    Args:
        judgements: of people and of the judge; others are passed over.
        judge: rater id.
        seed: of every bootstrap.
        positive: the label whose sensitivity and specificity are reported.
        double_count_abstain: count abstentions as schema failures too, as papers/1 Table S9 did.
        thresholds: gate -> largest rate (papers/1 section 5.2).
        resamples: of the bootstraps.
        split: name of the part of the data that this is.

    Raises:
        UsageError: nobody labelled anything, or the judge did not.
    """
    people = tuple(dict.fromkeys(one.rater for one in judgements if one.human))
    mine = [one for one in judgements if one.rater == judge]
    if not people:
        raise UsageError(
            "no rater is a person; expected raters called human:.., or name them with --humans a,b"
        )
    if not mine:
        raise UsageError(
            f"no judgement is of {judge!r}; the judges are {', '.join(judges_of(judgements)) or 'none'}"
        )
    how = _How(seed, resamples, positive, double_count_abstain)
    metrics = tuple(
        _metric(name, [one for one in judgements if one.metric == name], judge, people, how)
        for name in dict.fromkeys(one.metric for one in mine)
    )
    outcomes = outcome_rates([one.outcome for one in mine], double_count_abstain=double_count_abstain)
    return Card(
        judge=judge,
        items=len({one.item for one in mine}),
        people=people,
        metrics=metrics,
        macro=_macro(metrics),
        kappa=next((m.coefficient for m in metrics if m.scale == "label"), None),
        gates=tuple(_gates(mine, thresholds, how)),
        coverage=outcomes.coverage,
        validity=outcomes.validity,
        split=split,
        seed=seed,
        simulated=is_simulated(judge.removeprefix("judge:")),
    )


class _How:
    """Settings that every step shares."""

    def __init__(self, seed: int, resamples: int, positive: str, double: bool) -> None:
        self.seed = seed
        self.resamples = resamples
        self.positive = positive
        self.double = double


def _metric(
    name: str, rows: Sequence[Judgement], judge: str, people: tuple[str, ...], how: _How
) -> MetricCard:
    first = [one for one in rows if one.rater == judge and one.run_pass == 1]
    outcomes = outcome_rates(
        [one.outcome for one in rows if one.rater == judge], double_count_abstain=how.double
    )
    scored = any(one.score is not None for one in rows)
    card = _scores(name, rows, first, people, how) if scored else _labels(name, rows, first, people, how)
    shares = {key: float(value) for key, value in outcomes.rates.items()}
    passes = None if scored else _passes([one for one in rows if one.rater == judge])
    return _with(card, outcomes=shares, coverage=outcomes.coverage, validity=outcomes.validity, passes=passes)


def _with(card: MetricCard, **fields: Any) -> MetricCard:
    from msgspec.structs import replace

    return replace(card, **fields)


def _labels(
    name: str, rows: Sequence[Judgement], mine: Sequence[Judgement], people: tuple[str, ...], how: _How
) -> MetricCard:
    truth, split = majority(rows)
    pairs = [(one, truth[one.item]) for one in mine if one.label is not None and one.item in truth]
    if not pairs:
        return MetricCard(
            metric=name, scale="label", n=0, coefficient=Number(undefined="no item has both labels")
        )
    theirs, ours = [label for _, label in pairs], [str(one.label) for one, _ in pairs]
    clusters = [one.cluster for one, _ in pairs]
    words = tuple(sorted({*theirs, *ours}))
    table = confusion(theirs, ours, scale=words)
    hits = judge_accuracy([o == how.positive for o in ours], [t == how.positive for t in theirs])
    known = how.positive in words
    return MetricCard(
        metric=name,
        scale="label",
        n=len(pairs),
        coefficient=_kappa(theirs, ours, words, clusters, how),
        raw=number(raw_agreement(theirs, ours)),
        alternatives={"gwet_ac1": number(gwet_ac(list(zip(theirs, ours, strict=True)), scale=words))},
        raters=_each_person(rows, mine, people, words, how),
        people=among_people(rows, people, words),
        ceiling=human_ceiling(rows, people, words),
        words=words,
        confusion=tuple(tuple(int(count) for count in row) for row in table.table),
        positive=how.positive if known else "",
        sensitivity=number(hits.sensitivity) if known else None,
        specificity=number(hits.specificity) if known else None,
        strata=_strata(pairs, words, how),
        no_consensus=split,
    )


def _kappa(
    a: Sequence[str], b: Sequence[str], words: Sequence[str], clusters: Sequence[str], how: _How
) -> Number:
    if len(set(clusters)) < len(clusters):
        found = cohen_kappa(
            a, b, scale=words, interval="bootstrap", seed=how.seed, clusters=clusters, B=how.resamples
        )
        return number(found)
    return number(cohen_kappa(a, b, scale=words))


def _each_person(
    rows: Sequence[Judgement],
    mine: Sequence[Judgement],
    people: Sequence[str],
    words: Sequence[str],
    how: _How,
) -> dict[str, Number]:
    out = {}
    for person in people:
        theirs = {
            one.item: one.label for one in rows if one.rater == person and one.label and one.run_pass == 1
        }
        both = [(one, str(theirs[one.item])) for one in mine if one.label and one.item in theirs]
        if both:
            labels, clusters = [str(one.label) for one, _ in both], [one.cluster for one, _ in both]
            scale = tuple(sorted({*words, *(label for _, label in both)}))
            out[person] = _kappa([label for _, label in both], labels, scale, clusters, how)
    return out


def _strata(
    pairs: Sequence[tuple[Judgement, str]], words: Sequence[str], how: _How
) -> tuple[StratumLine, ...]:
    lines = []
    for name in sorted({one.stratum for one, _ in pairs if one.stratum}):
        some = [(one, label) for one, label in pairs if one.stratum == name]
        theirs, ours = [label for _, label in some], [str(one.label) for one, _ in some]
        few = Number(undefined=f"fewer than {SMALL} items", n=len(some))
        coefficient = (
            few if len(some) < SMALL else _kappa(theirs, ours, words, [one.cluster for one, _ in some], how)
        )
        lines.append(
            StratumLine(
                stratum=name, n=len(some), raw=number(raw_agreement(theirs, ours)), coefficient=coefficient
            )
        )
    return tuple(lines)


def _scores(
    name: str, rows: Sequence[Judgement], mine: Sequence[Judgement], people: tuple[str, ...], how: _How
) -> MetricCard:
    raters = [person for person in people if person != CONSENSUS]
    items = list(dict.fromkeys(one.item for one in rows if one.human))
    table = np.array(
        [[np.nan if x is None else x for x in row] for row in table_of(rows, people, "score")], dtype=float
    ).reshape(len(items), len(raters))
    theirs = dict(zip(items, consensus(table), strict=True))
    pairs = [one for one in mine if one.score is not None and np.isfinite(theirs.get(one.item, np.nan))]
    if len(pairs) < 2:
        return MetricCard(
            metric=name, scale="score", n=len(pairs), coefficient=Number(undefined="fewer than 2 items")
        )
    ours = [float(one.score or 0.0) for one in pairs]
    clusters = [one.cluster for one in pairs]
    tau = kendall_tau_b(
        ours, [theirs[one.item] for one in pairs], seed=how.seed, clusters=clusters, B=how.resamples
    )
    at = {item: row for row, item in enumerate(items)}
    each = {}
    for column, person in enumerate(raters):
        both = [one for one in pairs if np.isfinite(table[at[one.item], column])]
        if len(both) > 1:
            scores = [table[at[one.item], column] for one in both]
            own = [float(one.score or 0.0) for one in both]
            each[person] = number(kendall_tau_b(own, scores, seed=how.seed, B=how.resamples))
    ceiling = None
    if len(raters) > 1:
        ceiling = number(leave_one_out_ceiling(table, seed=how.seed, B=how.resamples).mean)
    return MetricCard(
        metric=name, scale="score", n=len(pairs), coefficient=number(tau), raters=each, ceiling=ceiling
    )


def _passes(mine: Sequence[Judgement]) -> Number | None:
    """Return how often the judge's first two passes agree, where both are readable."""
    by_item: dict[str, dict[int, str | None]] = {}
    for one in mine:
        by_item.setdefault(one.item, {})[one.run_pass] = one.label
    pairs = [(found[1], found[2]) for found in by_item.values() if found.get(1) and found.get(2)]
    return number(raw_agreement([a for a, _ in pairs], [b for _, b in pairs])) if pairs else None


def _macro(metrics: Sequence[MetricCard]) -> Number:
    """Return the mean of the metrics' coefficients; an undefined one leaves it undefined (definitions)."""
    values = [metric.coefficient.value for metric in metrics]
    known = [value for value in values if value is not None]
    if len(known) < len(values) or not known:
        lacking = [metric.metric for metric in metrics if metric.coefficient.value is None]
        return Number(undefined=f"undefined for {', '.join(lacking) or 'every metric'}", n=len(known))
    if len(metrics) == 1:
        return metrics[0].coefficient
    return Number(
        value=float(np.mean(known)),
        method=f"mean over {len(known)} metrics",
        n=len(known),
        note="no interval",
    )


def _gates(mine: Sequence[Judgement], thresholds: Mapping[str, float], how: _How) -> Iterable[GateLine]:
    clusters = [one.cluster for one in mine]
    failed = {
        "abstain": [one.outcome == "abstain" for one in mine],
        "invalid": [one.outcome in {"parse", "schema", "evidence"} for one in mine],
        "parse": [one.outcome == "parse" for one in mine],
        "schema": [one.outcome == "schema" or (how.double and one.outcome == "abstain") for one in mine],
        "evidence": [one.outcome == "evidence" for one in mine],
    }
    shams = [one for one in mine if one.sham and one.metric == "ca" and one.score is not None]
    lines = (
        [("fpr_sham", [(one.score or 0) >= 3 for one in shams], [one.cluster for one in shams])]
        if shams
        else []
    )
    lines += [(name, events, clusters) for name, events in failed.items()]
    for name, events, groups in lines:
        if name not in thresholds:
            continue
        found = gate(
            [float(e) for e in events],
            thresholds[name],
            seed=how.seed,
            name=name,
            clusters=groups,
            B=how.resamples,
        )
        yield GateLine(
            name=name,
            threshold=found.threshold,
            rate=number(found.rate),
            passed=found.passed,
            assured=found.assured,
            needs=found.needs,
        )
