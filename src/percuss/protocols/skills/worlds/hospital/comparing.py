"""Submitted rows against the right ones: multisets after typed normalisation, columns by name."""

import datetime as dt
import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.strict import Record
from percuss.protocols.skills.worlds.hospital.tasks.round import Column, Gold

__all__ = ["Compared", "compared"]


class Compared(Record):
    """How submitted rows compare: `right` where all rows are there and no other (in order where that counts).

    Args:
        right: whether it is the very answer. f1: 2 x matched / (submitted + gold), 0 to 1. why: what was missing.
    """

    right: bool
    f1: float
    why: str = ""


def compared(gold: Gold, submitted: Any) -> Compared:
    """Compare what was handed in with the right answer.

    Args:
        gold: the right answer. submitted: list of objects, column -> value; columns beyond gold's are left aside; None
            where nothing was handed in.
    """
    if not isinstance(submitted, list | tuple):
        return Compared(right=False, f1=0.0, why="nothing was handed in")
    rows = [_named(row) for row in submitted]
    lacking = sorted(
        {c.name for c in gold.columns for row in rows if row is None or c.name.lower() not in row}
    )
    fits = [[_equal(row, wanted, gold.columns) for wanted in gold.rows] for row in rows]
    matched = _matched(fits)
    f1 = 2 * matched / (len(rows) + len(gold.rows)) if rows or gold.rows else 1.0
    right = matched == len(rows) == len(gold.rows)
    if right and gold.ordered and not all(fits[i][i] for i in range(len(rows))):
        return Compared(right=False, f1=f1, why="the rows are in another order")
    why = (
        f"no column {', '.join(lacking)}"
        if lacking
        else f"{matched} of {len(gold.rows)} rows, {len(rows)} given"
    )
    return Compared(right=right, f1=f1, why="" if right else why)


def _named(row: Any) -> dict[str, Any] | None:
    if not isinstance(row, Mapping):
        return None
    return {str(name).strip().lower(): value for name, value in row.items()}


def _equal(row: dict[str, Any] | None, wanted: Sequence[Any], columns: Sequence[Column]) -> bool:
    if row is None:
        return False
    missing = object()
    pairs = zip(columns, wanted, strict=True)
    return all(_same(row.get(column.name.lower(), missing), value, column) for column, value in pairs)


def _same(given: Any, wanted: Any, column: Column) -> bool:
    if wanted is None or given is None:
        return given is wanted
    if column.kind in {"integer", "number"}:
        one, other = _number(given), _number(wanted)
        if one is None or other is None:
            return False
        return abs(one - other) <= column.tolerance * max(1.0, abs(other) if column.tolerance < 1e-3 else 1.0)
    if column.kind in {"date", "time"}:
        moment = _moment(given)
        return moment is not None and moment == _moment(wanted)
    return isinstance(given, str) and _text(given) == _text(str(wanted))


def _number(value: Any) -> float | None:
    """Return a number, or one written as text; a yes or no is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _moment(value: Any) -> dt.datetime | None:
    """Return a date or time in ISO form; a date is its midnight."""
    if not isinstance(value, str):
        return None
    try:
        moment = dt.datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment.replace(tzinfo=None)


def _text(value: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def _matched(fits: Sequence[Sequence[bool]]) -> int:
    """Return the size of a largest one-to-one matching: with tolerances one row may fit several."""
    owner: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in seen:
                seen.add(column)
                if column not in owner or place(owner[column], seen):
                    owner[column] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(fits)))
