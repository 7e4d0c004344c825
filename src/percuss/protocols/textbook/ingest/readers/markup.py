"""XML and HTML into blocks, shared by web pages, EPUB chapters and CNXML: nothing is fetched, no entity is resolved."""

from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.protocols.textbook.ingest.passage import Block, Kind, joined

__all__ = ["blocks_of_html", "html_root", "local", "text_in", "xml_root"]

EXTRA = "textbook"
DEEPEST = 200
_DROPPED = frozenset(
    "script style noscript template iframe object embed form nav svg head button select math footer".split()
)
_PARAGRAPHS = frozenset("p blockquote dd".split())
_KINDS: Mapping[str, Kind] = {
    "figcaption": "caption", "caption": "caption", "figure": "caption", "table": "table", "pre": "code", "aside": "navigation",
    "ul": "list", "ol": "list", "dl": "list",
}  # fmt: skip


def xml_root(data: bytes, name: str) -> Any:
    """Return the root of an XML document; external entities are never resolved.

    Args:
        data: the document. name: of its file, for the sentence.

    Raises:
        BadInput: it is no XML.
    """
    etree = needed("lxml.etree", "reading XML", EXTRA)
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise BadInput(f"cannot be read as XML ({error})", source=name) from None


def html_root(data: bytes | str, name: str) -> Any:
    """Return the root of a page.

    Args:
        data: its bytes or text. name: of its file.

    Raises:
        BadInput: nothing in it is HTML.
    """
    html = needed("lxml.html", "reading HTML", EXTRA)
    etree = needed("lxml.etree", "reading HTML", EXTRA)
    parser = html.HTMLParser(
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        encoding="utf-8" if isinstance(data, bytes) else None,
    )
    try:
        return html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise BadInput(f"cannot be read as HTML ({error})", source=name) from None


def local(node: Any) -> str:
    """Return an element's name without its namespace; "" for comments and instructions."""
    return node.tag.rpartition("}")[2].lower() if isinstance(node.tag, str) else ""


def text_in(node: Any) -> str:
    """Return the text inside an element as one line."""
    return joined(node.itertext())


def blocks_of_html(root: Any) -> Iterator[Block]:
    """Yield the blocks of a page in order, each under its nearest heading.

    Args:
        root: of `html_root`, or an XHTML root of an EPUB.
    """
    held = [""]
    yield from _walk(root, held, 0)


def _walk(node: Any, section: list[str], depth: int) -> Iterator[Block]:
    tag = local(node)
    if tag in _DROPPED or not tag or depth > DEEPEST:
        return
    if tag[:1] == "h" and tag[1:].isdigit():
        section[0] = text_in(node)
    elif tag in _KINDS:
        yield from _block(text_in(node), section[0], _KINDS[tag])
    elif tag in _PARAGRAPHS or (tag == "div" and not any(local(child) for child in node)):
        yield from _block(text_in(node), section[0], "prose")
    else:
        for child in node:
            yield from _walk(child, section, depth + 1)


def _block(text: str, section: str, kind: Kind) -> Iterator[Block]:
    if text:
        yield Block(text, section, kind=kind)
