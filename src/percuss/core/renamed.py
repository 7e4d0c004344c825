"""Old names of raters and estimates, in one table: a run written under an old name is read under the new one."""

from collections.abc import Mapping

from msgspec.structs import replace

from percuss.core.records import Cell, Estimate, Scoring, Verdict
from percuss.core.strict import Record

__all__ = ["RENAMED", "Names", "names_of"]


class Names(Record):
    """Old name -> name of today, of one protocol.

    Args:
        raters: of verdicts, labels and scorings. estimates: of estimates and the cells that they are made of.
    """

    raters: dict[str, str] = {}
    estimates: dict[str, str] = {}

    def verdict(self, verdict: Verdict) -> Verdict:
        """Return a verdict under the name of today."""
        name = self.raters.get(verdict.rater)
        return verdict if name is None else replace(verdict, rater=name)

    def scoring(self, scoring: Scoring) -> Scoring:
        """Return a scoring with the raters' names of today; its id stays."""
        if not set(scoring.raters) & set(self.raters):
            return scoring
        return replace(scoring, raters=tuple(self.raters.get(name, name) for name in scoring.raters))

    def cell(self, cell: Cell) -> Cell:
        """Return a cell under the names of today."""
        name, labels = self._names(cell)
        return cell if (name, labels) == (cell.name, cell.labels) else replace(cell, name=name, labels=labels)

    def estimate(self, estimate: Estimate) -> Estimate:
        """Return an estimate under the names of today."""
        name, labels = self._names(estimate)
        same = (name, labels) == (estimate.name, estimate.labels)
        return estimate if same else replace(estimate, name=name, labels=labels)

    def _names(self, made: Cell | Estimate) -> tuple[str, str]:
        return self.estimates.get(made.name, made.name), self.raters.get(made.labels, made.labels)


RENAMED: Mapping[str, Names] = {}
"""Protocol -> its old names. A name that is given a new meaning can't stand here: it needs a new name instead."""


def names_of(protocol: str) -> Names:
    """Return the old names of a protocol's raters and estimates.

    Args:
        protocol: name; one without old names has an empty table.
    """
    return RENAMED.get(protocol, Names())
