"""People alone: how far each agrees with each other, how far all do, and what a judge could reach; no judge is needed."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from percuss.core.judgement import Judgement
from percuss.core.records import Record
from percuss.judging.card import Number, number
from percuss.judging.how import How
from percuss.judging.people import (
    Table,
    among_people,
    human_ceiling,
    score_agreement,
    score_ceiling,
)
from percuss.stats import cohen_kappa, kendall_tau_b

__all__ = ["PairLine", "ReaderTable", "reader_tables"]

FEWEST = 2


class PairLine(Record):
    """Two people on one metric: tau-b of their scores, or kappa of their labels, and on how many items both judged."""

    first: str
    second: str
    agreement: Number
    n: int


class ReaderTable(Record):
    """People on one metric.

    Args:
        metric: its name. scale: `score` or `label`. items: judged by anyone. raters: people.
        pairs: every two of them. people: agreement of all; ceiling: a person against the others.
    """

    metric: str
    scale: str
    items: int
    raters: tuple[str, ...]
    pairs: tuple[PairLine, ...]
    people: Number
    ceiling: Number


def reader_tables(rows: Sequence[Judgement], how: How) -> tuple[ReaderTable, ...]:
    """Return one table per metric that people judged.

    Args:
        rows: judgements; those of judges are passed over. how: seed, resamples, and the scale of labels.
    """
    own = [one for one in rows if one.human]
    return tuple(
        _table(name, [one for one in own if one.metric == name], how)
        for name in dict.fromkeys(one.metric for one in own)
    )


def _table(name: str, rows: Sequence[Judgement], how: How) -> ReaderTable:
    scored = any(one.score is not None for one in rows)
    table = Table(rows, "score" if scored else "label")
    said = sorted({cell for row in table.cells for cell in row if cell is not None}, key=str)
    words = () if scored else (how.scale or tuple(said))
    pairs = tuple(_pair(table, a, b, words, how) for a, b in combinations(range(len(table.raters)), 2))
    ordinal = bool(how.scale)
    return ReaderTable(
        metric=name,
        scale="score" if scored else "label",
        items=len(table.items),
        raters=table.raters,
        pairs=pairs,
        people=score_agreement(table, how) if scored else among_people(table, words, how, ordinal=ordinal),
        ceiling=score_ceiling(table, how) if scored else human_ceiling(table, words, how, ordinal=ordinal),
    )


def _pair(table: Table, a: int, b: int, words: Sequence[str], how: How) -> PairLine:
    both = [
        (row[a], row[b], home)
        for row, home in zip(table.cells, table.clusters, strict=True)
        if row[a] is not None and row[b] is not None
    ]
    names = {"first": table.raters[a], "second": table.raters[b]}
    if len(both) < FEWEST:
        return PairLine(
            **names, agreement=Number(undefined="fewer than two items of both", n=len(both)), n=len(both)
        )
    ours, theirs, homes = ([one[k] for one in both] for k in range(3))
    if not words and 1 in {len(set(ours)), len(set(theirs))}:
        flat = Number(undefined="one of them gave one score throughout", method="Kendall tau-b", n=len(both))
        return PairLine(**names, agreement=flat, n=len(both))
    shared: dict[str, Any] = {"seed": how.seed, "clusters": np.array(homes), "B": how.resamples}
    found = (
        cohen_kappa(
            ours,
            theirs,
            scale=words,
            weights="quadratic" if how.scale else "nominal",
            interval="bootstrap",
            **shared,
        )
        if words
        else kendall_tau_b(ours, theirs, **shared)
    )
    return PairLine(**names, agreement=number(found), n=len(both))
