"""How long people took: minutes per judgement of a study's ledger, pauses cut (definitions, "Cost")."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from statistics import mean, median
from typing import Any, NamedTuple

from percuss.protocols.textbook.people.columns import is_counted, rater_of

__all__ = ["Minutes", "minutes_of", "minutes_of_rows"]

PAUSE_MINUTES = 10.0
"""A longer gap in an annotator's ledger is a pause and is cut (definitions, "Cost")."""


class Minutes(NamedTuple):
    """Minutes per judgement.

    Args:
        median, mean: over the gaps between one annotator's judgements. n: gaps; 0 where there are none.
    """

    median: float
    mean: float
    n: int


def minutes_of(*ledgers: Sequence[float]) -> Minutes:
    """Return median and mean minutes per judgement.

    Args:
        ledgers: one an annotator: times of judgements in minutes, in any order; gaps over ten minutes are pauses.

    >>> minutes_of([0, 2, 4, 60, 63])
    Minutes(median=2, mean=2.3333333333333335, n=3)
    """
    gaps = [b - a for stamps in ledgers for a, b in pairwise(sorted(stamps)) if b - a <= PAUSE_MINUTES]
    return Minutes(median(gaps), mean(gaps), len(gaps)) if gaps else Minutes(0.0, 0.0, 0)


def minutes_of_rows(rows: Iterable[Mapping[str, Any]]) -> Minutes:
    """Return the minutes per judgement of a study's export.

    Args:
        rows: with rater (or annotator) and saved_at (ISO 8601); what was settled later is no judgement of an annotator.
    """
    ledgers: dict[str, list[float]] = {}
    for row in rows:
        if row.get("saved_at") and is_counted(row):
            at = datetime.fromisoformat(str(row["saved_at"])).timestamp() / 60
            ledgers.setdefault(rater_of(row), []).append(at)
    return minutes_of(*ledgers.values())
