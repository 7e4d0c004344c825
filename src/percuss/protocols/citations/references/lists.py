"""Reference lists of a text, and the markers that point into them."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from percuss.protocols.citations.references.bodies import same_bodies
from percuss.protocols.citations.references.identifiers import BREAK, find
from percuss.protocols.citations.references.names import fold, surname
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.strings import parse, relabelled

__all__ = ["Marker", "Section", "entries", "markers", "numbered_lists", "reference_section", "resolve"]

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}\s*)?(?:\*\*|__)?(?:\d{1,2}\.?\s+|[IVX]{1,4}\.\s+)?(?:references?(?: and notes| list| cited)?|bibliography|works cited|literature(?: cited)?|"
    r"sources|citations|notes and references|referencias|bibliografía|literatur(?:verzeichnis)?|références|bibliographie|参考文献)"
    r"(?:\*\*|__)?[ \t]*:?[ \t]*(?:\*\*|__)?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_NEXT = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+\S.*|(?:\*\*)?(?:appendix\b.{0,60}|appendices|supplementary (?:material|information)|supporting information|acknowledge?ments?|"
    r"author contributions?|figure legends?|disclaimer|funding|conflicts? of interest)\b.{0,60}"
    r"|(?<=\n\n)[A-H]\.(?:\d\.)?[ \t]+[A-Z][a-z][^.\n]{3,70})$",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBERED = re.compile(
    r"^[ \t]*(?:\[\^?(\w{1,12})\]:?|(\d{1,4})[.)]|\((\d{1,4})\)|(\d{1,4})(?=[ \t]+[A-Z]))[ \t]+", re.MULTILINE
)
_BULLET = re.compile(r"^[ \t]*(?:[-*•–][ \t]+)", re.MULTILINE)
_FOOTNOTE = re.compile(r"^\[\^(\w{1,20})\]:[ \t]+(.{8,2000})$", re.MULTILINE)
# [1] [1,2] [3-5] [^4] — not a link, not an index after a name
_BRACKET = re.compile(
    r"\[\^?(\d{1,4}(?:\s?[,;–—-]\s?\^?\d{1,4}){0,30})\](?!\(|:\s)|\[\^([A-Za-z]\w{0,20})\](?!\(|:)"
)
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT = re.compile(
    r"(?<=[\w.,;:)\"”’%])([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}(?:[,⁻–-][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}){0,10})|<sup>\s?\[?(\d{1,3}(?:[,–-]\d{1,3}){0,10})\]?\s?</sup>|\^\[?(\d{1,3}(?:,\d{1,3}){0,10})\]?\^"
)
_PERSON = r"(?<![\w-])(?:(?:van|von|der|den|de|del|della|di|da|dos|la|le|el|al|bin|ter|ten)\s|[dDlLO]['’]){0,3}[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]{1,40}"
_PARTICLED = re.compile(r"(?:van|von|der|den|de|del|della|di|da|dos|la|le|el|al|bin|ter|ten)\s")
_WHO = rf"{_PERSON}(?:(?:,\s{_PERSON}){{0,6}},?\s(?:and|&|y|und)\s{_PERSON}|,?\s\*?et\sal\.?\*?,?)?"
# (Smith et al., 2019; Doe & Roe 2020, p. 4)
_PAREN = re.compile(
    rf"[(\[]((?:(?:see|e\.g\.,?|cf\.)\s)?{_WHO},?\s\(?(?:1[5-9]|2[01])\d\d[a-z]?[^()\[\]]{{0,200}})[)\]](?!\()"
)
_ONE = re.compile(rf"({_WHO}),?\s((?:1[5-9]|2[01])\d\d)[a-z]?")
# Smith et al. (2019)
_NARRATIVE = re.compile(rf"({_WHO})\s\\?\(((?:1[5-9]|2[01])\d\d)[a-z]?(?:,[^)]{{0,20}}|\\)?\)")
# a further year of the same authors: Smith et al., 2019; 2020
_FURTHER = re.compile(r"[a-z]?[;,]\s?((?:1[5-9]|2[01])\d\d)(?=[a-z]?\s?[;,)\]])")
_BODIES = r"NICE|WHO|ESC|AHA|ACC|ADA|EASD|NCCN|ESMO|ASCO|IDSA|USPSTF|GOLD|GINA|KDIGO|SIGN|CDC|FDA|EMA|ACOG|AAP|BTS|ERS|ATS|EASL|AASLD|ACG|RCOG|SSC"
# NICE NG28 · (ESC 2021) · WHO guideline 2019
_GUIDELINE = re.compile(
    rf"\b((?:{_BODIES})(?:/(?:{_BODIES})){{0,3}})[\s,]{{1,2}}(?:guidelines?\s|guidance\s)?((?:NG|CG|TA|QS|PH|DG)\s?\d{{1,4}}|(?:19|20)\d\d)\b"
)


# How a piece begins that belongs to the entry before it: 2015. doi:.. · URL .. · of the society
_GOES_ON = re.compile(r"(?:(?:1[5-9]|2[01])\d\d[a-z]?\.\s|doi\b|URL\b|<?https?:|\(?[a-z]{2,}\s|\d{1,4}\s*$)")
_ANY_YEAR = re.compile(r"(?:1[5-9]|2[01])\d\d")
_INITIALED = rf"{_PERSON},\s[A-Z]\."


class Section(NamedTuple):
    """Where a reference list stands: after its heading, up to the next one."""

    start: int
    stop: int


class Marker(NamedTuple):
    """A citation in the text: `text[start:stop]`, what it is, and what it points at.

    `form` is number, author_year, body, doi, pmid, pmcid, arxiv, isbn, legal, pel or url; `target` the number, "surname|year" or value.
    """

    start: int
    stop: int
    form: str
    target: str


def reference_section(text: str) -> Section | None:
    """Return the place of the last reference list with a heading, or None."""
    headings = list(_HEADING.finditer(text))
    if not headings:
        return None
    start = headings[-1].end()
    following = _NEXT.search(text, start)
    return Section(start, following.start() if following else len(text))


def numbered_lists(text: str) -> tuple[Section, ...]:
    """Return the places of lists whose numbers start anew per chapter; () where there is one such list or none."""
    headings = list(_HEADING.finditer(text))
    ends = [*(each.start() for each in headings[1:]), len(text)] if len(headings) > 1 else []
    found = []
    for heading, last in zip(headings, ends, strict=False):
        ended = _NEXT.search(text, heading.end(), last)
        place = Section(heading.end(), ended.start() if ended else last)
        keys = [each.key for each in entries(text, *place)]
        if len(keys) > 1 and keys[0] == "1" and all(map(str.isdigit, keys)):
            found.append(place)
    return tuple(found) if len(found) > 1 else ()


def entries(text: str, start: int, stop: int) -> tuple[Reference, ...]:
    """Read the entries of a reference list: numbered, bulleted, parted by blank lines, or one a line."""
    part = text[start:stop]
    cuts = _cuts(part)
    found = []
    for number, (low, high, label) in enumerate(cuts, start=1):
        body = part[low:high].strip()
        if len(body) < 12 or not re.search(r"[^\W\d_]{3}", body):
            continue
        made = parse(_joined(body))
        found.append(relabelled(made, label or _own_key(made, body, number), start + low, start + high))
    return tuple(_told_apart(found))


def _own_key(made: Reference, body: str, number: int) -> str:
    """Name an entry that has no number: by its own label, else by first author and year."""
    label = re.match(r"\[([A-ZÀ-ÖØ-ÞĀ-Ž][^\]]{2,80})\]\s", body)
    if label:
        return label[1].replace("*", "")
    return f"{made.authors[0].family} {made.year or 'n.d.'}" if made.authors else f"entry {number}"


def _told_apart(found: list[Reference]) -> list[Reference]:
    """Give entries that share a key the letters that such lists use."""
    counts = Counter(each.key for each in found)
    seen: Counter[str] = Counter()
    out = []
    for each in found:
        key = each.key
        if counts[key] > 1 and not key.isdigit():
            key = f"{key}{chr(ord('a') + seen[each.key] % 26)}"
            seen[each.key] += 1
        out.append(relabelled(each, key, each.start, each.stop))
    return out


def _cuts(part: str) -> list[tuple[int, int, str]]:
    marks = _in_sequence(list(_NUMBERED.finditer(part)))
    first = next((group for group in marks[0].groups() if group), "") if marks else ""
    if marks and (part[: marks[0].start()].strip() == "" or (len(marks) > 1 and first in {"0", "1"})):
        ends = [*[mark.start() for mark in marks[1:]], _end_of_last(part, marks[-1].end())]
        return [(m.end(), end, next(g for g in m.groups() if g)) for m, end in zip(marks, ends, strict=True)]
    bullets = list(_BULLET.finditer(part))
    if bullets and part[: bullets[0].start()].strip() == "":
        ends = [*[mark.start() for mark in bullets[1:]], _end_of_last(part, bullets[-1].end())]
        return [
            (low, high, "")
            for low, high in _mended(part, [(m.end(), e) for m, e in zip(bullets, ends, strict=True)])
        ]
    blocks = [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*", part)]
    if len(blocks) >= 2:
        return [(low, high, "") for low, high in _until_prose(part, _mended(part, blocks))]
    return [(low, high, "") for low, high in _by_line(part)]


def _end_of_last(part: str, start: int) -> int:
    """The last numbered entry ends at a blank line after which something else begins."""
    gap = re.search(r"\n[ \t]*\n(?=\S)", part[start:])
    return start + gap.start() if gap else len(part)


def _mended(part: str, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what a page break parted: what begins with a year, DOI, URL or small letter, or follows a piece that breaks off."""
    out: list[tuple[int, int]] = []
    for low, high in cuts:
        if out and (
            _GOES_ON.match(part[low:high].lstrip()) or _is_open(part[slice(*out[-1])], part[low:high])
        ):
            out[-1] = (out[-1][0], high)
        else:
            out.append((low, high))
    return out


