"""RIS (by rispy) and NBIB, PubMed's own tagged format."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import find, normalise
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Reference

__all__ = ["read_nbib", "read_ris"]

_RIS_KINDS = {
    "JOUR": "article", "JFULL": "article", "MGZN": "article", "CONF": "conference", "CPAPER": "conference", "BOOK": "book",
    "CHAP": "chapter", "THES": "thesis", "RPRT": "report", "ELEC": "web", "WEB": "web", "CASE": "legal", "UNPB": "other",
}  # fmt: skip
_TAG = re.compile(r"^([A-Z]{2,4})\s{0,2}- (.*)$")
_OPENS, _ENDS = re.compile(r"^TY  ?-", re.MULTILINE), re.compile(r"^ER  ?-", re.MULTILINE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)")


def read_ris(text: str, source: str = "") -> tuple[Reference, ...]:
    """Read a RIS file.

    Raises:
        BadInput: it isn't one.
    """
    rispy = needed("rispy", "reading RIS")
    bare = text.lstrip("\ufeff").replace("\r\n", "\n")
    if not _OPENS.search(bare):
        raise BadInput("has no RIS record; expected lines such as 'TY  - JOUR'", source=source or None)
    try:
        rows = rispy.loads(_ended(bare))
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise BadInput(
            f"cannot be read as RIS ({error}); expected lines such as 'TY  - JOUR'", source=source or None
        ) from None
    return tuple(_ris(row, number) for number, row in enumerate(rows, start=1))


def _ended(text: str) -> str:
    """Return RIS in which every record ends: one without its "ER" would be left out in silence."""
    parts = _OPENS.split(text)
    records = [part if _ENDS.search(part) else f"{part.rstrip()}\nER  - \n" for part in parts[1:]]
    return "TY  -".join((parts[0], *records))


def _ris(row: Mapping[str, Any], number: int) -> Reference:
    def first(*names: str) -> str:
        return next((_line(row[name]) for name in names if row.get(name)), "")

    start, end = first("start_page"), first("end_page")
    year = _YEAR.search(first("year", "publication_year", "date", "access_date"))
    ids = {
        kind: normalise(kind, value)
        for kind, value in (("doi", first("doi")), *_serial(first("issn")), ("pmid", _pmid(row)))
        if value
    }
    for url in (*_list(row.get("urls")), first("url"), first("file_attachments1"), first("notes")):
        for found in find(str(url)):
            ids.setdefault(found.kind, found.value)
    names = [*_list(row.get("authors")), *_list(row.get("first_authors"))] or _list(
        row.get("secondary_authors")
    )
    return Reference(
        key=first("id", "label") or str(number),
        title=first("title", "primary_title"),
        authors=tuple(parse_name(str(name)) for name in names),
        year=int(year[1]) if year else None,
        container=first(
            "journal_name", "secondary_title", "alternate_title3", "alternate_title2", "alternate_title1"
        ),
        volume=first("volume"),
        issue=first("number"),
        pages=f"{start}-{end}" if start and end and "-" not in start else start,
        publisher=first("publisher"),
        kind=_RIS_KINDS.get(first("type_of_reference").upper(), "other"),
        ids={kind: value for kind, value in ids.items() if value},
        raw=". ".join(
            part for part in (", ".join(map(str, names[:10])), first("title", "primary_title")) if part
        ),
    )


def _line(value: Any) -> str:
    return " ".join(str(value[0] if isinstance(value, list) else value).split())


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _serial(written: str) -> tuple[tuple[str, str], ...]:
    digits = re.sub(r"[^\dXx]", "", written)
    return (("isbn", written),) if len(digits) in {10, 13} else (("issn", written),)


def _pmid(row: Mapping[str, Any]) -> str:
    number = str(row.get("accession_number") or "")
    return number if re.fullmatch(r"\d{5,9}", number) else ""


def read_nbib(text: str, source: str = "") -> tuple[Reference, ...]:
    """Read a file of PubMed's tagged format.

    Raises:
        BadInput: no record begins.
    """
    records: list[dict[str, list[list[str]]]] = []
    last: list[list[str]] | None = None
    for line in text.lstrip("\ufeff").splitlines():
        match = _TAG.match(line)
        if match:
            if match[1] == "PMID" or not records:
                records.append(defaultdict(list))
            last = records[-1][match[1]]
            last.append([match[2].strip()])
        elif last and line.startswith("      "):
            last[-1].append(line.strip())
    if not records:
        raise BadInput("has no PubMed record; expected lines such as 'PMID- 123'", source=source or None)
    return tuple(
        _nbib({tag: [" ".join(lines) for lines in values] for tag, values in record.items()})
        for record in records
    )


def _nbib(record: Mapping[str, Sequence[str]]) -> Reference:
    def first(*tags: str) -> str:
        return next((record[tag][0] for tag in tags if record.get(tag)), "")

    year = _YEAR.search(first("DP", "DEP"))
    ids = {"pmid": normalise("pmid", first("PMID"))}
    if record.get("PMC"):
        ids["pmcid"] = normalise("pmcid", first("PMC"))
    for value in (*record.get("LID", ()), *record.get("AID", ())):
        if value.endswith("[doi]"):
            ids["doi"] = normalise("doi", value.removesuffix("[doi]").strip())
    if record.get("IS"):
        ids["issn"] = normalise("issn", first("IS").split(" ")[0])
    people = record.get("FAU") or record.get("AU") or ()
    names = [parse_name(name) for name in people] + [
        parse_name(f"{{{name}}}") for name in record.get("CN", ())
    ]
    title = first("TI", "BTI").removesuffix(".")
    return Reference(
        key=ids["pmid"],
        title=title,
        authors=tuple(names),
        year=int(year[1]) if year else None,
        container=first("JT", "TA"),
        volume=first("VI"),
        issue=first("IP"),
        pages=first("PG"),
        kind="article",
        ids={kind: value for kind, value in ids.items() if value},
        raw=f"{', '.join(people[:10])}. {title}. {first('TA', 'JT')}. {first('DP')}",
    )
