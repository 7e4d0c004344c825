"""Passages as `percuss textbook ingest` wrote them, read back."""

from pathlib import Path

import msgspec

from percuss.core.errors import BadInput
from percuss.exchange.rows import rows
from percuss.protocols.textbook.ingest.passage import Passage

__all__ = ["PASSAGES", "read_passages"]

PASSAGES = "passages.jsonl"


def read_passages(path: Path) -> dict[str, Passage]:
    """Return id -> passage of a passages.jsonl.

    Raises:
        BadInput: a row that is no passage, by line.
    """
    out: dict[str, Passage] = {}
    for line, row in rows(path):
        try:
            passage = msgspec.convert(row, Passage)
        except msgspec.ValidationError as error:
            raise BadInput(f"is no passage: {error}", source=path.name, line=line) from None
        out[passage.id] = passage
    return out
