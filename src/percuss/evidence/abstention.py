"""Abstention by rule: a documented lexicon and grammar for "the evidence doesn't say".

Six forms, each a short pattern; N is a word for evidence (data, evidence, information, results ..), V a verb of judging
(determine, assess, evaluate ..):

denied     no [specific] N [was provided]             "No structured pathology markers were provided"
unable     cannot / unable to / not possible to V     "Readiness cannot be determined"
state      not / un- available, assessable, reported  "RNA evidence: not available"
lacking    lacks, lack of, without, missing N         "In the absence of expression data"
person     I do not have, I am not able               "I don't have access to the record"
thin       insufficient, limited, inadequate N        "Insufficient evidence to assign a tier"
"""

import re
from typing import NamedTuple

__all__ = ["FORMS", "Abstention", "find"]

_NOUN = (
    r"(?:data|evidence|information|info|findings?|results?|records?|reports?|details?|profil(?:e|es|ing)|measurements?|values?|markers?|features?"
    r"|signals?|inputs?|annotations?|status|history|sequencing|imaging|testing|tests?|documentation|basis|context|packet|layers?|score|scores|tier)"
)
_JUDGE = (
    r"(?:determin\w{1,4}|assess\w{0,4}|evaluat\w{1,4}|establish\w{0,3}|infer\w{0,4}|conclud\w{1,3}|comput\w{1,3}|calculat\w{1,3}|provid\w{1,3}|summari\w{2,5}"
    r"|say|said|stat(?:e|ed)|confirm\w{0,3}|comment\w{0,3}|specif\w{1,4}|generat\w{1,3}|judg\w{1,3}|assign\w{0,3}|classif\w{1,4}|verif\w{1,4}|report\w{0,3}"
    r"|describ\w{1,3}|estimat\w{1,3}|ma[dk]e|drawn?|given?|inform\w{0,3}|answer\w{0,3}|stratif\w{1,4}|characteri[sz]\w{1,3}|be)"
)
_STATE = (
    r"(?:availab\w{2}|assess(?:able|ed)|determin(?:able|ed)|evalua(?:ble|ted)|known|provided|reported|recorded|specified|documented|given|supplied|included"
    r"|measured|tested|performed|detailed|present(?:ed)?|obtained|detected|applicable|disclosed|stated|mentioned|found|shown|clear|possible|computed|calculated)"
)

FORMS: dict[str, str] = {
    "denied": rf"\b(?:no|nor any|not any|none of the)\s(?:[\w/-]{{1,24}},?\s){{0,6}}?{_NOUN}\b|\bnone\s(?:available|provided|given|reported|recorded)\b",
    "unable": rf"\b(?:cannot|can['’]t|can not|could not|couldn['’]t|unable to|not able to|not possible to|impossible to|not feasible to|no way to)"
    rf"\s(?:be\s)?(?:\w{{2,16}}ly\s)?{_JUDGE}\b",
    "state": rf"\b(?:not|n['’]t)\s(?:yet\s|been\s|currently\s|explicitly\s|otherwise\s|further\s){{0,2}}{_STATE}\b"
    r"|\b(?:un|non-?)(?:available|assessable|assessed|determined|known|reported|specified|documented|evaluable|recorded|clear)\b"
    r"|\bindeterminate\b|\bn/a\b|\bto be determined\b",
    "lacking": rf"\b(?:lack(?:s|ed|ing)?|absence|absent|without|missing|devoid of|in want of)\s(?:of\s)?(?:[\w/-]{{1,24}},?\s){{0,5}}?{_NOUN}\b"
    rf"|\b{_NOUN}\s(?:is|are|was|were)\s(?:missing|absent|lacking)\b",
    "person": r"\b(?:I|we)(?:['’]m|\sam|\sare)?\s(?:do not|don['’]t|did not|cannot|can['’]t|not|unable)\b",
    "thin": rf"\b(?:insufficient|inadequate|not enough|too little|limited|incomplete)\s(?:[\w/-]{{1,24}},?\s){{0,4}}?{_NOUN}\b"
    r"|\binsufficient(?:ly)?\b",
}
"""Name of the form -> its pattern."""

_ANY = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in FORMS.items()), re.IGNORECASE)


class Abstention(NamedTuple):
    """Where a text abstains, and in which of the six forms."""

    start: int
    stop: int
    form: str


def find(text: str) -> Abstention | None:
    """Return the first abstention of a text, or None.

    >>> find("The tier cannot be determined.").form, find("Tumor is 61%") is None
    ('unable', True)
    """
    match = _ANY.search(text)
    return None if match is None else Abstention(match.start(), match.end(), match.lastgroup or "")
