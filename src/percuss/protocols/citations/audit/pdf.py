"""PDF: text in reading order, one column or two, and its reference section; what can't be cut says so."""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from percuss.protocols.citations.audit.document import Document, of_text
from percuss.protocols.citations.references.lists import entries, reference_section
from percuss.text.documents.pdf import Line, in_reading_order, lines_of_pdf, without_running

__all__ = ["read_pdf"]

SCRIPTS = "holds scripts or commands to start programs; none of them was run"
_SCRIPT = re.compile(rb"/(?:JavaScript|JS|Launch)\b")


def read_pdf(name: str, data: bytes) -> Document:
    """Read a PDF.

    Raises:
        BadInput: no PDF, one with a password, or one with too many pages.
    """
    read = _read(name, data)
    return structs.replace(read, notes=(SCRIPTS,)) if _SCRIPT.search(data) else read


def _read(name: str, data: bytes) -> Document:
    pages = lines_of_pdf(name, data)
    flow = [line for page in without_running(pages) for line in in_reading_order(page)]
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
