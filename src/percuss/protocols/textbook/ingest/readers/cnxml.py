"""OpenStax CNXML: sections by their titles; exercises, figures, tables, lists and equations told by their elements."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.protocols.textbook.ingest.passage import Block, Book, Kind
from percuss.protocols.textbook.ingest.readers.markup import DEEPEST, local, text_in, xml_root

__all__ = ["read_cnxml"]

_KINDS: Mapping[str, Kind] = {
    "exercise": "exercise", "problem": "exercise", "figure": "caption", "subfigure": "caption", "media": "caption", "table": "table",
    "list": "list", "code": "code", "equation": "code", "glossary": "list",
}  # fmt: skip
_ASIDE = frozenset({"metadata", "abstract", "featured-links"})


def read_cnxml(path: Path) -> Book:
    """Read a module of CNXML.

    Raises:
        BadInput: it is no XML.
    """
    root = xml_root(path.read_bytes(), path.name)
    title = next((text_in(node) for node in root if local(node) == "title"), "") or path.stem
    licence = next((node.get("url") or text_in(node) for node in root.iter() if local(node) == "license"), "")
    return Book(title, licence, list(_walk(root, title, 0)))


def _walk(node: Any, section: str, depth: int) -> Iterator[Block]:
    tag = local(node)
    if not tag or tag in _ASIDE or depth > DEEPEST:
        return
    if tag == "para":
        inner = [child for child in node if local(child) in _KINDS]
        for child in inner:
            yield from _walk(child, section, depth + 1)
        text = text_in(_without(node, inner)) if inner else text_in(node)
        if text:
            yield Block(text, section, name=node.get("id") or "")
        return
    if tag in _KINDS:
        text = text_in(node)
        if text:
            yield Block(text, section, kind=_KINDS[tag], name=node.get("id") or "")
        return
    own = next((text_in(child) for child in node if local(child) == "title"), section)
    for child in node:
        if local(child) != "title":
            yield from _walk(child, own or section, depth + 1)


def _without(node: Any, inner: list[Any]) -> Any:
    """Return a paragraph without the blocks inside it, their tails kept."""
    from copy import deepcopy

    places = [list(node).index(child) for child in inner]
    bare = deepcopy(node)
    children = [list(bare)[place] for place in places]
    for child in children:
        before, tail = child.getprevious(), child.tail or ""
        if before is None:
            bare.text = (bare.text or "") + " " + tail
        else:
            before.tail = (before.tail or "") + " " + tail
        bare.remove(child)
    return bare
