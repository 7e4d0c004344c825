"""A saved web page: lxml reads its blocks and headings, trafilatura says which of them are content."""

import re
from pathlib import Path
from typing import Any

from percuss.core.extras import needed
from percuss.protocols.textbook.ingest.passage import Block, Book
from percuss.protocols.textbook.ingest.readers.markup import (
    EXTRA,
    blocks_of_html,
    html_root,
    text_in,
)
from percuss.protocols.textbook.ingest.readers.plain import text_of

__all__ = ["read_html"]

ENOUGH = 0.5
"""Share of the page's paragraphs that the content must hold; a book's page has little beside it."""


def read_html(path: Path) -> Book:
    """Read a saved page.

    Raises:
        BadInput: nothing in it is HTML.
    """
    page = text_of(path)
    root = html_root(re.sub(r"\A\s*<\?xml[^>]*\?>", "", page), path.name)
    title = next((text_in(node) for node in root.iter("title")), "") or path.stem
    plain = list(blocks_of_html(root))
    content = _content(page)
    kept = [
        block if block.kind != "prose" or block.text in content else block._replace(kind="navigation")
        for block in plain
    ]
    return Book(title, _licence(root), kept if _size(kept) >= ENOUGH * _size(plain) else plain)


def _size(blocks: list[Block]) -> int:
    return sum(len(block.text) for block in blocks if block.kind == "prose")


def _content(page: str) -> str:
    """Return what trafilatura takes for the page's content, with single blanks."""
    trafilatura = needed("trafilatura", "reading HTML", EXTRA)
    found = trafilatura.extract(
        page, include_comments=False, include_tables=False, favor_recall=True, deduplicate=False
    )
    return " ".join((found or "").split())


def _licence(root: Any) -> str:
    for node in root.iter("a", "link"):
        if "license" in (node.get("rel") or ""):
            return text_in(node) or str(node.get("href") or "")
    return ""
