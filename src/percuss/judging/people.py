"""What people say: their majority, how far they agree, and what a judge could reach (papers/1 appendix F)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import Number, number
from percuss.stats import cohen_kappa, fleiss_kappa

__all__ = ["CONSENSUS", "among_people", "human_ceiling", "majority", "table_of"]

CONSENSUS = "human:consensus"
"""A rater of this name settles what people say; without it, their majority (labels) or mean z-score does."""


def majority(rows: Sequence[Judgement]) -> tuple[dict[str, str], int]:
    """Return item -> what people say, and how many items they are split on."""
    votes: dict[str, Counter[str]] = {}
    settled: dict[str, str] = {}
    for one in rows:
        if one.human and one.label is not None:
            if one.rater == CONSENSUS:
                settled[one.item] = one.label
            elif one.run_pass == 1:
                votes.setdefault(one.item, Counter())[one.label] += 1
    truth, split = dict(settled), 0
    for item, found in votes.items():
        top = found.most_common(2)
        if item in settled:
            continue
        if len(top) > 1 and top[0][1] == top[1][1]:
            split += 1
        else:
            truth[item] = top[0][0]
    return truth, split


def table_of(rows: Sequence[Judgement], people: Sequence[str], field: str) -> list[list[Any]]:
    """Return what people said, shape (items, people), None where a person did not judge an item."""
    raters = [person for person in people if person != CONSENSUS]
    said = {(one.item, one.rater): getattr(one, field) for one in rows if one.human and one.run_pass == 1}
    items = dict.fromkeys(one.item for one in rows if one.human and one.rater != CONSENSUS)
    return [[said.get((item, rater)) for rater in raters] for item in items]


def among_people(rows: Sequence[Judgement], people: Sequence[str], words: Sequence[str]) -> Number | None:
    table = table_of(rows, people, "label")
    if not table or len(table[0]) < 2:
        return None
    scale = tuple(sorted({*words, *(label for row in table for label in row if label is not None)}))
    return number(fleiss_kappa(table, scale=scale))


def human_ceiling(rows: Sequence[Judgement], people: Sequence[str], words: Sequence[str]) -> Number | None:
    """Return kappa of two people: what a judge could reach; with more than two, each against the majority, averaged."""
    raters = [person for person in people if person != CONSENSUS]
    table = table_of(rows, people, "label")
    found = []
    for column in range(len(raters)):
        others = [Counter(x for i, x in enumerate(row) if i != column and x is not None) for row in table]
        pairs = [
            (row[column], votes.most_common(1)[0][0])
            for row, votes in zip(table, others, strict=True)
            if row[column] is not None and votes and _clear(votes)
        ]
        if pairs:
            scale = tuple(sorted({*words, *(x for pair in pairs for x in pair)}))
            found.append(cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], scale=scale))
    if len(found) < 2:
        return None
    if len(raters) == 2:
        return number(found[0])
    values = [one.value for one in found if one.value is not None]
    if len(values) < len(found):
        return Number(undefined="a person's kappa is undefined")
    method = f"mean kappa of {len(values)} people, each against the others' majority"
    return Number(
        value=float(np.mean(values)),
        low=min(values),
        high=max(values),
        method=f"{method} (range)",
        n=len(values),
    )


def _clear(votes: Counter[str]) -> bool:
    top = votes.most_common(2)
    return len(top) == 1 or top[0][1] > top[1][1]
