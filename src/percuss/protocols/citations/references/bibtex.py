"""BibTeX: entries into references, LaTeX into text, and references back into entries."""

import contextlib
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import structs

from percuss.core.errors import BadInput
from percuss.core.extras import needed
from percuss.protocols.citations.references.identifiers import find, normalise
from percuss.protocols.citations.references.names import split_names
from percuss.protocols.citations.references.record import Reference

__all__ = ["entry", "from_fields", "plain", "read_bibtex"]

_KINDS = {
    "article": "article", "inproceedings": "conference", "conference": "conference", "proceedings": "conference",
    "book": "book", "incollection": "chapter", "inbook": "chapter", "phdthesis": "thesis", "mastersthesis": "thesis",
    "thesis": "thesis", "techreport": "report", "report": "report", "manual": "report", "online": "web",
    "electronic": "web", "www": "web", "unpublished": "other", "misc": "other",
}  # fmt: skip
_TYPES = {"article": "article", "conference": "inproceedings", "book": "book", "chapter": "incollection", "thesis": "phdthesis",
          "report": "techreport", "web": "online"}  # fmt: skip
_NO_REFERENCE = frozenset({"comment", "string", "preamble", "xdata", "set"})
_CHARACTER = re.compile(r"[\\{}$~]")
_BRACES = re.compile(r"(?<!\\)[{}]")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)")


def read_bibtex(text: str, source: str = "") -> tuple[Reference, ...]:
    """Read the entries of a .bib text; one that cannot be read is a reference with the field `entry` broken.

    Args:
        text: of the file. source: named in errors.

    Raises:
        BadInput: the text holds no entry at all.
    """
    bibtexparser = needed("bibtexparser", "reading BibTeX")
    logging.getLogger(
        "bibtexparser.splitter"
    ).disabled = True  # what it complains of is said beside the entry
    library = bibtexparser.parse_string(text)
    found = [
        _reference(block, text) for block in library.entries if block.entry_type.lower() not in _NO_REFERENCE
    ]
    for block in library.failed_blocks:
        duplicate = getattr(block, "ignore_error_block", None)
        if duplicate is not None and hasattr(duplicate, "fields"):
            found.append(_reference(duplicate, text))
        elif (block.raw or "").lstrip().startswith("@"):
            found.append(_failed(block))
    if not found and "@" in text:
        raise BadInput(
            "has no BibTeX entry that can be read; expected @type{key, field = {..}}", source=source or None
        )
    return tuple(found)


def _reference(block: Any, text: str) -> Reference:
    fields = {field.key.lower(): str(field.value) for field in block.fields}
    made = from_fields(block.entry_type, fields)
    raw = block.raw or ""
    start = text.find(raw) if raw and len(text) < 200_000 else 0
    return structs.replace(
        made, key=block.key, raw=_string(made), start=max(0, start), stop=max(0, start) + len(raw)
    )


def _failed(block: Any) -> Reference:
    raw = (block.raw or "").strip()
    match = re.match(r"@\w+\s*[{(]\s*([^,\s]{1,200})", raw)
    reason = "the BibTeX entry cannot be read (a brace, quote or comma is missing)"
    return Reference(key=match[1] if match else "", raw=raw[:500], broken=(("entry", reason),))


def from_fields(kind: str, fields: Mapping[str, Any]) -> Reference:
    r"""Make a reference of a BibTeX type and its fields; LaTeX is turned into text.

    >>> from_fields("article", {"title": "{On} Sepsis", "author": 'M{\\"u}ller, J and others', "year": "2020"}).et_al
    True
    """
    get = {name.lower(): plain(str(value)) for name, value in fields.items() if value not in (None, "")}
    authors, et_al = split_names(_people(str(fields.get("author") or fields.get("editor") or "")))
    year = _YEAR.search(get.get("year") or get.get("date") or "")
    broken = [("year", f"the year {get['year'][:20]!r} is none")] if get.get("year") and not year else []
    container = (
        get.get("journal") or get.get("journaltitle") or get.get("booktitle") or get.get("howpublished") or ""
    )
    if re.match(r"https?://|\\url", container):
        container = ""
    named = _KINDS.get(kind.lower(), kind.lower())
    return Reference(
        title=get.get("title", ""),
        authors=authors,
        et_al=et_al,
        year=int(year[1]) if year else None,
        container=container,
        volume=get.get("volume", ""),
        issue=get.get("number", "") or get.get("issue", ""),
        pages=re.sub(r"-{2,}|[‐‑‒–—]", "-", get.get("pages", "")),
        publisher=get.get("publisher", "") or get.get("institution", "") or get.get("school", ""),
        kind=named,
        ids=_ids(fields, get),
        broken=tuple(broken),
    )


