"""Passages as cases, each with the type that was chosen for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.records import Case, Record
from percuss.protocols.textbook.corpus import bundled
from percuss.protocols.textbook.generate.choosing import chosen_types
from percuss.protocols.textbook.generate.focus import focus_of, truth_of
from percuss.protocols.textbook.generate.options import GenerateOptions
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.ingest.reading import PASSAGES, read_passages
from percuss.protocols.textbook.options import wanted_types

__all__ = ["Source", "cases", "source_of"]


class Source(Record):
    """Payload of a case: a passage, the type chosen for it and why, the sentence it is asked about and the truth asked for.

    `focus` is "" where the question joins several sentences.
    """

    passage: Passage
    type: str
    reason: str
    focus: str = ""
    truth: str = "true"


def cases(source: str | None, options: GenerateOptions, seed: int) -> Iterator[Case]:
    """Yield one case a passage.

    Args:
        source: None = bundled; passages.jsonl, or a folder with it. options: `types`. seed: of the choice of inverse types.

    Raises:
        BadInput: there are no passages.
    """
    if source is None:
        passages = list(bundled().passages)
    else:
        path = Path(source)
        file = path / PASSAGES if path.is_dir() else path
        if not file.is_file():
            raise BadInput(f"has no {PASSAGES}; make it by percuss textbook ingest", source=source)
        passages = list(read_passages(file).values())
    for chosen in chosen_types(passages, wanted_types(options.types), seed):
        passage = chosen.passage
        focus = focus_of(passage.text, chosen.type, seed, passage.id)
        made = Source(passage=passage, type=chosen.type, reason=chosen.reason, focus=focus, truth=truth_of(seed, passage.id))  # fmt: skip
        payload = msgspec.to_builtins(made)
        yield Case(id=chosen.passage.id, cluster=chosen.passage.id, stratum=chosen.type, payload=payload)


def source_of(case: Case) -> Source:
    """Return the payload of a case."""
    payload: dict[str, Any] = case.payload
    return msgspec.convert(payload, Source)
