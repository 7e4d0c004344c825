"""Questions: what one presupposes is an assertion; one that presupposes nothing does nothing that could be checked."""

import re

from percuss.text.acts import words as w
from percuss.text.acts.signs import COMMON, counts
from percuss.text.concepts import concept, mentions

__all__ = ["asks_only"]

_OPENS = re.compile(
    r"^\W*(?:what|which|who|whose|where|when|why|how|is|are|was|were|do|does|did|has|have|had|can|could|would|will|should|may|any)\b",
    re.IGNORECASE,
)
_WH = re.compile(r"^\W*(?:what|which|who|whose|where|when|why|how)\b", re.IGNORECASE)
"""A question that isn't answered by yes or no; of the others none takes for granted what it asks."""
_BESIDES = re.compile(
    r"\b(?:besides|other\sthan|apart\sfrom|in\saddition\sto|aside\sfrom|except(?:\sfor)?|again|still|since)\b",
    re.IGNORECASE,
)
"""Words that take something for granted: "other than the chest pain"."""
_OPEN = re.compile(
    r"\b(?:any|(?:history|signs?|evidence|presence|symptoms)\sof)\s(?:[\w-]{1,20}\s){0,5}$", re.IGNORECASE
)
"""Before a finding that is asked about and not presupposed: "any history of"."""
_GIVEN = re.compile(
    r"\b(?:the|his|her|their|this|that|these|those|patient['’]s)\s(?:[\w-]{1,20}\s){0,2}$", re.IGNORECASE
)
"""Before a finding that is taken for granted: "her hyperkalaemia", "the rash"."""
_ASKED_FOR = re.compile(
    r"^\W*what(?:['’]s|\s(?:is|are|was|were))\s(?:(?:the|this|that)\s(?:[\w-]{1,20}\s)?[\w-]{1,20}['’]s|his|her|their)\s(?:(?!of\b|for\b|in\b|behind\b|from\b|after\b)[\w'’/-]{1,24}\s?){1,6}\W*$",
    re.IGNORECASE,
)
"""A thing of the patient that is asked for by its name: "What is her smoking history?"."""
_HEADED = re.compile(
    r"^\S*\s(?:[\w-]{1,20}\s)?(?:history|status|habits?|plan|plans|management|regimen|levels?|results?|intake|exposure|list|use)\b",
    re.IGNORECASE,
)
"""After the name of a finding that only says what sort of thing is asked for: "smoking status"."""
_EVENTS = frozenset({"finding", "diagnosis", "drug", "drug_class", "procedure", "organism"})


def asks_only(bare: str) -> bool:
    """Tell whether a line is a question that takes no specific of the case for granted.

    Args:
        bare: a line without marks around it.

    >>> [asks_only(text) for text in ("Is she taking any medicines?", "Would her hyponatraemia explain it?")]
    [True, False]
    """
    if not bare.rstrip(" *_\"'").endswith("?") or not _OPENS.match(bare):
        return False
    if counts(bare) or w.LEVEL.search(bare) or w.SIDE.search(bare) or _BESIDES.search(bare):
        return False
    if _ASKED_FOR.match(bare):
        return True
    return not any(_is_presupposed(bare, start) for start in _events(bare))


def _events(bare: str) -> list[int]:
    """Return where findings, diagnoses, drugs and the like are named."""
    found = ((mention.start, concept(mention.concept)) for mention in mentions(COMMON.sub(_blank, bare)))
    return [start for start, known in found if known is not None and known.kind in _EVENTS]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _is_presupposed(bare: str, start: int) -> bool:
    before = bare[:start]
    if _HEADED.match(bare[start:]):
        return False
    taken = _GIVEN.search(before) or (_WH.match(bare) and w.PAST.search(bare))
    return not _OPEN.search(before) and bool(taken)
