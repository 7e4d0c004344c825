"""Overlap of an answer with its reference: token F1, cosine of words and ROUGE-L, beside a judge's word and never part of it."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from percuss.protocols.textbook.scoring.normal import words_of

__all__ = ["MEASURES", "rouge_l", "same_words", "token_f1", "word_cosine"]

_MOST = 2_000  # words that are compared


def token_f1(answer: str, reference: str) -> float:
    """Return the harmonic mean of shared words over each side's words, repeats counted.

    >>> token_f1("the loop of Henle", "loop of Henle")
    1.0
    """
    mine, right = words_of(answer)[:_MOST], words_of(reference)[:_MOST]
    shared = sum((Counter(mine) & Counter(right)).values())
    return 2 * shared / (len(mine) + len(right)) if shared else 0.0


def rouge_l(answer: str, reference: str) -> float:
    """Return ROUGE-L: the F1 of the longest common subsequence of words.

    >>> rouge_l("a b c d", "b d")
    0.8
    """
    mine, right = words_of(answer)[:_MOST], words_of(reference)[:_MOST]
    if not mine or not right:
        return 0.0
    longest = _common(mine, right)
    return 2 * longest / (len(mine) + len(right))


def word_cosine(one: str, other: str) -> float:
    """Return the cosine of two texts' counts of words.

    >>> round(word_cosine("a heart beats", "the heart beats"), 6)
    1.0
    """
    a, b = Counter(words_of(one)), Counter(words_of(other))
    norm = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(a[word] * b[word] for word in a) / norm if norm else 0.0


MEASURES: Mapping[str, Callable[[str, str], float]] = {
    "token_f1": token_f1,
    "word_cosine": word_cosine,
    "rouge_l": rouge_l,
}
"""Overlap by name (definitions, "Scorers")."""


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for at, each in enumerate(other, start=1):
            before, row[at] = row[at], before + 1 if word == each else max(row[at], row[at - 1])
    return row[-1]


def same_words(answer: str, reference: str) -> bool:
    """Say whether an answer is the reference word for word, made alike."""
    return bool(words_of(answer)) and words_of(answer) == words_of(reference)