def _is_open(piece: str, following: str) -> bool:
    """Say whether an entry breaks off: in slanted type, or opened by a name and without year, identifier and last stop."""
    if any(each.replace("**", "").count("*") % 2 for each in (piece, following)):
        return not re.search(r"[.>]\s*$", piece)
    whole = re.search(r"[.>)\]\d/]\s*$", piece) or re.search(r"\b(?:1[5-9]|2[01])\d\d", piece) or find(piece)
    return not whole and bool(re.match(_INITIALED, piece.lstrip()))


def _until_prose(part: str, cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stop where three blocks running look like no reference: an appendix has begun."""
    strange = 0
    for number, (low, high) in enumerate(cuts):
        strange = 0 if _resembles(part[low:high]) else strange + 1
        if strange == 3:
            return cuts[: number - 2]
    return cuts[: len(cuts) - strange]


def _resembles(block: str) -> bool:
    """Say whether a block may be a reference: short, with a year or an identifier, opening as entries do."""
    if len(block) > 1500 or not (
        re.search(r"\b(?:1[5-9]|2[01])\d\d[a-z]?\b|\bn\.?d\.", block) or find(block)
    ):
        return False
    return _opens_entry(block) or block.lstrip().startswith("[") or bool(find(block))


def _in_sequence(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    """Keep the marks that count up (a wrapped line may begin with a year or a page)."""
    kept: list[re.Match[str]] = []
    for mark in marks:
        label = next(group for group in mark.groups() if group)
        if not label.isdigit():
            kept.append(mark)
            continue
        last = next((int(g) for m in reversed(kept) for g in m.groups() if g and g.isdigit()), None)
        if last is None or last < int(label) <= last + 3:
            kept.append(mark)
    return kept


def _by_line(part: str) -> list[tuple[int, int]]:
    """One entry a line; a line that begins in lower case, with a blank or without an author goes on with the one before."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", part) if m[0].strip()]
    out: list[tuple[int, int]] = []
    dated, above = False, 0  # whether the entry so far has a year; where its last line but one begins
    for low, high in lines:
        line = part[low:high]
        # an entry of a hundred thousand lines is not joined anew for each of them
        ending = _joined(part[above : out[-1][1]]) if out else ""
        whole_before = dated and bool(re.search(r"(?:\.|\d|/\S+)\s*$", ending))
        goes_on = out and (
            line[:1].isspace()
            or (line[:1].islower() and not _PARTICLED.match(line))
            or not whole_before
            or not _opens_entry(line)
        )
        if goes_on:
            above = max(out[-1][0], part.rfind("\n", 0, out[-1][1]) + 1)
            out[-1] = (out[-1][0], high)
        else:
            above = low
            out.append((low, high))
        dated = bool(_ANY_YEAR.search(line)) or (dated and bool(goes_on))
    return out


