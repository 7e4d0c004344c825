"""A table to be filled in for a design: its columns, one example row, as CSV or XLSX."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import UsageError
from percuss.study.design import HERE, Design, Field

__all__ = ["Column", "columns_of", "write_template"]

BESIDE = (
    ("id", "of the item, your own; it stands in every export", "item-1"),
    ("subject", "whom the item is about; empty: the id", "patient-1"),
    ("model", "who wrote what is judged; hidden from people", "example/model-a"),
    ("arm", "under which condition; hidden from people", "plain"),
    ("stratum.ward", "to balance over; rename it, add more, or leave it out", "cardiology"),
)
Column = tuple[str, str, str]
"""Name of a column, what it holds, and the cell of the example row."""


def columns_of(design: Design) -> tuple[Column, ...]:
    """Return the columns of a design's table: what the item is, what people see, what machines said."""
    return (
        *_beside(design),
        *(column for field in design.field for column in _shown(design, field)),
        *_machine(design),
    )


def _beside(design: Design) -> Iterator[Column]:
    own = {"model"} if design.answers_field else set()  # a ranking has a model for each answer
    return (one for one in BESIDE if one[0] not in own)


def _shown(design: Design, field: Field) -> Iterator[Column]:
    value = design.practice[0].shown.get(field.name, "")
    need = "" if field.required else " (may be left out)"
    if field.kind == "answers" and isinstance(value, list):
        for n, text in enumerate(value):
            yield (
                f"answer.model-{chr(ord('a') + n)}",
                "answer of the model that the column is named after",
                str(text),
            )
        return
    words = {
        "image": "file of a picture, beside this table (PNG, JPEG, TIFF, DICOM)",
        "facts": "facts, as JSON",
        "sources": "sources, as JSON: a list of title, text, url",
        "list": "entries, cut at ` | `",
        "verdict": "the program's result, as JSON",
    }
    yield field.name, f"{field.label}: {words.get(field.kind, 'text')}{need}", _cell(field, value)


def _cell(field: Field, value: Any) -> str:
    if field.kind == "list" and isinstance(value, list):
        return " | ".join(str(entry) for entry in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _machine(design: Design) -> Iterator[Column]:
    if design.blinded and not design.answers_field and design.primary.values:
        said = f"what a machine says to {design.primary.ask!r}: {', '.join(design.primary.values)}; hidden from people"
        yield "judge:example/judge#1", said, design.primary.values[0]


def write_template(design: Design, path: Path) -> tuple[Path, ...]:
    """Write the table, with the example's pictures beside it, and return the files.

    Args:
        design: whose items it is to hold. path: `.csv` or `.xlsx`.

    Raises:
        UsageError: another ending, or a file that exists.
    """
    columns = columns_of(design)
    if path.suffix.lower() not in (".csv", ".xlsx"):
        raise UsageError(f"got {path.name}; a template is written as .csv or .xlsx")
    pictures = [
        HERE / "pictures" / str(design.practice[0].shown[field.name])
        for field in design.field
        if field.kind == "image" and field.name in design.practice[0].shown
    ]
    targets = [path, *(path.parent / picture.name for picture in pictures)]
    ours = [path, *pictures]  # a picture that another template left here is the same one
    taken = [
        target.name
        for target, source in zip(targets, ours, strict=True)
        if target.exists() and (target == source or target.read_bytes() != source.read_bytes())
    ]
    if taken:
        raise UsageError(f"{taken[0]} exists; give another --out, or remove it")
    path.write_bytes(_csv(columns) if path.suffix.lower() == ".csv" else _xlsx(columns))
    for picture, target in zip(pictures, targets[1:], strict=True):
        target.write_bytes(picture.read_bytes())
    return tuple(targets)


def _csv(columns: tuple[Column, ...]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([[one[0] for one in columns], [one[2] for one in columns]])
    return out.getvalue().encode("utf-8-sig")  # with the mark spreadsheets know that it is UTF-8


def _xlsx(columns: tuple[Column, ...]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.comments import Comment
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.active
    sheet.title = "items"
    sheet.freeze_panes = "A2"
    for n, (name, words, example) in enumerate(columns, 1):
        head = sheet.cell(1, n, name)
        head.font, head.comment = Font(bold=True), Comment(words, "percuss")
        below = sheet.cell(2, n, example)
        below.data_type, below.alignment = "s", Alignment(wrap_text=True, vertical="top")
        sheet.column_dimensions[head.column_letter].width = min(60, max(14, len(name) + 2, len(example) // 3))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
