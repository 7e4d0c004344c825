"""PDF into lines with boxes, and into text with page offsets (pypdfium2)."""

import re
import threading
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.extras import needed

__all__ = ["MOST_PAGES", "lines_of_pdf", "text_of_pdf"]

MOST_PAGES = 2000
"""Pages that are read; a cited paper or book has fewer, a hostile file more."""
_MOST_CHARACTERS = 20_000_000
_ONE_AT_A_TIME = threading.Lock()
"""PDFium may not be called by two threads at once (its own documentation)."""

Box = tuple[float, float, float, float, str]


def _open(name: str, data: bytes) -> Any:
    pdfium = needed("pypdfium2", "reading PDF")
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        reason = "needs a password" if "assword" in str(error) else "cannot be opened as PDF"
        raise BadInput(reason, source=name) from None
    if len(document) > MOST_PAGES:
        pages = len(document)
        document.close()
        raise BadInput(f"has {pages:,} pages; expected at most {MOST_PAGES:,}", source=name)
    return document


def text_of_pdf(name: str, data: bytes) -> tuple[str, tuple[int, ...]]:
    """Return the text of a PDF, and the offset at which each page begins.

    Raises:
        BadInput: it can't be opened, or has too many pages.
    """
    with _ONE_AT_A_TIME:
        return _text(name, data)


def _text(name: str, data: bytes) -> tuple[str, tuple[int, ...]]:
    document = _open(name, data)
    parts: list[str] = []
    offsets: list[int] = []
    length = 0
    try:
        for number in range(len(document)):
            page = document[number]
            text_page = page.get_textpage()
            text = _clean(text_page.get_text_bounded().replace("\r\n", "\n")).rstrip() + "\n\n"
            text_page.close()
            page.close()
            offsets.append(length)
            parts.append(text)
            length += len(text)
            if length > _MOST_CHARACTERS:
                raise BadInput("holds more text than any source", source=name)
    finally:
        document.close()
    return "".join(parts), tuple(offsets)


def lines_of_pdf(name: str, data: bytes) -> list[list[Box]]:
    """Return the lines of each page as (left, bottom, right, top, text), in the order of the file.

    Raises:
        BadInput: as `text_of_pdf`.
    """
    with _ONE_AT_A_TIME:
        return _pages(name, data)


def _pages(name: str, data: bytes) -> list[list[Box]]:
    document = _open(name, data)
    pages = []
    try:
        for number in range(len(document)):
            page = document[number]
            text_page = page.get_textpage()
            pages.append(_lines(text_page))
            text_page.close()
            page.close()
    finally:
        document.close()
    return pages


def _lines(text_page: Any) -> list[Box]:
    """Join PDFium's rectangles of text into lines: those of one height that follow each other closely."""
    pieces: list[Box] = []
    for index in range(text_page.count_rects()):
        left, bottom, right, top = text_page.get_rect(index)
        text = _clean(text_page.get_text_bounded(left=left, bottom=bottom, right=right, top=top))
        if text.strip():
            pieces.append((left, bottom, right, top, " ".join(text.split())))
    return [line for row in _rows(pieces) for line in _runs(row)]


def _clean(text: str) -> str:
    """PDFium writes U+FFFE for a hyphen at the end of a line."""
    return re.sub(r"[\x00\uffff]", "", text.replace("\ufffe", "-"))


def _rows(pieces: list[Box]) -> list[list[Box]]:
    """Group pieces that share more than half of their height with the first piece of the row."""
    rows: list[list[Box]] = []
    for piece in sorted(pieces, key=lambda box: (-box[3], box[0])):
        head = rows[-1][0] if rows else None
        if head is not None and _shares_height(head, piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return rows


def _shares_height(one: Box, other: Box) -> bool:
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > 0.5 * max(0.1, min(one[3] - one[1], other[3] - other[1]))


def _runs(row: list[Box]) -> list[Box]:
    """Cut a row where a gap is wider than a blank: between columns, between cells of a table."""
    lines: list[Box] = []
    for piece in sorted(row, key=lambda box: box[0]):
        last = lines[-1] if lines else None
        height = (
            max(piece[3] - piece[1], 1.0)
            if last is None
            else max(last[3] - last[1], piece[3] - piece[1], 1.0)
        )
        if last is not None and piece[0] - last[2] < 0.9 * height:
            gap = " " if piece[0] - last[2] > 0.12 * height and not last[4].endswith(" ") else ""
            text = last[4] + gap + piece[4]
            lines[-1] = (
                last[0],
                min(last[1], piece[1]),
                max(last[2], piece[2]),
                max(last[3], piece[3]),
                text,
            )
        else:
            lines.append(piece)
    return lines
