"""Authors: read in any notation, folded, compared.

Notations: "Smith, John", "John Smith", "Smith JA", "Smith, J. A.", "van der Berg, Ann", "{WHO Study Group}".
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from percuss.protocols.citations.references.record import Name

__all__ = [
    "FAMILIES_FIRST",
    "PARTICLES",
    "fold",
    "is_body",
    "parse_name",
    "same_person",
    "split_names",
    "surname",
]

PARTICLES = frozenset(
    "van von der den de del della di da dos das do du la le les el al bin ibn ben ter ten te zu zum zur y e d' l' af av "
    "'t op st".split()
)
FAMILIES_FIRST = (
    "Bai|Cai|Cao|Chen|Cheng|Choi|Chung|Cui|Deng|Ding|Dong|Du|Duan|Fan|Fang|Feng|Fu|Gao|Guo|Han|Hao|He|Hou|Hu|Huang|Jia|Jiang|Jin|Jung|"
    "Kang|Kim|Kong|Lai|Le|Lee|Lei|Li|Liang|Lin|Liu|Long|Lu|Luo|Ma|Mao|Meng|Nguyen|Pan|Park|Peng|Pham|Qian|Qin|Qiu|Ren|Shao|Shen|Shi|"
    "Song|Su|Sun|Tan|Tang|Tao|Tian|Tran|Wan|Wang|Wei|Wu|Xia|Xiao|Xie|Xiong|Xu|Xue|Yan|Yang|Yao|Ye|Yin|Yu|Yuan|Zeng|Zhang|Zhao|Zheng|"
    "Zhong|Zhou|Zhu|Zou"
)
"""Common Chinese, Korean and Vietnamese surnames, which stand before the given name where that is written out."""
_SUFFIX = re.compile(r"^(?:jr|sr|ii|iii|iv|phd|md|[0-9]{4})\.?$", re.IGNORECASE)
_INITIALS = re.compile(r"^(?:[A-ZÀ-ÖØ-ÞĀ-Ž]\.?[-\s]?){1,5}$")
_DBLP_NUMBER = re.compile(r"\s+\d{4}$")
_BODY = re.compile(
    r"\b(?:group|consortium|committee|association|society|organi[sz]ation|collaborat\w+|college|institutes?|agency|federation|"
    r"initiative|network|force|investigators?|council|ministry|department|foundation|board|office|service|trialists?|"
    r"commission|academy|cent(?:er|re)s?|programme|program|university|panel|library|team|alliance|union)\b",
    re.IGNORECASE,
)
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
_APOSTROPHES = re.compile(r"['’‘ʼ`´]|&apos;|&#39;")


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Return a text in lower case without diacritics, apostrophes and marks, words joined by one space.

    >>> fold("Martínez-O’Neill, Søren")
    'martinez oneill soren'
    """
    if text.isascii():
        plain = text.lower()
    else:
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text)).lower().translate(_LETTERS)
        plain = "".join(character for character in plain if not unicodedata.combining(character))
    return " ".join(re.findall(r"[^\W_]+", _APOSTROPHES.sub("", plain)))


def is_body(text: str) -> bool:
    """Say whether a name is that of a consortium or organisation."""
    return bool(_BODY.search(text)) or (text.isupper() and len(text) > 3 and " " not in text)


