"""A fetched page into text: HTML by trafilatura (lxml where it finds nothing), PDF by pypdfium2, text as it is."""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.core.strict import Record
from percuss.text.documents.html import html_text
from percuss.text.documents.pdf import text_of_pdf

__all__ = ["PageText", "extractor_of", "read_page"]

_WALL = re.compile(
    r"\b(?:sign in|log ?in|subscribe|create an account|purchase access|institutional access|enable (?:cookies|javascript)|are you a robot|verify you are human)\b",
    re.IGNORECASE,
)


class PageText(Record):
    """The text of a page.

    Args:
        text: plain text, paragraphs parted by line breaks. extractor: name and version of what read it.
        pages: offset of each PDF page in the text; () = no PDF. wall: it looks like a login or robot wall.
    """

    text: str
    extractor: str
    pages: tuple[int, ...] = ()
    wall: bool = False

    def page_at(self, offset: int) -> int | None:
        """Return the page (from 1) on which an offset lies; None where there are no pages."""
        if not self.pages:
            return None
        return max(
            number for number, start in enumerate(self.pages, start=1) if start <= max(offset, self.pages[0])
        )


def read_page(media_type: str, data: bytes, charset: str = "", *, url: str = "") -> PageText:
    """Return the text of a page.

    Args:
        data: bytes as they were sent.
        url: where they came from.
        media_type: as the server said; the first bytes win where they are plain. charset: as the server said; "" = none.

    Raises:
        BadInput: it can't be read, or is neither HTML, PDF nor text.
    """
    kind, extractor = extractor_of(media_type, data)
    if kind == "pdf":
        text, pages = text_of_pdf(url or "the page", data)
        return PageText(text=text, extractor=extractor, pages=pages)
    if kind == "html":
        return _html(data, charset, url)
    if kind == "text":
        return PageText(text=_decoded(data, charset), extractor=extractor)
    raise BadInput(f"is {media_type or 'of no type'}; expected HTML, PDF or text", source=url or None)


def extractor_of(media_type: str, data: bytes) -> tuple[str, str]:
    """Return what reads a page (html, pdf, text, or none) and its version, without reading it.

    Args:
        media_type: as the server said. data: bytes as sent; the first ones win where they are plain.
    """
    head = data[:1024].lstrip().lower()
    if data.startswith(b"%PDF-") or media_type == "application/pdf":
        return "pdf", f"pypdfium2-{_version('pypdfium2')}"
    if "html" in media_type or "xml" in media_type or head.startswith((b"<!doctype html", b"<html")):
        return "html", f"trafilatura-{_version('trafilatura')}+lxml-{_version('lxml')}"
    if media_type.startswith("text/") or media_type in {"application/json", ""}:
        return "text", "text-1"
    return "none", ""


def _html(data: bytes, charset: str, url: str) -> PageText:
    trafilatura = needed("trafilatura", "reading web pages")
    plain = html_text(url or "the page", data)
    text = trafilatura.extract(
        _decoded(data, charset),
        include_comments=False,
        include_tables=True,
        favor_recall=True,
        deduplicate=False,
    )
    wall = len(plain) < 1500 and bool(_WALL.search(plain))
    name = f"trafilatura-{_version('trafilatura')}"
    if text and len(text) > 0.3 * len(plain):
        return PageText(text=text, extractor=name, wall=wall)
    return PageText(text=plain, extractor=f"{name}+lxml-{_version('lxml')}", wall=wall)


def _decoded(data: bytes, charset: str) -> str:
    meta = re.search(rb"charset=[\"']?([\w-]{2,20})", data[:2048], re.IGNORECASE)
    for name in ("utf-8-sig", charset, meta[1].decode("ascii") if meta else "", "cp1252"):
        try:
            return data.decode(name) if name else data.decode("utf-8")
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


@cache
def _version(package: str) -> str:
    # Asked on every page; reading a package's metadata costs as much as parsing a short one.
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
