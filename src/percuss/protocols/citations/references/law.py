"""Citations of the law in a sentence: cases with their reporter or neutral citation, statutes, articles, sections, rules."""

import re
from collections.abc import Iterator

__all__ = ["cited_law", "law_key", "same_law"]

_WORD = r"[A-Z][\w'’.&-]*"
_PARTY = rf"(?:The\s)?{_WORD}(?:\s(?:of|the|and|for|in|&|re|ex|rel\.|d/b/a|\([^()]{{1,40}}\)|{_WORD})){{0,9}}"
_REPORTED = (
    r"\d{1,4}\s(?:U\.?\s?S\.?|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th))?|F\.\s?Supp\.(?:\s?[23]d)?)\s\d{1,5}"
    r"|[\[(](?:1[6-9]|20)\d\d[\])]\s(?:\d{1,2}\s)?(?:[A-Z][A-Za-z.]{0,8}\s){1,3}\d{1,5}"
)
# Donoghue v Stevenson [1932] AC 562 · Miranda v. Arizona, 384 U.S. 436, 444 (1966) · [2015] UKSC 11
_CASE = re.compile(
    rf"(?:{_PARTY},?\sv\.?\s{_PARTY},?\s)?(?:{_REPORTED})(?:,\s\d{{1,5}}(?![\d:]))?(?:\s\([^()]{{0,20}}(?:1[6-9]|20)\d\d\))?"
)
_PART = r"(?:s{1,2}|[Ss]ections?|[Aa]rt(?:icles?|s)?|§{1,2}|[Rr]egulation|[Ss]chedule)\.?\s?\d{1,4}[A-Za-z]{0,2}(?:\(\w{1,3}\)){0,3}(?:\s(?:Abs\.|para\.?)\s?\d{1,2})?"
# section 62(4) of the Consumer Rights Act 2015 · Civil Evidence Act 1995, s 1
_ACT = re.compile(
    rf"(?:{_PART}\s(?:of\s(?:the\s)?)?)?{_WORD}(?:\s(?:of|and|for|the|in|to|\([^()]{{3,40}}\)|{_WORD})){{0,8}}?\s(?:Act|Regulations?|Order|Ordinance|Code)\s(?:of\s)?(?:1[6-9]|20)\d\d\b(?:,\s{_PART})?"
)
_BOOK = r"(?:[A-Z][A-Za-z]{0,6}[A-Z]\b|Regulation\s\(E[UC]\)\s\d{2,4}/\d{1,4}|(?:US\s|U\.S\.\s)?Constitution)"
# Article 89 GDPR · § 630d Abs. 2 BGB · GDPR, art. 9(1)
_ARTICLE = re.compile(rf"{_PART},?\s(?:of\s(?:the\s)?)?{_BOOK}|\b[A-Z][A-Za-z]{{0,6}}[A-Z],\s{_PART}")
_CODE = re.compile(
    r"\d{1,3}\s(?:U\.S\.C\.|C\.F\.R\.|USC|CFR)\s§{0,2}\s?\d{1,5}\w{0,3}(?:\.\d{1,5}\w{0,2})?|Fed\.\sR\.\s(?:Evid|Civ|Crim|App)\.(?:\sP\.)?\s\d{1,4}\w?"
)
_NTH = "First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth|Thirteenth|Fourteenth|Fifteenth|Nineteenth"
_AMENDMENT = re.compile(
    rf"\b(?:{_NTH})\sAmendment(?:\s(?:of|to)\sthe\s(?:US\s|U\.S\.\s|United\sStates\s)?Constitution)?"
)


def cited_law(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, stop, key) of what a text cites of the law; the key is the same however it is written.

    >>> [key for _, _, key in cited_law("Under s 1(4) of the Mental Capacity Act 2005 it is presumed.")]
    ['mental capacity act 2005 1(4)']
    """
    for pattern in (_CASE, _ACT, _ARTICLE, _CODE, _AMENDMENT):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), law_key(match[0])


def law_key(written: str) -> str:
    """Return the form in which citations of the law are compared: the report, else the statute and its part."""
    case = re.search(_REPORTED, written)
    if case:
        return re.sub(r"\s+", " ", re.sub(r"(?<=[A-Z])\.(?:\s?(?=[A-Z]))?", "", case[0])).strip()
    words = re.sub(r"^(?:The|the)\s", "", re.sub(r"(?<=\b[A-Z])\.(?=[A-Z]\b|\s§|\s\d)", "", written))
    part = re.search(_PART, words)
    rest = words.replace(part[0], " ") if part else words
    number = re.sub(r"^\D+", "", part[0]) if part else ""
    number = re.sub(r"\s(?:Abs\.|para\.?)\s?(\d+)$", r"(\1)", number)
    book = re.sub(r"\b(?:of|to|the|US|U\.S\.|United States)\b|[,.§]", " ", rest)
    return " ".join(f"{book} {number}".lower().replace("regulation (eu) 2016/679", "gdpr").split())


def same_law(one: str, other: str) -> bool:
    """Say whether two keys are one report or one statute's part, stops and blanks aside.

    >>> same_law("410 U.S. 113", "410 US 113"), same_law("410 US 113", "410 US 1131")
    (True, False)
    """
    first, second = (
        re.sub(r"(?<=[A-Za-z])[.\s]+(?=[A-Za-z])|\.(?=\s|$)", "", each).lower() for each in (one, other)
    )
    return first == second
