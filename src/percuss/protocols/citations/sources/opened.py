"""Opened documents: as text that passages are cut from, and as an answer about the reference that named their address."""

from msgspec import structs

from percuss.core.ports import Document
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Answer
from percuss.protocols.citations.sources.page_record import known_of_page, known_of_text
from percuss.text.documents.page import PageText

__all__ = ["address_of", "answer_of_page", "page_text", "record_of"]


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
