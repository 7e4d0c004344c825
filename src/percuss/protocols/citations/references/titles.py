"""Titles: folded, compared, and what differs between two in words."""

import re
from functools import lru_cache

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import token_set_ratio, token_sort_ratio

from percuss.protocols.citations.references.names import fold

__all__ = ["ratio", "same_title", "title_words", "wrong_words"]

_BRITISH = (
    (re.compile(r"isation\b"), "ization"),
    (re.compile(r"ise(d|s|r)?\b"), r"ize\1"),
    (re.compile(r"ising\b"), "izing"),
    (re.compile(r"\btumours?\b"), "tumor"),
    (re.compile(r"\bcolour"), "color"),
    (re.compile(r"\bbehaviour"), "behavior"),
    (re.compile(r"\bhaem"), "hem"),
    (re.compile(r"\b(an|leuk|isch|septic)aemi"), r"\1emi"),
    (re.compile(r"\bpaed"), "ped"),
    (re.compile(r"\boes"), "es"),
    (re.compile(r"\bdiarrhoea"), "diarrhea"),
    (re.compile(r"\bcentre"), "center"),
    (re.compile(r"\brandomis"), "randomiz"),
    (re.compile(r"(mode|labe)ll(ing|ed)\b"), r"\1l\2"),
)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,10}\s?/?>|\$|\\")


@lru_cache(maxsize=65536)
def title_words(title: str) -> tuple[str, ...]:
    """Return the words of a title in the form in which they are compared.

    >>> title_words("The Rôle of <i>tumour</i> Necrosis: an “Update”.")
    ('role', 'of', 'tumor', 'necrosis', 'an', 'update')
    """
    text = fold(_TAG.sub("", title).replace("&", " and "))
    for pattern, american in _BRITISH:
        text = pattern.sub(american, text)
    words = text.split()
    return tuple(words[1:] if len(words) > 2 and words[0] in {"a", "an", "the"} else words)


def ratio(one: str, other: str) -> float:
    """Return the token-set ratio of two titles, 0 to 1; 0 where one is empty.

    A title inside a longer one is not the same title: the ratio of sorted tokens bounds it where the shorter one has
    less than half of the words.
    """
    first, second = " ".join(title_words(one)), " ".join(title_words(other))
    if not first or not second:
        return 0.0
    set_ratio = token_set_ratio(first, second) / 100
    short, long = sorted((len(first.split()), len(second.split())))
    return min(set_ratio, token_sort_ratio(first, second) / 100 + 0.25) if short * 2 < long else set_ratio


def same_title(one: str, other: str) -> bool:
    """Say whether two titles are one title in two notations: a subtitle, a hyphen, one letter's slip aside."""
    return not wrong_words(one, other)


@lru_cache(maxsize=65536)
def wrong_words(cited: str, recorded: str) -> tuple[str, ...]:
    """Return the words of the cited title that the recorded one hasn't in that place; () where they are one title.

    Allowed: case, marks, spelling of two countries, words joined or parted, a subtitle left out on either side, and one
    misspelt word (one edit in a word of six letters or more).
    """
    first, second = title_words(cited), title_words(recorded)
    if "".join(first) == "".join(second):
        return ()
    for short, long in ((cited, recorded), (recorded, cited)):
        main = _main(long)
        if main and "".join(title_words(main)) == "".join(title_words(short)) and len(title_words(short)) > 1:
            return ()
    if len(first) == len(second):
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        if len(pairs) == 1 and _slip(*pairs[0]):
            return ()
    missing = tuple(word for word in first if word not in second)
    return missing or tuple(word for word in second if word not in first) or first


def _main(title: str) -> str:
    """Return a title's main part, before its first colon, question mark or dash; "" where it has none."""
    match = re.match(r"(.{8,}?)(?:\s?[:?]\s|\s[–—-]\s|\.\s)", title)
    return match.group(1) if match else ""


def _slip(one: str, other: str) -> bool:
    if min(len(one), len(other)) < 6 or one.isdigit() or other.isdigit():
        return False
    if {one.removesuffix("s"), other.removesuffix("s")} == {one.removesuffix("s")}:
        return True
    return one[0] == other[0] and Levenshtein.distance(one, other) == 1 and one[:3] == other[:3]
