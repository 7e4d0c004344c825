"""Two texts made alike before they are compared: letters, marks, articles, number words, spellings, plurals."""

import re
import unicodedata

from percuss.text.words import key_of

__all__ = ["normal", "words_of"]

_ARTICLES = frozenset({"a", "an", "the"})
_NUMBERS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "κ": "kappa", "µ": "u", "μ": "u"}
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+|%|[<>≤≥=+]")


def words_of(text: str) -> list[str]:
    """Return the words of a text as they are compared.

    Case, accents, marks, articles, number words up to twelve, British and American spelling and regular plurals make no
    difference; a decimal number, %, < and > are words of their own.

    >>> words_of("The Tumours, in two cases: 3.50%")
    ['tumor', 'in', '2', 'case', '3.5', '%']
    """
    plain = unicodedata.normalize("NFKD", "".join(_GREEK.get(c, c) for c in text)).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain.replace("⁄", "/"))
    found = _WORD.findall(plain)
    kept = [word for word in found if word not in _ARTICLES] or found  # an option may be called "A"
    return [_word(word) for word in kept]


def _word(word: str) -> str:
    if word[0].isdigit():
        return f"{float(word):g}" if "." in word else str(int(word))
    return _NUMBERS.get(word) or key_of(word)


def normal(text: str) -> str:
    """Return a text as it is compared, one blank between words."""
    return " ".join(words_of(text))
