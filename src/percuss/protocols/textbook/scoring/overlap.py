"""Overlap of an answer with its reference: token F1 and ROUGE-L, beside a judge's word and never part of it."""

from collections import Counter
from collections.abc import Sequence

from percuss.protocols.textbook.scoring.normal import words_of

__all__ = ["rouge_l", "same_words", "token_f1"]

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
