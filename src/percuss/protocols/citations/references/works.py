"""Whether two references whose identifiers don't decide are one work: their titles, years, editions and kinds."""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from percuss.protocols.citations.references.bodies import same_bodies, spelt_out
from percuss.protocols.citations.references.names import fold, same_person, surname
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.titles import ratio, title_words
from percuss.protocols.citations.references.venues import is_preprint, same_venue

__all__ = ["same_case", "same_code", "same_work"]

SAME_TITLE = 0.90
"""Token-set ratio from which two titles are one (definitions/citations, "Reference identity")."""
_LEAST = 4
"""Words of a title from which it is looked for in what the other reference says."""
_MAIN = 3
"""Words of a title's main part that may stand alone, its subtitle left out."""

# a guideline's own number: NICE NG28, nice.org.uk/guidance/ng28 · SIGN 158 · Green-top Guideline No. 37a · CD006207
_CODE = re.compile(
    r"(?:\bNICE\W{1,3}(?:guideline\W{1,3})?|guidance/|\[|\(|\bguideline\W{1,3})(?P<nice>(?:NG|CG|TA|QS|PH|IPG|HST|DG|MTG)\d{1,4})\b"
    r"|\bSIGN\s(?P<sign>\d{2,3})\b|\bgreen-top\sguideline\s(?:no\.?\s?)?(?P<rcog>\d{1,3}[a-z]?)\b|\b(?P<cochrane>CD\d{6})\b|\b(?P<trial>NCT\d{8}|ISRCTN\d{8})\b",
    re.IGNORECASE,
)
_PARTIES = re.compile(r"([A-Z][\w'’-]+),?\sv\.?\s(?:the\s)?([A-Z][\w'’-]+)")
_EDITION = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)\s(?:ed(?:n|ition|s)?\b)|\b(\d{1,2})e\b(?=\s?[(,.]|$)|\bedition\s(\d{1,2})\b|\bversion\s(\d+(?:\.\d+){0,2})\b",
    re.IGNORECASE,
)
_REVISED = re.compile(r"\btext rev|\bTR\b|\brevised ed", re.IGNORECASE)
# a notice about a work, and a text of its own beside it
_NOTICES = {
    "retraction": re.compile(r"(?<!\w)retraction\b(?!\swatch)", re.IGNORECASE),
    "correction": re.compile(r"(?<!\w)(?:correction|corrigendum|erratum|errata|addendum)(?:\s(?:to|for|in))?\s?[:–—-]", re.IGNORECASE),
    "concern": re.compile(r"\bexpression of concern\b", re.IGNORECASE),
    "reply": re.compile(r"\b(?:author'?s'? )?(?:reply|response) (?:to\b|from\b)|\bin reply\b", re.IGNORECASE),
    "comment": re.compile(r"(?:^|[.:]\s)(?:comments?|commentary|editorial|letter)(?:\s(?:on|to))?\s?[:–—]|\bcomment on\b", re.IGNORECASE),
    "explanation": re.compile(r"\bexplanation and elaboration\b", re.IGNORECASE),
    "protocol": re.compile(r"\b(?:study|trial|review) protocol\b|:\s?protocol for\b", re.IGNORECASE),
}  # fmt: skip
_ASIDE = re.compile(
    r"\((?:[A-Z]{2,3}\d{1,4}|[A-Z][A-Z-]{1,9}\d?|DSM-[\w-]+|\d{1,2}(?:st|nd|rd|th) ed[^)]{0,10}|vol[^)]{0,8})\)"
    r"|,?\s\d{1,2}(?:st|nd|rd|th) ed(?:ition|n)?\b\.?|,?\s\d{1,2}e\b|^retracted(?: article)?\s?[:–—-]\s?|\s[-–—:]\spreliminary report$|:\sDSM-[\w-]+$",
    re.IGNORECASE,
)
_FILL = frozenset("of the and in on for to with a an by from at as or et al is are its".split())
_YEARS = re.compile(r"(?<![\d./-])((?:1[89]|20)\d\d)(?![\d-])")


def same_code(one: Reference, other: Reference) -> bool | None:
    """Say whether two guidelines bear one number; None where either bears none of its issuer's.

    >>> same_code(Reference(raw="NICE NG28"), Reference(raw="https://www.nice.org.uk/guidance/ng28"))
    True
    """
    first, second = _codes(_words(one)), _codes(_words(other))
    issuers = first.keys() & second.keys()
    if not issuers:
        return None
    agree = any(first[each] == second[each] for each in issuers)
    if agree and issuers == {"cochrane"}:  # an update of a review keeps its number
        return True if one.year == other.year else None
    return agree


