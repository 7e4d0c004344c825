"""Cited claims of a turn, by rule (definitions/citations, "Claims"): a factual sentence with an inline marker.

A claim is one (proposition, citation) pair. The reference is the marker's own text or the one entry that it maps to; a
list without markers gives no claim, and nothing is carried over to other sentences.
"""

import re
from collections.abc import Sequence

from percuss.core.strict import Record
from percuss.protocols.citations.references.identity import key_of
from percuss.protocols.citations.references.inline import IBID, SOURCE, citations
from percuss.protocols.citations.references.lists import Marker, entries, reference_section, resolve
from percuss.protocols.citations.references.names import parse_name
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse
from percuss.protocols.citations.references.titles import title_words
from percuss.text.sentences import is_heading, split

__all__ = ["CitedClaim", "Extracted", "cited_claims", "is_factual", "reference_at"]

_META = re.compile(
    r"^(?:in (?:summary|conclusion)|i (?:hope|can|cannot|am|would|have|recommend|don't)|let me|here (?:is|are)|please|note that i|as an ai|"
    r"(?:see|for more|further reading|if you|would you|feel free|you can find|the following (?:sources|references)))\b",
    re.IGNORECASE,
)
_CONCEDED = re.compile(
    r"^I (?:don't|do not|can't|cannot)\b[^.!?]{0,200}?, (?:but|yet|however,) ", re.IGNORECASE
)
_HEDGED_ONLY = re.compile(
    r"^(?:it|this) (?:is|may be|might be) (?:unclear|uncertain|unknown|possible that i)\b", re.IGNORECASE
)
_OPEN_QUESTION = re.compile(
    r"\b(?:further|more|additional) (?:research|studies|work|trials|evidence) (?:is|are) (?:still )?(?:needed|required|warranted)\b",
    re.IGNORECASE,
)
_WHOLE = 5
"""Words of a title from which a citation in brackets is a whole reference, and no name with its journal and year."""
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


def is_factual(sentence: str, *, cited: bool = False) -> bool:
    """Say whether a sentence states something: no heading, question, offer, hedge about the answer itself.

    Args:
        sentence: without its citations. cited: it has one, so that three words are enough.
    """
    bare = _CONCEDED.sub("", sentence.strip(" *_>#-"))
    if is_heading(sentence) or bare.endswith("?") or len(bare.split()) < (3 if cited else 4):
        return False
    return not (_META.match(bare) or _HEDGED_ONLY.match(bare) or _OPEN_QUESTION.search(bare))


def cited_claims(text: str) -> Extracted:
    """Extract the cited claims of a turn.

    Args:
        text: of the turn, as the model wrote it.
    """
    section = reference_section(text)
    listed = entries(text, section.start, section.stop) if section else _trailing(text)
    end = _list_start(text, section.start if section else None, listed)
    found = citations(text, stop=end, rounded=_is_rounded(text, listed))
    claims: list[CitedClaim] = []
    factual = cited = 0
    for start, stop, inside in _sentences(text, end, found):
        if not is_factual(_bare(text, start, stop, inside), cited=bool(inside)):
            continue
        factual += 1
        before = claims[-1].reference if claims else None
        made = [
            claim
            for marker in inside
            if (claim := _claim(text, start, stop, marker, inside, listed, before)) is not None
        ]
        cited += bool(made)
        claims.extend(made)
    return Extracted(claims=_once(claims), listed=listed, factual=factual, cited=cited)


def _sentences(text: str, end: int, found: tuple[Marker, ...]) -> list[tuple[int, int, list[Marker]]]:
    """Return sentences with their citations; one that is nothing but a citation belongs to the sentence before it."""
    out: list[tuple[int, int, list[Marker]]] = []
    for start, stop in split(_masked(text[:end], found)):
        inside = [marker for marker in found if start <= marker.start < _reach(text, stop, end)]
        alone = inside and len(re.findall(r"[^\W\d_]{2,}", _bare(text, start, stop, inside))) < 3
        if alone and out and not text[out[-1][1] : start].strip() and "\n" not in text[out[-1][1] : start]:
            first, _, held = out.pop()
            out.append((first, stop, [*held, *(each for each in inside if each not in held)]))
        else:
            out.append((start, stop, inside))
    return out


def _is_rounded(text: str, listed: tuple[Reference, ...]) -> bool:
    """Say whether the list numbers its entries (1), (2)."""
    return bool(listed) and all(text[: each.start].rstrip().endswith(f"({each.key})") for each in listed)


