"""A judge's scores against people's: Kendall's tau-b with their mean z-score (papers/1 section 5.2, appendix F)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import MetricCard, Number, StratumLine, number
from percuss.judging.how import How
from percuss.judging.labelled import SMALL
from percuss.judging.people import CONSENSUS, Table, score_agreement, score_ceiling, scores_of
from percuss.stats import cohen_kappa, consensus, kendall_tau_b, raw_agreement

__all__ = ["people_scores", "score_card"]

LEVELS = 21
"""Whole-number scores over at most so many levels get a weighted kappa too."""


def people_scores(rows: Sequence[Judgement]) -> dict[str, float]:
    """Return item -> what people say: settled scores where there are any, else the mean of their z-scores.

    Args:
        rows: judgements of one metric, of one split: z-scores are taken within it (definitions/explanation.md).
    """
    settled = {one.item: one.score for one in rows if one.rater in CONSENSUS and one.score is not None}
    if settled:
        return settled
    table = Table(rows, "score")
    if not table.raters:
        return {}
    found = zip(table.items, consensus(scores_of(table)), strict=True)
    return {item: float(z) for item, z in found if np.isfinite(z)}


def score_card(name: str, rows: Sequence[Judgement], mine: Sequence[Judgement], how: How) -> MetricCard:
    """Return the card of one metric of scores.

    Args:
        name: of the metric. rows: all judgements of it. mine: the judge's first pass. how: settings.
    """
    theirs, table = people_scores(rows), Table(rows, "score")
    found = [one for one in mine if one.score is not None and one.item in theirs]
    return MetricCard(
        metric=name,
        scale="score",
        n=len(found),
        coefficient=_tau(found, theirs, how),
        alternatives=_weighted(found, table, how),
        raters=_by_person(found, table, how),
        people=score_agreement(table, how),
        ceiling=score_ceiling(table, how),
        strata=_by_stratum(found, theirs, how),
    )


def _tau(found: Sequence[Judgement], theirs: dict[str, Any], how: How) -> Number:
    if len(found) < 2:
        return Number(undefined="fewer than two items have a score of the judge and of people", n=len(found))
    clusters = np.array([one.cluster or one.item for one in found])
    ours, other = [one.score for one in found], [theirs[one.item] for one in found]
    if len(set(ours)) < 2 or len(set(other)) < 2:
        who = "the judge gave" if len(set(ours)) < 2 else "people gave"
        return Number(undefined=f"{who} one score throughout", method="Kendall tau-b", n=len(found))
    return number(kendall_tau_b(ours, other, seed=how.seed, clusters=clusters, B=how.resamples))  # type: ignore[arg-type]


def _by_person(found: Sequence[Judgement], table: Table, how: How) -> dict[str, Number]:
    """Tau-b of the judge with each person (Table S7)."""
    out = {}
    for column, person in enumerate(table.raters):
        said = {item: row[column] for item, row in zip(table.items, table.cells, strict=True)}
        both = [one for one in found if said.get(one.item) is not None]
        out[person] = _tau(both, said, how)
    return out


def _by_stratum(found: Sequence[Judgement], theirs: dict[str, Any], how: How) -> tuple[StratumLine, ...]:
    """Tau-b in each stratum; z-scores stay those of the whole split."""
    lines = []
    for name in sorted({one.stratum for one in found if one.stratum}):
        some = [one for one in found if one.stratum == name]
        few = Number(undefined=f"fewer than {SMALL} items", n=len(some))
        coefficient = few if len(some) < SMALL else _tau(some, theirs, how)
        lines.append(StratumLine(stratum=name, n=len(some), coefficient=coefficient))
    return tuple(lines)


def _weighted(found: Sequence[Judgement], table: Table, how: How) -> dict[str, Number]:
    """Quadratic kappa and raw agreement over all pairs of the judge with a person, items resampled."""
    scores = {one.item: one.score for one in found}
    both = [
        (scores[item], said, cluster)
        for item, row, cluster in zip(table.items, table.cells, table.clusters, strict=True)
        for said in row
        if item in scores and said is not None
    ]
    ours, theirs = [int(a or 0) for a, _, _ in both], [int(b) for _, b, _ in both]
    whole = all(float(a or 0).is_integer() and float(b).is_integer() for a, b, _ in both)
    if not both or not whole or max(*ours, *theirs) - min(*ours, *theirs) >= LEVELS:
        return {}
    clusters = np.array([cluster for _, _, cluster in both])
    if len(set(clusters.tolist())) < 2:
        return {}
    kappa = cohen_kappa(
        theirs, ours, scale=range(min(*ours, *theirs), max(*ours, *theirs) + 1), weights="quadratic",
        interval="bootstrap", seed=how.seed, clusters=clusters, B=how.resamples,
    )  # fmt: skip
    raw = raw_agreement(theirs, ours, clusters=clusters, seed=how.seed, B=how.resamples)
    return {"kappa_quadratic": number(kappa), "same_score": number(raw)}
