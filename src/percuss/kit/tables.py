"""The command `tables` of a protocol: what its estimates are counted from, as CSV files that anyone can count again."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import RunView, Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.strict import Record
from percuss.store import RunStore

__all__ = ["Rows", "Tables", "tables_command", "write_table"]

Rows = Callable[[RunView, Mapping[str, Any]], Iterator[dict[str, Any]]]
"""What yields the rows of one table: of a scoring, and of the run's options as they were recorded."""


class Tables(Record):
    """Which run to write tables of."""

    run: Annotated[str, Meta(description="The run's folder.")] = ""
    out: Annotated[str, Meta(description="Folder to write scores.csv and audit.csv to.")] = "tables"
    scoring: Annotated[str, Meta(description="Id of a scoring; empty for the newest.")] = ""


def tables_command(made: Mapping[str, tuple[Sequence[str], Rows]]) -> Command:
    """Return the command that writes the tables of a run.

    Args:
        made: name of a table -> its columns in order, and what yields its rows.
    """

    async def tables(options: Tables, session: Session) -> CommandResult:
        names = " and ".join(f"{name}.csv" for name in made)
        if not options.run:
            raise UsageError("no run was named; expected --run FOLDER")
        if session.dry_run:
            return CommandResult(f"would write {names} of {options.run} to {options.out}")
        return _written(options, made)

    help_line = f"Write the tables {' and '.join(made)} of a run: every estimate can be made again from them."
    return Command(Tables, tables, help_line)


def _written(options: Tables, made: Mapping[str, tuple[Sequence[str], Rows]]) -> CommandResult:
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with RunStore.open(Path(options.run)) as store:
        scoring = options.scoring or store.latest_scoring().id
        view, held = store.view(scoring), store.manifest().get("options", {})
        for name, (columns, rows) in made.items():
            counts[name] = write_table(folder / f"{name}.csv", columns, rows(view, held))
    said = ", ".join(f"{count:,} rows of {name}" for name, count in counts.items())
    files = tuple(folder / f"{name}.csv" for name in made)
    return CommandResult(
        f"{said} in {folder}, of scoring {scoring}", files=files, data={**counts, "scoring": scoring}
    )


def write_table(path: Path, columns: Sequence[str], rows: Iterator[dict[str, Any]]) -> int:
    """Write rows as CSV and return how many there are.

    Args:
        path: of the file. columns: in order. rows: by column; None is an empty field.
    """
    count = 0
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, fieldnames=columns)
        table.writeheader()
        for row in rows:
            table.writerow({column: _safe(row.get(column)) for column in columns})
            count += 1
    return count


def _safe(value: Any) -> Any:
    """Return a value as a field; one that a spreadsheet would run as a formula starts with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@"} else value
