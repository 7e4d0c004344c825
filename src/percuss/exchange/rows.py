"""Rows of a table as they come: JSONL, a JSON list, CSV, TSV, XLSX, ODS or Parquet, each with its line or number."""

import ast
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.exchange.delimited import TableForm, delimited_rows
from percuss.exchange.workbook import ENDINGS as WORKBOOKS
from percuss.exchange.workbook import workbook_rows

__all__ = ["LINE_LIMIT", "TABLE_ENDINGS", "Row", "json_lines", "listed", "rows", "text_lines"]

Row = tuple[int, dict[str, Any]]
LINE_LIMIT = 16 * 1024 * 1024
FILE_LIMIT = 512 * 1024 * 1024
"""A JSON document that is not lines is held whole."""
TABLE_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt", ".parquet", *WORKBOOKS)


def rows(path: Path, form: TableForm | None = None) -> Iterator[Row]:
    """Yield (line, row) of a table; a row of a JSON list or of Parquet has its number in place of a line.

    Args:
        path: `.csv`, `.tsv` or `.txt` with any delimiter, a workbook (`.xlsx`, `.ods`), `.parquet`, a JSON list in
            `.json`, else one JSON object per line.
        form: delimiter, encoding and sheet where the user says them; None tells them from the file.

    Raises:
        BadInput: the first row that cannot be read, by line; UsageError: Parquet or a workbook without the extra.
    """
    ending = path.suffix.lower()
    form = form or TableForm()
    if ending in {".csv", ".tsv", ".txt"}:
        return delimited_rows(path, form)
    if ending in WORKBOOKS:
        return workbook_rows(path, form.sheet)
    if ending == ".parquet":
        return _parquet(path)
    if ending == ".json":
        return _document(path)
    return json_lines(path)


def text_lines(path: Path, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (line, bytes) of the lines that hold anything, never more than 16 MB at a time."""
    for line in count(1):
        raw = file.readline(LINE_LIMIT + 1)
        if not raw:
            return
        if len(raw) > LINE_LIMIT:
            raise BadInput(
                f"longer than {LINE_LIMIT // 2**20} MB; split the case's evidence",
                source=path.name,
                line=line,
            )
        if line == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield line, raw.strip()


def json_lines(path: Path) -> Iterator[Row]:
    """Yield (line, object) of a file with one JSON object a line."""
    with _opened(path) as file:
        for line, raw in text_lines(path, file):
            yield line, _object(_decoded(raw, path, line), path, line)


def listed(value: Any) -> list[str]:
    """Return a cell of texts as a list: a list as it is, a list written as JSON or Python, or one text.

    >>> listed('["a", "b"]'), listed("['a']"), listed("a [1]"), listed(None)
    (['a', 'b'], ['a'], ['a [1]'], [])
    """
    if isinstance(value, str) and value.strip().startswith("["):
        value = _list_in(value)
    if isinstance(value, list | tuple):
        return [text for text in (_text(part) for part in value) if text]
    text = _text(value)
    return [text] if text else []


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        inner = next((value[name] for name in ("page_content", "content", "text") if name in value), None)
        return str(inner).strip() if inner is not None else msgspec.json.encode(value).decode()
    return str(value).strip()


def _list_in(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        pass
    try:
        return ast.literal_eval(text) if len(text) <= LINE_LIMIT else text
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); check the path", source=str(path)) from error


def _decoded(raw: bytes, path: Path, line: int | None) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(
            f"not JSON ({error}); one object a line was expected", source=path.name, line=line
        ) from None


def _object(value: Any, path: Path, line: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        kind = "a list" if isinstance(value, list) else "text" if isinstance(value, str) else "a bare value"
        raise BadInput(f"{kind}; an object with named fields was expected", source=path.name, line=line)
    return value


def _document(path: Path) -> Iterator[Row]:
    """A JSON list of rows, an object that holds one list of them, or, after all, lines."""
    if path.stat().st_size > FILE_LIMIT:
        raise BadInput(
            f"over {FILE_LIMIT // 2**20} MB of JSON; give one object a line (.jsonl)", source=path.name
        )
    try:
        whole = msgspec.json.decode(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        yield from json_lines(path)
        return
    if isinstance(whole, dict) and not {"id", "evidence"} & whole.keys():
        lists = [
            value
            for value in whole.values()
            if isinstance(value, list) and value and isinstance(value[0], dict)
        ]
        whole = lists[0] if len(lists) == 1 else [whole]
    for number, row in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield number, _object(row, path, number)


def _parquet(path: Path) -> Iterator[Row]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise UsageError(
            "Parquet needs the `tables` extra; pip install 'percuss[tables]', or give JSONL"
        ) from error
    try:
        number = 0
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (pa.ArrowException, OSError) as error:
        raise BadInput(f"cannot be read ({error}); a Parquet file was expected", source=path.name) from error
