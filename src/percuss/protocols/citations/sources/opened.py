"""Opened documents: as text that passages are cut from, as an answer about the reference, and where a quote stands in them."""

from typing import Any

from msgspec import structs

from percuss.core.ports import Document
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.page_record import known_of_page, known_of_text
from percuss.text.documents.page import PageText

__all__ = ["address_of", "answer_of_page", "page_text", "place_in", "record_of"]

AROUND = 300
"""Characters of a source kept on either side of a quote, so that it is read in its place."""


def address_of(cited: Reference) -> str:
    """Return the address that a reference gives, as it is written; "" where it gives none."""
    bare = cited.ids.get("url", "")
    if not bare:
        return ""
    host = bare.split("/")[0]
    written = (word.strip("<>().,;[]") for word in cited.raw.split() if host in word and "://" in word)
    return next(written, f"https://{bare}")


def page_text(document: Document) -> PageText:
    """Return the text of a document with the offsets of its pages."""
    return PageText(text=document.text, extractor=document.extractor, pages=document.pages)


def record_of(document: Document) -> Known:
    """Return what a document says about itself: its meta elements where it is HTML, else its first lines."""
    known = None if document.data.startswith(b"%PDF-") else known_of_page(document.data, document.url)
    return known or known_of_text(document.text, document.url)


def answer_of_page(cited: Reference, document: Document) -> Answer:
    """Return what a page says about the reference that names its address.

    Blocking: HTML is parsed.
    """
    known = record_of(document)
    ids = known.reference.ids | ({"url": cited.ids["url"]} if cited.ids.get("url") else {})
    reference = structs.replace(known.reference, ids=ids)
    record = structs.replace(known, reference=reference, text=document.text, text_whole=True)
    return Answer(source="web", by="url", state="found", records=(record,))


def place_in(text: str, start: int, stop: int, document: Document | None = None) -> dict[str, Any]:
    """Return where a stretch of a source stands: the words around it, and address, page and bytes where it was opened.

    Args:
        text: of the source. start, stop: of the stretch. document: the opened page; None = a text that nobody opened.
    """
    around = {"before": text[max(0, start - AROUND) : start], "after": text[stop : stop + AROUND]}
    if document is None:
        return around
    page = page_text(document).page_at(start)
    opened = {"url": document.url, "digest": document.digest, **({} if page is None else {"page": page})}
    return {**around, **{name: value for name, value in opened.items() if value}}
