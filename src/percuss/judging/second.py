"""A second person beside a judge: how often either errs, by class, where the first person's labels are the truth (reading.md, section 2)."""

from collections.abc import Sequence

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import ClassLine, Number, SecondPerson, number
from percuss.judging.how import How
from percuss.judging.people import Table
from percuss.stats.contrasts import compared_rates

__all__ = ["FEWEST_OF_CLASS", "MOST_ABOVE", "second_person"]

MOST_ABOVE = 0.05
"""What a judge's error rate in a class may lie above the second person's."""
FEWEST_OF_CLASS = 20
"""Items that the first person put into a class, below which nothing is said of it."""


def second_person(rows: Sequence[Judgement], mine: Sequence[Judgement], how: How) -> SecondPerson | None:
    """Return the judge's error rates by class beside a second person's, both against the first person, on the items that all three labelled.

    Args:
        rows: judgements of one metric. mine: those of the judge, its first pass. how: the word `positive`, seed, resamples.

    Returns:
        None where fewer than two people labelled, or no item has all three labels. The first person is who labelled most, then who was
        met first; the second is who shares most items with that one. Labels of consensus and adjudication are nobody's.
    """
    table = Table(rows, "label")
    if len(table.raters) < 2:
        return None
    said = [{i: cell for i, cell in enumerate(row) if cell is not None} for row in table.cells]
    first = max(range(len(table.raters)), key=lambda i: (sum(i in row for row in said), -i))
    others = [i for i in range(len(table.raters)) if i != first]
    second = max(others, key=lambda i: (sum(i in row and first in row for row in said), -i))
    judged = {one.item: one.label for one in mine if one.label is not None}
    both = [
        (row[first], row[second], str(judged[item]), cluster)
        for item, cluster, row in zip(table.items, table.clusters, said, strict=True)
        if item in judged and first in row and second in row
    ]
    if not both:
        return None
    classes = ((how.positive, True), ("all else", False))
    return SecondPerson(
        first=table.raters[first],
        second=table.raters[second],
        n=len(both),
        classes=tuple(_line(name, positive, both, how) for name, positive in classes),
    )


def _line(name: str, positive: bool, both: Sequence[tuple[str, str, str, str]], how: How) -> ClassLine:
    kept = [one for one in both if (one[0] == how.positive) is positive]
    few = f"the first person put {len(kept)} of these items into it, {FEWEST_OF_CLASS} are needed"
    if len(kept) < FEWEST_OF_CLASS:
        nothing = Number(undefined=few, n=len(kept))
        return ClassLine(of=name, n=len(kept), judge=nothing, person=nothing, more=nothing)
    wrong = np.array(
        [[float((one[column] == how.positive) is not positive) for one in kept] for column in (2, 1)]
    )
    found = compared_rates(wrong, clusters=np.array([one[3] for one in kept]), seed=how.seed, B=how.resamples)
    more = number(found.between(0, 1).result)
    judge, person = (number(one) for one in found.arms)
    return ClassLine(of=name, n=len(kept), judge=judge, person=person, more=more, verdict=_verdict(more))


def _verdict(more: Number) -> str:
    """`above` by the difference itself; `within` only where its interval lies within, too; else it is not known to be."""
    if more.value is None:
        return "unknown"
    if more.value > MOST_ABOVE:
        return "above"
    return "within" if more.high is not None and more.high <= MOST_ABOVE else "not shown to be above"
