"""Documents of the bundled library: one Markdown file each, facts and bibliography in its TOML head."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["Document", "Fact", "Library", "Section", "bundled", "read_document", "sentences_of"]

FOLDER = Path(__file__).parent / "documents"

Status = Literal["current", "superseded", "retracted"]
Polarity = Literal["affirmed", "negated"]
_HEAD = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n(.*)\Z", re.DOTALL)
_SECTION = re.compile(r"^## (\d+) (.+)\n\n(.+)$", re.MULTILINE)
# A sentence ends at a point before a capital; "v. Hillmon" and "Co. v" are names of cases.
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\bv\.)(?<!\bCo\.)\s+(?=[A-Z\[])")


class Fact(Record):
    """One checkable statement of a document.

    `value` is a number or word as written in `sentence`; a negated fact without a number has the words that negate it.
    `unit` is "" where there is none. `section` is the number of the section that holds `sentence`.
    """

    section: str
    subject: str
    relation: str
    value: str
    unit: str
    polarity: Polarity
    sentence: str


class Section(Record):
    """One numbered section; it stands on one page."""

    number: str
    title: str
    text: str
    page: int


class Document(Record):
    """One document with its bibliography.

    `pages` are the first and last page in the volume. `superseded_by` is an id where `status` is `superseded`, else None.
    """

    id: str
    title: str
    organisation: str
    year: int
    version: str
    doi: str
    container: str
    volume: int
    pages: tuple[int, int]
    domain: str
    category: str
    status: Status
    sections: tuple[Section, ...]
    facts: tuple[Fact, ...]
    superseded_by: str | None = None

    @property
    def text(self) -> str:
        """The whole document as a reader sees it, bibliography first."""
        first, last = self.pages
        head = (
            f"{self.id}. {self.title}. {self.organisation}. {self.container} {self.year}; {self.volume}: {first}-{last}."
            f" Version {self.version}. doi:{self.doi}"
        )
        body = (f"{part.number} {part.title}\n\n{part.text}" for part in self.sections)
        return "\n\n".join([head, *body])

    def section(self, number: str) -> Section:
        """Return a section by its number.

        Raises:
            KeyError: there is no such section.
        """
        for part in self.sections:
            if part.number == number:
                return part
        raise KeyError(number)


class Library(Record):
    """Documents of one corpus; in a complete one an id that is not there does not exist."""

    documents: tuple[Document, ...]
    complete: bool

    def find(self, name: str) -> Document | None:
        """Return a document by its id, in any case, or by its DOI; None where there is none."""
        wanted = name.strip().lower().removeprefix("https://doi.org/").removeprefix("doi:")
        return next((d for d in self.documents if wanted in {d.id.lower(), d.doi}), None)


class _Head(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    title: str
    organisation: str
    year: int
    version: str
    doi: str
    container: str
    volume: int
    pages: tuple[int, int]
    domain: str
    category: str
    status: Status
    facts: list[tuple[str, str, str, str, str, Polarity]]
    superseded_by: str | None = None


@cache
def bundled() -> Library:
    """Return the bundled library, ordered by id; it is complete."""
    documents = tuple(read_document(path) for path in sorted(FOLDER.glob("PEL-*.md")))
    return Library(documents=documents, complete=True)


def read_document(path: Path) -> Document:
    """Read one document.

    Args:
        path: a Markdown file: a TOML head between lines of `+++`, then sections `## 1 Title`, one paragraph each.

    Raises:
        BadInput: the file has another form, or a fact whose value is not in its section.
    """
    match = _HEAD.match(path.read_text(encoding="utf-8"))
    if match is None:
        raise BadInput("this document has no head between two lines of +++", source=path.name)
    try:
        loaded: dict[str, Any] = tomllib.loads(match[1])
        head = msgspec.convert(loaded, _Head)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"its head cannot be read: {error}", source=path.name) from None
    sections = tuple(
        Section(number=m[1], title=m[2], text=m[3].strip(), page=head.pages[0] + place)
        for place, m in enumerate(_SECTION.finditer(match[2]))
    )
    facts = tuple(_fact(row, sections, path.name) for row in head.facts)
    rest = {name: value for name, value in loaded.items() if name not in {"facts", "pages"}}
    return Document(**rest, pages=head.pages, sections=sections, facts=facts)


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a section.

    >>> sentences_of("Give 0.5 mg. Wait.")
    ('Give 0.5 mg.', 'Wait.')
    """
    return tuple(_SENTENCE.split(text.strip()))


def _fact(row: tuple[str, str, str, str, str, Polarity], sections: tuple[Section, ...], source: str) -> Fact:
    number, subject, relation, value, unit, polarity = row
    held = next((part.text for part in sections if part.number == number), "")
    stated = [each for each in sentences_of(held) if _states(each, value, unit)]
    if not stated:
        raise BadInput(f"no sentence of section {number} states {value!r} {unit}".rstrip(), source=source)
    # The subject counts twice: several sentences of a section may state the same number.
    about, beside = _words(subject), _words(relation)
    best = max(stated, key=lambda each: 2 * len(about & _words(each)) + len(beside & _words(each)))
    return Fact(
        section=number,
        subject=subject,
        relation=relation,
        value=value,
        unit=unit,
        polarity=polarity,
        sentence=best,
    )


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _states(sentence: str, value: str, unit: str) -> bool:
    """Return whether a sentence holds a value as a whole and the words of its unit."""
    edge = r"(?<![\w.,])" if value[:1].isalnum() else ""
    after = r"(?![\w]|[.,]\d)" if value[-1:].isalnum() else ""
    return bool(re.search(edge + re.escape(value) + after, sentence)) and unit in sentence
