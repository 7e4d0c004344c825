"""HTML: a saved web page as a document."""

from percuss.protocols.citations.audit.document import Document, of_text
from percuss.text.documents.html import html_text

__all__ = ["read_html"]


def read_html(name: str, data: bytes) -> Document:
    """Read a saved web page.

    Raises:
        BadInput: nothing in it is HTML, or it nests without end.
    """
    return of_text(name, html_text(name, data))
