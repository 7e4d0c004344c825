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


def html_text(name: str, data: bytes) -> str:
    """Return the text of a page; list items that are numbered keep their number, superscripts become `[n]`."""
    html = needed("lxml.html", "reading HTML")
    etree = needed("lxml.etree", "reading HTML")
    parser = html.HTMLParser(
        no_network=True, huge_tree=False, remove_comments=True, encoding=charset_of(data)
    )
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise BadInput(f"cannot be read as HTML ({error})", source=name) from None
    out: list[str] = []
    _walk(root, out, 0)
    text = re.sub(r"[ \t]+", " ", "".join(out))
    return re.sub(r" ?\n ?", "\n", re.sub(r"(?:\s*\n){3,}", "\n\n", text)).strip()


def charset_of(data: bytes) -> str | None:
    """Return the charset of a page: UTF-8 where it is that, else the one that it declares."""
    match = re.search(rb"<meta[^>]{0,100}charset=[\"']?([\w-]{2,20})", data[:4096], re.IGNORECASE)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return match[1].decode("ascii") if match else "cp1252"
    return "utf-8"


def _walk(node: Any, out: list[str], depth: int) -> None:
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
        out.append(_number(node))
    inner = (node.text_content() or "").strip() if tag == "sup" else ""
    if tag == "sup" and re.fullmatch(r"\[?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,10}\]?", inner):
        out.append(f"[{inner.strip('[]')}]")
    else:
        out.append(node.text or "")
        for child in node:
            _walk(child, out, depth + 1)
    if tag == "a" and _leads_out(node):
        out.append(f" {node.get('href')} ")
    if block:
        out.append("\n")
    out.append(node.tail or "")


def _number(node: Any) -> str:
    parent = node.getparent()
    if parent is None or parent.tag != "ol":
        return "- "
    items = [child for child in parent if child.tag == "li"]
    start = int(parent.get("start")) if (parent.get("start") or "").isdigit() else 1
    return f"{items.index(node) + start}. " if len(items) < 5000 else "- "


def _leads_out(node: Any) -> bool:
    href = node.get("href") or ""
    return href.startswith(("http://", "https://")) and href not in (node.text_content() or "")
