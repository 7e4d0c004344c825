"""What two sentences share that say the same thing in the same words."""

import re

__all__ = ["saying"]

_NUMBERED = re.compile(r"^\W*(?:\d{1,2}[.)]\s+)?")
_WORD = re.compile(r"-?\w[\w.]*\w%?|-?\w%?")


def saying(text: str) -> str:
    """Return a statement's words without its list number, its case and its marks; statements of equal words are one judgement.

    Args:
        text: one statement.

    >>> saying("2. The patient is a smoker.") == saying("the patient is a smoker")
    True
    """
    return " ".join(_WORD.findall(_NUMBERED.sub("", text.lower())))
