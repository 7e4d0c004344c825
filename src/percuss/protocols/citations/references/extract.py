"""Cited claims of a turn, by rule (definitions/citations, "Claims"): a factual sentence with an inline marker.

A claim is one (proposition, citation) pair. The reference is the marker's own text or the one entry that it maps to; a
list without markers gives no claim, and nothing is carried over to other sentences.
"""

import re

from percuss.core.strict import Record
from percuss.protocols.citations.references.identity import key_of
from percuss.protocols.citations.references.lists import Marker, entries, markers, reference_section, resolve
from percuss.protocols.citations.references.record import Reference
from percuss.text.sentences import is_heading, split

__all__ = ["CitedClaim", "Extracted", "cited_claims", "is_factual"]

_META = re.compile(
    r"^(?:in (?:summary|conclusion)|i (?:hope|can|cannot|am|would|have|recommend|don't)|let me|here (?:is|are)|please|note that i|as an ai|"
    r"(?:see|for more|further reading|if you|would you|feel free|you can find|the following (?:sources|references)))\b",
    re.IGNORECASE,
)
_HEDGED_ONLY = re.compile(
    r"^(?:it|this) (?:is|may be|might be) (?:unclear|uncertain|unknown|possible that i)\b", re.IGNORECASE
)
_IDENTIFYING = frozenset({"doi", "pmid", "pmcid", "arxiv", "isbn", "legal", "pel", "url"})


class CitedClaim(Record):
    """One proposition with one citation.

    Args:
        start, stop: the sentence in the turn. text: the proposition, its markers cut out.
        marker_start, marker_stop: the citation's marker in the turn. form: of the marker.
        reference: what is cited; `ambiguous` where several entries fit.
    """

    start: int
    stop: int
    text: str
    marker_start: int
    marker_stop: int
    form: str
    reference: Reference
    ambiguous: bool = False

    @property
    def key(self) -> str:
        """What the text itself says: the offsets of the marker in the turn."""
        return f"{self.marker_start}-{self.marker_stop}"

    @property
    def identity(self) -> str:
        """The normalised key of the reference."""
        return key_of(self.reference)


class Extracted(Record):
    """What a turn holds: claims, the entries of its list, and factual sentences in all."""

    claims: tuple[CitedClaim, ...] = ()
    listed: tuple[Reference, ...] = ()
    factual: int = 0
    cited: int = 0


def is_factual(sentence: str) -> bool:
    """Say whether a sentence states something: no heading, question, offer, hedge about the answer itself."""
    bare = sentence.strip(" *_>#-")
    if is_heading(sentence) or bare.endswith("?") or len(bare.split()) < 4:
        return False
    return not (_META.match(bare) or _HEDGED_ONLY.match(bare))


def cited_claims(text: str) -> Extracted:
    """Extract the cited claims of a turn.

    Args:
        text: of the turn, as the model wrote it.
    """
    section = reference_section(text)
    listed = entries(text, section.start, section.stop) if section else _trailing(text)
    end = _list_start(text, section.start if section else None, listed)
    found = markers(text, stop=end)
    claims: list[CitedClaim] = []
    factual = cited = 0
    for start, stop in split(_masked(text[:end], found)):
        inside = [marker for marker in found if start <= marker.start < _reach(text, stop, end)]
        if not is_factual(_bare(text, start, stop, inside)):
            continue
        factual += 1
        made = [
            claim
            for marker in inside
            if (claim := _claim(text, start, stop, marker, inside, listed)) is not None
        ]
        cited += bool(made)
        claims.extend(made)
    return Extracted(claims=_once(claims), listed=listed, factual=factual, cited=cited)


def _masked(text: str, found: tuple[Marker, ...]) -> str:
    """Blank numbers out, so that "rarely.[2] Next" is two sentences."""
    out = list(text)
    for marker in found:
        if marker.form == "number":
            out[marker.start : marker.stop] = " " * (marker.stop - marker.start)
    return "".join(out)


def _list_start(text: str, section: int | None, listed: tuple[Reference, ...]) -> int:
    if section is not None:
        heading = text.rfind("\n", 0, max(0, section - 1))
        return max(0, heading)
    return min((each.start for each in listed), default=len(text))


