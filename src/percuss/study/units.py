"""Answers to one question as a table of units and raters, with the statistics of it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import comb
from typing import Any

from percuss import stats
from percuss.study.answers import Given
from percuss.study.design import Question
from percuss.study.figures import Figure, figure_of, no_figure
from percuss.study.store.work import Labelled

__all__ = ["Table", "Unit", "coded", "scale_of", "share", "units_of"]

Unit = tuple[int, str]  # item, answer key ("" where the whole item is asked)


def coded(question: Question, value: Any) -> Any:
    """Return a value as statistics need it: a position where the order counts, the word where it does not."""
    if question.measure == "ordinal" and str(value) in question.values:
        if question.kind == "scale":
            return int(value)
        return len(question.values) - question.values.index(str(value))
    return str(value)


def units_of(question: Question, item: int, given: Given) -> dict[Unit, Any]:
    """Return the answers to one question: one of the item, or one of each answer in it."""
    if given.cant or question.name not in given.answer:
        return {}
    value = given.answer[question.name]
    if isinstance(value, dict):
        return {(item, key): coded(question, inner) for key, inner in value.items()}
    return {(item, ""): coded(question, value)}


def share(*counts: Sequence[float], **told: Any) -> stats.Result:
    """Estimate a rate; SciPy is loaded here, for a server that starts has no use for it.

    Args:
        counts: numerators, and denominators where they are not 1. told: what `percuss.stats.policy.rate` asks.
    """
    from percuss.stats.policy import rate

    return rate(*counts, **told)


def scale_of(question: Question) -> list[Any]:
    """Return the values of a question in order."""
    values = [coded(question, value) for value in question.values]
    return sorted(values) if question.measure == "ordinal" else values


class Table:
    """Answers to one question: unit -> rater -> value, first labels only."""

    def __init__(self, question: Question, labels: Iterable[Labelled], seed: int, B: int) -> None:
        self.question = question
        self.seed = seed
        self.B = B
        self.units: dict[Unit, dict[str, Any]] = defaultdict(dict)
        for label in labels:
            for unit, value in units_of(question, label.item, label.given).items():
                self.units[unit][label.rater] = value

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who answered."""
        return tuple(sorted({rater for given in self.units.values() for rater in given}))

    def both(self, one: str, other: str) -> list[tuple[Unit, Any, Any]]:
        """Return the units that two raters answered, with both answers."""
        return [(u, g[one], g[other]) for u, g in sorted(self.units.items()) if one in g and other in g]

    def kappa(self, pairs: Sequence[tuple[Unit, Any, Any]]) -> Figure:
        """Cohen's kappa with a bootstrap over items."""
        if len(pairs) < 2:
            return no_figure("fewer than two items were judged twice", len(pairs))
        result = stats.cohen_kappa(
            [a for _, a, _ in pairs],
            [b for _, _, b in pairs],
            weights="quadratic" if self.question.measure == "ordinal" else "nominal",
            scale=scale_of(self.question),
            interval="bootstrap",
            seed=self.seed,
            clusters=[str(unit[0]) for unit, _, _ in pairs],
            B=self.B,
        )
        return figure_of(result)

    def same(self, pairs: Sequence[tuple[Unit, Any, Any]]) -> Figure:
        """Share of the same answer."""
        if not pairs:
            return no_figure("nothing was judged twice")
        if len({unit[0] for unit, _, _ in pairs}) == len(pairs):
            return figure_of(stats.wilson(sum(a == b for _, a, b in pairs), len(pairs)))
        hits = [float(a == b) for _, a, b in pairs]
        return figure_of(share(hits, seed=self.seed, clusters=[u[0] for u, _, _ in pairs], B=self.B))

    def alike(self) -> Figure:
        """Share of the same answer over all pairs of people that answered a unit."""
        hits, clusters = list[float](), list[Any]()
        for unit, given in sorted(self.units.items()):
            pairs = comb(len(given), 2)
            same = sum(comb(n, 2) for n in Counter(given.values()).values())
            hits += [1.0] * same + [0.0] * (pairs - same)
            clusters += [unit[0]] * pairs
        if not hits:
            return no_figure("nothing was judged twice")
        if len(set(clusters)) == len(hits):
            return figure_of(stats.wilson(int(sum(hits)), len(hits)))
        return figure_of(share(hits, seed=self.seed, clusters=clusters, B=self.B))

    def alpha(self) -> Figure:
        """Krippendorff's alpha over all raters."""
        rows = [[given.get(rater) for rater in self.raters] for _, given in sorted(self.units.items())]
        clusters = [str(unit[0]) for unit in sorted(self.units)]
        result = stats.krippendorff_alpha(
            rows,
            metric="ordinal" if self.question.measure == "ordinal" else "nominal",
            scale=scale_of(self.question),
            interval="bootstrap",
            seed=self.seed,
            clusters=clusters,
            B=self.B,
        )
        return figure_of(result)
