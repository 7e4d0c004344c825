"""Columns of a study's export, or of any table with the same names: whose judgement it is, and of which type of question."""

from collections.abc import Mapping
from typing import Any

__all__ = ["SETTLED", "YES", "is_counted", "kind_of", "rater_of"]

SETTLED = "adjudicated"
"""Who says what was settled."""
YES = frozenset({"yes", "true", "1", "y"})
_KINDS = ("type", "kind", "stratum.kind", "stratum.tier")
"""Where the type of a question stands; an export holds it among the strata."""


def kind_of(row: Mapping[str, Any]) -> str:
    """Return the type of a question; "" where the row has none."""
    return next((str(row[name]) for name in _KINDS if row.get(name)), "")


def rater_of(row: Mapping[str, Any]) -> str:
    """Return who said it."""
    return str(row.get("rater") or row.get("annotator") or "")


def is_counted(row: Mapping[str, Any]) -> bool:
    """Say whether a row is one annotator's own judgement: no hidden repeat, and nothing that was settled."""
    return str(row.get("repeat", "")).lower() not in YES and rater_of(row) != SETTLED
