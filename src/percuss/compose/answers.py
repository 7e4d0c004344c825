"""Answers made elsewhere, as the rows that asking writes: JSONL (id, arm, model, text) or an Inspect log."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ids import response_id
from percuss.core.records import Response, Text, Turn

__all__ = ["read_responses"]

_KNOWN = {"id", "arm", "model", "epoch", "text", "turns", "artifacts"}
_LONGEST = 64 * 1024 * 1024


def read_responses(path: Path, *, arms: frozenset[str], model: str | None = None) -> Iterator[Response]:
    """Yield the answers of a file.

    Args:
        path: JSONL with `id` (of the case), `arm`, `model`, `text` or `turns` ({role, text}), optional `epoch`; or `.eval`.
        arms: names of arms that the protocol knows.
        model: model id for rows that name none.

    Raises:
        BadInput: the first line that cannot be read, by number.
    """
    rows = _eval_rows(path) if path.suffix == ".eval" else _jsonl_rows(path)
    for line, row in rows:
        yield _response(row, arms, model, str(path), line)


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
            f"got the field {strange[0]!r}; expected {', '.join(sorted(_KNOWN))}", source=source, line=line
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
