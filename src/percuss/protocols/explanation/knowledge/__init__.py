"""The knowledge base: what reasoning has to name, by question and answer (papers/1 appendix C; content ours).

`chest.json` holds our entries for the 32 questions, `schema.json` its JSON Schema. Absent lists are empty.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["Base", "Cap", "Entry", "Group", "QuestionEntry", "Term", "bundled", "read_base"]

FOLDER = Path(__file__).parent


class Term(Record):
    """A finding in words, and other words for it. A side or a negation in the words is part of the finding."""

    term: str
    synonyms: tuple[str, ...] = ()

    @property
    def wordings(self) -> tuple[str, ...]:
        """The term and its synonyms."""
        return (self.term, *self.synonyms)


class Group(Record):
    """At least `k` of these have to be named."""

    k: int
    any_of: tuple[Term, ...]


class Cap(Record):
    """The score is at most `max` where the case's flags fulfil `when`: `projection == AP and inspiration != full`."""

    when: str
    max: int


class Entry(Record):
    """What reasoning towards one answer has to name, and what it must not claim."""

    must_all: tuple[Term, ...] = ()
    at_least_k_of: tuple[Group, ...] = ()
    forbidden: tuple[Term, ...] = ()
    caps: tuple[Cap, ...] = ()
    additional_guidance: str = ""

    def required(self) -> Iterator[Term]:
        """Yield every term that counts for the score."""
        yield from self.must_all
        for group in self.at_least_k_of:
            yield from group.any_of

    def terms(self) -> Iterator[Term]:
        """Yield every term."""
        yield from self.required()
        yield from self.forbidden


class QuestionEntry(Record):
    """The entries of one question, by answer."""

    question: str
    type: str
    answers: dict[str, Entry]
    notes: str = ""


class Base(Record):
    """A knowledge base: question id -> entries."""

    questions: dict[str, QuestionEntry]
    format: int = 1
    title: str = ""

    def entry(self, question: str, answer: str) -> Entry | None:
        """Return the entry of a question's answer, or None."""
        found = self.questions.get(question)
        return None if found is None else found.answers.get(answer)

    def entries(self) -> Iterator[tuple[str, str, Entry]]:
        """Yield (question id, answer, entry)."""
        for question, of in self.questions.items():
            for answer, entry in of.answers.items():
                yield question, answer, entry


def read_base(source: Path | Mapping[str, Any]) -> Base:
    """Read a knowledge base in our layout; unknown keys are errors.

    Args:
        source: a JSON file, or what was read from one.

    Raises:
        BadInput: not JSON, an unknown key, a missing or wrong field.
    """
    name = str(source) if isinstance(source, Path) else "knowledge base"
    try:
        if isinstance(source, Path):
            return msgspec.json.decode(source.read_bytes(), type=Base)
        return msgspec.convert(source, Base)
    except (msgspec.ValidationError, msgspec.DecodeError, OSError) as error:
        raise BadInput(
            f"{error}; expected the layout of the knowledge base's schema.json", source=name
        ) from error


@cache
def bundled() -> Base:
    """Return our knowledge base for the 32 questions."""
    return read_base(FOLDER / "chest.json")
