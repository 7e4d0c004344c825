"""A submission against the gold: every fault with its line, and what is missing."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from percuss.core.errors import BadInput
from percuss.exchange.rows import text_lines
from percuss.protocols.textbook.items.item import Item

__all__ = ["Fault", "Submission", "read_submission"]

_ANSWER = ("answer", "text", "response", "prediction")
_LONGEST = 20_000


class Fault(NamedTuple):
    """What is wrong with a submission, and where; line 0 is about the whole of it."""

    line: int
    words: str

    @property
    def text(self) -> str:
        """The fault in a line."""
        return f"line {self.line}: {self.words}" if self.line else self.words


class Submission(NamedTuple):
    """A team's answers by item id, with all faults and warnings."""

    team: str
    answers: dict[str, str]
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]


def read_submission(path: Path, items: Sequence[Item]) -> Submission:
    """Read a submission: one JSON object a line, or a JSON list, with `id` and `answer` (a text, or a list of texts).

    Args:
        path: the file; its stem is the team. items: of the gold.

    Raises:
        BadInput: there is no such file.
    """
    if not path.is_file():
        raise BadInput("is not there; expected a submission", source=str(path))
    known = {item.id: item for item in items}
    answers, faults, warnings = dict[str, str](), list[Fault](), list[Fault]()
    for line, row in _rows(path, faults):
        _take(line, row, known, answers, faults, warnings)
    missing = [name for name in known if name not in answers]
    if missing:
        faults.append(
            Fault(0, f"{len(missing)} of {len(known)} items have no answer, such as {', '.join(missing[:3])}")
        )
    return Submission(path.stem, answers, tuple(faults), tuple(warnings))


def _rows(path: Path, faults: list[Fault]) -> list[tuple[int, Any]]:
    with path.open("rb") as file:
        head = file.read(1 << 16).lstrip()
    if head.startswith(b"["):
        try:
            return list(enumerate(json.loads(path.read_text(encoding="utf-8-sig")), start=1))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            faults.append(Fault(getattr(error, "lineno", 1), f"is no JSON ({error})"))
            return []
    out = []
    with path.open("rb") as file:
        for line, raw in text_lines(path, file):
            try:
                out.append((line, json.loads(raw)))
            except (json.JSONDecodeError, UnicodeDecodeError) as error:
                faults.append(Fault(line, f"is no JSON ({error}); expected one object a line"))
    return out


def _take(
    line: int,
    row: Any,
    known: Mapping[str, Item],
    answers: dict[str, str],
    faults: list[Fault],
    warnings: list[Fault],
) -> None:
    if not isinstance(row, dict):
        faults.append(Fault(line, f"is {type(row).__name__}; expected an object with id and answer"))
        return
    name = row.get("id")
    if not isinstance(name, str) or name not in known:
        faults.append(Fault(line, f"got the id {name!r}, which is none of the gold's"))
        return
    if name in answers:
        faults.append(Fault(line, f"a second answer to {name!r}; only the first counts"))
        return
    key = next((each for each in _ANSWER if each in row), None)
    value = row.get(key) if key else None
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        faults.append(
            Fault(line, f"{name}: the answer is {type(value).__name__}; expected a text or a list of texts")
        )
        return
    if not value.strip():
        warnings.append(Fault(line, f"{name}: the answer is empty and counts 0"))
    if len(value) > _LONGEST:
        faults.append(
            Fault(line, f"{name}: the answer has {len(value):,} characters; expected at most {_LONGEST:,}")
        )
        return
    answers[name] = value
