"""Passports of readers: how often each was right on labelled texts that its author didn't see, shipped with the package."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from percuss.core.strict import Record

__all__ = ["Passport", "passport"]


class Passport(Record):
    """How a reader of support did on the locked half of its corpus.

    Args:
        reader: name of the reader. version: of it. corpus: of labelled texts. layout: "structured" or "text".
        date: ISO date of the latest label. n: labelled claims.
        decided: share that the reader decided.
        false_unsupported: share of truly supported claims that it read as unsupported.
        false_supported: share of truly unsupported claims that it read as supported.
        floors_met: whether it may speak by itself (spec, reading, section 2).
    """

    reader: str
    version: str
    corpus: str
    layout: str
    date: str
    n: int
    decided: float | None
    false_unsupported: float | None
    false_supported: float | None
    floors_met: bool

    @property
    def words(self) -> str:
        """The passport in one sentence."""
        of = f"{self.reader} on {self.n:,} labelled {self.layout} claims"
        shares = (
            f"decided {_percent(self.decided)}, called {_percent(self.false_unsupported)} of the supported unsupported "
            f"and {_percent(self.false_supported)} of the unsupported supported"
        )
        return f"{of}: {shares}; {'within' if self.floors_met else 'below'} its floors."


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f}%"


@lru_cache(maxsize=1)
def _held() -> tuple[Mapping[str, Any], ...]:
    held = msgspec.json.decode(resources.files(__package__).joinpath("passports.json").read_bytes())
    return tuple(held["passports"])


def passport(reader: str, layout: str) -> Passport | None:
    """Return the passport of a reader of support, or None where none was written.

    Args:
        reader: e.g. "rule:support-2". layout: "structured" or "text".
    """
    for held in _held():
        if held["reader"] == reader and held["corpus"] == "support" and held["layout"] == layout:
            shares = {name: held[name]["share"] for name in ("decided", "false_unsupported", "false_supported")}
            plain = {name: held[name] for name in ("reader", "version", "corpus", "layout", "date", "n", "floors_met")}
            return Passport(**plain, **shares)
    return None
