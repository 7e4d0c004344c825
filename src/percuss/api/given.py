"""What a script hands over in place of names: rows or a table in place of a file, objects in place of model strings."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from percuss.api.own import Judge, Model, Rule, Verifier, model_of
from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import digest

__all__ = ["Given", "file_of", "rows_of"]

_RECORDS = ("to_dicts", "to_pylist")
"""How polars and pyarrow call their rows as dictionaries; pandas says `to_dict("records")`."""


def rows_of(table: Any) -> list[dict[str, Any]]:
    """Return a list of rows, or the rows of a data frame, as plain JSON values.

    Args:
        table: dictionaries, or a pandas, polars or pyarrow table; empty cells (None, NaN, NaT) become null.

    Raises:
        BadInput: none of these, or a cell that JSON can't hold.
    """
    if hasattr(table, "columns") and hasattr(table, "to_dict"):
        names = [str(name) for name in table.columns]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise BadInput(f"the column {doubled[0]!r} stands twice in the table; give each its own name")
        found = table.to_dict("records")
    else:
        way = next((getattr(table, name) for name in _RECORDS if hasattr(table, name)), None)
        found = table if way is None else way()
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        raise BadInput(
            f"got cases of type {type(table).__name__}; expected a path, a list of rows or a data frame"
        )
    return [_row(number, row) for number, row in enumerate(found, 1)]


def _row(number: int, row: Any) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        raise BadInput(f"row {number} is a {type(row).__name__}; expected a dictionary with named fields")
    return {str(name): _plain(value, f"row {number}, {name}") for name, value in row.items()}


def _plain(value: Any, where: str) -> Any:
    """Return a cell as JSON has it; numbers of arrays by their `item`, dates by their `isoformat`."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(each, where) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each, where) for each in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist(), where)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value != value:  # noqa: PLR0124 - NaT, as NaN, differs from itself
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__name__ == "NAType":
        return None
    raise BadInput(f"{where} is a {type(value).__name__}; expected text, a number, a list or nothing")


def file_of(given: Any, what: str, folder: Path) -> str | None:
    """Return the path of cases or answers; rows are written to a file, named by their content, that stays beside the runs.

    Args:
        given: a path or name, rows, a data frame, or None. what: `cases` or `answers`, the file's first name.
        folder: where such a file goes.

    Raises:
        BadInput: as `rows_of`, or no rows.
    """
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, PathLike):
        return str(Path(given))
    rows = rows_of(given)
    if not rows:
        raise BadInput(f"got {what} without a row; expected at least one")
    data = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{what}-{digest(data)[:8]}.jsonl"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(data)
    return str(path)


@dataclass
class Given:
    """Collects a script's own objects, and names them as model strings.

    Args:
        name, version: of the function or object that has none of its own.
    """

    name: str | None = None
    version: str | None = None
    own: dict[str, Any] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    def models(self, given: Any) -> tuple[str, ...]:
        """Return the names of one model or several.

        Args:
            given: a name, a function, an object, or a sequence of them.
        """
        several = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,)
        loose = [each for each in several if not isinstance(each, str | Model)]
        if len(loose) > 1 and self.name is not None:
            raise UsageError(
                f"name={self.name!r} is for one model, and {len(loose)} were given; wrap each in percuss.own.Model(.., name=..)"
            )
        return tuple(self.model(each) for each in several)

    def model(self, thing: Any, name: str | None = None, version: str | None = None) -> str:
        """Return the name of a model.

        Args:
            thing: a name, a function or an object. name, version: its own; None takes those of the call.
        """
        if isinstance(thing, str):
            return thing
        return self._kept(model_of(thing, name or self.name, version or self.version))

    def judge(self, given: Any) -> str | None:
        """Return the name of a judge, and keep the prompts that it brings.

        Args:
            given: a name, a `Judge`, or an object with a name; None where there is none.
        """
        if given is None or isinstance(given, str):
            return given
        if not isinstance(given, Judge):
            return self._kept(model_of(given, None, None, "a judge"))
        self.prompts.update(given.prompts)
        if isinstance(given.model, str):
            return given.model
        return self._kept(model_of(given.model, given.name, given.version, "a judge"))

    def rules(self, given: Any) -> str | None:
        """Return the name of a rule set.

        Args:
            given: a name or a `Rule`; None leaves the protocol's.
        """
        if given is None or isinstance(given, str):
            return given
        if not isinstance(given, Rule):
            raise UsageError("rules= takes a name or percuss.own.Rule(function, name=.., version=..)")
        return self._kept(given)

    def verifier(self, given: Any) -> str | None:
        """Return the name of a verifier, and keep its thresholds.

        Args:
            given: a name, a `Verifier`, or anything with id, pin and verify; None where there is none.
        """
        if given is None or isinstance(given, str):
            return given
        if not isinstance(given, Verifier):
            raise UsageError("verifier= takes a name or percuss.own.Verifier(function, name=.., version=..)")
        if given.thresholds:
            self.settings["thresholds"] = given.thresholds
        return self._kept(given)

    def _kept(self, thing: Any) -> str:
        held = self.own.setdefault(thing.id, thing)
        if held is not thing:
            raise UsageError(f"two objects are called {thing.id}; give each its own name=")
        return str(thing.id)
