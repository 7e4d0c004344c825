"""Books in: txt, Markdown, HTML, EPUB, PDF, OpenStax CNXML, and JSONL of paragraphs."""

from collections.abc import Callable, Iterator
from pathlib import Path

from percuss.core.errors import BadInput
from percuss.protocols.textbook.ingest.passage import Book

__all__ = ["ENDINGS", "books_of", "files_of"]

MOST_BYTES = 1 << 30


def _plain(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.plain import read_text

    return read_text(path)


def _markdown(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.plain import read_markdown

    return read_markdown(path)


def _html(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.web import read_html

    return read_html(path)


def _epub(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.epub import read_epub

    return read_epub(path)


def _pdf(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.pdf import read_pdf

    return read_pdf(path)


def _cnxml(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.cnxml import read_cnxml

    return read_cnxml(path)


def _rows(path: Path) -> Book:
    from percuss.protocols.textbook.ingest.readers.table import read_rows

    return read_rows(path)


ENDINGS: dict[str, Callable[[Path], Book]] = {
    ".txt": _plain, ".md": _markdown, ".markdown": _markdown, ".html": _html, ".htm": _html, ".xhtml": _html, ".epub": _epub,
    ".pdf": _pdf, ".cnxml": _cnxml, ".jsonl": _rows, ".ndjson": _rows,
}  # fmt: skip
"""Ending of a file -> what reads it."""


def files_of(path: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder that a reader knows, in order of their names.

    Raises:
        BadInput: no such path, an ending that no reader knows, or a folder without any book.
    """
    if path.is_dir():
        found = [
            each for each in sorted(path.rglob("*")) if each.is_file() and each.suffix.lower() in ENDINGS
        ]
        if not found:
            raise BadInput(f"holds no book; expected files ending in {', '.join(ENDINGS)}", source=str(path))
        yield from found
        return
    if not path.is_file():
        raise BadInput("is not there; expected a book or a folder of books", source=str(path))
    if path.suffix.lower() not in ENDINGS:
        raise BadInput(
            f"ends in {path.suffix or 'nothing'}; expected one of {', '.join(ENDINGS)}", source=str(path)
        )
    yield path


def books_of(path: Path) -> Book:
    """Read a book.

    Args:
        path: a file that `files_of` yielded.

    Raises:
        BadInput: it can't be read, or is larger than 1 GB.
    """
    if path.stat().st_size > MOST_BYTES:
        raise BadInput("is larger than 1 GB; split the book", source=path.name)
    return ENDINGS[path.suffix.lower()](path)
