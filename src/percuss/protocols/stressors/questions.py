"""What a model asks for in a turn: sentences that end in a question mark, and requests."""

import re
from functools import lru_cache
from typing import NamedTuple

from percuss.protocols.stressors.readers.topics import read_topics
from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.concepts import concept
from percuss.text.sentences import split

__all__ = ["MOST", "Question", "matches", "questions"]

MOST = 6
"""Questions answered a turn; further ones are counted, and stay unanswered."""
_ORDER = (
    r"(?:order|request|get|obtain|arrange|check|send|measure|perform|do|repeat|add|ask for|look (?:at|for)|see|know|have|test|want|need|like|schedule|"
    r"organi[sz]e|suggest|recommend|consider|image|take|review|determine|examine|clarify|provide|share|tell|give|show|draw|run|chase|dig out|ring for)"
)
_REQUEST = re.compile(
    rf"^(?:please,? (?:\w+ )?{_ORDER}|(?:could|can|may|might|would|shall|should) (?:you|we|i|someone|somebody|anyone) (?:please )?{_ORDER}|"
    rf"(?:i|we)(?:'d| would| will|'ll| want| wish| need| should)?(?: like| want| need| prefer)?(?: also| next| now| first| still)?(?: to)? (?:also )?{_ORDER}\b|"
    r"(?:i|we) (?:would |still )?(?:need|want)|"
    r"(?:(?:additional|further|more|other) )?(?:information|data|tests?|results?) (?:needed|requested|required|wanted)\s*:|"
    r"(?:request|question|order|requesting|next steps?|further tests?|tests? (?:needed|requested|to order)|"
    r"investigations?|workup|work-up|plan)s?\s*:|"
    r"(?:order|request|obtain|arrange|check|measure|send|awaiting|await)\b|it would (?:help|be (?:useful|helpful|good|important)) to (?:know|see|have|get)|"
    r"(?:also|next|then),? (?:i|we) would)",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r",? please[.!]?$|\bwould (?:settle|help|clarify|be (?:useful|helpful|needed|required|decisive))\b|\bwould (?:also )?like (?:to|a|an|the)?|"
    r"\b(?:happier|easier|more comfortable|better) (?:with|if (?:i|we) had)\b|"
    r"\b(?:is|are) (?:needed|required|indicated) (?:to|before|next)\b",
    re.IGNORECASE,
)
"""Words that make a request of any sentence that names a test."""
_TREATS = re.compile(
    r"^(?:\W*)(?:i|we)(?:'d| would| will)? (?:treat|start|give|like to (?:treat|start|give)|give|consider (?:a diagnosis|the possib|that))\b",
    re.IGNORECASE,
)
_SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split("|"))
    for row in (
        "ecg|ekg|electrocardiogram|electrocardiography",
        "cbc|full blood count|complete blood count|blood count|hemogram",
        "metabolic panel|chemistry panel|electrolytes|bmp|cmp|chemistries|serum chemistry",
        "echo|echocardiogram|echocardiography",
        "csf|cerebrospinal fluid|lumbar puncture|spinal tap",
        "past history|past medical history|medical history|previous illnesses|surgical history|surgeries|comorbidities|medical conditions|chronic conditions",
        "social history|smoking|smoke|alcohol|drink|tobacco|occupation|travel|drug use|job|work",
        "family history|relatives|runs in the family|family members|siblings|parents",
        "medication|medications|medicines|drugs taken|taking any|prescriptions|current medications|tablets",
        "review of systems|other symptoms|associated symptoms|systemic symptoms",
        "chest radiograph|chest x-ray|cxr|chest film",
        "histology|biopsy|histopathology",
        "urinalysis|urine dipstick|urine test",
        "inflammatory markers|crp|esr|c-reactive protein|sedimentation rate",
        "liver panel|liver function tests|lfts|liver enzymes",
        "thyroid test|thyroid function tests|tfts|tsh",
    )
)
TIE = 0.001
GENERIC_SHARE = 0.6
"""A name of general words alone ("History") is asked for only where nothing fits better."""
_GENERIC = frozenset(
    "test blood level result exam examination panel function findings history serum study scan imaging laboratory lab marker "
    "functional current recent inform information detail value any".split()
)

_GENERIC_STEMS = frozenset(word for each in _GENERIC for word in content_words(each))
_FOUND = tuple(
    (row, re.compile(r"\b(?:" + "|".join(map(re.escape, sorted(row))) + r")\b")) for row in _SYNONYMS
)


class Question(NamedTuple):
    """A question with its place in the turn's text."""

    start: int
    stop: int
    text: str


def questions(text: str) -> tuple[Question, ...]:
    """Return the questions and requests of a turn, in order.

    >>> [q.text for q in questions("Likely viral. Any travel? Please provide the ECG.")]
    ['Any travel?', 'Please provide the ECG.']
    """
    found = []
    for start, stop in split(text):
        sentence = text[start:stop]
        if _SUPPOSED.match(sentence):
            continue
        if sentence.rstrip("\"'*) ").endswith("?") or _requests(sentence.strip("*- ")):
            found.append(Question(start, stop, sentence))
    return tuple(found)


def _requests(sentence: str) -> bool:
    """An order or a wish counts where it names something that can be looked at or asked."""
    if (
        _TREATS.search(sentence)
        or _STEP_TAKEN.match(sentence)
        or not (_REQUEST.match(sentence) or _WANTED.search(sentence) or _LISTED.match(sentence))
    ):
        return False
    topics = read_topics(sentence)
    return bool(
        topics.modalities
        or topics.categories
        or topics.exams
        or any(_can_be_tested(c) for c in topics.concepts)
    )


_SUPPOSED = re.compile(
    r"^\W*(?:could|might|may) (?:this|it|these) (?:still |also |then )?be\b", re.IGNORECASE
)
"""A guess put as a question is no question for the record."""
_STEP_TAKEN = re.compile(
    r"^next steps?\s*:[^.;]*\b(?:shows?|showed|demonstrates?|demonstrated|reveals?|revealed|confirms|confirmed)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^\d[.)] (?:\w[\w/-]*(?: |$)){1,4}\d[.)]")
"""Names one after the other with numbers, without a verb."""
_KINDS = frozenset({"test", "analyte", "vital", "procedure", "score"})


def _can_be_tested(name: str) -> bool:
    held = concept(name)
    return held is None or held.kind in _KINDS


def matches(said: str, name: str) -> float:
    """Return how far a sentence names a topic, from 0 to about 1: a synonym counts 1, else the share of the name's own words.

    Args:
        said: a question or sentence. name: a group's or label's name.
    """
    low = said.lower()
    if any(row.search(low) for row in _rows_of(name.lower())):
        return 1.0
    words, there = content_words(name), content_words(said)
    specific = words - _GENERIC_STEMS
    if not specific:
        return GENERIC_SHARE * len(words & there) / len(words) if words else 0.0
    # Of "Liver panel", "Liver biopsy" and "Liver" the one named in full wins, and the longest of those.
    share = 0.9 * len(specific & there) / len(specific) + 0.1 * len(words & there) / len(words)
    return share + TIE * len(words & there) if share >= GENERIC_SHARE else share


@lru_cache(maxsize=8192)
def _rows_of(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of the synonyms that a name belongs to."""
    return tuple(
        found
        for row, found in _FOUND
        if any(term == name or name.startswith(f"{term},") or name.endswith(f", {term}") for term in row)
    )
