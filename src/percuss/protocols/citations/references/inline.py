"""Citations that a sentence carries in words, beyond the markers that documents are audited by (`lists`).

A source in brackets with its year, whatever stands between ("(Lamb et al., NEJM 2020)"), a body with its guideline and year, a
link, the law, a number with its page or table, and "ibid.".
"""

import re
from collections.abc import Iterator

from percuss.protocols.citations.references.bodies import body_at_start
from percuss.protocols.citations.references.identifiers import find
from percuss.protocols.citations.references.law import cited_law
from percuss.protocols.citations.references.lists import Marker, markers
from percuss.protocols.citations.references.names import fold

__all__ = ["IBID", "SOURCE", "citations"]

SOURCE, IBID = "source", "ibid"
"""Forms of markers of this module: a body, report, label or trial by its words and year; the work cited before."""

_YEAR = r"\b((?:1[5-9]|20)\d\d)[a-z]?\b"
_PERSON = r"(?:(?:van|von|der|den|de|del|della|di|da|dos|la|le|el|al|bin|ter|ten)\s){0,3}[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]{1,40}"
# Yahav D, · Smith CM 2005 · Lamb et al., · Beauchamp & Childress, · Lipson 2018 · Wille [2016]
_PEOPLE = re.compile(
    rf"({_PERSON})(?:\s[A-Z]{{1,3}}(?=[,.\s])|,?\set\sal\.?|,?\s(?:and|&)\s{_PERSON}|,(?=\s)|(?=\s[(\[]?(?:1[5-9]|20)\d\d))"
)
_THING = re.compile(
    r"\b(?:Group|Investigators|Collaborat\w+|Partnership|Consortium|Society|Association|Organi[sz]ation|Institute|Committee|Board|College|"
    r"Academy|Agency|Council|Network|League|Commission|Ministry|label|SmPC|[Gg]uidelines?|[Gg]uidance|position paper|[Rr]eview|[Rr]eport|"
    r"[Ss]tatement|[Rr]ecommendations?|[Cc]onsensus|Monographs?|Book|Formulary|[Uu]pdate|[Tt]rial)\b|\b[A-Z]{2,}(?:[/-][A-Z]{2,})*,?\s(?=(?:19|20)\d\d\b)"
)
_CHAPTER = re.compile(
    r"\b(?:Book|Formulary|Manual|Monographs?|Handbook)\b.{0,20}\b(?:chapter|section|volume)\s\d"
)
_NO_SOURCE = re.compile(
    r"(?:Tab(?:le)?|Fig(?:ure)?|Appendix|Section|Chapter|Supplementary|Equation|Model|Question|Version|Since|In|From|Until|As|Before|After|During|"
    r"By|Data|Seen|Updated|Accessed|Retrieved|Copyright|Phase|Block|Grade|Level|Exhibit|Bundle|January|February|March|April|May|June|July|August|"
    r"September|October|November|December|Spring|Summer|Autumn|Winter|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day)?\b"
)
_BRACKETS = re.compile(r"[(\[]((?:[^()\[\]\n]|[(\[][^()\[\]\n]{0,30}[)\]]){4,260})[)\]](?!\()")
_LEAD = re.compile(r"(?:see(?: also)?|e\.g\.,?|cf\.|source:|adapted from|from|per)\s", re.IGNORECASE)
_LINK = re.compile(r"\[([^\]\n]{2,120})\]\((https?://[^)\s]+)\)")
_NUMBER = re.compile(
    r"\[(\d{1,3}),\s(?:Tab(?:le)?|Fig(?:ure)?|pp?|ch(?:apter)?|sect?(?:ion)?|para)\.?\s[^\]]{1,20}\]|【(\d{1,3})(?:†[^】]{0,40})?】"
)
_ROUND = re.compile(r"(?<=\w\s)\((\d{1,2})\)(?=[.,;])")
_SPACED = re.compile(r"(?<=\w\s)([¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]?)(?=[.,;\s]|$)")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_IBID = re.compile(r"\b[Ii]bid(?:\.|\b)(?:,\s(?:pp?\.\s)?[\d–-]{1,12})?")
_COLLEAGUES = re.compile(
    rf"({_PERSON})\sand\s(?:colleagues|co-?workers|others)\s[(\[]((?:1[5-9]|20)\d\d)[a-z]?[)\]]"
)
_SQUARE = re.compile(rf"({_PERSON})(?:\set\sal\.?)?\s[(\[](?:\[\d{{4}}\]\s)?((?:1[5-9]|20)\d\d)[a-z]?(?:,\s[^()\[\]]{{1,20}})?[)\]]")  # fmt: skip
# the 2021 ESC prevention guideline · the European League Against Rheumatism (EULAR) 2017 update
_DATED = re.compile(
    r"\b(?:19|20)\d\d\s(?:[A-Z]{2,}[A-Za-z]*(?:[/&-][A-Z]{2,})*\s)(?:[\w/-]+\s){0,6}?(?:[Gg]uidelines?|[Gg]uidance|[Rr]ecommendations?|[Uu]pdate|[Ss]tatement|[Cc]onsensus|[Cc]riteria)\b"
    r"|\b(?:[A-Z]\w+\s(?:(?:of|for|against|Against|and|on|the)\s)?){2,8}\([A-Z]{2,8}\)\s(?:19|20)\d\d(?:\s(?:update|guidelines?|recommendations?|criteria))?"
)
_RAISED_UNIT = re.compile(r"(?<![A-Za-z])(?:[kcmdµn]?m|10|s)$")


