"""A judge's labels against people's: kappa, raw agreement, sensitivity, specificity, by person and by stratum."""

from collections.abc import Sequence

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import MetricCard, Number, StratumLine, number
from percuss.judging.how import How
from percuss.judging.people import Table, among_people, human_ceiling, majority
from percuss.judging.second import second_person
from percuss.stats import cohen_kappa, confusion, gwet_ac, raw_agreement, wilson, wilson_clustered
from percuss.stats.agreement import Weights

__all__ = ["SMALL", "label_card", "label_pairs", "self_agreement"]

SMALL = 5
"""Strata of fewer items are listed without a coefficient."""

Pair = tuple[Judgement, str]


def label_pairs(rows: Sequence[Judgement], mine: Sequence[Judgement]) -> list[Pair]:
    """Return the judge's first-pass labels beside what people say, where both exist.

    Args:
        rows: judgements of one metric. mine: those of the judge.
    """
    truth, _ = majority(rows)
    return [(one, truth[one.item]) for one in mine if one.label is not None and one.item in truth]


def label_card(name: str, rows: Sequence[Judgement], mine: Sequence[Judgement], how: How) -> MetricCard:
    """Return the card of one metric of labels.

    Args:
        name: of the metric. rows: all judgements of it. mine: the judge's first pass. how: settings.

    Raises:
        UsageError: a label outside `how.scale`.
    """
    words, ordinal = how.words([one.label for one in rows if one.label is not None])
    found, table = label_pairs(rows, mine), Table(rows, "label")
    _, split = majority(rows)
    scale = "ordinal" if ordinal else "label"
    if not found:
        nothing = Number(undefined="no item has a label of the judge and of people")
        return MetricCard(metric=name, scale=scale, n=0, coefficient=nothing, no_consensus=split)
    meter = _Meter(words, "quadratic" if ordinal else "nominal", how)
    hits, rejections = _rates(found, how.positive)
    known = how.positive in words
    return MetricCard(
        metric=name,
        scale=scale,
        n=len(found),
        coefficient=meter.kappa(found),
        raw=meter.raw(found),
        alternatives=meter.beside(found),
        raters=meter.by_person(rows, mine, table),
        people=among_people(table, words, how, ordinal=ordinal),
        ceiling=human_ceiling(table, words, how, ordinal=ordinal),
        words=words,
        confusion=_counts(found, words),
        positive=how.positive if known else "",
        sensitivity=hits if known else None,
        specificity=rejections if known else None,
        strata=meter.by_stratum(found),
        no_consensus=split,
        second=second_person(rows, mine, how) if known else None,
    )


