"""Answers made elsewhere, as the rows that asking writes: our own JSONL, an Inspect log, or columns of other tools."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.api.run.factory import canonical_id
from percuss.api.run.prepare import Prepared
from percuss.core.errors import BadInput
from percuss.core.ids import response_id
from percuss.core.records import Response, Text, Turn
from percuss.exchange.delimited import TableForm
from percuss.exchange.entries import Answer
from percuss.exchange.evaluation_sets import layout_of, mapping_of, split_form
from percuss.exchange.plain_columns import plain_layout
from percuss.exchange.rows import rows
from percuss.exchange.sources import read_source
from percuss.exchange.workbook import ENDINGS as WORKBOOKS

__all__ = ["attributed_to", "read_responses", "responses_of"]

_KNOWN = {"id", "arm", "model", "epoch", "text", "turns", "artifacts"}
_TABLES = {".csv", ".tsv", ".txt", ".json", ".parquet", *WORKBOOKS}
_LONGEST = 64 * 1024 * 1024
FULL = "full"
"""The arm of answers that a tool's table holds: it showed the evidence that the table lists."""


def responses_of(prepared: Prepared) -> Iterator[Response]:
    """Yield the answers made elsewhere of a prepared run.

    Args:
        prepared: with `responses`; rows that name no model are taken as the one model under test's.

    Raises:
        BadInput: a row that cannot be read, or names no model where several are under test.
    """
    request = prepared.request
    arms = frozenset(arm.name for arm in prepared.protocol.arms(prepared.options))
    return read_responses(
        Path(str(request.responses)),
        arms=arms,
        model=attributed_to(prepared),
        mapping=mapping_of(getattr(prepared.options, "map", ())),
        cases=request.cases,
    )


def attributed_to(prepared: Prepared) -> str | None:
    """Return the model that answers without a model's name are taken as; None where several are under test.

    Args:
        prepared: with `responses`. With no model under test the name is `given/` and the file's.
    """
    models = prepared.models
    if len(models) > 1:
        return None
    return canonical_id(models[0]) if models else f"given/{Path(str(prepared.request.responses)).stem}"


def read_responses(
    path: Path,
    *,
    arms: frozenset[str],
    model: str | None = None,
    mapping: Mapping[str, str] | None = None,
    cases: str | None = None,
) -> Iterator[Response]:
    """Yield the answers of a file.

    Args:
        path: JSONL or CSV with `id` (of the case), `arm`, `model`, `text` or `turns` ({role, text}), optional `epoch`;
            `.eval`; or a table whose columns of answers are recognised (RAGAS, DeepEval, MedHallu) or mapped.
        arms: names of arms that the protocol knows.
        model: model id for rows that name none.
        mapping: field -> column as the user named them (`response`, `arm`, `model`, `id` ..).
        cases: source of the cases: rows without ids are theirs only if it is the same file.

    Raises:
        BadInput: the first row that cannot be read, by line.
    """
    given = dict(mapping or {})
    named, form = split_form(given)
    if path.suffix == ".eval":
        yield from (_response(row, arms, model, str(path), line) for line, row in _eval_rows(path))
    elif named.get("response") and not _holds_evidence(path, named, form):
        yield from (_response(row, arms, model, str(path), line) for line, row in _mapped(path, named, form))
    elif _is_plain(path, named, form):
        table = rows(path, form) if path.suffix.lower() in _TABLES else _jsonl_rows(path)
        yield from (_response(_filled(row), arms, model, str(path), line) for line, row in table)
    else:
        yield from _beside_cases(path, arms, model, given, cases)


def _is_plain(path: Path, named: Mapping[str, str], form: TableForm) -> bool:
    """Tell whether a file holds answers alone, in our own layout; a broken first line is ours to complain about."""
    if named.get("response"):
        return False
    try:
        _, first = next(rows(path, form), (0, {}))
    except BadInput:
        return True
    return layout_of(first) is None and (
        plain_layout(first) is None or bool({"text", "turns"} & first.keys())
    )


def _beside_cases(
    path: Path, arms: frozenset[str], model: str | None, named: Mapping[str, str], cases: str | None
) -> Iterator[Response]:
    """Yield the answers that stand beside their cases in a tool's table."""
    entries = read_source(path, named)
    any_answer = False
    for number, entry in enumerate(entries, 1):
        if "id" not in entries.notes.fields and (cases is None or path.resolve() != Path(cases).resolve()):
            raise BadInput(
                "rows have no id, so they belong to --cases only if that is the same file; add a column of ids to both",
                source=path.name,
            )
        for answer in entry.answers:
            any_answer = True
            yield _answered(entry.id, answer, arms, model, path, number)
    if not any_answer:
        raise BadInput(
            f"{entries.notes.layout}, but no answers; name their column with --map response=..",
            source=path.name,
        )


