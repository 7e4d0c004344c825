"""Signs that a part of a sentence carries: whom it is about, what it names and counts, whether it answers the question."""

import re
from functools import lru_cache

from percuss.text.acts import words as w
from percuss.text.concepts import concept, mentions
from percuss.text.cued import Cued

__all__ = ["ANAPHOR", "COMMON", "DENIAL", "DIGIT", "DRUGS", "LABEL", "MEASURE", "MEASURED", "PLAN", "STOP", "TOKEN", "answers", "counts", "kinds_in", "of_somebody", "on_topic", "opens_with", "verbal"]  # fmt: skip

TOKEN = re.compile(r"[a-z0-9]+")
STOP = frozenset(
    "a an the of in on at to for with by from and or is are was were be been has have had do does did this that these those it its as after before "
    "patient case summarise describe what how state known name most likely diagnosis question".split()
)
_NAMED_NUMBER = re.compile(
    r"\b(?:type|stage|grade|vitamin|tier|factor|phase|class|cd|pd-?l?|il-?|hepatitis)\s?-?\d\w*|\b[A-Za-z]+-?\d+[A-Za-z]*\b",
    re.IGNORECASE,
)
DIGIT = re.compile(r"\d")
_OF_A_CASE = re.compile(
    r"\b(?:this|the)\s(?:patient|child|man|woman|boy|girl|infant)|\bpatient['’]s|^\W*(?:summarise|describe|how|what|is\s(?:the|this)|which|when|why)\b",
    re.IGNORECASE,
)
ANAPHOR = re.compile(
    r"^\W*(?:it|they|the\s(?:drug|medicine|procedure|agent|technique|compound))\s", re.IGNORECASE
)
_ANYBODY = Cued(
    r"\b(?:the|an?|each|every|any|some)\s(?:person|individual)\b(?!['’]s\sname)|\b(?:any|each|every|such\san?|the\saverage|the\stypical)\s(?:patient|child|man|woman|boy|girl|infant)\b|\bof\sHis\b"
    r"|\b(?:over|under|above|below|before|after|around|beyond|until|by|at|than)\s(?:the\s)?age\s(?:of\s)?\d{1,3}|\b(?:adults|women|men|children|people|patients|clients|those)\saged?\s\d"
    r"|\baged?\s\d{1,3}\s(?:years\s)?(?:to|and|or)\s(?:\d|older|above|over|under|younger)|\bHe\set\sal\b"
)
"""Nobody of whom a case is."""
_OPENING = 3  # characters before the first name of a sentence that opens with it
MEASURE = re.compile(r"\d\s?(?:%|mg\b|mcg|µg|g\b|ml\b|mmol|units?\b|mmHg|cm\b|mm\b)|\d\.\d")
LABEL = re.compile(r"^\W*[\w\s/()'’-]{2,40}:\s*\S")
PLAN = re.compile(
    r"^\W*(?:continue|carry\son|stop|start|take|treat|give|reduce|increase|repeat|switch|refer|review|hold|keep|restart|resume|would|does|did|do|is|are|has|have|can|could|should|will|was|were)\b",
    re.IGNORECASE,
)
_SCLEROSIS = re.compile(r"\bMS\b(?!\.?\s[A-Z][a-z])")
"""The disease, not the title of a woman."""
DENIAL = re.compile(r"^\W*(?:no|never|nothing|not)\b", re.IGNORECASE)
COMMON = re.compile(
    r"\b(?:(?:lung\s)?cancers?|diseases?|tumou?rs?|immunotherapy|chemotherapy|treatments?|therapy|surgery)\b",
    re.IGNORECASE,
)
MEASURED = frozenset({"finding", "analyte", "vital", "measure", "test", "anatomy", "score", "procedure"})
DRUGS = frozenset({"drug", "drug_class"})


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def verbal(text: str) -> bool:
    """Tell whether a part holds a verb that the reader knows."""
    return bool(
        w.VERB.search(text) or w.PAST.search(text) or (";" not in text and w.GENERIC_VERB.search(text))
    )


def of_somebody(text: str) -> bool:
    """Tell whether a part speaks of one person or names the case; "they" alone stands for drugs and organs as often."""
    text = _SCLEROSIS.sub(_blank, _ANYBODY.sub(_blank, text))
    found = w.PERSON.search(text)
    if found is not None and found[0].strip(" \t*-#>").lower() in {"they", "their"}:
        found = w.PERSON.search(text, found.end())
    return found is not None or w.IDENTITY.search(text) is not None


@lru_cache(maxsize=2048)
def kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of the concepts that a text names."""
    found = (concept(mention.concept) for mention in mentions(text))
    return frozenset(known.kind for known in found if known is not None)


@lru_cache(maxsize=2048)
def counts(text: str) -> bool:
    """Tell whether a part holds a number that is no part of a name."""
    return (
        bool(DIGIT.search(text)) and DIGIT.search(_NAMED_NUMBER.sub("", w.IDENTITY.sub("", text))) is not None
    )


def opens_with(core: str, kinds: frozenset[str]) -> bool:
    """Tell whether a part begins with a concept of one of these kinds."""
    first = next(iter(mentions(core)), None)
    known = concept(first.concept) if first is not None else None
    return first is not None and first.start <= _OPENING and known is not None and known.kind in kinds


def on_topic(core: str, question: str) -> bool:
    """Tell whether a part answers a question about no patient, its topic being the subject: "halofantrine is ototoxic"."""
    if not question or _OF_A_CASE.search(question) or not w.VERB.search(core):
        return False
    if ANAPHOR.match(core):
        return True
    mine = [token for token in TOKEN.findall(core.lower()) if token not in STOP]
    return bool(mine) and (mine[0] in _asked(question) or answers(core, question))


def _asked(question: str) -> set[str]:
    return set(TOKEN.findall(question.lower())) - STOP


def answers(core: str, question: str) -> bool:
    """Tell whether a part says again, or denies, most of what a question about no patient asks."""
    if not question or _OF_A_CASE.search(question) or not w.VERB.search(core):
        return False
    asked = _asked(question)
    return len(set(TOKEN.findall(core.lower())) & asked) >= max(2, 0.5 * len(asked))
