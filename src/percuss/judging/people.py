"""What people say: their majority, how far they agree, and what a judge could reach (papers/1 appendix F)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import Number, number
from percuss.judging.how import How
from percuss.stats import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    leave_one_out_ceiling,
)
from percuss.stats.agreement import Weights, weight_matrix
from percuss.stats.policy import of_sums

__all__ = [
    "CONSENSUS",
    "Table",
    "among_people",
    "human_ceiling",
    "kappa_of_counts",
    "majority",
    "score_agreement",
    "score_ceiling",
]

CONSENSUS = frozenset({"human:consensus", "human:adjudicator", "human:adjudicated"})
"""Raters that settle what people say; without one, their majority (labels) or mean z-score (scores) does."""
ONE = "one person judged; at least two are needed"


class Table:
    """What people said of each item, raters that settled it left out.

    Args:
        rows: judgements of one metric. field: `label` or `score`.

    Attributes:
        raters, items: in the order in which they were first met. cells: shape (items, raters), None where not judged.
        clusters: one per item.
    """

    def __init__(self, rows: Sequence[Judgement], field: Literal["label", "score"]) -> None:
        people = [one for one in rows if one.human and one.run_pass == 1 and one.rater not in CONSENSUS]
        said = {(one.item, one.rater): getattr(one, field) for one in people}
        home = {one.item: one.cluster or one.item for one in people}
        self.raters = tuple(dict.fromkeys(one.rater for one in people))
        self.items = tuple(home)
        self.clusters = tuple(home.values())
        self.cells: list[list[Any]] = [[said.get((i, r)) for r in self.raters] for i in self.items]

    @property
    def clustered(self) -> bool:
        """Whether several items share a cluster."""
        return len(set(self.clusters)) < len(self.clusters)


def majority(rows: Sequence[Judgement]) -> tuple[dict[str, str], int]:
    """Return item -> what people say, and how many items they are split on.

    Args:
        rows: judgements of one metric.
    """
    votes: dict[str, list[str]] = {}
    settled: dict[str, str] = {}
    for one in rows:
        if one.human and one.label is not None and one.run_pass == 1:
            if one.rater in CONSENSUS:
                settled[one.item] = one.label
            else:
                votes.setdefault(one.item, []).append(one.label)
    truth, split = dict(settled), 0
    for item, found in votes.items():
        if item in settled:
            continue
        winner = _winner(Counter(found))
        if winner is None:
            split += 1
        else:
            truth[item] = winner
    return truth, split


def _winner(votes: Counter[str]) -> str | None:
    top = votes.most_common(2)
    if not top or (len(top) == 2 and top[0][1] == top[1][1]):
        return None
    return top[0][0]


def among_people(table: Table, words: Sequence[str], how: How, *, ordinal: bool) -> Number:
    """Return Fleiss' kappa of what people said; weighted where labels have an order.

    Args:
        table: labels. words: the scale. how: seed and resamples. ordinal: whether the scale has an order.
    """
    if len(table.raters) < 2:
        return Number(undefined=ONE, n=len(table.items))
    weights: Weights = "quadratic" if ordinal else "nominal"
    if table.clustered:
        found = fleiss_kappa(
            table.cells, scale=words, weights=weights, interval="bootstrap", seed=how.seed,
            clusters=np.array(table.clusters), B=how.resamples,
        )  # fmt: skip
    else:
        found = fleiss_kappa(table.cells, scale=words, weights=weights)
    return number(found)


def human_ceiling(table: Table, words: Sequence[str], how: How, *, ordinal: bool) -> Number:
    """Return what a judge could reach: kappa of two people; with more, each against the others' majority, averaged.

    Args:
        table: labels. words: the scale. how: seed and resamples. ordinal: whether the scale has an order.

    People whose kappa is undefined (they gave one label) leave the mean, as in papers/1 appendix F.
    """
    if len(table.raters) < 2:
        return Number(undefined=ONE, n=len(table.items))
    weights = weight_matrix("quadratic" if ordinal else "nominal", len(words))
    pairs = [_against_others(table, column, words) for column in range(len(table.raters))]
    values = [kappa_of_counts(found.sum(axis=0), weights) for found in pairs]
    kept = [found for found, value in zip(pairs, values, strict=True) if not np.isnan(value)]
    if not kept:
        return Number(undefined="people gave one label only, or share no item", n=len(table.items))
    if len(table.raters) == 2:
        return _two_people(table, words, how, "quadratic" if ordinal else "nominal")
    q = len(words) ** 2

    def mean(sums: Any) -> Any:
        each = [kappa_of_counts(sums[..., k * q : (k + 1) * q], weights) for k in range(len(kept))]
        return np.mean(each, axis=0)

    found = of_sums(
        mean, np.concatenate(kept, axis=1), seed=how.seed, clusters=np.array(table.clusters), B=how.resamples
    )
    return _named(number(found), f"mean kappa of {len(kept)} people with the others", len(table.items))


def _two_people(table: Table, words: Sequence[str], how: How, weights: Weights) -> Number:
    rows = zip(table.cells, table.clusters, strict=True)
    both = [(row[0], row[1], home) for row, home in rows if None not in row]
    a, b, homes = [one[0] for one in both], [one[1] for one in both], [one[2] for one in both]
    if len(set(homes)) == len(homes):
        return number(cohen_kappa(a, b, scale=words, weights=weights))
    found = cohen_kappa(
        a, b, scale=words, weights=weights, interval="bootstrap", seed=how.seed, clusters=np.array(homes),
        B=how.resamples,
    )  # fmt: skip
    return _named(number(found), "two people", len(both))


def _named(found: Number, method: str, n: int) -> Number:
    from msgspec.structs import replace

    return replace(found, method=f"{method}, {found.method}", n=n)


def _against_others(table: Table, column: int, words: Sequence[str]) -> Any:
    """Return one-hot label pairs (this person, majority of the others), shape (items, words^2); zero where there is none."""
    at = {word: k for k, word in enumerate(words)}
    out = np.zeros((len(table.cells), len(words) ** 2))
    for row, said in enumerate(table.cells):
        others = _winner(Counter(label for k, label in enumerate(said) if k != column and label is not None))
        if said[column] is not None and others is not None:
            out[row, at[said[column]] * len(words) + at[others]] = 1
    return out


def kappa_of_counts(counts: Any, weights: Any) -> Any:
    """Return Cohen's kappa of pair counts, shape (.., q * q) -> (..); NaN where it is undefined.

    Args:
        counts: row-major, first rater by second. weights: agreement weights, shape (q, q).
    """
    q = len(weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = counts.reshape(*counts.shape[:-1], q, q) / counts.sum(axis=-1)[..., None, None]
        observed = (p * weights).sum(axis=(-1, -2))
        chance = np.einsum("...i,ij,...j->...", p.sum(axis=-1), weights, p.sum(axis=-2))
        return np.where(1 - chance > 1e-12, (observed - chance) / (1 - chance), np.nan)


def scores_of(table: Table) -> Any:
    """Return scores of people, shape (items, raters), NaN where not scored."""
    cells = [[np.nan if x is None else x for x in row] for row in table.cells]
    return np.array(cells, dtype=float).reshape(len(table.items), len(table.raters))


def score_agreement(table: Table, how: How) -> Number:
    """Return Krippendorff's ordinal alpha of what people scored.

    Args:
        table: scores. how: seed and resamples.
    """
    if len(table.raters) < 2:
        return Number(undefined=ONE, n=len(table.items))
    if table.clustered:
        found = krippendorff_alpha(
            table.cells, metric="ordinal", interval="bootstrap", seed=how.seed,
            clusters=np.array(table.clusters), B=how.resamples,
        )  # fmt: skip
    else:
        found = krippendorff_alpha(table.cells, metric="ordinal")
    return number(found)


def score_ceiling(table: Table, how: How) -> Number:
    """Return the mean tau-b of each person with the others' consensus (papers/1 appendix F, Table S10).

    Args:
        table: scores. how: seed and resamples.
    """
    if len(table.raters) < 2:
        return Number(undefined=ONE, n=len(table.items))
    found = leave_one_out_ceiling(
        scores_of(table), seed=how.seed, clusters=np.array(table.clusters), B=how.resamples
    )
    return number(found.mean)
