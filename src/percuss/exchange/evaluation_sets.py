"""Tables of questions, evidence and answers: RAGAS, DeepEval and MedHallu columns, or columns that the user names."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.evidence.packet import Packet
from percuss.exchange.delimited import TableForm
from percuss.exchange.entries import Answer, Entry, Notes
from percuss.exchange.rows import listed

__all__ = [
    "FORM",
    "LAYOUTS",
    "MAPPED",
    "OF_ANSWERS",
    "Layout",
    "layout_of",
    "mapped_layout",
    "mapping_of",
    "read_rows",
    "split_form",
]

MAPPED = (
    "id",
    "question",
    "evidence",
    "cluster",
    "stratum",
    "cohort",
    "reference",
    "response",
    "arm",
    "model",
    "epoch",
)
"""Fields that `--map` can name; those after `reference` are of answers."""
FORM = ("delimiter", "encoding", "sheet")
"""What `--map` can say of how a table is written."""
_SYNONYMS = {"text": "response", "answer": "response", "context": "evidence", "contexts": "evidence"}
OF_ANSWERS = frozenset({"response", "arm", "model", "epoch"})
"""Fields of `--map` that cases do not have."""
NO_EVIDENCE = "rows without evidence"


@dataclass(frozen=True)
class Layout:
    """Columns of one layout.

    Args:
        name: in words.
        columns: field -> columns, of which the first that a row has is taken; evidence may join several with `+`.
        responses: column -> model that gave its answers, "" where the rows or the user say it.
        needs: columns that tell the layout.
    """

    name: str
    columns: Mapping[str, tuple[str, ...]]
    responses: Mapping[str, str] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()


_OWN = {"id": ("id", "_id", "case_id"), "cluster": ("cluster",), "model": ("model",), "arm": ("arm",)}

LAYOUTS = (
    Layout(
        "RAGAS columns",
        {**_OWN, "question": ("user_input",), "evidence": ("retrieved_contexts",), "reference": ("reference",)},
        {"response": ""},
        frozenset({"user_input", "retrieved_contexts"}),
    ),
    Layout(
        "RAGAS columns of version 0.1",
        {**_OWN, "question": ("question",), "evidence": ("contexts",), "reference": ("ground_truth", "ground_truths")},
        {"answer": ""},
        frozenset({"question", "contexts"}),
    ),
    Layout(
        "DeepEval columns",
        {**_OWN, "question": ("input",), "evidence": ("retrieval_context", "context"), "reference": ("expected_output",)},
        {"actual_output": ""},
        frozenset({"input", "retrieval_context"}),
    ),
    Layout(
        "DeepEval columns",
        {**_OWN, "question": ("input",), "evidence": ("context",), "reference": ("expected_output",)},
        {"actual_output": ""},
        frozenset({"input", "context"}),
    ),
    Layout(
        "MedHallu columns",
        {
            "id": ("id",), "question": ("Question",), "evidence": ("Knowledge",), "stratum": ("Difficulty Level",),
            "reference": ("Ground Truth",), "note": ("Category of Hallucination",),
        },
        {"Ground Truth": "medhallu/ground-truth", "Hallucinated Answer": "medhallu/hallucinated"},
        frozenset({"Question", "Knowledge", "Hallucinated Answer"}),
    ),
)  # fmt: skip


def layout_of(row: Mapping[str, Any]) -> Layout | None:
    """Return the layout whose telling columns a row has; None where none fits."""
    return next((layout for layout in LAYOUTS if layout.needs <= row.keys()), None)


def mapping_of(groups: Iterable[str], fields: Collection[str] = MAPPED) -> dict[str, str]:
    """Read `question=q,evidence=ctx+notes` as field -> column.

    Args:
        groups: texts of pairs, split by commas.
        fields: what may be named, beside how the table is written.

    Raises:
        UsageError: no pair, a field that there is not, or one that is named twice.
    """
    found: dict[str, str] = {}
    for part in (part.strip() for group in groups for part in group.split(",")):
        if not part:
            continue
        name, equals, column = (word.strip() for word in part.partition("="))
        name = name if name in fields else _SYNONYMS.get(name, name)
        if not equals or not column or name not in (*fields, *FORM):
            raise UsageError(f"--map {part!r} is not field=column; fields are {', '.join((*fields, *FORM))}")
        if name in found:
            raise UsageError(f"--map names {name} twice; join columns of evidence with +, as in evidence=a+b")
        found[name] = column
    return found


def split_form(named: Mapping[str, str]) -> tuple[dict[str, str], TableForm]:
    """Return the columns that a user named, and apart from them how the table is written.

    Args:
        named: field -> column, as `mapping_of` returns them.

    Raises:
        UsageError: a delimiter or encoding that there is not.
    """
    columns = {name: column for name, column in named.items() if name not in FORM}
    return columns, TableForm.of({name: word for name, word in named.items() if name in FORM})


def mapped_layout(mapping: Mapping[str, str], base: Layout | None) -> Layout:
    """Return the user's columns, laid over a layout that was recognised (None: they stand alone)."""
    own = {name: (column,) for name, column in mapping.items() if name != "response"}
    columns = {**(base.columns if base else {"id": ("id",)}), **own}
    responses = {mapping["response"]: ""} if "response" in mapping else dict(base.responses) if base else {}
    return Layout(f"{base.name}, some mapped" if base else "mapped columns", columns, responses)


