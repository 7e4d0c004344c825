"""A run as flat tables - responses, claims with verdicts, cells, estimates - in JSONL, CSV or Parquet.

Every row carries `simulated`, so that a phantom's number cannot lose its name on the way to a spreadsheet.
"""

import csv
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.errors import RunError, UsageError
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Estimate, Verdict

__all__ = ["TABLES", "Format", "claim_rows", "estimate_rows", "response_rows", "write_table"]

Format = Literal["jsonl", "csv", "parquet"]
TABLES = ("responses", "claims", "estimates")


def response_rows(view: RunView, *, text: bool = True) -> Iterator[dict[str, Any]]:
    """Yield one row a response.

    Args:
        view: the run in one scoring.
        text: False leaves the words out.
    """
    for assessed in view.assessed():
        response = assessed.response
        yield _key(assessed, view) | {
            "response_id": response.id,
            "status": response.status,
            "reason": response.reason,
            "finish": response.finish,
            "text": response.text if text else None,
            "calls": response.usage.calls,
            "tokens_in": response.usage.tokens_in,
            "tokens_out": response.usage.tokens_out,
            "cost_usd": response.usage.cost_usd,
        }


def claim_rows(view: RunView, *, text: bool = True) -> Iterator[dict[str, Any]]:
    """Yield one row a verdict, with its claim; a claim without verdicts has one row with empty verdict columns.

    Args:
        view: the run in one scoring.
        text: False leaves the words and rationales out.
    """
    for assessed in view.assessed():
        by_subject: dict[str, list[Verdict]] = {}
        for verdict in assessed.verdicts:
            by_subject.setdefault(verdict.subject, []).append(verdict)
        for claim in assessed.claims:
            base = _key(assessed, view) | {
                "response_id": claim.response_id,
                "claim_id": claim.id,
                "extractor": claim.extractor,
                "turn": claim.turn,
                "start": claim.start,
                "stop": claim.stop,
                "kind": claim.kind,
                "kinds": ";".join(claim.kinds),
                "text": claim.text if text else None,
            }
            rated: list[Verdict | None] = [*by_subject.get(claim.id, [])]
            for one in rated or [None]:
                yield base | _verdict(one, text=text)


def _key(assessed: ScoredResponse, view: RunView) -> dict[str, Any]:
    case, response = assessed.case, assessed.response
    return {
        "model": response.model,
        "simulated": response.model in view.simulated,
        "case_id": case.id,
        "cluster": case.cluster,
        "stratum": case.stratum,
        "arm": response.arm,
        "epoch": response.epoch,
    }


def _verdict(verdict: Verdict | None, *, text: bool) -> dict[str, Any]:
    names = ("aspect", "rater", "label", "score", "unscored")
    row: dict[str, Any] = {name: getattr(verdict, name, None) for name in names}
    row["rationale"] = verdict.rationale if verdict is not None and text else None
    return row


def estimate_rows(estimates: Iterable[Estimate]) -> Iterator[dict[str, Any]]:
    """Yield one row an estimate; `excluded` and `bounds` as JSON text."""
    for estimate in estimates:
        row: dict[str, Any] = msgspec.to_builtins(estimate)
        row["excluded"] = json.dumps(row["excluded"], sort_keys=True)
        low, high = row.pop("bounds") or (None, None)
        yield row | {"bound_low": low, "bound_high": high}


def write_table(rows: Iterable[dict[str, Any]], out: Path, *, kind: Format) -> int:
    """Write rows to a file, whole or not at all.

    Args:
        rows: rows with the same keys.
        out: the file; it appears only when all rows are in it.
        kind: jsonl, csv or parquet (needs the `tables` extra).

    Returns:
        How many rows were written.

    Raises:
        RunError: the file cannot be written.
        UsageError: parquet without the extra.
    """
    writer = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}[kind]
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        os.close(handle)
        try:
            count = writer(rows, Path(name))
            Path(name).replace(out)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        raise RunError(
            f"{out} could not be written: {error.strerror}; free some space or choose another folder"
        ) from error
    return count


def _jsonl(rows: Iterable[dict[str, Any]], out: Path) -> int:
    count = 0
    with out.open("wb") as file:
        for count, row in enumerate(rows, 1):  # noqa: B007 - the last number is the count
            file.write(msgspec.json.encode(row) + b"\n")
    return count


def _csv(rows: Iterable[dict[str, Any]], out: Path) -> int:
    count = 0
    with out.open("w", encoding="utf-8", newline="") as file:
        writer: csv.DictWriter[str] | None = None
        for count, row in enumerate(rows, 1):  # noqa: B007 - the last number is the count
            if writer is None:
                writer = csv.DictWriter(file, list(row))
                writer.writeheader()
            writer.writerow({key: _cell(value) for key, value in row.items()})
    return count


def _cell(value: Any) -> Any:
    """Keep a spreadsheet from running what a model wrote: a leading =, +, -, @ of text gets an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value


def _parquet(rows: Iterable[dict[str, Any]], out: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError(
            "Parquet needs the `tables` extra; pip install 'percuss[tables]', or export csv or jsonl"
        ) from error
    table = pa.Table.from_pylist(list(rows))
    pq.write_table(table, out)
    return int(table.num_rows)
