"""Scales beside people's: a scale that ranks answers less as people do than people do among themselves is descriptive.

Leave-one-out: each person's scores against the mean of the others (Kendall's tau-b); the lowest and the highest are the human range.
A scale below it heads nothing, and no comparison is made with it. Source: definitions/explanation, version 2, "Evaluator passport".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from percuss.core.records import Case, Estimate, Verdict
from percuss.core.sections import Section
from percuss.judging.sources import is_judged
from percuss.kit.report.build import number, table, text
from percuss.kit.report.context import Report, Told
from percuss.measure.wording import source_words

__all__ = ["DESCRIPTIVE", "SCALES", "Scales", "Standing", "is_descriptive", "ranking", "tau"]

SCALES = ("cf", "ca", "ct")
DESCRIPTIVE = "descriptive: it ranks answers less as people do than people do among themselves"
FEWEST = 10
"""Answers that two sources scored, from which on they are held against each other."""


class Standing(NamedTuple):
    """How a source's scale ranks answers beside people: tau-b with people's mean over n answers, and people's own range."""

    rater: str
    scale: str
    n: int
    tau: float | None
    low: float
    high: float
    people: int

    @property
    def descriptive(self) -> bool:
        """Whether the scale lies below people's range, or doesn't rank at all."""
        return self.tau is None or self.tau < self.low


class Scales:
    """Takes part in the walk: the evaluator's first score beside the rule's, by evaluator and scale, and both beside people's.

    Args:
        report: whose models count.
    """

    def __init__(self, report: Report) -> None:
        self._models = report.results.models
        self.pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
        self._people: dict[str, list[dict[str, float]]] = {scale: [] for scale in SCALES}
        self._machines: dict[tuple[str, str], list[tuple[float, float]]] = {}

    def add(self, case: Case, answers: Sequence[Told]) -> None:
        """Take the answers of a case."""
        del case
        for scored, *_ in answers:
            verdicts = scored.verdicts if scored.response.model in self._models else ()
            for scale in SCALES:
                self._take(scale, [v for v in verdicts if v.aspect == scale and v.score is not None])

    def _take(self, scale: str, verdicts: Sequence[Verdict]) -> None:
        said = {v.rater: float(v.score) for v in verdicts if v.score is not None}
        rule = next((score for rater, score in said.items() if rater.startswith("rule:")), None)
        judges = {
            rater[:-2]: score
            for rater, score in said.items()
            if rater.startswith("judge:") and rater.endswith("#1")
        }
        for rater, score in judges.items():
            held = self.pairs.setdefault((rater, scale), [])
            held += [(score, rule)] if rule is not None else []
        people = {rater: score for rater, score in said.items() if rater.startswith("human:")}
        if not people:
            return
        self._people[scale].append(people)
        machines = {**{rater: score for rater, score in said.items() if rater.startswith("rule:")}, **judges}
        for rater, score in machines.items():
            self._machines.setdefault((rater, scale), []).append(
                (score, float(np.mean(list(people.values()))))
            )

    def standings(self) -> Iterator[Standing]:
        """Yield each source's scale beside people's range, where two people or more can be held against each other."""
        for scale in SCALES:
            names = sorted({name for row in self._people[scale] for name in row})
            found = [(name, self._beside_others(scale, name)) for name in names]
            own = [value for _, value in found if value is not None]
            if len(own) < 2:
                continue
            for (rater, of), pairs in sorted(self._machines.items()):
                if of == scale and len(pairs) >= FEWEST:
                    yield Standing(rater, scale, len(pairs), tau(pairs), min(own), max(own), len(own))

    def _beside_others(self, scale: str, name: str) -> float | None:
        pairs = [
            (row[name], float(np.mean([score for other, score in row.items() if other != name])))
            for row in self._people[scale]
            if name in row and len(row) > 1
        ]
        return tau(pairs) if len(pairs) >= FEWEST else None


def is_descriptive(report: Report, scale: str, estimate: Estimate | None) -> bool:
    """Whether the source of an estimate ranks answers on a scale less as people do than people do.

    Args:
        report: after the walk. scale: `cf`, `ca` or `ct`. estimate: made of it; a judge's passes together stand with its first.
    """
    off = {
        one.rater for one in report.collected["scales"].standings() if one.scale == scale and one.descriptive
    }
    if estimate is None or not off:
        return False
    judged = is_judged(estimate.labels)
    return estimate.labels in off or (judged and any(rater.startswith("judge:") for rater in off))


def ranking(report: Report) -> Iterator[Section]:
    """Yield the table of scales beside people's range, where people scored this run."""
    found: Sequence[Standing] = list(report.collected["scales"].standings())
    if not found:
        return
    rows: list[Mapping[str, object]] = [
        {
            "rater": source_words(one.rater), "scale": one.scale, "n": one.n, "people": one.people, "tau": one.tau, "low": one.low,
            "high": one.high, "reads": "descriptive" if one.descriptive else "ranks as people do",
        }
        for one in found
    ]  # fmt: skip
    heads = (
        text("rater"), text("scale"), number("n", "answers"), number("people", "people"), number("tau", "tau-b with people", "ratio"),
        number("low", "people, lowest", "ratio"), number("high", "people, highest", "ratio"), text("reads", "so"),
    )  # fmt: skip
    off = [f"{source_words(one.rater)} on {one.scale}" for one in found if one.descriptive]
    answer = (
        f"Descriptive, and at the head of nothing: {', '.join(off)}."
        if off
        else "Every scale ranks answers as people do."
    )
    note = "Each person's scores against the mean of the others; a source below the lowest of them is descriptive."
    yield table("judge", "Do scales rank answers as people do?", heads, rows, note=note, answer=answer)


def tau(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return Kendall's tau-b; None where one side doesn't vary."""
    from scipy.stats import kendalltau

    if len(pairs) < 2 or len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    value = float(kendalltau(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])).statistic)
    return value if np.isfinite(value) else None
