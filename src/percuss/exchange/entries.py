"""One case as a reader of a foreign layout found it, and what the reader noted on its way."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from percuss.core.sources import Found
from percuss.core.strict import Record
from percuss.evidence.packet import Packet

__all__ = ["Answer", "Entries", "Entry", "Notes"]


class Answer(Record):
    """An answer that the source holds beside the case.

    Args:
        text: what was said.
        arm: the condition under which it was given.
        model: who said it; "" where the source does not say.
        artifacts: what else the source says of it.
    """

    text: str
    arm: str = "full"
    model: str = ""
    artifacts: dict[str, Any] = {}


class Entry(Record):
    """One case.

    Args:
        id: unique in the source. packet: its evidence. question: "" for the protocol's own.
        cluster: what is resampled; "" for the case itself. stratum, cohort: "" for none.
        reference: an external record or answer of the case.
        answers: made elsewhere.
    """

    id: str
    packet: Packet
    question: str = ""
    cluster: str = ""
    stratum: str = ""
    cohort: str = ""
    reference: Packet | None = None
    answers: tuple[Answer, ...] = ()


@dataclass
class Notes:
    """What a reader finds; it grows while the reader reads."""

    layout: str
    fields: dict[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    answers: str = ""
    guarded: bool = False
    cases: int = 0

    def found(self) -> Found:
        """Return the notes as a record."""
        return Found(
            layout=self.layout,
            cases=self.cases,
            fields=dict(self.fields),
            left_out=dict(self.left_out.most_common()),
            answers=self.answers,
            guarded=self.guarded,
        )


@dataclass
class Entries:
    """The cases of a source, read lazily, and the reader's notes."""

    path: Path
    notes: Notes
    walk: Iterator[Entry]

    def __iter__(self) -> Iterator[Entry]:
        for entry in self.walk:
            self.notes.cases += 1
            yield entry