@lru_cache(maxsize=8192)
def _codes(text: str) -> dict[str, str]:
    return {
        match.lastgroup: match[match.lastgroup].lower() for match in _CODE.finditer(text) if match.lastgroup
    }


def same_case(one: Reference, other: Reference) -> bool | None:
    """Say whether two cases have the same parties in the same year, in whatever reports; None where either names none.

    >>> same_case(Reference(raw="Roe v. Wade, 410 U.S. 113 (1973)"), Reference(raw="Roe v Wade (1973)"))
    True
    """
    first, second = (_PARTIES.search(each.raw) for each in (one, other))
    if not first or not second:
        return None
    parties = all(fold(first[i]) == fold(second[i]) for i in (1, 2))
    ones, others = (set(re.findall(r"(?:1[6-9]|20)\d\d", each.raw)) for each in (one, other))
    return parties and (not ones or not others or bool(ones & others))


def _words(one: Reference) -> str:
    url = one.ids.get("url", "")
    return f"{one.raw or one.title} {url}" if url and url not in one.raw else one.raw or one.title


def same_work(one: Reference, other: Reference) -> bool | None:
    """Say whether two references are one work; None where their titles can't tell.

    A notice is not what it speaks of, another edition or another year's report is another work, a changed word of
    substance in a title is another title; a subtitle left out, an acronym, a year between preprint and issue are not.
    """
    if _notices(one) != _notices(other) or _editions_clash(one, other):
        return False
    if (one.kind == "chapter") != (other.kind == "chapter") and bool(one.title) != bool(other.title):
        return False
    if _same_place(one, other):
        return True
    first, second = _title(one), _title(other)
    if first and second and not _unread(one, other):
        agree = _titles_agree(one, other, first, second)
        if agree or not (_contains(one, second) or _contains(other, first)):
            return agree and _years_agree(one, other, first, second)
        return _years_agree(one, other, first, second)
    held = (second and _contains(one, second)) or (first and _contains(other, first))
    return _years_agree(one, other, first, second) if held else None


def _same_place(one: Reference, other: Reference) -> bool:
    """Say whether both stand on one page of one volume of one journal, by hands that may be the same: a title translated."""
    if not (one.container and one.volume and one.pages and one.volume == other.volume):
        return False
    first, second = (re.match(r"[A-Za-z]{0,3}\d+", each.pages) for each in (one, other))
    return bool(first and second and first[0] == second[0]) and same_venue(one.container, other.container) and _hands_agree(one, other)  # fmt: skip


def _title(one: Reference) -> str:
    title = _ASIDE.sub(" ", one.title).strip(" .,")
    return title if len(title_words(title)) > 1 else ""


def _unread(one: Reference, other: Reference) -> bool:
    """Say whether a title is the whole reference, uncut: then only the other one's title can be looked for in it."""
    return any(len(each.raw) > 40 and len(each.title) > 0.8 * len(each.raw) for each in (one, other))


def _notices(one: Reference) -> frozenset[str]:
    text = one.title or one.raw
    return frozenset(name for name, pattern in _NOTICES.items() if pattern.search(text))


def _editions_clash(one: Reference, other: Reference) -> bool:
    first, second = _edition(one), _edition(other)
    revised = bool(_REVISED.search(_words(one))) != bool(_REVISED.search(_words(other)))
    return revised or bool(first and second and first != second)


def _edition(one: Reference) -> str:
    match = _EDITION.search(one.raw or one.title)
    return next((each for each in match.groups() if each), "") if match else ""


def _titles_agree(one: Reference, other: Reference, first: str, second: str) -> bool:
    left, right = (title_words(spelt_out(*pair)) for pair in ((first, second), (second, first)))
    if "".join(left) == "".join(right):
        return True
    only_left, only_right = _apart(left, right)
    if _numbers_clash(only_left, only_right) or (
        only_left and only_right and not _shortened(only_left, only_right)
    ):
        return False
    short, long = sorted((left, right), key=len)
    sure = len(short) >= _MAIN or bool(one.authors and other.authors and _hands_agree(one, other))
    if (sure and _main_part(first, second, short)) or sorted(left) == sorted(right):
        return True
    near = ratio(" ".join(left), " ".join(right)) >= SAME_TITLE and 2 * len(short) > len(long)
    return near and _hands_agree(one, other)


