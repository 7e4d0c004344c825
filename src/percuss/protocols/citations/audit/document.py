"""What every reader of a file returns: its text, its references, and where they are cited."""

import re
from collections.abc import Iterator
from itertools import pairwise

from percuss.core.strict import Record
from percuss.net.addresses import is_loopback
from percuss.protocols.citations.references.lists import (
    Marker,
    entries,
    markers,
    numbered_lists,
    reference_section,
    resolve,
)
from percuss.protocols.citations.references.record import IDENTIFIERS, Reference
from percuss.protocols.citations.references.strings import relabelled

__all__ = ["Document", "Use", "line_of", "of_text"]

_AS_WRITTEN = (".md", ".markdown", ".txt", ".text", "stdin")


class Use(Record):
    """A place where a reference is cited: `text[start:stop]` is the marker, `keys` the entries that it means."""

    start: int
    stop: int
    keys: tuple[str, ...]
    written: str = ""


class Document(Record):
    """A document as read.

    Args:
        name: of the file. text: plain text; "" for a bare list of references (.bib, RIS, CSL).
        references: in order. uses: citations in the text.
        dangling: markers that point at no entry, as written.
        problem: why it can't be cut into references ("layout: .."); "" = it can.
        notes: what of the file was left alone, in words: macros, scripts.
        missing: parts that cite too and were not read; then nobody knows what is cited nowhere.
    """

    name: str
    text: str = ""
    references: tuple[Reference, ...] = ()
    uses: tuple[Use, ...] = ()
    dangling: tuple[str, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def of_text(name: str, text: str, listed: tuple[Reference, ...] | None = None) -> Document:
    """Make a document of plain text or Markdown: its list, and the markers that point into it.

    Args:
        name: of the document.
        listed: entries that were read otherwise (footnotes, citation fields); None = they are looked for.
    """
    chapters = numbered_lists(text) if listed is None else ()
    if chapters:
        return _of_chapters(name, text, [each.stop for each in chapters[:-1]])
    section = reference_section(text)
    if listed is None:
        listed = entries(text, section.start, section.stop) if section else _unlisted(text)
    end = section.start if section else min((each.start for each in listed if each.stop), default=len(text))
    uses, dangling, inline = _uses(text, end, listed)
    if section:  # an appendix cites too; what points nowhere there may be the list itself
        uses += _after(text, section.stop, listed)
    return Document(
        name=name, text=text, references=(*listed, *inline), uses=tuple(uses), dangling=tuple(dangling)
    )


def line_of(document: Document, offset: int) -> int:
    """Return the line of a place in a document, from 1; 1 where the file isn't the text that was read out of it."""
    return document.text.count("\n", 0, offset) + 1 if document.name.endswith(_AS_WRITTEN) else 1


def _of_chapters(name: str, text: str, cuts: list[int]) -> Document:
    """Read each chapter against its own list; the keys of later lists say which list they are of."""
    references: list[Reference] = []
    uses: list[Use] = []
    dangling: list[str] = []
    for number, (low, high) in enumerate(pairwise((0, *cuts, len(text))), start=1):
        part = of_text(name, text[low:high])
        called = {
            each.key: f"{each.key} (list {number})" if number > 1 and each.key.isdigit() else each.key
            for each in part.references
        }
        references += [
            relabelled(each, called[each.key], low + each.start, low + each.stop) for each in part.references
        ]
        uses += [
            Use(
                start=low + use.start,
                stop=low + use.stop,
                keys=tuple(called.get(key, key) for key in use.keys),
                written=use.written,
            )
            for use in part.uses
        ]
        dangling += [written if number == 1 else f"{written} (list {number})" for written in part.dangling]
    return Document(
        name=name, text=text, references=tuple(references), uses=tuple(uses), dangling=tuple(dangling)
    )


def _unlisted(text: str) -> tuple[Reference, ...]:
    from percuss.protocols.citations.references.extract import cited_claims

    return cited_claims(text).listed


def _uses(text: str, end: int, listed: tuple[Reference, ...]) -> tuple[list[Use], list[str], list[Reference]]:
    uses: list[Use] = []
    dangling: list[str] = []
    inline: dict[str, Reference] = {}
    numbered = any(each.key.isdigit() for each in listed)
    named = sum(bool(each.authors and each.year) for each in listed) > 0.6 * len(listed)
    for marker in markers(text, stop=end):
        written = text[marker.start : marker.stop]
        fitting = resolve(marker, listed)
        if fitting:
            uses.append(
                Use(
                    start=marker.start,
                    stop=marker.stop,
                    keys=tuple(each.key for each in fitting),
                    written=written,
                )
            )
        elif marker.form in IDENTIFIERS and not _is_none(marker, text):
            made = inline.setdefault(f"{marker.form}:{marker.target}", _inline(marker, text))
            uses.append(Use(start=marker.start, stop=marker.stop, keys=(made.key,), written=written))
        elif (marker.form == "number" and numbered) or (
            marker.form == "author_year" and named and not numbered
        ):
            dangling.append(_missing(marker, written))
    uses += _of_bodies(text[:end], listed)
    return uses, list(dict.fromkeys(dangling)), list(inline.values())


def _missing(marker: Marker, written: str) -> str:
    """Return what points at no entry: the one number of several that has none, else the whole marker."""
    return (
        f"{marker.target} in {written}"
        if marker.form == "number" and len(re.findall(r"\d+", written)) > 1
        else written
    )


def _is_none(marker: Marker, text: str) -> bool:
    """Say whether what looks like an identifier names no work: an address of this machine, a picture's, a pattern (`10.5555/pel.*`)."""
    if marker.form == "url" and re.search(
        r"!\[[^\]\n]{0,200}\]\(\s?$", text[max(0, marker.start - 210) : marker.start]
    ):
        return True  # a picture: a badge of a README
    if marker.form == "url":
        return is_loopback(marker.target.split("/")[0].split(":")[0])
    return marker.form == "doi" and text[marker.start : marker.stop + 2].endswith((".*", "/*", "*`"))


def _of_bodies(text: str, listed: tuple[Reference, ...]) -> Iterator[Use]:
    """Yield where bodies of several words are cited by name and year, and entries without a year by their label.

    (The Cancer Genome Atlas Research Network, 2014) · [Doe et al., n.d.]
    """
    for each in listed:
        name = each.authors[0].family if each.authors and each.authors[0].literal else ""
        if re.search(r"\bn\.?d\.?$", each.key):
            pattern = r"\W+".join(re.findall(r"\w+", each.key))
        elif re.search(r"[ .]", name) and each.year:
            bare = re.escape(name.removeprefix("The ").strip())
            pattern = rf"{bare}(?:\s\([A-Z-]{{2,12}}\))?,?\s\(?{each.year}\b"
        else:
            continue
        for found in re.finditer(pattern, text):
            yield Use(start=found.start(), stop=found.end(), keys=(each.key,), written=found[0])


def _after(text: str, start: int, listed: tuple[Reference, ...]) -> Iterator[Use]:
    """Yield where the text behind the list cites its entries."""
    for marker in markers(text[start:]):
        fitting = resolve(marker, listed)
        if fitting:
            low, high = start + marker.start, start + marker.stop
            yield Use(start=low, stop=high, keys=tuple(each.key for each in fitting), written=text[low:high])


def _inline(marker: Marker, text: str) -> Reference:
    written = text[marker.start : marker.stop]
    kind = {"url": "web", "legal": "legal", "arxiv": "preprint", "isbn": "book"}.get(marker.form, "article")
    return Reference(
        ids={marker.form: marker.target},
        raw=written,
        key=written[:120],
        kind=kind,
        start=marker.start,
        stop=marker.stop,
    )
