"""A claim read piece by piece: what is taken from it is read, and what is left must say nothing of its own."""

import re

from percuss.text.words import key_of

__all__ = ["PLAIN", "Taking"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
PLAIN = frozenset(
    "the a an of in on at to with and for by from is was were are be been has have had that this it its his her their he she they him them patient patient's man woman there who "
    "overall so now then currently record records recorded shows showed documented says said at about around roughly some only just also as".split()
)
"""Words that may be left of any claim."""


class Taking:
    """A claim from which pieces are taken.

    Args:
        claim: its text.
    """

    __slots__ = ("text",)

    def __init__(self, claim: str) -> None:
        self.text = " ".join(claim.strip().rstrip(". ").lower().split())

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the first match of a pattern and take it from the claim.

        Args:
            pattern: an expression over lower case.
        """
        match = pattern.search(self.text)
        if match is not None:
            self.text = f"{self.text[: match.start()]} ; {self.text[match.end() :]}"
        return match

    def done(self, more: frozenset[str] = frozenset()) -> bool:
        """Tell whether nothing is left but words that say nothing.

        Args:
            more: words that say nothing in this kind of claim.
        """
        return all(word in PLAIN or word in more or key_of(word) in more for word in _WORD.findall(self.text))
