"""What a page says about itself: title, authors, year, venue, identifiers, and whether it was retracted."""

import re
from collections.abc import Callable

from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import canonical_url, find, normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Known, Reference

__all__ = ["known_of_page", "known_of_text"]

_RETRACTED = re.compile(
    r"\bretracted(?: article)?\s?:|\bretraction of\b|this article has been retracted", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)")


def known_of_page(data: bytes, url: str) -> Known | None:
    """Read the record that a web page carries in its meta elements; None where it is no HTML or names no title."""
    html = needed("lxml.html", "reading web pages")
    try:
        root = html.document_fromstring(data, parser=html.HTMLParser(no_network=True, huge_tree=False))
    except (ValueError, AssertionError, needed("lxml.etree", "reading web pages").LxmlError):
        return None
    meta: dict[str, list[str]] = {}
    for node in root.iter("meta"):
        name = (node.get("name") or node.get("property") or "").lower()
        if name and node.get("content"):
            meta.setdefault(name, []).append(" ".join(node.get("content").split()))

    def first(*names: str) -> str:
        return next((meta[name][0] for name in names if meta.get(name)), "")

    element = root.find(".//title")
    title = first("citation_title", "dc.title", "dcterms.title", "og:title")
    title = title or (" ".join(element.text_content().split()) if element is not None else "")
    if not title:
        return None
    return _known(meta, first, title, url)


def _known(meta: dict[str, list[str]], first: Callable[..., str], title: str, url: str) -> Known:
    ids = {"url": canonical_url(url)}
    for kind, written in (
        ("doi", first("citation_doi", "dc.identifier", "prism.doi")),
        ("pmid", first("citation_pmid")),
    ):
        value = normalise(kind, written) if written else ""
        if value and (kind != "doi" or value.startswith("10.")):
            ids[kind] = value
    year = _YEAR.search(
        first(
            "citation_publication_date", "citation_date", "citation_year", "dc.date", "article:published_time"
        )
    )
    start, end = first("citation_firstpage"), first("citation_lastpage")
    return Known(
        reference=Reference(
            title=re.sub(r"^retracted(?: article)?\s?:\s*", "", title, flags=re.IGNORECASE),
            authors=tuple(
                parse_name(name) for name in meta.get("citation_author") or meta.get("dc.creator") or ()
            ),
            year=int(year[1]) if year else None,
            container=first("citation_journal_title", "citation_conference_title", "prism.publicationname"),
            volume=first("citation_volume"),
            issue=first("citation_issue"),
            pages=f"{start}-{end}" if start and end else start,
            ids=ids,
        ),
        source="web",
        state="retracted" if _RETRACTED.search(title) else "",
        notice="the page marks it as retracted" if _RETRACTED.search(title) else "",
        whole=bool(meta.get("citation_author")),
    )


def known_of_text(text: str, url: str) -> Known:
    """Read what the head of a text (a PDF's first page) gives: its first line as title, identifiers, a year."""
    head = text[:1500]
    title = next((line.strip() for line in head.split("\n") if len(line.split()) >= 3), "")
    ids = {each.kind: each.value for each in reversed(find(head)) if each.kind not in {"url", "issn"}}
    year = _YEAR.search(head)
    return Known(
        reference=Reference(
            title=title, year=int(year[1]) if year else None, ids={**ids, "url": canonical_url(url)}
        ),
        source="web",
        whole=False,
    )