def _trailing(text: str) -> tuple[Reference, ...]:
    """Read a numbered list at the very end, without a heading, if its entries look like references."""
    match = re.search(
        r"(?:^[ \t]*\[\^?\w{1,12}\]:?[ \t]+\S[^\n]{10,}\n?(?:[ \t]{2,}\S[^\n]*\n?|[ \t]*\n)*){1,}\s*\Z",
        text,
        re.MULTILINE,
    )
    return entries(text, match.start(), match.end()) if match else ()


def _reach(text: str, stop: int, end: int) -> int:
    """A marker right behind the full stop belongs to the sentence before it: "It works.[1] Next"."""
    after = re.match(
        r"\s?(?:\[\^?\d[\d,;\s–-]{0,20}\]|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|<sup>[^<]{1,20}</sup>)",
        text[stop : min(end, stop + 40)],
    )
    return stop + after.end() if after else stop


def _bare(text: str, start: int, stop: int, inside: list[Marker]) -> str:
    out, last = [], start
    for marker in inside:
        if marker.start >= last and marker.stop <= stop and _beside(text, marker):
            out.append(text[last : marker.start])
            last = marker.stop
    out.append(text[last:stop])
    joined = re.sub(r"\[([^\]]{1,200})\]\(\s*\)?", r"\1", "".join(out))
    joined = re.sub(r"\((?:\s|[;,]|see|e\.g\.|PMID:?|doi:?)*\)|\[[\s,;]*\]|<sup>\s*</sup>", "", joined)
    return " ".join(re.sub(r"\s+([.,;])", r"\1", joined).split())


def _beside(text: str, marker: Marker) -> bool:
    """Say whether a marker stands beside the sentence (in brackets, as a number), so that it can be cut out."""
    if marker.form == "number":
        return True
    before, after = text[max(0, marker.start - 2) : marker.start].strip(), text[marker.stop : marker.stop + 1]
    return before[-1:] in {"(", "[", ";", ","} or after in {")", "]", ";"}


def _claim(
    text: str, start: int, stop: int, marker: Marker, inside: list[Marker], listed: tuple[Reference, ...]
) -> CitedClaim | None:
    fitting = resolve(marker, listed)
    if marker.form in _IDENTIFYING:
        written = text[marker.start : marker.stop]
        reference = (
            fitting[0] if len(fitting) == 1 else Reference(ids={marker.form: marker.target}, raw=written)
        )
    elif fitting:
        reference = fitting[0]
    elif marker.form == "number":
        return None  # maps to nothing: no reference
    else:
        reference = _named(text, marker)
    return CitedClaim(
        start=start,
        stop=stop,
        text=_bare(text, start, stop, inside),
        marker_start=marker.start,
        marker_stop=marker.stop,
        form=marker.form,
        reference=reference,
        ambiguous=len(fitting) > 1,
    )


def _named(text: str, marker: Marker) -> Reference:
    """Make a reference of what the marker itself says: an author and a year, a body and a code."""
    from percuss.protocols.citations.references.names import parse_name

    written = text[marker.start : marker.stop]
    if marker.form == "body":
        year = re.search(r"(?:19|20)\d\d$", marker.target)
        names = (parse_name(f"{{{marker.target.split(' ')[0]}}}"),)
        return Reference(
            title="" if year else marker.target,
            authors=names,
            year=int(year[0]) if year else None,
            kind="guideline",
            raw=written,
        )
    dated = int(marker.target.split("|")[1])
    first = re.split(r"\s\*?(?:and|&|et)\s|,|\s\(", written)[0]
    return Reference(
        authors=(parse_name(f"{first.strip()},"),), et_al="al" in written, year=dated, raw=written
    )


def _once(claims: list[CitedClaim]) -> tuple[CitedClaim, ...]:
    """Leave out a second marker of one sentence that means the same reference ("Smith 2019, doi:..")."""
    seen: set[tuple[int, str]] = set()
    kept = []
    for claim in claims:
        mark = (claim.start, claim.identity)
        if mark not in seen:
            seen.add(mark)
            kept.append(claim)
    return tuple(kept)
