"""PDF into lines with boxes, their order of reading, and text with page offsets (pypdfium2)."""

import re
import threading
from collections import Counter
from itertools import pairwise
from typing import Any, NamedTuple

from percuss.core.errors import BadInput
from percuss.core.extras import needed

__all__ = ["MOST_PAGES", "Line", "in_reading_order", "lines_of_pdf", "text_of_pdf", "without_running"]

MOST_PAGES = 2000
"""Pages that are read; a cited paper or book has fewer, a hostile file more."""
_MOST_CHARACTERS = 20_000_000
_ONE_AT_A_TIME = threading.Lock()
"""PDFium may not be called by two threads at once (its own documentation)."""

_PAGE_NUMBER = re.compile(r"\s*(?:[-–]\s?)?\d{1,4}(?:\s?[-–])?\s*")

Box = tuple[float, float, float, float, str]


class Line(NamedTuple):
    """A line of a page: its box in points, origin below left, and its text."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


def _open(name: str, data: bytes) -> Any:
    pdfium = needed("pypdfium2", "reading PDF", "citations")
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


def lines_of_pdf(name: str, data: bytes) -> list[list[Line]]:
    """Return the lines of each page, in the order of the file.

    Raises:
        BadInput: as `text_of_pdf`.
    """
    with _ONE_AT_A_TIME:
        return _pages(name, data)


def _pages(name: str, data: bytes) -> list[list[Line]]:
    document = _open(name, data)
    pages = []
    try:
        for number in range(len(document)):
            page = document[number]
            text_page = page.get_textpage()
            pages.append([Line(*each) for each in _lines(text_page)])
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
    """PDFium writes U+FFFE or U+0002 for a hyphen at the end of a line."""
    return re.sub(r"[\x00\uffff]", "", re.sub(r"[\ufffe\x02]", "-", text))


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


def in_reading_order(page: list[Line]) -> list[Line]:
    """Return the lines of a page in reading order: by column where a gutter parts the page."""
    body = [line for line in page if line.text.strip()]
    if len(body) < 4:
        return sorted(body, key=lambda line: (-line.top, line.left))
    left, right = min(line.left for line in body), max(line.right for line in body)
    middle = (left + right) / 2
    crossing = [line for line in body if line.left < middle - 12 and line.right > middle + 12]
    beside = [line for line in body if line.left >= middle - 12]
    # a second column may be short: the last page of a paper often ends there
    few = len(beside) < 0.2 * len(body) and len(crossing) > 0.1 * len(body)
    if not beside or few or len(crossing) > 0.35 * len(body):
        return sorted(body, key=lambda line: (-line.top, line.left))
    out: list[Line] = []
    bands = sorted((line.top for line in crossing), reverse=True)
    tops = [float("inf"), *bands, float("-inf")]
    for high, low in pairwise(tops):
        out += sorted((each for each in crossing if each.top == high), key=lambda line: line.left)
        inside = [each for each in body if low < each.top < high and each not in crossing]
        for column in (
            [each for each in inside if each.left < middle - 12],
            [each for each in inside if each.left >= middle - 12],
        ):
            out += sorted(column, key=lambda line: (-line.top, line.left))
    return out


def without_running(pages: list[list[Line]]) -> list[list[Line]]:
    """Leave out page numbers, and what stands at the head or foot of most pages (digits aside)."""
    edges = [
        [*page[:2], *page[-2:]] if len(page) > 4 else page for page in (_by_height(page) for page in pages)
    ]
    counts = Counter(key for page in edges for key in {_shape(line) for line in page})
    often = {key for key, n in counts.items() if len(pages) > 2 and n >= 0.6 * len(pages) and len(key) < 80}
    out = []
    for page, edge in zip(pages, edges, strict=True):
        running = {line for line in edge if _shape(line) in often or _PAGE_NUMBER.fullmatch(line.text)}
        out.append([line for line in page if line not in running])
    return out


def _by_height(page: list[Line]) -> list[Line]:
    return sorted(page, key=lambda line: -line.top)


def _shape(line: Line) -> str:
    return re.sub(r"\d+", "#", line.text.strip())