def _apart(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the words of substance that one title has and the other hasn't, slips and word forms aside."""
    return tuple(  # type: ignore[return-value]
        [
            word
            for word in mine
            if word not in other and word not in _FILL and not any(_form(word, each) for each in other) and word not in "".join(other)
        ]
        for mine, other in ((left, right), (right, left))
    )  # fmt: skip


def _form(one: str, other: str) -> bool:
    """Say whether two words are forms of one: a plural, a contraction of its end, one slip in a long word."""
    if one.isdigit() or other.isdigit():
        return False
    if one.rstrip("s") == other.rstrip("s"):
        return True
    return min(len(one), len(other)) >= 6 and one[:3] == other[:3] and Levenshtein.distance(one, other) <= 1


def _shortened(left: list[str], right: list[str]) -> bool:
    """Say whether two titles differ in one word alone, of which one is the beginning of the other: nets, networks."""
    if len(left) != 1 or len(right) != 1:
        return False
    short, long = sorted((left[0].removesuffix("s"), right[0]), key=len)
    return len(short) >= 3 and long.startswith(short) and not short.isdigit()


def _numbers_clash(left: list[str], right: list[str]) -> bool:
    return any(w.isdigit() for w in left) and any(w.isdigit() for w in right)


def _main_part(first: str, second: str, short: tuple[str, ...]) -> bool:
    """Say whether the shorter title is the longer one's main part."""
    for title in (first, second):
        main = re.match(r"(.{8,}?)(?:\s?[:;?]\s|\s[–—-]\s|\.\s)", title)
        if main and title_words(main[1]) == short and len(short) > 1:
            return True
    return False


def _hands_agree(one: Reference, other: Reference) -> bool:
    """Say whether the first authors may be one; unknown ones may."""
    if not one.authors or not other.authors:
        return True
    first, second = one.authors[0], other.authors[0]
    if first.literal or second.literal:
        return (
            first.literal != second.literal
            or same_bodies(first.family, second.family)
            or same_person(first, second)
        )
    return same_person(first, second) or surname(first) == surname(second)  # fmt: skip


def _contains(holder: Reference, title: str) -> bool:
    """Say whether a reference's own words hold a title as a piece of its own: from a stop, a mark or a year to the next one."""
    words = title_words(title)
    if len(words) < _LEAST or not holder.raw:
        return False
    pattern = r"[^\w]+(?:the[^\w]+|a[^\w]+)?".join(map(re.escape, fold(title).split()))
    match = re.search(
        rf"(?:^|[.:;,)\]\"“‘?]\s*[\"“‘]?|\d\s)(?:the |a |an )?{pattern}(?=\s?(?:[.,:;()\[\]\"”’?–—]|$|\d))",
        _plain(holder.raw),
    )
    return match is not None and not re.search(r"\bin:\s", _plain(holder.raw)[: match.start() + 2])  # fmt: skip


@lru_cache(maxsize=8192)
def _plain(raw: str) -> str:
    """Return words in lower case without diacritics, marks kept."""
    return re.sub(r"[^\W_]+", lambda match: fold(match[0]), raw)


def _years_agree(one: Reference, other: Reference, first: str, second: str) -> bool:
    """Say whether the years allow one work: equal, one missing, a year apart for an article, up to three from its preprint."""
    ones, others = _years(one, first), _years(other, second)
    if not ones or not others or ones & others:
        return True
    apart = min(abs(a - b) for a in ones for b in others)
    if not _hands_agree(one, other) or _is_report(one) or _is_report(other):
        return False
    if "preprint" in {_venue(one), _venue(other)}:
        return apart <= 3
    return apart == 1 and title_words(first) == title_words(second)


def _years(one: Reference, title: str) -> frozenset[int]:
    """Return the years that a reference gives beside its title's."""
    said = {int(year) for year in _YEARS.findall(one.raw.replace(title, " ", 1))} if one.raw else set()
    if one.year is not None and (one.year in said or not said):
        said = {one.year, *(year for year in said if _is_updated(one.raw, year))}
    return frozenset(said)


def _is_updated(raw: str, year: int) -> bool:
    """Say whether a year beside that of the reference belongs to it too: 2015, updated 2022 · KDIGO 2012 .. 2013."""
    return bool(re.search(rf"updated\D{{0,12}}{year}|{year}\D{{0,4}}updated", raw, re.IGNORECASE))


def _venue(one: Reference) -> str:
    doi = one.ids.get("doi", "")
    served = doi.startswith(("10.48550/", "10.1101/", "10.21203/rs.", "10.2139/ssrn"))
    return (
        "preprint"
        if one.kind == "preprint" or "arxiv" in one.ids or served or is_preprint(one.container)
        else ""
    )


def _is_report(one: Reference) -> bool:
    """Say whether a body wrote it alone, outside of a journal: its years are issues."""
    return bool(one.authors) and one.authors[0].literal and not (one.volume or "doi" in one.ids)
