"""JSONL of paragraphs: one object a line with `text`, and what is known of its place."""

from pathlib import Path

from percuss.core.errors import BadInput
from percuss.exchange.rows import json_lines
from percuss.protocols.textbook.ingest.passage import Block, Book

__all__ = ["read_rows"]

_SECTION, _NAME = ("section", "heading", "chapter", "title"), ("para_id", "paragraph_id", "id", "name")


def read_rows(path: Path) -> Book:
    """Read paragraphs of JSONL.

    Args:
        path: rows with `text`, and where they are known `book`, `section`, `page`, `para_id`, `module`, `licence`.

    Raises:
        BadInput: a row without text, by line.
    """
    blocks = []
    for line, row in json_lines(path):
        text = row.get("text")
        if not isinstance(text, str):
            raise BadInput("has no text; expected an object with `text`", source=path.name, line=line)
        page = row.get("page")
        name = next((str(row[key]) for key in _NAME if row.get(key)), "")
        blocks.append(
            Block(
                text=" ".join(text.split()),
                section=next((str(row[key]).strip() for key in _SECTION if row.get(key)), ""),
                page=page if isinstance(page, int) and page > 0 else None,
                name=f"{row['module']}/{name}" if row.get("module") else name,
                licence=str(row.get("licence") or row.get("license") or ""),
                book=str(row.get("book") or ""),
            )
        )
    return Book(path.stem, "", blocks)
