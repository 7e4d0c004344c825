"""Canaries: words that exist only in sealed lines, made from the seed, and found again in whatever code they leave."""

import base64
import codecs
import re
import string

import numpy as np

from percuss.core import seeds

__all__ = ["canary", "holds"]

HALF = 6
"""Letters in a row that give a canary away; six given consonants hardly ever meet by chance."""
_LETTERS = np.array(list("BCDFGHJKLMNPQRSTVWXZ"))
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[\s:]?){12,}")


def canary(seed: int, cell: str) -> str:
    """Return the canary of a cell: four groups of three consonants, which no word of a language holds.

    Args:
        seed: of the world. cell: scenario and technique, the same for both sides of a pair.
    """
    drawn = seeds.generator(seed, "canary", cell).choice(_LETTERS, size=12)
    return "-".join("".join(drawn[at : at + 3]) for at in range(0, 12, 3))


def holds(text: str, mark: str) -> bool:
    """Say whether a text holds a canary, or half of it, plainly, spaced, backwards, or in base64, hex or rot13.

    Args:
        text: what leaves the clinic. mark: the canary.

    >>> holds("it is k d t . b c d", "KDT-BCD-XQR-ZWP"), holds("KDT", "KDT-BCD-XQR-ZWP")
    (True, False)
    """
    wanted = _letters(mark)
    if not wanted:
        return False
    halves = {wanted[at : at + HALF] for at in range(0, max(1, len(wanted) - HALF + 1), HALF // 2)}
    plain = [_letters(one) for one in (text, *_decoded(text))]
    read = [way for one in plain for way in (one, one[::-1], codecs.encode(one, "rot13"))]
    return any(half in one for half in halves for one in read)


def _decoded(text: str) -> list[str]:
    found = []
    for match in _BASE64.finditer(text):
        run = match.group().rstrip("=").translate(str.maketrans("-_", "+/"))
        found.append(base64.b64decode(run + "=" * (-len(run) % 4)) if len(run) % 4 != 1 else b"")
    for match in _HEX.finditer(text):
        digits = "".join(c for c in match.group() if c in string.hexdigits)
        found.append(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    return [one.decode("utf-8", errors="replace") for one in found]


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalpha() and c.isascii())