def _opens_entry(line: str) -> bool:
    return bool(
        re.match(
            rf"\s*(?:{_PERSON}(?:,|\s[A-Z]{{1,3}}\b|\sand\s|\s&)|[A-Z]\.\s?(?:[A-Z]\.\s?)?{_PERSON}|(?:The\s)?[A-Z][\w ]{{2,60}}\.)",
            line,
        )
    )


def _joined(body: str) -> str:
    """Join wrapped lines; a hyphen at a line's end goes where a lower-case word follows, a broken DOI or URL is mended."""
    text = re.sub(r"(\b10\.\d{4,9}/\S*[._/:;(])-\n[ \t]*(?=\S)", r"\1", body)  # no DOI has a hyphen there
    text = re.sub(r"(\b10\.\d{4,9}/\S*[a-z])-\n[ \t]*(?=[a-z])", rf"\1{BREAK}", text)
    text = re.sub(r"(\b10\.\d{4,9}/\S*)-\n[ \t]*(?=\S)", rf"\1-{BREAK}", text)
    text = re.sub(r"(?<=[a-z])-\n[ \t]*(?=[a-z])", "", text)
    text = re.sub(r"((?:https?://|10\.\d{4,9}/)\S*[/._-])\n[ \t]*(?=\S)", r"\1", text)
    return " ".join(text.split())