def _ids(fields: Mapping[str, Any], get: Mapping[str, str]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for kind in ("doi", "pmid", "pmcid", "isbn", "issn"):
        if get.get(kind):
            written = str(fields.get(kind) or "")
            ids[kind] = normalise(kind, (written if kind == "doi" else get[kind]).replace("\\", ""))
    eprint = get.get("eprint", "")
    if eprint and (get.get("archiveprefix") or get.get("eprinttype") or "arxiv").lower() == "arxiv":
        ids["arxiv"] = normalise("arxiv", eprint)
    for field in ("url", "howpublished", "note", "journal"):
        for found in find(str(fields.get(field) or "").replace("\\", "").replace("{", " ").replace("}", " ")):
            ids.setdefault(found.kind, found.value)
    return {kind: value for kind, value in ids.items() if value}


def _people(text: str) -> str:
    """Turn LaTeX of an author field into text; braces that hold a whole name stay: they mark a body."""
    if "{" not in text and "\\" not in text:
        return text.replace("~", " ").replace("&apos;", "'")
    parts = re.split(r"\s+and\s+", " ".join(text.split()))
    whole = [part.startswith("{") and part.endswith("}") and part.count("{") == 1 for part in parts]
    return " and ".join(
        f"{{{plain(part)}}}" if body and (" " in part or len(part) > 8) else plain(part)
        for part, body in zip(parts, whole, strict=True)
    )


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    r"""Return LaTeX as text, white space joined.

    >>> plain("{DNA} {\\'E}tude~of \\emph{E. coli}")
    'DNA Étude of E. coli'
    """
    if not _CHARACTER.search(text):
        return " ".join(text.split())
    bare = _BRACES.sub("", text).replace("~", " ")
    if "\\" in bare or "$" in bare:
        with contextlib.suppress(RecursionError):  # braces without end: the text stays as it is written
            bare = _converter().latex_to_text(text)
    return " ".join(bare.replace("\u00a0", " ").split())


@lru_cache(maxsize=1)
def _converter() -> Any:
    latex2text = needed("pylatexenc.latex2text", "reading LaTeX")
    return latex2text.LatexNodes2Text(math_mode="text", keep_comments=False, strict_latex_spaces=False)


def _string(made: Reference) -> str:
    """Return a reference in one line: what a resolver may be sent."""
    people = ", ".join(f"{name.family} {name.given}".strip() for name in made.authors[:10])
    parts = [people, made.title, made.container, made.volume, made.pages, str(made.year or "")]
    return ". ".join(part for part in parts if part)


def entry(reference: Reference) -> str:
    """Write a reference as a BibTeX entry.

    >>> print(entry(Reference(title="On Sepsis", year=2020, kind="article", key="a")))
    @article{a,
      title = {On Sepsis},
      year = {2020},
    }
    """
    venue = "booktitle" if reference.kind in {"conference", "chapter"} else "journal"
    house = {"thesis": "school", "report": "institution"}.get(reference.kind, "publisher")
    names = " and ".join(str(name) for name in reference.authors) + (" and others" if reference.et_al else "")
    fields = {
        "title": reference.title, "author": names, venue: reference.container, "year": str(reference.year or ""),
        "volume": reference.volume, "number": reference.issue, "pages": reference.pages.replace("-", "--"),
        house: reference.publisher, "doi": reference.ids.get("doi", ""), "pmid": reference.ids.get("pmid", ""),
        "eprint": reference.ids.get("arxiv", ""), "isbn": reference.ids.get("isbn", ""),
    }  # fmt: skip
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join((f"@{_TYPES.get(reference.kind, 'misc')}{{{reference.key or 'reference'},", *lines, "}"))