def read_rows(
    table: Iterator[tuple[int, dict[str, Any]]],
    path: Path,
    layout: Layout,
    notes: Notes,
    mapping: Mapping[str, str],
) -> Iterator[Entry]:
    """Yield one entry a row; a row without evidence is left out and counted.

    Args:
        table: (line, row). path: named in errors. layout: which columns. notes: filled on the way.
        mapping: what the user named; these columns must exist.

    Raises:
        BadInput: a row without a column that the user named, a text column that holds something else, an id that stands twice.
    """
    seen: dict[str, int] = {}
    for number, (line, row) in enumerate(table, 1):
        _hold(row, mapping, path, line)
        texts = _evidence(row, layout)
        if not texts:
            notes.left_out[NO_EVIDENCE] += 1
            continue
        entry = _entry(row, layout, texts, number, path, line)
        if entry.id in seen:
            raise BadInput(
                f"id {entry.id!r} was given on line {seen[entry.id]} already; ids must differ",
                source=path.name,
                line=line,
            )
        seen[entry.id] = line
        _note(row, layout, notes, entry)
        yield entry


def _entry(
    row: dict[str, Any], layout: Layout, texts: list[str], number: int, path: Path, line: int
) -> Entry:
    reference = listed(_cell(row, layout.columns.get("reference", ())))
    fields = {
        name: _plain(row, layout, name, path, line)
        for name in ("id", "question", "cluster", "stratum", "cohort")
    }
    fields["id"] = fields["id"] or f"row-{number}"
    return Entry(
        packet=Packet.of_text(*texts),
        reference=Packet.of_text(*reference) if reference else None,
        answers=_answers(row, layout, path, line),
        **fields,
    )


def _answers(row: dict[str, Any], layout: Layout, path: Path, line: int) -> tuple[Answer, ...]:
    note = _plain(row, layout, "note", path, line)
    found = []
    for column, model in layout.responses.items():
        text = _looked_up(row, column)
        if text is not None and not isinstance(text, str):
            raise BadInput(f"`{column}` is {_kind(text)}; text was expected", source=path.name, line=line)
        if text and text.strip():
            found.append(
                Answer(
                    text=text,
                    arm=_plain(row, layout, "arm", path, line) or "full",
                    model=model or _plain(row, layout, "model", path, line),
                    artifacts={"category": note} if note and "hallucinated" in model else {},
                )
            )
    return tuple(found)


def _note(row: dict[str, Any], layout: Layout, notes: Notes, entry: Entry) -> None:
    for name, choices in layout.columns.items():
        if name not in notes.fields and name not in {*OF_ANSWERS, "note"}:
            column = next((c for c in choices if _cell(row, tuple(c.split("+"))) not in (None, "", [])), None)
            if column is not None:
                notes.fields[name] = column
    if entry.answers and not notes.answers:
        held = " and ".join(column for column in layout.responses if _looked_up(row, column))
        notes.answers = f"{held} {'hold' if ' and ' in held else 'holds'} answers: add --responses with this file to score them"


def _hold(row: dict[str, Any], mapping: Mapping[str, str], path: Path, line: int) -> None:
    for name, column in mapping.items():
        for part in column.split("+"):
            if name not in OF_ANSWERS and not _has(row, part):
                columns = ", ".join(str(key) for key in row)
                raise BadInput(
                    f"no column {part!r}, which --map {name}={column} names; the columns are {columns}",
                    source=path.name,
                    line=line,
                )


def _evidence(row: dict[str, Any], layout: Layout) -> list[str]:
    for choice in layout.columns.get("evidence", ()):
        found = [text for part in choice.split("+") for text in listed(_looked_up(row, part))]
        if found:
            return found
    return []


def _plain(row: dict[str, Any], layout: Layout, name: str, path: Path, line: int) -> str:
    value = _cell(row, layout.columns.get(name, ()))
    if value is None or isinstance(value, str):
        return (value or "").strip()
    if isinstance(value, bool | dict | list) or name == "question":
        column = layout.columns[name][0]
        raise BadInput(f"`{column}` is {_kind(value)}; text was expected", source=path.name, line=line)
    return str(value)


def _cell(row: dict[str, Any], choices: tuple[str, ...]) -> Any:
    return next(
        (value for value in (_looked_up(row, column) for column in choices) if value not in (None, "")), None
    )


def _looked_up(row: Any, column: str) -> Any:
    """Return a column, or what a dotted name leads to within nested rows."""
    if isinstance(row, dict) and column in row:
        return row[column]
    head, dot, rest = column.partition(".")
    return _looked_up(row[head], rest) if dot and isinstance(row, dict) and head in row else None


def _has(row: Any, column: str) -> bool:
    if isinstance(row, dict) and column in row:
        return True
    head, dot, rest = column.partition(".")
    return bool(dot) and isinstance(row, dict) and head in row and _has(row[head], rest)


def _kind(value: Any) -> str:
    names = {bool: "a truth value", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)