def _counts(found: Sequence[Pair], words: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    table = confusion([label for _, label in found], [str(one.label) for one, _ in found], scale=words).table
    return tuple(tuple(int(count) for count in row) for row in table)


def _rates(found: Sequence[Pair], positive: str) -> tuple[Number, Number]:
    """Return sensitivity and specificity; Wilson's intervals at what the clusters are worth."""
    theirs = np.array([label == positive for _, label in found])
    ours = np.array([one.label == positive for one, _ in found])
    clusters = [one.cluster or one.item for one, _ in found]
    return (
        _share(theirs & ours, theirs, clusters, f"people called nothing {positive!r}"),
        _share(~theirs & ~ours, ~theirs, clusters, f"people called everything {positive!r}"),
    )


def _share(events: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", of: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]", clusters: Sequence[str], nothing: str) -> Number:  # fmt: skip
    kept = [name for name, one in zip(clusters, of, strict=True) if one]
    k, n = int(events.sum()), int(of.sum())
    if n == 0:
        return Number(undefined=nothing)
    if len(set(kept)) == n or len(set(kept)) < 2:
        return number(wilson(k, n))
    shared = number(wilson_clustered(events[of].astype(float), np.ones(n), clusters=np.array(kept)))
    return Number(**{**{name: getattr(shared, name) for name in shared.__struct_fields__}, "n": n})


class _Meter:
    """Agreement of pairs on one scale."""

    def __init__(self, words: tuple[str, ...], weights: Weights, how: How) -> None:
        self.words, self.weights, self.how = words, weights, how

    def kappa(self, found: Sequence[Pair], weights: Weights | None = None) -> Number:
        """Kappa; by bootstrap where items share clusters."""
        theirs, ours = [label for _, label in found], [str(one.label) for one, _ in found]
        clusters = [one.cluster or one.item for one, _ in found]
        chosen = weights or self.weights
        if len(set(clusters)) == len(clusters):
            return number(cohen_kappa(theirs, ours, scale=self.words, weights=chosen))
        if len(set(clusters)) == 1:
            return Number(undefined="all items are one cluster", n=len(found))
        boot = cohen_kappa(
            theirs, ours, scale=self.words, weights=chosen, interval="bootstrap", seed=self.how.seed,
            clusters=np.array(clusters), B=self.how.resamples,
        )  # fmt: skip
        shown = number(boot)
        return Number(**{**{name: getattr(shown, name) for name in shown.__struct_fields__}, "n": len(found)})

    def raw(self, found: Sequence[Pair]) -> Number:
        """Share of items labelled alike."""
        same = np.array([one.label == label for one, label in found])
        clusters = [one.cluster or one.item for one, _ in found]
        return _share(same, np.ones(len(same), dtype=bool), clusters, "")

    def beside(self, found: Sequence[Pair]) -> dict[str, Number]:
        """Coefficients beside kappa: Gwet's, and unweighted kappa where the first is weighted."""
        both = [(label, str(one.label)) for one, label in found]
        weighted = self.weights == "quadratic"
        out = {
            "gwet_ac2" if weighted else "gwet_ac1": number(
                gwet_ac(both, scale=self.words, weights=self.weights)
            )
        }
        return out | ({"kappa_nominal": self.kappa(found, "nominal")} if weighted else {})

    def by_person(
        self, rows: Sequence[Judgement], mine: Sequence[Judgement], table: Table
    ) -> dict[str, Number]:
        """Kappa of the judge with each person."""
        out = {}
        for person in table.raters:
            said = {one.item: one.label for one in rows if one.rater == person and one.run_pass == 1}
            both = [(one, str(said[one.item])) for one in mine if one.label and said.get(one.item)]
            out[person] = self.kappa(both) if both else Number(undefined="no item in common")
        return out

    def by_stratum(self, found: Sequence[Pair]) -> tuple[StratumLine, ...]:
        """Raw agreement, kappa, and what is found of the word `positive` in each stratum."""
        lines = []
        for name in sorted({one.stratum for one, _ in found if one.stratum}):
            some = [pair for pair in found if pair[0].stratum == name]
            few = Number(undefined=f"fewer than {SMALL} items", n=len(some))
            kappa = few if len(some) < SMALL else self.kappa(some)
            hits, rejections = (
                _rates(some, self.how.positive) if self.how.positive in self.words else (None, None)
            )
            lines.append(
                StratumLine(
                    stratum=name, n=len(some), raw=self.raw(some), coefficient=kappa, sensitivity=hits, specificity=rejections
                )
            )  # fmt: skip
        return tuple(lines)


def self_agreement(mine: Sequence[Judgement]) -> Number | None:
    """Return how often the judge's first two passes give the same label or score; None with one pass.

    Args:
        mine: the judge's judgements of one metric, all passes.
    """
    said: dict[str, dict[int, str]] = {}
    for one in mine:
        value = one.label if one.label is not None else one.score
        if value is not None:
            said.setdefault(one.item, {})[one.run_pass] = str(value)
    both = [(found[1], found[2]) for found in said.values() if {1, 2} <= set(found)]
    return number(raw_agreement([a for a, _ in both], [b for _, b in both])) if both else None
