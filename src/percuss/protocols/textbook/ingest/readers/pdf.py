"""PDF: lines in reading order, one column or two, joined into paragraphs by their gaps and indents; headings by size."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

from percuss.protocols.textbook.ingest.passage import Block, Book
from percuss.text.documents.pdf import Line, in_reading_order, lines_of_pdf, without_running

__all__ = ["read_pdf"]

_LARGER = (
    1.25  # of the usual height of a line: a heading; boxes fit the ink, so lines of one size differ in height
)
_WIDER = 1.35  # of the usual distance between the middles of lines: a new paragraph
_INDENT = 6.0  # points


def read_pdf(path: Path) -> Book:
    """Read a PDF with text in it.

    Raises:
        BadInput: no PDF, one with a password, or one with too many pages.
    """
    pages = without_running(lines_of_pdf(path.name, path.read_bytes()))
    heights = [line.top - line.bottom for page in pages for line in page]
    usual = median(heights) if heights else 0.0
    blocks: list[Block] = []
    section = ""
    for number, page in enumerate(pages, start=1):
        for lines in _paragraphs(in_reading_order(page), usual):
            text = _joined(lines)
            if _is_heading(lines, text, usual):
                section = text
            elif blocks and _goes_on(blocks[-1], text, section):
                blocks[-1] = blocks[-1]._replace(text=_glued(blocks[-1].text, text))
            else:
                blocks.append(Block(text, section, number))
    return Book(path.stem, "", [block for block in blocks if block.text])


def _is_heading(lines: list[Line], text: str, usual: float) -> bool:
    large = all(_is_large(line, usual) for line in lines)
    return large and len(lines) <= 2 and len(text) < 120 and not text.endswith((".", ";"))


def _goes_on(last: Block, text: str, section: str) -> bool:
    """Tell whether a paragraph goes on over a column or page: the last one has no end, and this one no beginning."""
    return last.section == section and last.text[-1] not in '.!?:”")' and text[:1].islower()


def _glued(head: str, rest: str) -> str:
    if head.endswith("-") and rest[:1].islower():
        compound = "-" in head.rpartition(" ")[2][:-1]
        return head + rest if compound else head[:-1] + rest
    return f"{head} {rest}"


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2


def _paragraphs(lines: list[Line], height: float) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph: parted by a wide gap, an indent, another size or another column."""
    steps = [
        _middle(above) - _middle(below) for above, below in pairwise(lines) if above.bottom > below.bottom
    ]
    usual = median(steps) if steps else height
    held: list[Line] = []
    for line in lines:
        if held and _begins(held, line, usual, height):
            yield held
            held = []
        held.append(line)
    if held:
        yield held


def _is_large(line: Line, height: float) -> bool:
    return line.top - line.bottom > _LARGER * height


def _begins(held: list[Line], line: Line, usual: float, height: float) -> bool:
    last = held[-1]
    step = _middle(last) - _middle(line)
    if step < 0 or step > _WIDER * usual:  # above the last line is another column
        return True
    if _is_large(last, height) != _is_large(line, height):
        return True
    return line.left > min(each.left for each in held) + _INDENT and last.text.rstrip().endswith(
        (".", "?", "!")
    )


def _joined(lines: list[Line]) -> str:
    text = ""
    for line in lines:
        text = _glued(text, line.text.strip()) if text else line.text.strip()
    return re.sub(r"\s+", " ", text).strip()