def markers(text: str, *, stop: int | None = None) -> tuple[Marker, ...]:
    """Return the citation markers of a text, in order, none inside another.

    Args:
        text: of a turn or document. stop: where the reference list begins; None = the whole text.
    """
    part = text if stop is None else text[:stop]
    found: list[Marker] = []
    found += [Marker(each.start, each.stop, each.kind, each.value) for each in find(part)]
    for written, match in _numbers_in(part):
        found += [Marker(match.start(), match.end(), "number", label) for label in _labels(written)]
    named = [one for each in _PAREN.finditer(part) for one in _ONE.finditer(part, each.start(1), each.end(1))]
    for match in (*named, *_NARRATIVE.finditer(part)):
        found += [Marker(match.start(), match.end(), "author_year", _author_year(match[1], match[2]))]
    for match in named:
        found += _further_years(part, match)
    found += [
        Marker(match.start(), match.end(), "body", f"{match[1]} {match[2].replace(' ', '')}")
        for match in _GUIDELINE.finditer(part)
    ]
    return _outermost(found)


def _further_years(part: str, first: re.Match[str]) -> Iterator[Marker]:
    """Yield a marker for each year that follows a name and year without a name of its own."""
    further = _FURTHER.match(part, first.end())
    while further:
        yield Marker(further.start(1), further.end(1), "author_year", _author_year(first[1], further[1]))
        further = _FURTHER.match(part, further.end())


def _numbers_in(part: str) -> list[tuple[str, re.Match[str]]]:
    """Return numbers in brackets and raised ones, each with its match."""
    brackets = [(match[1] or match[2], match) for match in _BRACKET.finditer(part)]
    raised = [((m[1] or m[2] or m[3]).translate(_SUPER), m) for m in _SUPERSCRIPT.finditer(part)]
    return [*brackets, *raised]


def _labels(written: str) -> list[str]:
    if not written[:1].isdigit() and not written.startswith("^"):
        return [written]
    out: list[str] = []
    for piece in re.split(r"[,;]", written.replace("^", "").replace(" ", "")):
        ends = re.split(r"[–—-]", piece)
        if (
            len(ends) == 2
            and ends[0].isdigit()
            and ends[1].isdigit()
            and 0 < int(ends[1]) - int(ends[0]) <= 60
        ):
            out.extend(str(number) for number in range(int(ends[0]), int(ends[1]) + 1))
        else:
            out.extend(end for end in ends if end.isdigit())
    return out


def _author_year(who: str, year: str) -> str:
    first = re.split(r"\s\*?(?:and|&|y|und|et)\s|,", who)[0]
    return f"{fold(first)}|{year}"


def _outermost(found: list[Marker]) -> tuple[Marker, ...]:
    kept: list[Marker] = []
    for marker in sorted(set(found), key=lambda each: (each.start, -each.stop, each.target)):
        inside = any(
            marker.start >= other.start
            and marker.stop <= other.stop
            and (marker.start, marker.stop) != (other.start, other.stop)
            for other in kept[-40:]
        )
        if not inside:
            kept.append(marker)
    return tuple(kept)


def resolve(marker: Marker, listed: tuple[Reference, ...] | list[Reference]) -> tuple[Reference, ...]:
    """Return the entries that a marker may mean; more than one = it is ambiguous."""
    if marker.form == "number":
        return tuple(each for each in listed if each.key == marker.target)
    if marker.form == "author_year":
        who, year = marker.target.split("|")
        wanted = parse_surname(who)
        return tuple(
            each for each in listed if each.year == int(year) and each.authors and _leads(wanted, each)
        )
    if marker.form == "body":
        who, _, what = marker.target.rpartition(" ")
        named = (each for each in listed if each.authors and each.authors[0].literal)
        return tuple(
            each
            for each in named
            if same_bodies(who, each.authors[0].family) and (str(each.year) == what or what in each.raw)
        )
    return tuple(each for each in listed if each.ids.get(marker.form) == marker.target)


def parse_surname(folded: str) -> str:
    """Return a folded surname without its particles."""
    words = folded.split()
    return (
        " ".join(
            word
            for word in words
            if word not in {"van", "von", "de", "der", "den", "del", "la", "el", "al", "di", "da"}
        )
        or folded
    )


def _leads(wanted: str, entry: Reference) -> bool:
    first = surname(entry.authors[0])
    return (
        first == wanted
        or wanted in {first.split()[0], first.split()[-1]}  # García Márquez 2020, cited as García
        or (
            entry.authors[0].literal
            and (wanted in first or same_bodies(wanted.upper(), entry.authors[0].family))
        )
    )
