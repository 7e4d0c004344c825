"""HTML and XHTML: a saved web page as a document."""

import re

from msgspec import structs

from percuss.core.errors import BadInput
from percuss.protocols.citations.audit.declared import declares_entities
from percuss.protocols.citations.audit.document import Document, of_text
from percuss.text.documents.html import html_text

__all__ = ["read_html"]

SCRIPTS = "holds scripts; they were neither run nor read"
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)


def read_html(name: str, data: bytes) -> Document:
    """Read a saved web page.

    Raises:
        BadInput: nothing in it is HTML, it nests without end, or it declares entities.
    """
    if declares_entities(data):
        raise BadInput(
            "declares entities (<!ENTITY ..>), which are never unfolded; it was not read", source=name
        )
    document = of_text(name, html_text(name, data, whole=True))
    return structs.replace(document, notes=(SCRIPTS,)) if _SCRIPT.search(data) else document
