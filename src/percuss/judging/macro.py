"""The macro coefficient of a judge, the mean over metrics, on shared draws of items: so that judges can be compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from percuss.core.judgement import Judgement
from percuss.judging.card import Number, number
from percuss.judging.how import How
from percuss.judging.labelled import label_pairs
from percuss.judging.people import kappa_of_counts
from percuss.judging.scored import people_scores
from percuss.stats.agreement import weight_matrix
from percuss.stats.bootstrap import Settings, from_draws
from percuss.stats.ranks import ItemResamples, Tau

__all__ = ["Macro", "difference", "macro_of"]

Floats = npt.NDArray[np.float64]
Weighted = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Macro:
    """A judge's macro coefficient on the sample and on draws of items that all judges share.

    Args:
        value: NaN where `undefined` says why. draws: shape (B,). clusters: how many are drawn.
    """

    value: float
    draws: Floats
    clusters: int
    metrics: int
    undefined: str = ""

    def number(self) -> Number:
        """Return the coefficient with its interval."""
        if self.undefined:
            return Number(undefined=self.undefined, n=self.metrics)
        found = from_draws(self.value, self.draws, Settings(), self.clusters)
        return _named(number(found), f"mean over {self.metrics} metrics")


def _named(found: Number, method: str) -> Number:
    from msgspec.structs import replace

    return replace(found, method=f"{method}, {found.method}")


def macro_of(rows: Sequence[Judgement], judge: str, how: How) -> Macro:
    """Return the mean over the judge's metrics of kappa or tau-b; undefined where any of them is (definitions).

    Args:
        rows: of people and judges; the items that people judged are drawn, so that all judges share the draws.
        judge: rater id. how: seed and resamples.
    """
    home = {one.item: one.cluster or one.item for one in rows if one.human}
    items = {item: at for at, item in enumerate(home)}
    metrics = tuple(dict.fromkeys(one.metric for one in rows if one.rater == judge))
    resamples = ItemResamples(len(items), np.array(list(home.values())), how.resamples, how.seed)
    whole = np.ones(len(items))
    statistics: dict[str, Weighted | None] = {
        metric: _statistic([one for one in rows if one.metric == metric], judge, items, how)
        for metric in metrics
    }
    lacking = [m for m, found in statistics.items() if found is None or np.isnan(float(found(whole)))]
    if lacking or not metrics:
        reason = f"undefined for {', '.join(lacking) or 'every metric'}"
        return Macro(np.nan, np.empty(0), resamples.n_clusters, len(metrics), reason)
    known = [found for found in statistics.values() if found is not None]
    draws = np.mean([resamples.apply(found) for found in known], axis=0)
    value = float(np.mean([float(found(whole)) for found in known]))
    return Macro(value, draws, resamples.n_clusters, len(metrics))


def difference(first: Macro, second: Macro) -> Number:
    """Return first minus second on the draws that they share, with its interval and p.

    Args:
        first, second: of the same judgements.
    """
    if first.undefined or second.undefined:
        return Number(undefined=first.undefined or second.undefined)
    found = from_draws(
        first.value - second.value, first.draws - second.draws, Settings(), first.clusters, difference=True
    )
    return _named(number(found), "paired difference of macro coefficients")


def _statistic(rows: Sequence[Judgement], judge: str, items: Mapping[str, int], how: How) -> Weighted | None:
    mine = [one for one in rows if one.rater == judge and one.run_pass == 1]
    if any(one.score is not None for one in rows):
        return _tau(rows, mine, items)
    return _kappa(rows, mine, items, how)


def _tau(rows: Sequence[Judgement], mine: Sequence[Judgement], items: Mapping[str, int]) -> Weighted | None:
    theirs = people_scores(rows)
    found = [one for one in mine if one.score is not None and one.item in theirs]
    ours, other = [float(one.score or 0) for one in found], [theirs[one.item] for one in found]
    if not found:
        return None
    tau, take = Tau(np.array(ours), np.array(other)), [items[one.item] for one in found]
    return lambda weights: tau(weights[..., take])


def _kappa(
    rows: Sequence[Judgement], mine: Sequence[Judgement], items: Mapping[str, int], how: How
) -> Weighted | None:
    words, ordinal = how.words([one.label for one in rows if one.label is not None])
    found = label_pairs(rows, mine)
    if not found:
        return None
    at, q = {word: k for k, word in enumerate(words)}, len(words)
    cells = np.zeros((len(found), q * q))
    for row, (one, label) in enumerate(found):
        cells[row, at[label] * q + at[str(one.label)]] = 1
    weights_of_cells = weight_matrix("quadratic" if ordinal else "nominal", q)
    take = [items[one.item] for one, _ in found]

    def kappa(weights: Floats) -> Floats:
        out: Floats = kappa_of_counts(weights[..., take] @ cells, weights_of_cells)
        return out

    return kappa
