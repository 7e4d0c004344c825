"""How far one statement restates another: content words, their coverage, numbers with units."""

import re
from functools import lru_cache

from percuss.text.quantities import quantities

__all__ = ["content_words", "coverage", "restates"]

_STOP = frozenset(
    "a an the of to in on at by for from with without and or as is are was were be been being has have had he she his her "
    "him it its they them their there this that these those patient patients pt man woman male female which who whose than "
    "then also no not any all both some into over under about after before during since until while when where shows show "
    "showed reveals revealed noted found findings finding result results states reports reported presents presented "
    "presence examination exam test tests on upon s t up out per via i you we".split()
)
_WORD = re.compile(r"[a-zµμ]+[a-z0-9']*|\d+(?:[.,]\d+)*", re.IGNORECASE)
RESTATED = 0.8
"""Share of content words from which one statement is held to be told by another (definitions, section 3, linter)."""


def _stem(word: str) -> str:
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[str]:
    """Return the content words of a text: lower case, without endings; numbers as written."""
    words = (word.lower() for word in _WORD.findall(text.replace("_", " ")))
    return frozenset(_stem(word) for word in words if word not in _STOP)


def coverage(statement: str, told: str) -> float:
    """Return the share of a statement's content words that another text holds; 0 where it has none."""
    words = content_words(statement)
    return len(words & content_words(told)) / len(words) if words else 0.0


@lru_cache(maxsize=65536)
def _measures(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(
        (str(q.value), q.unit or ("%" if q.percent else "")) for q in quantities(text) if q.unit or q.percent
    )


def restates(told: str, statement: str) -> bool:
    """Tell whether a text tells a statement: four in five of its content words, or its number with unit and a word of it.

    Args:
        told: one line or sentence. statement: of one fact.
    """
    words, there = content_words(statement), content_words(told)
    if not words:
        return False
    held = words & there
    if len(held) >= RESTATED * len(words):
        return True
    names = {word for word in held if not word[0].isdigit() and len(word) > 2}
    return bool(names) and bool(_measures(statement) & _measures(told))
