"""WordPiece: text -> token numbers, as the uncased BERT models were trained with.

Basic tokenization (control characters dropped, CJK characters apart, lower case, accents stripped, punctuation apart),
then the longest known piece first. Source: Devlin et al. 2019 and the vocabulary that comes with the model.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["WordPiece"]

_DROPPED = frozenset({"Cc", "Cf", "Co", "Cs"})  # unassigned characters (Cn) stay, and become unknown words
_LONGEST_WORD = 100  # a longer word is unknown as a whole, as in training

# Blocks that BERT's tokenizer sets apart character by character: Chinese characters in Unicode, not kana or hangul.
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Tokenizes by a vocabulary.

    Args:
        vocabulary: pieces in the order of their numbers; continuations begin with `##`.
        longest: tokens a text may have, [CLS] and [SEP] included; the rest is cut off.
    """

    def __init__(self, vocabulary: tuple[str, ...], *, longest: int = 256) -> None:
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = longest
        self._unknown = self._numbers["[UNK]"]
        self._begin = self._numbers["[CLS]"]
        self._end = self._numbers["[SEP]"]
        self._pieces = lru_cache(maxsize=50_000)(self._split)

    @classmethod
    def from_file(cls, path: Path, *, longest: int = 256) -> "WordPiece":
        """Read a vocabulary with one piece a line."""
        return cls(tuple(path.read_text(encoding="utf-8").rstrip("\n").split("\n")), longest=longest)

    def encode(self, text: str) -> list[int]:
        """Return token numbers with [CLS] first and [SEP] last, at most `longest` of them."""
        numbers = [self._begin]
        for word in _words(text):
            numbers.extend(self._pieces(word))
            if len(numbers) >= self._longest:
                break
        return [*numbers[: self._longest - 1], self._end]

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        numbers, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for stop in range(len(word), start, -1):
                number = self._numbers.get(prefix + word[start:stop])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            numbers.append(number)
            start = stop
        return tuple(numbers)


def _words(text: str) -> Iterator[str]:
    """Yield words and single punctuation marks, in lower case without accents."""
    for chunk in "".join(_cleaned(text)).split():
        plain = unicodedata.normalize("NFD", chunk.lower())
        word: list[str] = []
        for letter in plain:
            if unicodedata.category(letter) == "Mn":
                continue
            if not _is_punctuation(letter):
                word.append(letter)
                continue
            if word:
                yield "".join(word)
                word = []
            yield letter
        if word:
            yield "".join(word)


def _cleaned(text: str) -> Iterator[str]:
    for letter in text:
        if letter.isascii() and letter.isprintable():
            yield letter
        elif letter in "\t\n\r" or unicodedata.category(letter) == "Zs":
            yield " "
        elif letter == "\ufffd" or unicodedata.category(letter) in _DROPPED:
            continue
        elif any(low <= ord(letter) <= high for low, high in _CJK):
            yield f" {letter} "
        else:
            yield letter


def _is_punctuation(letter: str) -> bool:
    # All ASCII that is neither letter, digit nor space counts, also what Unicode calls a symbol ($, +, ~).
    if letter.isascii():
        return not letter.isalnum() and letter.isprintable() and letter != " "
    return unicodedata.category(letter)[0] == "P"
