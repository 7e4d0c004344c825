"""A web page's own look around a quote: its headings, paragraphs, list items and cells as such, and nothing that could run or load."""

from collections.abc import Sequence
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.core.strict import Record
from percuss.text.documents.html import LEFT_OUT, charset_of

__all__ = ["Block", "look_around"]

_SHOWN = frozenset("h1 h2 h3 h4 h5 h6 p li td th dt dd blockquote pre caption figcaption".split())
_PARTS = frozenset(
    "div section article main header footer aside figure table ul ol tr tbody thead dl body".split()
)
_DEEPEST = 300
BESIDE = 5
"""Blocks shown on either side of those that hold the quote."""
LONGEST = 600
"""Characters of a block beside the quote; a longer one is cut."""


class Block(Record):
    """A block of a page: what kind it is, and its text before, in and after the quote.

    Args:
        tag: h1 to h6, p, li, td, th, dt, dd, blockquote, pre, caption or figcaption.
        quoted: what of the quote stands in it; "" where nothing does.
    """

    tag: str
    before: str
    quoted: str = ""
    after: str = ""


def look_around(data: bytes, quote: str) -> tuple[Block, ...]:
    """Return the blocks of a page around a quote, the quote told apart; () where it stands in no block.

    Args:
        data: bytes of the page as they were sent. quote: of its text; case, marks and spaces may differ.

    Raises:
        BadInput: it can't be read as HTML.
    """
    found = _blocks(data)
    stream, places = _letters([text for _, text in found])
    wanted, _ = _letters([quote])
    at = stream.find(wanted) if wanted else -1
    if at < 0:
        return ()
    (first, start), (last, stop) = places[at], places[at + len(wanted) - 1]
    out = []
    for number in range(max(0, first - BESIDE), min(len(found), last + BESIDE + 1)):
        tag, text = found[number]
        if number < first:
            out.append(Block(tag=tag, before=text[-LONGEST:]))
        elif number > last:
            out.append(Block(tag=tag, before="", after=text[:LONGEST]))
        else:
            low = start if number == first else 0
            high = stop + 1 if number == last else len(text)
            out.append(
                Block(
                    tag=tag, before=text[:low][-LONGEST:], quoted=text[low:high], after=text[high:][:LONGEST]
                )
            )
    return tuple(out)


def _letters(texts: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Return the letters and digits of some texts in a row, and the text and offset of each."""
    kept, places = [], []
    for number, text in enumerate(texts):
        for offset, character in enumerate(text):
            for each in character.casefold():
                if each.isalnum():
                    kept.append(each)
                    places.append((number, offset))
    return "".join(kept), places


def _blocks(data: bytes) -> list[tuple[str, str]]:
    html = needed("lxml.html", "reading HTML")
    etree = needed("lxml.etree", "reading HTML")
    parser = html.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, encoding=charset_of(data)
    )
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise BadInput(f"cannot be read as HTML ({error})") from None
    out: list[tuple[str, list[str]]] = [("p", [])]
    _walk(root, out, "p", 0)
    joined = ((tag, " ".join("".join(pieces).split())) for tag, pieces in out)
    return [(tag, text) for tag, text in joined if text]


def _walk(node: Any, out: list[tuple[str, list[str]]], around: str, depth: int) -> None:
    tag = node.tag if isinstance(node.tag, str) else ""
    if tag in LEFT_OUT or depth > _DEEPEST or not tag:
        out[-1][1].append(node.tail or "")
        return
    own = tag if tag in _SHOWN else around
    parts = tag in _SHOWN or tag in _PARTS
    if parts or tag == "br":
        out.append((own, []))
    out[-1][1].append(node.text or "")
    for child in node:
        _walk(child, out, own, depth + 1)
    if parts:
        out.append((around, []))
    out[-1][1].append(node.tail or "")