def citations(text: str, *, stop: int | None = None, rounded: bool = False) -> tuple[Marker, ...]:
    """Return the citations of a text in order, none inside another and none over another's words.

    Args:
        text: of a turn. stop: where its reference list begins; None = the whole text.
        rounded: the list numbers its entries (1), (2), so that such a number in the text is a citation.
    """
    part = text if stop is None else text[:stop]
    plain = [each for each in markers(part) if not (_is_unit(part, each) or _is_dated(part, each))]
    round_ones = [Marker(m.start(), m.end(), "number", m[1]) for m in _ROUND.finditer(part) if rounded]
    return _apart([*plain, *_worded(part), *round_ones])


def _worded(part: str) -> Iterator[Marker]:
    for match in _LINK.finditer(part):
        found = find(match[2])
        if found:
            yield Marker(match.start(), match.end(), found[0].kind, found[0].value)
    for match in _NUMBER.finditer(part):
        yield Marker(match.start(), match.end(), "number", match[1] or match[2])
    for match in _SPACED.finditer(part):
        yield Marker(match.start(), match.end(), "number", match[1].translate(_RAISED))
    for start, end, key in cited_law(part):
        yield Marker(start, end, "legal", key)
    for match in (*_COLLEAGUES.finditer(part), *_SQUARE.finditer(part)):
        if not _NO_SOURCE.match(match[0]):
            start = _whole_name(part, match.start(1), match.end(1))
            yield _people(start, match.end(), part[start : match.end(1)], match[2])
    for match in _DATED.finditer(part):
        yield Marker(match.start(), match.end(), SOURCE, match[0])
    for match in _IBID.finditer(part):
        yield Marker(match.start(), match.end(), IBID, "")
    for match in _BRACKETS.finditer(part):
        yield from _in_brackets(part, match.start(1), match.end(1))


def _whole_name(part: str, start: int, stop: int) -> int:
    """Return where the name of a known body begins whose last words stand at a place: World Health Organization (2021)."""
    words = list(re.finditer(r"\S+", part[max(0, start - 100) : start]))
    low = max(0, start - 100)
    return next(
        (low + each.start() for each in words if body_at_start(part[low + each.start() : stop])), start
    )


def _in_brackets(part: str, start: int, end: int) -> Iterator[Marker]:
    """Yield the sources of one pair of brackets, parted by semicolons before a name."""
    at = start
    for piece in re.split(r"(?<=;)\s(?=[A-ZÀ-Þa-z])", part[start:end]):
        low, at = at, at + len(piece) + 1
        lead = _LEAD.match(piece)
        low += lead.end() if lead else 0
        words = part[low : low + len(piece) - (lead.end() if lead else 0)].rstrip("; ")
        made = _source(words, low)
        if made:
            yield made


def _source(words: str, at: int) -> Marker | None:
    """Return what a piece in brackets cites; None where it cites nothing."""
    if _NO_SOURCE.match(words) or not words[:1].isalpha():
        return None
    years = list(re.finditer(_YEAR, words))
    people = _PEOPLE.match(words)
    several = people is not None and bool(re.search(r"\s[A-Z]{1,3}$|al\.?$", people[0]))
    if people and years and (several or not _THING.search(words[: years[0].start()])):
        return _people(at, at + len(words), people[1], years[-1][1] if "[" in words else years[0][1])
    if words[0].isupper() and ((years and _THING.search(words)) or _CHAPTER.search(words)):
        return Marker(at, at + len(words), SOURCE, words)
    return None


def _people(start: int, stop: int, who: str, year: str) -> Marker:
    return Marker(start, stop, "author_year", f"{fold(who)}|{year}")


def _is_unit(part: str, marker: Marker) -> bool:
    """Say whether a raised digit is a power: kg/m², 10⁹."""
    raised = marker.form == "number" and part[marker.start] in "⁰¹²³⁴⁵⁶⁷⁸⁹"
    return raised and bool(_RAISED_UNIT.search(part[: marker.start])) and part[marker.stop - 1] in "²³⁹⁶⁻¹²"


def _is_dated(part: str, marker: Marker) -> bool:
    """Say whether what looks like a name and year is a date or a place of the text: March 2019, Table 2."""
    words = part[marker.start : marker.stop]
    return marker.form == "author_year" and bool(_NO_SOURCE.match(words)) and "et al" not in words


def _apart(found: list[Marker]) -> tuple[Marker, ...]:
    """Keep of markers over the same words the one that begins first, of those the longest; a list of numbers is one stretch."""
    kept: list[Marker] = []
    for marker in sorted(set(found), key=lambda each: (each.start, -each.stop, each.target)):
        last = kept[-1] if kept else None
        together = last is not None and (last.start, last.stop, last.form) == (
            marker.start,
            marker.stop,
            marker.form,
        )
        if last is None or marker.start >= last.stop or (together and marker.form == "number"):
            kept.append(marker)
    return tuple(kept)
