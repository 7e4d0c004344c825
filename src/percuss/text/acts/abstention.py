"""Abstention by rule: an answer without a single assertion that names a lack or declines."""

from functools import lru_cache
from typing import NamedTuple

from percuss.text.acts import words as w
from percuss.text.acts.speech import speech_act
from percuss.text.sentences import split

__all__ = ["ABSTENTION", "Abstained", "abstains"]

ABSTENTION = "rule:abstention-2"
"""Name and version of the reader; version 1 was the rule by claim kinds."""


class Abstained(NamedTuple):
    """Whether an answer abstains, and why.

    Args:
        label: None = undecided.
        reason: in a few words, with the sentence that decided it.
    """

    label: bool | None
    reason: str


@lru_cache(maxsize=1024)
def abstains(answer: str, question: str = "") -> Abstained:
    """Tell whether an answer says nothing of the case and names a lack, or declines.

    Args:
        answer: the whole answer. question: what was asked; "" = not known.

    Returns:
        True, False, or None where a line that can't be read might be an assertion. A negative finding ("no nodal disease") and a
        hedged specific are something said, so no abstention (definitions of `grounding`, version 2).

    >>> abstains("No records were given to me.").label, abstains("No nodal disease.").label
    (True, False)
    """
    named = unread = ""
    for start, stop in split(answer):
        sentence = answer[start:stop]
        act = speech_act(sentence, question).act
        if act in {"assertion", "hedged"}:
            return Abstained(label=False, reason=f"says something of the case: '{sentence[:80]}'")
        if act == "availability" or w.DECLINED.search(sentence):
            named = named or sentence
        elif act is None:
            unread = unread or sentence
    if not named:
        return Abstained(label=False, reason="names no lack and declines nothing")
    if unread:
        return Abstained(label=None, reason=f"not understood: '{unread[:80]}'")
    return Abstained(label=True, reason=f"nothing of the case, and: '{named[:80]}'")
