"""Cases from a table of anyone's: one case a row of JSONL, CSV, TSV, Parquet or a workbook."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.exchange.rows import rows

__all__ = ["cases_from"]


def cases_from(
    path: Path, *, needs: Sequence[str] = (), cluster: str = "cluster", stratum: str = "stratum"
) -> Iterator[Case]:
    """Yield one case a row: columns `id`, `cluster` and `stratum` where they are there, all others its payload.

    Args:
        path: the table.
        needs: columns without which a row is no case of the protocol.
        cluster: column of what is resampled together (a patient); the row itself where it is missing.
        stratum: column of the kind of case.

    Raises:
        BadInput: a row that cannot be read, lacks a column or has the id of another, with its line.
    """
    seen: set[str] = set()
    for line, row in rows(path):
        missing = [name for name in needs if row.get(name) in (None, "")]
        if missing:
            raise BadInput(
                f"has no {', '.join(missing)}; each case needs {', '.join(needs)}",
                source=path.name,
                line=line,
            )
        name = str(row.get("id") or f"row-{line}")
        if name in seen:
            raise BadInput(
                f"a second case has the id {name!r}; each needs its own", source=path.name, line=line
            )
        seen.add(name)
        yield _case(name, row, cluster, stratum)


def _case(name: str, row: dict[str, Any], cluster: str, stratum: str) -> Case:
    payload = {key: value for key, value in row.items() if key not in {"id", cluster, stratum}}
    return Case(
        id=name,
        cluster=str(row.get(cluster) or name),
        stratum=str(row.get(stratum) or ""),
        payload=payload,
    )
