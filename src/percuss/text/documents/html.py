"""HTML: its text with reference list, links and superscripts kept; scripts, frames and forms are never run or read."""

import re
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.extras import needed

__all__ = ["LEFT_OUT", "charset_of", "html_text"]

_BLOCKS = frozenset(
    "p div li ul ol h1 h2 h3 h4 h5 h6 tr table section article blockquote pre br dd dt header footer main aside figure hr".split()
)
LEFT_OUT = frozenset("script style noscript template iframe object embed form nav svg head".split())
"""Elements whose content is no text of a page."""
_DEEPEST = 300


def html_text(name: str, data: bytes, *, whole: bool = False) -> str:
    """Return the text of a page; list items that are numbered keep their number, superscripts become `[n]`.

    Args:
        name: of the page, for messages. data: its bytes.
        whole: refuse a page of which a part can't be read since it nests too deeply; else that part is left out.

    Raises:
        BadInput: nothing in it is HTML, or a part can't be read and the whole was wanted.
    """
    html = needed("lxml.html", "reading HTML")
    etree = needed("lxml.etree", "reading HTML")
    parser = html.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, encoding=charset_of(data)
    )
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise BadInput(f"cannot be read as HTML ({error})", source=name) from None
    if whole and any("Excessive depth" in each.message for each in parser.error_log):
        raise BadInput("nests elements deeper than any page does; it was not read", source=name)
    out: list[str] = []
    _walk(root, out, 0)
    text = re.sub(r"[ \t]+", " ", "".join(out))
    return re.sub(r" ?\n ?", "\n", re.sub(r"(?:\s*\n){3,}", "\n\n", text)).strip()


def charset_of(data: bytes) -> str | None:
    """Return the charset of a page: that of its byte order mark, UTF-8 where it is that, else the one that it declares."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    match = re.search(rb"<meta[^>]{0,100}charset=[\"']?([\w-]{2,20})", data[:4096], re.IGNORECASE)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return match[1].decode("ascii") if match else "cp1252"
    return "utf-8"


def _walk(node: Any, out: list[str], depth: int, number: int | None = None) -> None:
    tag = node.tag if isinstance(node.tag, str) else ""
    if tag in LEFT_OUT or depth > _DEEPEST or not tag:
        out.append(node.tail or "")
        return
    block = tag in _BLOCKS
    if block:
        out.append("\n")
    if tag[:1] == "h" and tag[1:].isdigit():
        out.append("\n# ")
    if tag == "li":
        out.append("- " if number is None else f"{number}. ")
    inner = (node.text_content() or "").strip() if tag == "sup" else ""
    if tag == "sup" and re.fullmatch(r"\[?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,10}\]?", inner):
        out.append(f"[{inner.strip('[]')}]")
    else:
        out.append(node.text or "")
        place = _first_number(node) if tag == "ol" else None
        for child in node:
            _walk(child, out, depth + 1, place)
            place = place + 1 if place is not None and child.tag == "li" else place
    if tag == "a" and _leads_out(node):
        out.append(f" {node.get('href')} ")
    if block:
        out.append("\n")
    out.append(node.tail or "")


def _first_number(ordered: Any) -> int:
    start = ordered.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1


def _leads_out(node: Any) -> bool:
    href = node.get("href") or ""
    return href.startswith(("http://", "https://")) and href not in (node.text_content() or "")
