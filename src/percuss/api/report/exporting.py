"""Exports of a run: which rows, which form, which file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from percuss.api.report.manifest import model_rows, scoring_of
from percuss.core.errors import UsageError
from percuss.exchange.calls_table import call_rows
from percuss.exchange.tables import claim_rows, estimate_rows, response_rows, write_table
from percuss.store import RunStore

__all__ = ["Written", "export"]

_ENDINGS = {"jsonl": "jsonl", "csv": "csv", "parquet": "parquet", "inspect": "eval", "labelstudio": "json"}


@dataclass(frozen=True)
class Written:
    """A file and how many rows it holds."""

    file: Path
    rows: int


def export(
    run: Path, table: str, form: str, out: Path | None, *, scoring: str | None = None, text: bool = True
) -> Written:
    """Write a table of a run.

    Args:
        run: the folder.
        table: responses, claims, estimates, calls or models (with what their cards state).
        form: jsonl, csv, parquet; inspect and labelstudio take their own shape.
        out: the file; None puts it into the run folder.
        scoring: start of a scoring's id; None takes the latest.
        text: False leaves the words of cases and models out.

    Raises:
        UsageError: no such scoring, or a form that needs a missing extra.
        RunError: no run, or the file cannot be written.
    """
    with RunStore.open(run) as store:
        chosen = scoring_of(store, scoring)
        file = out or run / f"{table}.{_ENDINGS[form]}"
        if form in {"inspect", "labelstudio"}:
            if not text:
                raise UsageError(
                    f"--no-text and --format {form} contradict each other; export csv or jsonl instead"
                )
            return Written(file, _foreign(store, chosen.id, form, file))
        rows = _rows(store, chosen.id, table, text=text)
        return Written(file, write_table(rows, file, kind=form))  # type: ignore[arg-type]


def _rows(store: RunStore, scoring: str, table: str, *, text: bool) -> Iterator[dict[str, Any]]:
    if table == "estimates":
        return estimate_rows(store.estimates(scoring))
    if table == "models":
        return iter(model_rows(store))
    if table == "calls":
        return call_rows(store, scoring, text=text)
    view = store.view(scoring)
    return (response_rows if table == "responses" else claim_rows)(view, text=text)


def _foreign(store: RunStore, scoring: str, form: str, file: Path) -> int:
    view = store.view(scoring)
    if form == "labelstudio":
        from percuss.exchange.label_studio import write_claims

        return write_claims(view, file)
    from percuss.exchange.inspect_write import write_log

    withheld: dict[str, dict[str, str]] = {}
    for e in store.estimates(scoring):
        if e.withheld and e.versus is None:
            withheld.setdefault(e.labels, {}).setdefault(e.model, e.withheld)
    return write_log(view, file, withheld=withheld)