def _masked(text: str, found: tuple[Marker, ...]) -> str:
    """Blank numbers out, so that "rarely.[2] Next" is two sentences, and the stops of other citations, so that "Doe v. Roe" is one."""
    out = list(text)
    for marker in found:
        if marker.form == "number":
            out[marker.start : marker.stop] = " " * (marker.stop - marker.start)
        else:
            own = text[marker.start : marker.stop]
            out[marker.start : marker.stop] = own.replace(". ", ", ").replace("? ", ", ")
    return "".join(out)


def _list_start(text: str, section: int | None, listed: tuple[Reference, ...]) -> int:
    if section is not None:
        heading = text.rfind("\n", 0, max(0, section - 1))
        return max(0, heading)
    return min((each.start for each in listed), default=len(text))


def _trailing(text: str) -> tuple[Reference, ...]:
    """Read a numbered list at the very end, without a heading; one with bare numbers only where its lines look like references."""
    match = _BRACKETED_LIST.search(text)
    if match:
        return entries(text, match.start(), match.end())
    match = _NUMBERED_LIST.search(text)
    if match is None:
        return ()
    lines = [line for line in match[0].splitlines() if line.strip()]
    dated = sum(
        bool(re.search(r"\b(?:1[5-9]|2[01])\d\d\b|https?://|\bdoi\b|\bet al\b", line)) for line in lines
    )
    if 2 * dated < len(lines):
        return ()
    plain = re.sub(r"</?p>", lambda tag: " " * len(tag[0]), match[0])
    return entries(text[: match.start()] + plain, match.start(), match.end())


_BRACKETED_LIST = re.compile(
    r"(?:^[ \t]*\[\^?\w{1,12}\]:?[ \t]+\S[^\n]{10,}\n?(?:[ \t]{2,}\S[^\n]*\n?|[ \t]*\n)*){1,}\s*\Z",
    re.MULTILINE,
)
_NUMBERED_LIST = re.compile(
    r"(?<=\n)(?:^[ \t]*(?:<p>)?(?:\(\d{1,3}\)|\d{1,3}[.:)]?)[ \t]+\S[^\n]{6,}(?:\n[ \t]*)*){1,60}\Z",
    re.MULTILINE,
)


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
    text: str,
    start: int,
    stop: int,
    marker: Marker,
    inside: list[Marker],
    listed: tuple[Reference, ...],
    before: Reference | None,
) -> CitedClaim | None:
    fitting = _fitting(marker, listed)
    reference = before if marker.form == IBID else reference_at(text, marker, listed)
    if reference is None:
        return None
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


def _fitting(marker: Marker, listed: Sequence[Reference]) -> tuple[Reference, ...]:
    return () if marker.form in {SOURCE, IBID} else resolve(marker, list(listed))


def reference_at(text: str, marker: Marker, listed: Sequence[Reference] = ()) -> Reference | None:
    """Return what a citation means: the entry that it points at, else what it says itself; None for a number without entry.

    Args:
        text: that holds the citation. marker: of `citations`. listed: the entries of the text's list.
    """
    fitting, written = _fitting(marker, listed), text[marker.start : marker.stop]
    if marker.form in _IDENTIFYING:
        own = Reference(ids={marker.form: marker.target}, raw=written)
        return fitting[0] if len(fitting) == 1 else own
    if fitting:
        return fitting[0]
    return None if marker.form in {"number", IBID} else _named(text, marker)


def _named(text: str, marker: Marker) -> Reference:
    """Make a reference of what the marker itself says: an author and a year, a body and a code."""
    written = text[marker.start : marker.stop]
    whole = parse(written) if marker.form in {SOURCE, "author_year"} else None
    if whole is not None and len(title_words(whole.title)) >= _WHOLE and whole.authors:
        return whole
    if marker.form == SOURCE:
        year = re.search(r"\b(?:1[5-9]|2[01])\d\d\b", written)
        return Reference(title=written, year=int(year[0]) if year else None, kind="report", raw=written)
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
    first = re.sub(r"\s[A-Z]{1,3}$", "", re.split(r"\s\*?(?:and|&|et)\s|,|\s\(", written)[0])
    return Reference(
        authors=(parse_name(f"{first.strip()},"),),
        et_al="al" in written,
        year=dated,
        ids=whole.ids if whole is not None else {},
        raw=written,
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
