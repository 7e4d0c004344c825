"""What some designs need beside kappa: ICC(A,k) of scales, Fleiss' kappa, each rater's bias, conditions compared over readers."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from statistics import mean
from typing import NamedTuple

from percuss import stats
from percuss.study.about import models_of
from percuss.study.figures import Figure, figure_of, no_figure
from percuss.study.items import Prepared
from percuss.study.units import Table, Unit, scale_of, share

__all__ = ["Further", "further"]

MOST_LISTED = 12
"""People up to which each one's bias is listed."""
MOST_CONTRASTS = 10
"""Pairs of conditions that are compared; more are no question that somebody asked beforehand."""


class Further(NamedTuple):
    """What is told beside kappa; a design that has no use for one has None, or an empty table."""

    icc: Figure | None
    fleiss: Figure | None
    bias: dict[str, Figure]
    contrasts: dict[str, Figure]


def further(table: Table, items: Mapping[int, Prepared]) -> Further:
    """Return ICC(A,k) and contrasts of scales, Fleiss' kappa of labels, and the bias of each rater on what is ordered.

    Args:
        table: first labels of items that everybody asked has answered. items: by number, for model, arm and case.
    """
    scale = table.question.kind == "scale"
    several = len(table.raters) > 1
    return Further(
        icc=_icc(table) if scale and several else None,
        fleiss=_fleiss(table) if several else None,
        bias=_biases(table)
        if table.question.measure == "ordinal" and 1 < len(table.raters) <= MOST_LISTED
        else {},
        contrasts=_contrasts(table, items) if scale and several else {},
    )


def _whole(table: Table) -> list[list[float]]:
    """Return the scores of units that every rater judged, shape (units, raters)."""
    raters = table.raters
    return [
        [float(given[rater]) for rater in raters]
        for _, given in sorted(table.units.items())
        if len(given) == len(raters)
    ]


def _icc(table: Table) -> Figure:
    scores = _whole(table)
    if len(scores) < 2:
        return no_figure("ICC(A,k) needs two items or more that every rater judged", len(scores))
    return figure_of(stats.icc(scores, form="A,k"))


def _fleiss(table: Table) -> Figure:
    rows = [[given.get(rater) for rater in table.raters] for _, given in sorted(table.units.items())]
    result = stats.fleiss_kappa(
        rows,
        scale=scale_of(table.question),
        interval="bootstrap",
        seed=table.seed,
        clusters=[str(unit[0]) for unit in sorted(table.units)],
        B=table.B,
    )
    return figure_of(result)


def _biases(table: Table) -> dict[str, Figure]:
    """Return rater -> mean of their answer minus the mean of the others' on the same things, in steps of the scale."""
    found = {}
    for rater in table.raters:
        apart: dict[int, list[float]] = defaultdict(list)
        for unit, given in sorted(table.units.items()):
            others = [float(said) for who, said in given.items() if who != rater]
            if rater in given and others:
                apart[unit[0]].append(float(given[rater]) - mean(others))
        steps = [mean(listed) for listed in apart.values()]
        if steps:
            found[rater] = figure_of(share(steps, seed=table.seed, clusters=list(apart), B=table.B))
    return found


def _condition(item: Prepared, unit: Unit, arms: bool) -> str:
    if unit[1]:
        owner = (item.hidden.get("answer_ids") or {}).get(unit[1]) or {}
        return str(owner.get("model") or "")
    if arms:
        return str(item.hidden.get("arm") or item.stratum.get("arm") or "")
    return next(iter(models_of(item).values()))


def _contrasts(table: Table, items: Mapping[int, Prepared]) -> dict[str, Figure]:
    """Return "one - other" -> mean difference over readers and cases, of arms where there are several, else of models."""
    for arms in (True, False):
        scores: dict[str, dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(dict))
        for unit, given in sorted(table.units.items()):
            item = items[unit[0]]
            case = str(item.hidden.get("case") or item.subject)
            for rater, said in given.items():
                held = scores[_condition(item, unit, arms)][case].setdefault(rater, [])
                held.append(float(said))
        named = sorted(name for name in scores if name)
        if len(named) > 1:
            pairs = list(combinations(named, 2))[:MOST_CONTRASTS]
            return {f"{a} - {b}": _contrast(table, scores[a], scores[b]) for a, b in pairs}
    return {}


def _contrast(
    table: Table, one: Mapping[str, Mapping[str, list[float]]], other: Mapping[str, Mapping[str, list[float]]]
) -> Figure:
    raters = table.raters
    both = [
        case
        for case in sorted(one.keys() & other.keys())
        if all(rater in one[case] and rater in other[case] for rater in raters)
    ]
    if len(both) < 2:
        return no_figure("fewer than two cases were judged by every rater in both conditions", len(both))
    first, second = ([[mean(held[case][r]) for case in both] for r in raters] for held in (one, other))
    return figure_of(stats.mrmc_difference(first, second))
