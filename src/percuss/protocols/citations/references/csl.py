"""CSL-JSON: what citation managers and Word's citation fields hold."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.protocols.citations.references.identifiers import find, normalise
from percuss.protocols.citations.references.names import is_body, parse_name
from percuss.protocols.citations.references.record import Name, Reference

__all__ = ["from_csl", "read_csl"]

_KINDS = {
    "article-journal": "article", "article-magazine": "article", "article": "preprint", "paper-conference": "conference",
    "book": "book", "chapter": "chapter", "thesis": "thesis", "report": "report", "webpage": "web", "post-weblog": "web",
    "legal_case": "legal", "journal-article": "article", "proceedings-article": "conference", "book-chapter": "chapter",
    "posted-content": "preprint", "monograph": "book", "dissertation": "thesis",
}  # fmt: skip


def read_csl(data: bytes | str, source: str = "") -> tuple[Reference, ...]:
    """Read a CSL-JSON file: a list of items, or one item.

    Raises:
        BadInput: it is no JSON, or its items are no objects.
    """
    try:
        rows = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        reason = "nests without end" if isinstance(error, RecursionError) else f"is no JSON ({error})"
        raise BadInput(f"{reason}; expected CSL-JSON: a list of items", source=source or None) from None
    if isinstance(rows, dict):
        rows = rows.get("items") or rows.get("references") or [rows]
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadInput("is no CSL-JSON; expected a list of items", source=source or None)
    return tuple(from_csl(row) for row in rows)


def from_csl(row: Mapping[str, Any]) -> Reference:
    """Make a reference of a CSL item; Crossref's lists of one ("title": ["..."]) are read too."""

    def first(*names: str) -> str:
        return next((text for name in names if (text := _text(row.get(name)))), "")

    ids = _ids(first)
    people = row.get("author") or row.get("editor") or ()
    authors = tuple(_name(each) for each in people if isinstance(each, dict))
    title = first("title")
    year = _year(row)
    return Reference(
        key=first("id", "citation-key"),
        title=title,
        authors=tuple(name for name in authors if name.family),
        year=year,
        container=first("container-title", "container-title-short", "journalAbbreviation"),
        volume=first("volume"),
        issue=first("issue"),
        pages=first("page"),
        publisher=first("publisher"),
        kind=_KINDS.get(first("type"), "other"),
        ids={kind: value for kind, value in ids.items() if value},
        raw=f"{', '.join(name.family for name in authors[:10])}. {title}. {first('container-title')}. {year or ''}",
    )


def _text(value: Any) -> str:
    value = value[0] if isinstance(value, list) and value else value
    return " ".join(str(value).split()) if isinstance(value, str | int) else ""


def _ids(first: Callable[..., str]) -> dict[str, str]:
    ids = {kind: normalise(kind, first(kind.upper())) for kind in ("doi", "pmid", "pmcid", "isbn", "issn")}
    number = first("number") if "arxiv" in first("number").lower() else ""
    for found in find(f"{first('URL')} {number} {first('note')}"):
        ids[found.kind] = ids.get(found.kind) or found.value
    return ids if first("ISSN") else {kind: value for kind, value in ids.items() if kind != "issn"}


def _name(each: Mapping[str, Any]) -> Name:
    literal = str(each.get("literal") or each.get("name") or "")
    if literal:
        return (
            Name(family=literal, literal=True)
            if is_body(literal) or "," not in literal
            else parse_name(literal)
        )
    particle = str(each.get("non-dropping-particle") or each.get("dropping-particle") or "")
    family = f"{particle} {each.get('family') or ''}".strip()
    return Name(
        family=family, given=str(each.get("given") or ""), literal=not each.get("given") and is_body(family)
    )


def _year(row: Mapping[str, Any]) -> int | None:
    for name in ("issued", "published", "published-print", "published-online", "created"):
        value = row.get(name)
        if not isinstance(value, dict):
            continue
        parts = value.get("date-parts")
        head = (
            parts[0][0]
            if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]
            else None
        )
        text = str(head or value.get("raw") or value.get("literal") or "")[:4]
        if text.isdigit():
            return int(text)
    return None
