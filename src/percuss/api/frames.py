"""What a run holds as rows that become a data frame: estimates, claims, responses, calls."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Literal

from percuss.core.errors import UsageError
from percuss.core.records import Estimate
from percuss.exchange.tables import estimate_rows
from percuss.report.fragment import rows_fragment

__all__ = ["Estimates", "Rows", "framed"]

Kind = Literal["pandas", "polars", "pyarrow"]
SHOWN = (
    "name", "model", "arm", "labels", "versus", "stratum", "value", "low", "high", "unit", "n", "undefined", "simulated",
)  # fmt: skip
"""Columns of an estimate that a notebook's cell shows."""


def framed(rows: list[dict[str, Any]], kind: Kind = "pandas") -> Any:
    """Return rows as a data frame of a library that is installed.

    Args:
        rows: dictionaries with the same keys. kind: pandas, polars or pyarrow.

    Raises:
        UsageError: it isn't installed; `rows()` needs none.
    """
    try:
        library = import_module(kind)
    except ImportError as error:
        raise UsageError(
            f"frame({kind!r}) needs {kind}, which isn't installed; install it, or take rows()"
        ) from error
    if kind == "pyarrow":
        return library.Table.from_pylist(rows)
    return library.DataFrame(rows)


class Rows(tuple[Mapping[str, Any], ...]):  # noqa: SLOT001 - a tuple of no fixed size can have no slots of its own
    """Rows of a run's table, each a dictionary; the same as `percuss export` writes.

    Args:
        what: they are, in the plural.
    """

    what = "rows"

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as plain dictionaries."""
        return [dict(row) for row in self]

    def frame(self, kind: Kind = "pandas") -> Any:
        """Return the rows as a data frame.

        Args:
            kind: pandas, polars or pyarrow.
        """
        return framed(self.rows(), kind)

    def _repr_html_(self) -> str:
        return rows_fragment(self, self.what)

    @classmethod
    def of(cls, rows: Any, what: str) -> "Rows":
        """Make the rows of a table and say what they are.

        Args:
            rows: dictionaries. what: they are, in the plural.
        """
        made = cls(rows)
        made.what = what
        return made


class Estimates(tuple[Estimate, ...]):
    """The estimates of a scoring, in the protocol's order."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per estimate, as `percuss export --table estimates` writes it."""
        return list(estimate_rows(self))

    def frame(self, kind: Kind = "pandas") -> Any:
        """Return the estimates as a data frame.

        Args:
            kind: pandas, polars or pyarrow.
        """
        return framed(self.rows(), kind)

    def _repr_html_(self) -> str:
        rows = [{name: row[name] for name in SHOWN} for row in self.rows()]
        return rows_fragment(rows, "estimates")