def _answered(
    case: str, answer: Answer, arms: frozenset[str], model: str | None, path: Path, number: int
) -> Response:
    row = {"id": case, "arm": answer.arm, "text": answer.text, "artifacts": answer.artifacts}
    if answer.model:
        row["model"] = answer.model
    return _response(row, arms, model, str(path), number)


def _holds_evidence(path: Path, named: Mapping[str, str], form: TableForm) -> bool:
    """Tell whether a mapped file has evidence beside its answers: then it is read as cases are."""
    _, first = next(rows(path, form), (0, {}))
    column = named.get("evidence", "evidence").partition("+")[0].partition(".")[0]
    return column in first or "retrieved_contexts" in first or "retrieval_context" in first


def _mapped(path: Path, named: Mapping[str, str], form: TableForm) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield rows of answers under our names; columns that nobody named are left alone."""
    columns = {"id": "id", "arm": "arm", "model": "model", "epoch": "epoch", **named}
    for line, row in rows(path, form):
        if columns["response"] not in row:
            held = ", ".join(row)
            raise BadInput(
                f"no column {columns['response']!r}, which --map response={columns['response']} names; the columns are {held}",
                source=str(path),
                line=line,
            )
        found = {
            "id": row.get(columns["id"]),
            "arm": row.get(columns["arm"]) or FULL,
            "text": row[columns["response"]],
        }
        if isinstance(found["id"], int):
            found["id"] = str(found["id"])
        if row.get(columns["model"]):
            found["model"] = row[columns["model"]]
        yield line, _filled({**found, "epoch": row.get(columns["epoch"]) or 0})


def _filled(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without its empty cells, epochs of a CSV as numbers."""
    found = {
        name: value for name, value in row.items() if value is not None and (value != "" or name == "text")
    }
    if isinstance(found.get("epoch"), str) and found["epoch"].isdecimal():
        found["epoch"] = int(found["epoch"])
    return found


def _eval_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    from percuss.exchange.inspect_logs import read_answers

    yield from enumerate(read_answers(path), 1)


def _jsonl_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); check the path", source=str(path)) from error
    with file:
        number = 0
        while line := file.readline(_LONGEST + 1):
            number += 1
            if len(line) > _LONGEST:
                raise BadInput(
                    "a line of over 64 MB; expected one answer a line", source=str(path), line=number
                )
            if line.strip():
                yield number, _object(line, str(path), number)


def _object(line: bytes, source: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(
            f"is no JSON ({error}); expected one object a line", source=source, line=number
        ) from error
    if not isinstance(row, dict):
        raise BadInput(
            f"got {type(row).__name__}; expected an object with id, arm, text", source=source, line=number
        )
    return row


def _response(
    row: dict[str, Any], arms: frozenset[str], model: str | None, source: str, line: int
) -> Response:
    strange = sorted(set(row) - _KNOWN)
    if strange:
        raise BadInput(
            f"got the field {strange[0]!r}; expected {', '.join(sorted(_KNOWN))}; `percuss look FILE` says what takes it",
            source=source,
            line=line,
        )
    case, arm, name = row.get("id"), row.get("arm"), row.get("model", model)
    for field, value in (("id", case), ("arm", arm), ("model", name)):
        if not isinstance(value, str) or not value:
            raise BadInput(f"got {field} {value!r}; expected a non-empty text", source=source, line=line)
    if arm not in arms:
        known = ", ".join(sorted(arms))
        raise BadInput(f"got the arm {arm!r}; expected one of {known}", source=source, line=line)
    epoch = row.get("epoch", 0)
    if not isinstance(epoch, int) or isinstance(epoch, bool) or epoch < 0:
        raise BadInput(f"got epoch {epoch!r}; expected 0, 1, 2 ..", source=source, line=line)
    turns = _turns(row, source, line)
    return Response(
        id=response_id(str(name), str(case), str(arm), epoch),
        case_id=str(case),
        arm=str(arm),
        model=str(name),
        epoch=epoch,
        turns=turns,
        artifacts=row.get("artifacts", {}),
    )


def _turns(row: dict[str, Any], source: str, line: int) -> tuple[Turn, ...]:
    if "turns" not in row:
        text = row.get("text")
        if not isinstance(text, str):
            raise BadInput(
                f"got text {type(text).__name__}; expected a text or turns", source=source, line=line
            )
        return (Turn(index=0, role="assistant", parts=(Text(text=text),)),)
    turns = []
    for index, turn in enumerate(row["turns"] if isinstance(row["turns"], list) else [None]):
        if not isinstance(turn, dict) or turn.get("role") not in {"user", "assistant"}:
            raise BadInput(
                f"got turn {index} {turn!r:.60}; expected {{role, text}}", source=source, line=line
            )
        turns.append(Turn(index=index, role=turn["role"], parts=(Text(text=str(turn.get("text", ""))),)))
    return tuple(turns)
