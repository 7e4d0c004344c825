"""What a file or folder is, in words: what is in it, what is missing, and the command that would use it."""

import shlex
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, PercussError
from percuss.core.strict import Record
from percuss.exchange.entries import Entries
from percuss.exchange.evaluation_sets import split_form
from percuss.exchange.rows import TABLE_ENDINGS, rows
from percuss.exchange.sources import read_source

__all__ = ["Look", "look", "rows_of"]

_CLAIMS = (frozenset({"claim", "label"}), frozenset({"annotations", "output"}))
_JUDGED = (frozenset({"item", "rater"}),)
_ANSWERS = (frozenset({"id", "text"}), frozenset({"id", "turns"}))


class Look(Record):
    """What was seen.

    Args:
        path: as it was given.
        kind: what it is, in words.
        cases: cases or rows read; 0 where it holds none.
        fields: what a case needs -> where it was found.
        models: model -> answers that it gave; a model without a name is "".
        missing: what would be needed and is not there, in words.
        left_out: what was left out -> how often.
        columns: names of the columns of a table.
        command: words of the command that would use it; () where nothing can be said.
    """

    path: str
    kind: str
    cases: int = 0
    fields: dict[str, str] = {}
    models: dict[str, int] = {}
    missing: tuple[str, ...] = ()
    left_out: dict[str, int] = {}
    columns: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def command_line(self) -> str:
        """The command as one would type it."""
        return shlex.join(self.command)


def look(path: Path, mapping: Mapping[str, str] | None = None) -> Look:
    """Read a file or folder as a run would, and say what was seen; nothing is asked or written.

    Args:
        path: a table, a folder of notes, FHIR, a run folder, an Inspect log.
        mapping: field -> column, and delimiter, encoding, sheet, as `--map` names them.

    Raises:
        BadInput: there is nothing at the path, or it cannot be read; the sentence says what to do.
    """
    named = dict(mapping or {})
    if not path.exists():
        raise BadInput(f"nothing is at {str(path)!r}; give a file or a folder")
    if path.is_dir() and (path / "run.sqlite").is_file():
        return Look(path=str(path), kind="a run folder", command=("percuss", "report", str(path)))
    if path.suffix == ".eval":
        return Look(
            path=str(path), kind="an Inspect log", command=("percuss", "compare", str(path), "OTHER.eval")
        )
    columns = _columns(path, named)
    kind = _other_table(path, columns)
    if kind is not None:
        return kind
    try:
        return _cases(path, read_source(path, named), columns, named)
    except BadInput as error:
        if not columns:
            raise
        return _unknown(path, columns, error)


def _columns(path: Path, named: Mapping[str, str]) -> tuple[str, ...]:
    if path.is_dir() or path.suffix.lower() not in TABLE_ENDINGS:
        return ()
    _, form = split_form(named)
    _, first = next(rows(path, form), (0, {}))
    return tuple(map(str, first))


def _other_table(path: Path, columns: tuple[str, ...]) -> Look | None:
    """A table of claims, of judgements, or of answers alone."""
    names, at = set(columns), str(path)
    evidence = {"evidence", "context", "contexts", "retrieved_contexts"} & names
    if any(needed <= names for needed in _JUDGED):
        return Look(
            path=at,
            kind="labels of people and judges",
            columns=columns,
            command=("percuss", "judge", "validate", at),
        )
    if any(needed <= names for needed in _CLAIMS):
        return Look(
            path=at, kind="labelled claims", columns=columns, command=("percuss", "import", "claims", at)
        )
    if not evidence and any(needed <= names for needed in _ANSWERS):
        return Look(
            path=at,
            kind="answers without their cases",
            columns=columns,
            missing=("the cases that they answer: give them with --cases",),
            command=("percuss", "score", "grounding", "--cases", "CASES", "--responses", at),
        )
    return None


def _cases(path: Path, entries: Entries, columns: tuple[str, ...], named: Mapping[str, str]) -> Look:
    models: Counter[str] = Counter()
    arms: Counter[str] = Counter()
    for entry in entries:
        models.update(answer.model for answer in entry.answers)
        arms.update(answer.arm for answer in entry.answers)
    notes = entries.notes
    missing = (
        []
        if "question" in notes.fields or not columns
        else ["a question per case: the protocol's own is asked"]
    )
    if not models:
        missing.append("answers: name a model to ask, with --model")
    elif len(arms) == 1:
        missing.append("answers without the evidence: name the model with --model, and only they are asked")
    return Look(
        path=str(path),
        kind=notes.layout,
        cases=notes.cases,
        fields=dict(notes.fields),
        models=dict(models),
        missing=tuple(missing),
        left_out=dict(notes.left_out),
        columns=columns,
        command=_command(path, bool(models), named),
    )


def _command(path: Path, answered: bool, named: Mapping[str, str]) -> tuple[str, ...]:
    at = str(path)
    told = ("--map", ",".join(f"{name}={column}" for name, column in named.items())) if named else ()
    if answered:
        return ("percuss", "score", "grounding", "--cases", at, "--responses", at, *told)
    return ("percuss", "run", "grounding", "--cases", at, *told, "--model", "PROVIDER/NAME")


def _unknown(path: Path, columns: tuple[str, ...], error: PercussError) -> Look:
    return Look(
        path=str(path),
        kind=f"a table that no reader knows ({error})",
        columns=columns,
        missing=("the column of the evidence, and of the question: name them with --map",),
        command=("percuss", "look", str(path), "--map", f"question={columns[0]},evidence={columns[-1]}"),
    )


def rows_of(found: Look) -> list[tuple[str, Any]]:
    """Return what was seen as pairs of words, for a terminal.

    Args:
        found: what `look` returned.
    """
    answers = ", ".join(f"{name or 'the one model'} ({n:,})" for name, n in found.models.items())
    pairs = [
        ("what", found.kind),
        ("cases", f"{found.cases:,}" if found.cases else ""),
        ("found", ", ".join(f"{name} in {where!r}" for name, where in found.fields.items())),
        ("answers of", answers),
        ("columns", ", ".join(found.columns)),
        ("left out", ", ".join(f"{what} {n:,}" for what, n in found.left_out.items())),
        ("missing", "; ".join(found.missing)),
        ("next", found.command_line),
    ]
    return [(name, text) for name, text in pairs if text]
