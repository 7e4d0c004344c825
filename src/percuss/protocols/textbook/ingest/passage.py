"""What a book is read into: blocks as a reader finds them, paragraphs with their place, passages that were kept."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from percuss.core.ids import b2
from percuss.core.strict import Record

__all__ = ["Block", "Book", "Kind", "Paragraph", "Passage", "paragraphs_of", "passage_of"]

Kind = Literal["prose", "caption", "table", "exercise", "list", "navigation", "code"]
"""What markup says of a block; plain text and PDF say `prose` of everything."""


class Block(NamedTuple):
    """A block of a book in reading order.

    Args:
        text: with single blanks. section: heading above it, "" before the first. page: from 1; None where there are none.
        name: the block's own id in the book, "" for none.
    """

    text: str
    section: str = ""
    page: int | None = None
    kind: Kind = "prose"
    name: str = ""
    licence: str = ""
    book: str = ""


class Book(NamedTuple):
    """A book as read: its title, licence and blocks."""

    title: str
    licence: str
    blocks: list[Block]


class Paragraph(NamedTuple):
    """A block with its place.

    Args:
        start, stop: characters of the book's text as read, blocks joined by a blank line.
        number: of the block in the file, from 1.
    """

    text: str
    book: str
    section: str
    page: int | None
    start: int
    stop: int
    licence: str
    source: str
    number: int
    kind: Kind
    name: str


class Passage(Record):
    """A paragraph that was kept, with all that leads back to it.

    Args:
        id: content id of book and text. domain: specialty where the book's maker said it, else "".
        page: from 1; None where the format has no pages. start, stop: characters of the book's text as read.
        licence: as the book says it; "" is unknown. source: name of the file. sentences: how many it has.
        entity_density, coherence_variance, semantic_entropy: as measured; None where no embedder was used.
    """

    id: str
    book: str
    section: str
    text: str
    source: str
    start: int
    stop: int
    licence: str = ""
    page: int | None = None
    name: str = ""
    domain: str = ""
    tokens: int = 0
    sentences: int = 0
    entity_density: float = 0.0
    coherence_variance: float | None = None
    semantic_entropy: float | None = None


def paragraphs_of(book: Book, source: str) -> Iterator[Paragraph]:
    """Yield the blocks of a book with their places.

    Args:
        book: as read. source: name of its file.
    """
    at = 0
    for number, block in enumerate(book.blocks, start=1):
        yield Paragraph(
            text=block.text, book=block.book or book.title, section=block.section, page=block.page, start=at,
            stop=at + len(block.text), licence=block.licence or book.licence, source=source, number=number,
            kind=block.kind, name=block.name,
        )  # fmt: skip
        at += len(block.text) + 2


def passage_of(paragraph: Paragraph, **measured: float | None) -> Passage:
    """Return a kept paragraph as a passage.

    Args:
        paragraph: with its place. measured: what the heuristics found, by field.
    """
    p = paragraph
    return Passage(
        id="p" + b2(p.book, p.text)[:12], book=p.book, section=p.section, text=p.text, source=p.source, start=p.start,
        stop=p.stop, licence=p.licence, page=p.page, name=p.name, **measured,  # type: ignore[arg-type]
    )  # fmt: skip


def joined(texts: Iterable[str]) -> str:
    """Return texts as one line with single blanks."""
    return " ".join(" ".join(texts).split())
