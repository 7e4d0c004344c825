"""Content words: folded, cut to stems; how much of a claim a window holds, weighed by rarity."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from percuss.protocols.citations.references.names import fold

__all__ = ["Rarity", "content_words", "names_of", "stem"]

_STOP = frozenset(
    "a about above after again against all also although am among an and another any are as at be because been before being below "
    "between both but by can could did do does doing done down during each either few for from further had has have having he her "
    "here hers him his how i if in into is it its itself may me might more most must my neither no nor not of off on once only or "
    "other our out over own per same shall she should so some such than that the their them then there these they this those through "
    "thus to too under until up upon very was we were what when where which while who whom whose why will with within without would "
    "you your according using used use including include includes however therefore".split()
)
_SUFFIXES = (
    ("ization", "iz"), ("isation", "iz"), ("ational", "at"), ("iveness", "iv"), ("fulness", "ful"), ("ations", "at"), ("ation", "at"),
    ("ically", "ic"), ("ments", "ment"), ("ities", "it"), ("ingly", ""), ("ising", "iz"), ("izing", "iz"), ("ised", "iz"), ("ized", "iz"),
    ("ises", "iz"), ("izes", "iz"), ("ies", "y"), ("ied", "y"), ("ity", "it"), ("ing", ""), ("edly", ""), ("ed", ""), ("es", ""),
    ("ly", ""), ("s", ""), ("e", ""),
)  # fmt: skip
_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b([A-Z][A-Za-z]*[A-Z0-9][\w-]*|[A-Z][a-z]{2,})\b")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word without its ending, the last letter not doubled.

    >>> stem("reduced"), stem("reduces"), stem("stopping"), stem("randomised")
    ('reduc', 'reduc', 'stop', 'random')
    """
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(suffix)] + instead
            break
    word = word.removesuffix("iz")
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


def content_words(text: str) -> list[str]:
    """Return the stems of the words that carry content, in order; numbers are left to `quantities`."""
    return [
        stem(word)
        for word in fold(text.replace("-", " ")).split()
        if word not in _STOP and not word[0].isdigit()
    ]


def names_of(text: str) -> set[str]:
    """Return the stems of proper names and acronyms inside a sentence."""
    return {
        stem(word)
        for match in _CAPITAL.finditer(text)
        for word in fold(match[1]).split()
        if word not in _STOP
    }


class Rarity:
    """Weights of words: log of how few windows of a source hold them; one that none holds weighs most.

    Args:
        windows: the content words of each window.
    """

    def __init__(self, windows: Sequence[Iterable[str]]) -> None:
        self._n = len(windows)
        self._holding = Counter(word for words in windows for word in set(words))

    def weight(self, word: str) -> float:
        """Return the weight of a word."""
        held = self._holding.get(word, 0)
        return 0.5 + math.log(1 + (self._n - held + 0.5) / (held + 0.5))

    def recall(self, claim: Sequence[str], window: Iterable[str]) -> float:
        """Return the weighed share of a claim's words that a window holds; 0 for a claim without any."""
        held = set(window)
        total = sum(self.weight(word) for word in set(claim))
        return sum(self.weight(word) for word in set(claim) if word in held) / total if total else 0.0
