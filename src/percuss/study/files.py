"""Items from a CSV, XLSX or JSONL file, pictures by path beside it; every error names its line."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem, Blob
from percuss.exchange.delimited import delimited_rows
from percuss.exchange.evaluation_sets import mapping_of, split_form
from percuss.exchange.workbook import ENDINGS, workbook_rows
from percuss.study.design import Design

__all__ = ["read_ids", "read_items"]

ID_FIELDS = ("id", "item", "item_id", "claim_id")
STRUCTURED = ("facts", "answers", "sources", "verdict", "marked", "list")
IDENTITY = ("id", "subject", "response_id", "model", "arm")
RATER_PREFIXES = ("rule:", "judge:", "human:")


def read_items(path: Path, design: Design, named: Iterable[str] = ()) -> Iterator[AnnotationItem]:
    """Read items, one a row or line.

    A line of JSONL is either an `AnnotationItem` ({"id", "shown", "hidden", "stratum", ..}) or a flat object. In a flat object and
    in CSV, columns named like a shown field of the design are shown, everything else is hidden; columns `rule:..`,
    `judge:..` and `human:..` are verdicts of that rater; columns `answer.NAME` are the answers of a ranking, NAME being
    the model; `stratum.NAME` is a stratum.

    Args:
        path: `.csv` (cut at commas, semicolons or tabs), `.xlsx`, `.jsonl` or `.json` (a list).
        design: whose fields are looked for.
        named: what `--map` says, as `claim=statement,id=row`: field -> column of a table; also delimiter, encoding and sheet.

    Raises:
        UsageError: no such file or another kind of file, or a field that can't be named.
        BadInput: a row that can't be read, with its line; a table without a column that the design needs.
    """
    if not path.is_file():
        raise UsageError(f"{path} is not a file; give a run folder, or a .csv, .xlsx or .jsonl of items")
    ending = path.suffix.lower()
    columns, form = split_form(mapping_of(named, _fields(design)))
    if ending in (".csv", ".tsv"):
        rows = _filled(_columns(delimited_rows(path, form), columns, path, design))
    elif ending in ENDINGS:
        rows = _filled(_columns(workbook_rows(path, form.sheet), columns, path, design))
    elif ending in (".jsonl", ".json"):
        rows = _json_rows(path)
    else:
        raise UsageError(
            f"{path.name}: items are read from .csv, .xlsx, .jsonl or .json; got {path.suffix or 'no ending'}"
        )
    for line, row in rows:
        item = _item(row, line, path, design)
        if not isinstance(row.get("shown"), dict):
            _refuse_empty(row, columns, line, path, design)
        yield item


def _fields(design: Design) -> tuple[str, ...]:
    """Return what `--map` can name: who and whose an item is, and what the design shows."""
    return tuple(dict.fromkeys((*IDENTITY, *(field.name for field in design.field))))


def _columns(
    rows: Iterator[tuple[int, dict[str, Any]]], named: Mapping[str, str], path: Path, design: Design
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Give columns the names that `--map` says, and refuse a table without a column that the design needs."""
    for number, (line, row) in enumerate(rows):
        if number == 0:
            _refuse_columns(list(row), named, path, design)
        rest = {name: value for name, value in row.items() if name not in named.values()}
        yield line, {**rest, **{field: row.get(column) for field, column in named.items()}}


def _refuse_columns(held: list[str], named: Mapping[str, str], path: Path, design: Design) -> None:
    columns = ", ".join(repr(name) for name in held)
    for field, column in named.items():
        if column not in held:
            raise BadInput(
                f"no column {column!r}, which --map {field}={column} names; the columns are {columns}",
                source=path.name,
            )
    known = {*held, *named}
    if any(name.startswith("answer.") for name in held):
        known.add(design.answers_field or "")
    missing = [] if known & set(ID_FIELDS) else ["id"]
    missing += [f.name for f in design.field if f.required and not known & {f.name, *f.aliases}]
    if missing:
        raise BadInput(
            f"no column for {', '.join(missing)}, which design {design.name} needs; the columns are {columns}; "
            f"name them with --map {','.join(f'{name}=COLUMN' for name in missing)}",
            source=path.name,
        )


def _refuse_empty(
    row: dict[str, Any], named: Mapping[str, str], line: int, path: Path, design: Design
) -> None:
    """Refuse a row without something that people are to see, by its column."""
    answers = any(name.startswith("answer.") for name in row)
    for field in design.field:
        if not field.required or row.keys() & {field.name, *field.aliases}:
            continue
        if field.kind == "answers" and answers:
            continue
        column = named.get(field.name, field.name)
        raise BadInput(
            f"nothing in column {column!r}; design {design.name} shows it and needs it",
            source=path.name,
            line=line,
        )