@lru_cache(maxsize=16384)
def parse_name(text: str) -> Name:
    """Read one name.

    >>> parse_name("van der Berg, Ann").family, parse_name("Ludwig van Beethoven").family, parse_name("Smith JA").given
    ('van der Berg', 'van Beethoven', 'JA')
    """
    bare = _DBLP_NUMBER.sub("", " ".join(unicodedata.normalize("NFKC", text).split())).strip(" ,;")
    if bare.startswith("{") and bare.endswith("}"):
        return Name(family=bare.strip("{}"), literal=True)
    if is_body(bare):
        return Name(family=bare, literal=True)
    if "," in bare:
        parts = [part.strip() for part in bare.split(",")]
        given = " ".join(part for part in parts[1:] if part and not _SUFFIX.match(part))
        return Name(family=parts[0], given=given)
    words = [word for word in bare.split(" ") if not _SUFFIX.match(word)] or [bare]
    if len(words) == 1 and re.fullmatch(r"\S+ [JS]R", bare):  # "Sims JR": initials, and no "junior"
        words = bare.split(" ")
    if len(words) > 1 and _INITIALS.match(words[-1]) and not _INITIALS.match(words[0]) and _upper(words[-1]):
        return Name(family=" ".join(words[:-1]), given=words[-1])
    cut = len(words) - 1
    while cut > 1 and words[cut - 1].lower() in PARTICLES:
        cut -= 1
    return Name(family=" ".join(words[cut:]), given=" ".join(words[:cut]))


def _upper(word: str) -> bool:
    bare = word.replace(".", "").replace("-", "")
    return bare.isupper() and len(bare) <= 4


def split_names(text: str) -> tuple[tuple[Name, ...], bool]:
    """Read a BibTeX author field: names joined by "and"; the second value says that more were left out ("others")."""
    parts = [part.strip() for part in re.split(r"\s+and\s+", " ".join(text.split())) if part.strip()]
    more = bool(parts) and fold(parts[-1]) in {"others", "et al"}
    return tuple(parse_name(part) for part in (parts[:-1] if more else parts)), more


@lru_cache(maxsize=16384)
def surname(name: Name) -> str:
    """Return a surname folded, particles left out; the whole name of a body.

    >>> surname(Name(family="van der Berg"))
    'berg'
    """
    words = fold(name.family).split()
    if name.literal:
        return " ".join(words)
    kept = [word for word in words if word not in PARTICLES]
    return " ".join(kept or words)


def same_person(one: Name, other: Name) -> bool:
    """Say whether two names may be one person's: surnames agree, in either order of names, and initials don't clash.

    A double surname agrees with either half ("García Márquez" and "García"); "Wang Lei" agrees with "Lei Wang".
    """
    if one.literal or other.literal:
        return _same_body(one, other)
    first, second = surname(one).split(), surname(other).split()
    if first and second and _same_surname(first, second):
        return _initials_agree(_initials(one), _initials(other))
    swapped = fold(f"{one.given} {one.family}").split(), fold(f"{other.given} {other.family}").split()
    return len(swapped[0]) > 1 and sorted(swapped[0]) == sorted(swapped[1])


def _same_surname(first: Sequence[str], second: Sequence[str]) -> bool:
    if "".join(first) == "".join(second):
        return True
    short, long = sorted((list(first), list(second)), key=len)
    return (
        len(short) < len(long)
        and len(short[0]) > 2
        and (long[: len(short)] == short or long[-len(short) :] == short)
    )


def _initials(name: Name) -> str:
    given = " ".join(name.given.replace("-", " ").replace(".", " ").split())
    if given and given.replace(" ", "").isupper() and len(given.replace(" ", "")) <= 4:
        return fold(given.replace(" ", "")).replace(" ", "")
    return "".join(word[0] for word in fold(given).split())


def _initials_agree(first: str, second: str) -> bool:
    return not first or not second or first[0] == second[0] or first[0] in second or second[0] in first


def _same_body(one: Name, other: Name) -> bool:
    first = set(fold(f"{one.given} {one.family}").split()) - {"the", "of", "for", "and"}
    second = set(fold(f"{other.given} {other.family}").split()) - {"the", "of", "for", "and"}
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    acronym = len(short) == 1 and next(iter(short)) in {_acronym(one), _acronym(other)}
    return bool(short) and (short <= long or acronym)


def _acronym(name: Name) -> str:
    words = [
        word for word in fold(name.family).split() if word not in {"of", "the", "for", "and", "on", "in"}
    ]
    return "".join(word[0] for word in words)
