"""PDF: text in reading order, one column or two, and its reference section; what can't be cut says so."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from percuss.protocols.citations.audit.document import Document, of_text
from percuss.protocols.citations.references.lists import entries, reference_section
from percuss.text.documents.pdf import lines_of_pdf

__all__ = ["Line", "read_pdf"]


_PAGE_NUMBER = re.compile(r"\s*(?:[-–]\s?)?\d{1,4}(?:\s?[-–])?\s*")


class Line(NamedTuple):
    """A line of a page: its box in points, origin below left, and its text."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


def read_pdf(name: str, data: bytes) -> Document:
    """Read a PDF.

    Raises:
        BadInput: no PDF, one with a password, or one with too many pages.
    """
    pages = [[Line(*each) for each in page] for page in lines_of_pdf(name, data)]
    flow = [line for page in _without_running(pages) for line in _ordered(page)]
    if not flow:
        return Document(name=name, problem="layout: no text in the PDF (scanned pages?)")
    text = _joined(flow)
    section = reference_section(text)
    if section is None:
        document = of_text(name, text)
        return document if document.references else Document(
            name=name, text=text, uses=document.uses, problem="layout: no reference section was found"
        )  # fmt: skip
    listed = entries(text, section.start, section.stop)
    if not listed or _looks_uncut([each.raw for each in listed]):
        return Document(
            name=name, text=text, problem="layout: the reference section can't be cut into entries"
        )
    return of_text(name, text, listed)


def _looks_uncut(raws: Sequence[str]) -> bool:
    long = [raw for raw in raws if len(raw) > 1200 or len(re.findall(r"\b(?:19|20)\d\d[a-z]?\b", raw)) > 7]
    return len(long) * 4 > len(raws)


def _ordered(page: list[Line]) -> list[Line]:
    """Return the lines of a page in reading order: by column where a gutter parts the page."""
    body = [line for line in page if line.text.strip()]
    if len(body) < 4:
        return sorted(body, key=lambda line: (-line.top, line.left))
    left, right = min(line.left for line in body), max(line.right for line in body)
    middle = (left + right) / 2
    crossing = [line for line in body if line.left < middle - 12 and line.right > middle + 12]
    beside = [line for line in body if line.left >= middle - 12]
    if len(beside) < 0.2 * len(body) or len(crossing) > 0.35 * len(body):
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


def _without_running(pages: list[list[Line]]) -> list[list[Line]]:
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


def _joined(lines: list[Line]) -> str:
    """Join lines; a hanging indent or a larger gap is kept as a blank line, so that entries without a number are parted."""
    start = next(
        (n for n in range(len(lines) - 1, -1, -1) if reference_section(lines[n].text + "\n") is not None),
        None,
    )
    if start is None:
        return "\n".join(line.text for line in lines)
    head, rest = lines[: start + 1], lines[start + 1 :]
    numbered = sum(bool(re.match(r"\s*(?:\[\w{1,8}\]|\d{1,3}\.)\s", line.text)) for line in rest)
    if numbered > 0.15 * len(rest):
        return "\n".join(line.text for line in lines)
    return "\n".join([*[line.text for line in head], *_parted(rest)])


def _parted(lines: list[Line]) -> list[str]:
    """Put a blank line before each entry of a list without numbers: by hanging indent, else by the gap above."""
    out: list[str] = []
    edges = _edges(lines)
    hanging = sum(_edge(line, edges) + 5 < line.left for line in lines) > 0.2 * len(lines)
    gaps = [above.bottom - below.top for above, below in pairwise(lines) if above.bottom > below.top]
    usual = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    for number, line in enumerate(lines):
        above = lines[number - 1] if number else None
        opens = line.left <= _edge(line, edges) + 5
        gap = above is not None and (above.bottom - line.top) > max(usual + 2.5, 1.6 * max(usual, 0.5))
        if number and ((hanging and opens) or (not hanging and gap)):
            out.append("")
        out.append(line.text)
    return out


def _edges(lines: list[Line]) -> list[float]:
    """Return the left edges of the columns, found as the lowest of each cluster of line starts 100 points apart."""
    edges: list[float] = []
    for left in sorted(line.left for line in lines):
        if not edges or left > edges[-1] + 100:
            edges.append(left)
    return edges


def _edge(line: Line, edges: list[float]) -> float:
    return max((edge for edge in edges if edge <= line.left + 1), default=line.left)
