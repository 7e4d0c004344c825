"""Column layouts that cases come in, recognised by their columns, and `--map` for any other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.errors import UsageError

__all__ = ["FIELDS", "LAYOUTS", "Layout", "layout_of", "mapping"]

FIELDS = ("id", "question", "evidence", "cluster", "stratum", "reference", "cohort")


@dataclass(frozen=True)
class Layout:
    """Where a row's fields stand.

    Args:
        name: what the layout is called.
        columns: our field -> the row's column. Columns that no field names are left alone where `strict` is False.
        strict: whether a column that no field names is an error.
    """

    name: str
    columns: Mapping[str, str]
    strict: bool = False

    def read(self, row: Mapping[str, Any], line: int) -> dict[str, Any]:
        """Return the fields of a row; one without an id gets its line's number.

        Args:
            row: the object as it stands in the file. line: 1-based.
        """
        found = {field: row[column] for field, column in self.columns.items() if column in row}
        if not self.strict:
            found.setdefault("id", str(row.get("id", f"row-{line}")))
        return found


OWN = Layout("percuss", {field: field for field in FIELDS}, strict=True)
LAYOUTS = (
    Layout(
        "RAGAS",
        {"question": "user_input", "evidence": "retrieved_contexts", "reference": "reference"},
    ),
    Layout(
        "DeepEval",
        {"question": "input", "evidence": "retrieval_context", "reference": "expected_output"},
    ),
    Layout(
        "MedHallu",
        {
            "question": "Question",
            "evidence": "Knowledge",
            "reference": "Ground Truth",
            "stratum": "Difficulty Level",
        },
    ),
)
"""Layouts of other tools: RAGAS 0.2 and DeepEval test cases, and the rows of MedHallu."""


def mapping(pairs: Iterable[str]) -> dict[str, str]:
    """Return our field -> column of `--map field=column` pairs.

    Args:
        pairs: each `field=column`; several may stand in one, with commas.

    Raises:
        UsageError: not a pair, or a field that cases do not have.
    """
    found: dict[str, str] = {}
    for pair in (part for group in pairs for part in group.split(",") if part):
        field, equals, column = pair.partition("=")
        if not equals or field not in FIELDS or not column:
            raise UsageError(f"--map {pair!r} is not field=column; fields are {', '.join(FIELDS)}")
        found[field] = column
    return found


def layout_of(row: Mapping[str, Any], named: Mapping[str, str]) -> Layout:
    """Return the layout of a file by its first row.

    Args:
        row: the first object. named: of `mapping`; what it names wins over what is recognised.
    """
    recognised = OWN
    if "evidence" not in row:
        recognised = next((lay for lay in LAYOUTS if lay.columns["evidence"] in row), OWN)
    if not named:
        return recognised
    return Layout(f"{recognised.name}, mapped", {**recognised.columns, **named})
