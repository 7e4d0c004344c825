"""What citation managers keep inside a .docx: EndNote's records in field codes, and Word's own list of sources.

EndNote  field code `ADDIN EN.CITE <EndNote><Cite>..<record>..</record></Cite></EndNote>`; long ones as base64 in `w:fldData`
Word     a part `customXml/item*.xml` with `b:Sources` (Office Open XML, part 1, section 22.6)
"""

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any

from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Name, Reference

__all__ = ["BIBLIOGRAPHY", "endnote_records", "from_field_data", "word_sources"]

BIBLIOGRAPHY = "http://schemas.openxmlformats.org/officeDocument/2006/bibliography"
_B = f"{{{BIBLIOGRAPHY}}}"
_ENDNOTE = re.compile(r"<EndNote>.*?</EndNote>", re.DOTALL)
_KINDS = {"Journal Article": "article", "Book": "book", "Book Section": "chapter", "Thesis": "thesis", "Report": "report",
          "Conference Proceedings": "conference", "Web Page": "web"}  # fmt: skip
_WORD_KINDS = {"JournalArticle": "article", "Book": "book", "BookSection": "chapter", "Report": "report",
               "ConferenceProceedings": "conference", "InternetSite": "web"}  # fmt: skip


def from_field_data(text: str) -> str:
    """Return the code that a `w:fldData` holds in base64; "" where it is something else."""
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.decode("utf-8", errors="ignore").replace("\x00", "") if b"<EndNote>" in raw else ""


def endnote_records(code: str) -> list[Reference]:
    """Return the references in the field code of EndNote; none where it is another field."""
    etree = needed("lxml.etree", "reading DOCX")
    found = []
    for match in _ENDNOTE.finditer(code):
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True
        )
        try:
            tree = etree.fromstring(match[0].encode(), parser)
        except etree.XMLSyntaxError:
            continue
        found += [_endnote(record) for record in (() if tree is None else tree.iter("record"))]
    return found


def _said(record: Any, path: str) -> str:
    node = record.find(path)
    return "" if node is None else " ".join("".join(node.itertext()).split())


def _endnote(record: Any) -> Reference:
    kind = record.find("ref-type")
    year = _said(record, "dates/year")[:4]
    ids = {"doi": _said(record, "electronic-resource-num"), "pmid": _said(record, "accession-num")}
    people = [
        " ".join("".join(each.itertext()).split()) for each in record.iterfind("contributors/authors/author")
    ]
    return Reference(
        title=_said(record, "titles/title"),
        authors=tuple(map(_person, filter(None, people))),
        year=int(year) if year.isdigit() else None,
        container=_said(record, "periodical/full-title") or _said(record, "titles/secondary-title"),
        volume=_said(record, "volume"),
        issue=_said(record, "number"),
        pages=_said(record, "pages").replace("–", "-"),
        publisher=_said(record, "publisher"),
        kind=_KINDS.get("" if kind is None else str(kind.get("name")), "other"),
        ids=_ids(ids),
    )


def _person(written: str) -> Name:
    """A name that ends with a comma is a body's (EndNote's own rule)."""
    return Name(family=written.rstrip(", "), literal=True) if written.endswith(",") else parse_name(written)


def _ids(written: dict[str, str]) -> dict[str, str]:
    made = {kind: normalise(kind, value) for kind, value in written.items() if value}
    return {kind: value for kind, value in made.items() if value and (kind != "pmid" or value.isdigit())}


def word_sources(tree: Any) -> Iterator[Reference]:
    """Yield the references of a part that is Word's list of sources."""
    for source in tree.iter(f"{_B}Source"):
        year = _word(source, "Year")[:4]
        yield Reference(
            title=_word(source, "Title"),
            authors=tuple(_word_people(source)),
            year=int(year) if year.isdigit() else None,
            container=_word(source, "JournalName") or _word(source, "BookTitle"),
            volume=_word(source, "Volume"),
            issue=_word(source, "Issue"),
            pages=_word(source, "Pages").replace("–", "-"),
            publisher=_word(source, "Publisher"),
            kind=_WORD_KINDS.get(_word(source, "SourceType"), "other"),
            ids=_ids({"doi": _word(source, "DOI"), "url": _word(source, "URL")}),
            key=_word(source, "Tag"),
        )


def _word(source: Any, name: str) -> str:
    return " ".join((source.findtext(f"{_B}{name}") or "").split())


def _word_people(source: Any) -> Iterator[Name]:
    body = source.findtext(f"{_B}Author/{_B}Author/{_B}Corporate")
    if body:
        yield Name(family=" ".join(body.split()), literal=True)
    for person in source.iterfind(f"{_B}Author/{_B}Author/{_B}NameList/{_B}Person"):
        given = " ".join(part for part in (_word(person, "First"), _word(person, "Middle")) if part)
        yield Name(family=_word(person, "Last"), given=given)
