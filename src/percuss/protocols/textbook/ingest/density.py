"""Entity density: the share of a passage's tokens that stand in a biomedical mention (paper, section 3.3, heuristic i)."""

import re
from functools import cache, lru_cache
from pathlib import Path

from percuss.protocols.textbook.ingest.tokens import TOKEN
from percuss.text.sentences import split
from percuss.text.words import key_of

__all__ = ["LOWEST", "entity_density", "lexicon", "mentions"]

LOWEST = 0.01
"""Below it a passage is dropped (paper, section 3.3)."""
FOLDER = Path(__file__).parent
_ACRONYM = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z][A-Za-z0-9'-]*")
_SUFFIXED_FROM = 7  # letters of a word whose ending may make it a mention (definitions, "Ingest")
_UNIT = re.compile(
    r"\s?(?:%|°[CF]|(?:mg|mcg|µg|μg|ng|pg|kg|g|mL|ml|dL|L|µL|μL|mmol|µmol|nmol|mol|mEq|mOsm|IU|U|units?|mm ?Hg|mmHg|cm|mm|nm|µm|μm|m"
    r"|Hz|kPa|kcal|kJ|Gy|mSv|bpm|beats|breaths|hours?|hr|h|minutes?|min|seconds?|days?|weeks?|months?|years?)\b)"
)


def entity_density(text: str) -> float:
    """Return tokens inside a mention over tokens; 0 for a text without tokens.

    A mention is an acronym (two capitals or more), a capitalised word that opens no sentence, a number with a unit, a word of
    seven letters or more with a biomedical ending, or an entry of the shipped lexicon.

    >>> entity_density("It was a nice day and we went out.")
    0.0
    """
    found = list(TOKEN.finditer(text))
    return sum(mentions(text, found)) / len(found) if found else 0.0


def mentions(text: str, found: list[re.Match[str]]) -> list[bool]:
    """Return of each token whether it stands in a mention.

    Args:
        text: of a passage. found: its tokens as matches.
    """
    opens = {_first_word(text, start) for start, _ in split(text)}
    return [_is_mention(text, token, opens) for token in found]


def _first_word(text: str, start: int) -> int:
    match = TOKEN.search(text, start)
    return match.start() if match else -1


def _is_mention(text: str, token: re.Match[str], opens: set[int]) -> bool:
    word = token[0]
    if word[0].isdigit():
        return _UNIT.match(text, token.end()) is not None
    if _ACRONYM.fullmatch(word):
        return True
    if word[0].isupper() and token.start() not in opens and len(word) > 1:
        return True
    return _is_known(word)


@lru_cache(maxsize=100_000)
def _is_known(word: str) -> bool:
    """Tell whether a word is a mention by its ending or by the lexicon."""
    lower = word.lower().removesuffix("'s")
    if len(lower) >= _SUFFIXED_FROM and lower.endswith(_endings()):
        return True
    return lower in lexicon() or key_of(lower) in lexicon()


@cache
def lexicon() -> frozenset[str]:
    """Return the words that are mentions by themselves, as they are looked up (`percuss.text.words.key_of`)."""
    words = _listed("lexicon.txt")
    return frozenset({*words, *(key_of(word) for word in words)})


@cache
def _endings() -> tuple[str, ...]:
    plain = _listed("endings.txt")
    return (*plain, *(f"{ending}s" for ending in plain if not ending.endswith("s")))


def _listed(name: str) -> tuple[str, ...]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return tuple(word for line in lines if not line.startswith("#") for word in line.split())