def _filled(rows: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Leave out cells that hold nothing."""
    for line, row in rows:
        yield line, {key: value for key, value in row.items() if value not in (None, "")}


def _json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        try:
            entries = json.loads(text)
        except json.JSONDecodeError as error:
            raise BadInput(f"not JSON: {error.msg}", source=path.name, line=error.lineno) from None
        pairs = list(enumerate(entries if isinstance(entries, list) else [entries], 1))
    else:
        pairs = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    pairs.append((number, json.loads(line)))
                except json.JSONDecodeError as error:
                    raise BadInput(f"not JSON: {error.msg}", source=path.name, line=number) from None
    for number, entry in pairs:
        if not isinstance(entry, dict):
            raise BadInput(
                f"got {type(entry).__name__}; each item is an object", source=path.name, line=number
            )
        yield number, entry


def _item(row: dict[str, Any], line: int, path: Path, design: Design) -> AnnotationItem:
    identity = next((str(row[key]) for key in ID_FIELDS if row.get(key) not in (None, "")), None)
    if identity is None:
        raise BadInput("no `id`; each item needs one", source=path.name, line=line)
    if isinstance(row.get("shown"), dict):
        known = set(AnnotationItem.__struct_fields__) - {"blobs"}
        strangers = sorted(set(row) - known)
        if strangers:
            raise BadInput(
                f"unknown {', '.join(strangers)}; an item has {', '.join(sorted(known))}",
                source=path.name,
                line=line,
            )
        whole = {"subject": identity, "response_id": row.get("subject", identity), **row, "id": identity}
    else:
        whole = _split(row, identity, line, path, design)
    shown, blobs = _with_pictures(whole["shown"], line, path, design)
    content, more = _with_pictures(whole.get("content") or {}, line, path, design)
    whole = {**whole, "shown": shown, "content": content}
    try:
        item = msgspec.convert({**whole, "blobs": ()}, AnnotationItem)
    except msgspec.ValidationError as error:
        raise BadInput(f"not an item: {error}", source=path.name, line=line) from None
    return msgspec.structs.replace(item, blobs=(*blobs, *more))


def _split(row: dict[str, Any], identity: str, line: int, path: Path, design: Design) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    hidden: dict[str, Any] = {}
    stratum: dict[str, str] = {}
    answers: list[dict[str, Any]] = []
    verdicts: dict[str, Any] = dict(row["verdicts"]) if isinstance(row.get("verdicts"), dict) else {}
    for name, value in row.items():
        field = design.shown_field(name)
        if name.startswith("stratum."):
            stratum[name.removeprefix("stratum.")] = str(value)
        elif name.startswith("answer.") and design.answers_field:
            answers.append({"text": str(value), "model": name.removeprefix("answer.")})
        elif name.startswith(RATER_PREFIXES):
            verdicts[name] = value
        elif field is not None:
            shown[field.name] = _parsed(value, field.kind, line, path, name)
        elif name not in ID_FIELDS:
            hidden[name] = value
    if answers and design.answers_field:
        shown.setdefault(design.answers_field, answers)
    if verdicts and design.shown_field("verdicts") is None:
        hidden["verdicts"] = verdicts
    subject = str(row.get("subject") or identity)
    return {
        "id": identity,
        "subject": subject,
        "response_id": str(row.get("response_id") or subject),
        "stratum": stratum,
        "shown": shown,
        "hidden": hidden,
    }


def _parsed(value: Any, kind: str, line: int, path: Path, column: str) -> Any:
    """Read JSON inside a cell where the field holds structure; plain text stays text, a list may be cut at ` | `."""
    if not isinstance(value, str) or kind not in STRUCTURED:
        return value
    if value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except json.JSONDecodeError as error:
            raise BadInput(
                f"the cell of column {column!r} begins like JSON but is not: {error.msg}",
                source=path.name,
                line=line,
            ) from None
    return [part.strip() for part in value.split(" | ")] if kind in ("list", "answers") else value


def _with_pictures(
    shown: dict[str, Any], line: int, path: Path, design: Design
) -> tuple[dict[str, Any], tuple[Blob, ...]]:
    blobs: list[Blob] = []
    out = dict(shown)
    for name, value in shown.items():
        field = design.shown_field(name)
        if field is None or field.kind != "image":
            continue
        entries = value if isinstance(value, list) else [value]
        listed = []
        for entry in entries:
            name_of = str(entry.get("path", "")) if isinstance(entry, dict) else str(entry)
            blob = _picture(path, name_of, line)
            blobs.append(blob)
            caption = entry.get("caption", "") if isinstance(entry, dict) else ""
            listed.append({"digest": blob.digest, "caption": caption})
        out[name] = listed
    return out, tuple(blobs)


def _picture(path: Path, name: str, line: int) -> Blob:
    base = path.parent.resolve()
    target = (base / name).resolve()
    if not target.is_relative_to(base):
        raise BadInput(
            f"the picture {name!r} lies outside the folder of {path.name}; move it beside it",
            source=path.name,
            line=line,
        )
    if not target.is_file():
        raise BadInput(f"the picture {name!r} does not exist in {path.parent}", source=path.name, line=line)
    return Blob.of(target.read_bytes(), "application/octet-stream")


def read_ids(path: Path) -> tuple[str, ...]:
    """Read a list of item ids: one a line, the first cell where there are more; `#` begins a comment.

    Raises:
        UsageError: no such file, or no id in it.
    """
    if not path.exists() or path.is_dir():  # a pipe will do
        raise UsageError(f"--items {path}: no such file; give a text file with one id a line")
    lines = path.read_text(encoding="utf-8").splitlines()
    ids = tuple(line.split(",")[0].strip() for line in lines if line.strip() and not line.startswith("#"))
    ids = tuple(i for i in ids if i not in ID_FIELDS)
    if not ids:
        raise UsageError(f"--items {path}: no id in it; give one a line")
    return ids
