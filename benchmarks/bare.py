"""The bare pass that readers of text are held against: one number and one word expression over the same text."""

import re

__all__ = ["counted", "kept"]

NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:[.,]\d+)*(?:\s?%)?")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def kept(text: str) -> list[tuple[int, int, str]]:
    """Find the numbers and words of a text with their places, and keep them: the least that a reader of text can do."""
    return [(m.start(), m.end(), m.group()) for pattern in (NUMBER, WORD) for m in pattern.finditer(text)]


def counted(text: str) -> int:
    """Find the numbers and words of a text and throw them away."""
    return sum(1 for pattern in (NUMBER, WORD) for _ in pattern.finditer(text))
