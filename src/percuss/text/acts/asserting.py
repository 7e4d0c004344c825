"""When a part of a sentence is an assertion: only what is surely of one case; the rest stays undecided."""

import re

from percuss.text.acts import words as w
from percuss.text.acts.outcome import Outcome
from percuss.text.acts.signs import (
    ANAPHOR,
    COMMON,
    DENIAL,
    DIGIT,
    DRUGS,
    LABEL,
    MEASURE,
    MEASURED,
    PLAN,
    counts,
    kinds_in,
    on_topic,
    opens_with,
    verbal,
)  # fmt: skip
from percuss.text.concepts import concept, mentions

__all__ = ["NOTE", "asserted"]

NOTE = "a note without a verb"
"""Why a part asserts that may be an item of what stands before it."""

_EVENT = re.compile(
    r"^\W*there\s(?:is|are|was|were)\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half|third|thirds|quarter)\b"
    r"|\b[a-z]{3,}ed\b",
    re.IGNORECASE,
)
_FOUND = frozenset({"finding", "analyte", "vital", "measure", "score", "gene", "test"})
_QUANTIFIED = frozenset({"analyte", "vital", "measure", "score", "gene"})
_ATTRIBUTE = re.compile(
    r"\b(?:increased|decreased|reduced|improved|required)\s(?!to\b|from\b|by\b|over\b|since\b|after\b|on\b|with\b)(?=[a-z])",
    re.IGNORECASE,
)
"""A change that is an attribute of what follows, and no event."""
_PASSIVE = re.compile(
    r"\b(?:is|are|be|being)\s(?:(?:\w+ly|not|also|often|first|best|most|then|an?|the)\s){0,2}(?:\w{2,14}ed|found|made|said|told|given|kept|seen|felt|left|lost|shown|taken|known)\b(?!\s(?:since|ago|today|yesterday|on\s(?:admission|\d)))",
    re.IGNORECASE,
)
"""A passive of now ("is found in"), which tells of no event."""
_CITES = re.compile(
    r"\((?:[A-Z][^()]{1,60},?\s)?(?:19|20)\d\d[a-z]?\)|\([^()]{2,200},\s(?:19|20)\d\d[a-z]?\b|\bet al\b|(?:,|;)\s(?:19|20)\d\d[a-z]?[);]"
)
_BELOW = re.compile(
    r"\b(?:who|whom|whose|that|which|what|when|whenever|whether|how|why|if|after|before|once|until|where|than|during|regardless|for\swhom)\b",
    re.IGNORECASE,
)
"""Where a clause begins that isn't the main one."""
_HEAD = 12  # characters of a main clause at least
_PERFECT = re.compile(
    r"\b(?:has|have)\s(?:\w+ly\s|also\s|always\s|long\s|since\s)?(?:been\s)?(?:\w+ing|\w+ed|\w+en|shown|found|led|had|made|seen)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(?:clients?|patients|people|individuals|adults|children|men|women|persons|humans|infants|providers?|nurses?|clinicians?|the\sbody|an?\s(?:person|patient|individual|adult|child))\b",
    re.IGNORECASE,
)
"""People at large, of whom a rule is told."""
_META = re.compile(
    r"\b(?:mentioned|described|discussed|listed|noted|stated)\s(?:earlier|above|before|below|previously|here)\b|\b(?:this|the\sabove|these|such\san?)\s(?:diagnos[ie]s|conclusions?|assessments?|summary|statements?|answers?)\b",
    re.IGNORECASE,
)
"""What an answer says of itself."""
_LONG_AGO = re.compile(
    r"\b(?:in|since|by|around|until)\s(?:the\s)?(?:1[5-8]\d\d|19[0-7]\d)s?\b(?!\s?(?:mg|ml|g|kcal))|\b(?:centur(?:y|ies)|ancient|millennia|historically|traditionally|originally|for\sdecades|congress|legislation|act\s(?:was|of))\b"
    r"|\b(?:first|was|were)\s(?:used\sin\smedicine|discovered|invented|synthesi[sz]ed|introduced|approved|licensed|enacted|founded|named\safter)\b|\b(?:chapter|video|section|textbook|lecture|journal|https?:)\b"
    r"|\b(?:most|many|several|some|other|earlier|previous)\s(?:clinical\s)?(?:trials|studies)\b|\bwere\s(?:also\s|briefly\s|then\s)?(?:discussed|covered|emphasi[sz]ed|presented\W*$|explained|introduced|reviewed\W*$)",
    re.IGNORECASE,
)
"""History, laws and books, which are of no patient."""
_PLURAL = re.compile(
    r"^\W*(?:women|men|children|people|patients|adults|smokers|infants|clinicians|doctors)\s(?!who\b|with\b|in\sthe\b|were\s\w+ed\sto\b)"
    r"|^\W*(?:some|most|many|several|other|certain)\s(?:[\w-]{1,20}\s){0,2}(?:drugs|agents|medicines|medications|clients|individuals|treatments|remedies|conditions|disorders|diseases|therapies|symptoms|types|forms)\b",
    re.IGNORECASE,
)
"""People at large as the subject, without a number."""
_CLOSE = 24  # characters between an article and the finding that it belongs to
_CONDITION = re.compile(r"^\W*(?:if|when|whenever|in\sorder|once|unless|because|although)\b", re.IGNORECASE)
_STAGED = re.compile(
    r"\b(?:is|was|are)\s(?:at|of|in)\s(?:an?\s|the\s)?(?:stage|tier|grade|class)\b", re.IGNORECASE
)
_IF = re.compile(
    r"^\W*(?:if|when|whenever|once|unless)\b|\b(?:if|unless|whenever)\s(?:the|he|she|they|it|this|there|any|symptoms|signs)\b",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:his|her|patient['’]s|the|this|that)\s(?:[\w-]{1,20}\s){0,3}(?:of|on|in|for)\b|\b(?:his|her|given|because\sof|due\sto)\s",
    re.IGNORECASE,
)
"""Something of the person that advice takes for granted."""
_COPULA = re.compile(r"\b(?:is|are|isn't|aren't|was|were)\b", re.IGNORECASE)
_FIELD = re.compile(
    r"\b(?:age|sex|gender|stage|tier|grade|score|scores|date|weight|height|size|dose|dosage|duration|number|count|rate|level|value|ratio|index|subtype|purity|burden|expression|share|pack[\s-]?years?|year|result)\b|\b[a-z]+_[a-z]",
    re.IGNORECASE,
)
"""Names of what a record holds, beyond the concepts of the table."""
_NOTE = 9  # words of the longest note
_LONG_NOTE = 14  # and of one that holds a specific
_ACTS = re.compile(
    r"(?<=[a-z])\s(?:[a-z]{3,}(?:[^su\W]s|es)|complement|remain|lead|precede)\s(?:the|an?|of|from|to|on|with|in|\w+)\b|\?\W*$"
)
"""A verb that stands in no list: "separates inflammation from", "establishes the diagnosis"; or a bare question."""
_VALUE = re.compile(
    r"\b(?:normal|abnormal|positive|negative|raised|elevated|reduced|decreased|increased|low|high(?!-(?:risk|opportunity|quality|need|priority|stakes|impact|value))|lower|higher|warm|hot|cold|absent|intact|enlarged|impaired|dilated|stages?|tier)\b",
    re.IGNORECASE,
)
"""A level that is said of a measure, and not of a condition at large ("severe", "advanced", "within")."""
_ORDER = re.compile(
    r"\d\s?(?:mg|mcg|µg|micrograms?|g|ml|units?)\b|\b(?:ongoing|(?:being|was|were|been)\s(?:continued|stopped|started|given|held))\b",
    re.IGNORECASE,
)
_PLAIN_STATE = re.compile(
    r"^\W*(?:both|the)\s(?:[\w-]{1,16}\s){1,3}(?:is|are|isn't|aren't|has|have)\s(?:not\s|been\s|now\s|still\s|already\s)?[\w-]{3,18}\W*$",
    re.IGNORECASE,
)
_THERE = re.compile(r"^\W*there\s(?:is|are|was|were|isn't|aren't)\b", re.IGNORECASE)
_THESE = re.compile(r"^\W*(?:these|this\s(?!patient|case)[\w-]{1,20})\s", re.IGNORECASE)


def asserted(core: str, text: str, question: str, *, person: bool, specific: bool) -> Outcome:
    """Say that a part asserts, and why; undecided where nothing in it is of a case that could be checked."""
    if _open(core):
        return Outcome(None, "a condition, an aim, advice or the task, and no event beside it")
    checkable = _checkable(core)
    if person and _META.search(core) and not (counts(core) or w.SIDE.search(core) or w.LEVEL.search(core)):
        return Outcome(None, "what the answer says of itself")
    if person and (checkable or w.SOMEBODY.search(core)):
        return Outcome("assertion", "about the patient")
    if _CITES.search(text):
        return Outcome("general", "cites what was published")
    if _CONDITION.match(core) and not _happened(core):
        return Outcome(None, "a rule with a condition, or an event of this case")
    if _LONG_AGO.search(text):
        return Outcome(None, "of history, a law or a book")
    if specific and checkable and _of_one_case(core):
        return Outcome("assertion", "a specific")
    if w.STUDY.search(core) and checkable and verbal(core) and not _appraised(text):
        return Outcome("assertion", "about the study")
    if on_topic(core, question):
        return Outcome("assertion", "answers the question")
    if _valued(text) or (DENIAL.match(core) and kinds_in(core)):
        return Outcome("assertion", "a label with its value, or a denial")
    if PLAN.match(core) and kinds_in(core):
        return Outcome("assertion", "a plan or a question of this case")
    if _noted(core):
        return Outcome("assertion", NOTE)
    if _EVENT.search(core) and (_happened(core) or _found(core)):
        return Outcome("assertion", "an event")
    if _THERE.match(core) and kinds_in(core) & {"finding", "diagnosis"} and not _CONDITION.search(core):
        return Outcome("assertion", "that something is there")
    short = len(core.split()) <= _NOTE and _COPULA.search(core) and opens_with(core, _FOUND | {"anatomy"})
    if _PLAIN_STATE.match(core) or short or (w.SHOWS.search(core) and opens_with(core, MEASURED)):
        return Outcome("assertion", "a plain state")
    if opens_with(core, DRUGS) and _ORDER.search(core):
        return Outcome("assertion", "a drug as it is given")
    return Outcome(None, "nothing in it that is surely of this case")


def _noted(core: str) -> bool:
    """Tell whether a part is a short note without a verb, of something clinical."""
    clinical = kinds_in(core) or (counts(core) and _measured(core))
    return bool(not verbal(core) and clinical and len(core.split()) <= _NOTE and not _ACTS.search(core))


def _appraised(text: str) -> bool:
    """Tell whether a part says what is still to be done or what it is all good for, and counts nothing."""
    return bool(w.ADVICE.search(text) or w.ABSTRACT.search(text)) and not counts(text)


def _open(core: str) -> bool:
    """Tell whether a part says what is to be done, what for, or on what condition, and tells nothing that has happened."""
    if w.PAST.search(core) or _ORDER.search(core) or w.SIDE.search(core):
        return False
    if _IF.search(core) or w.TASK.search(core):
        return True
    return bool(w.AIM.search(core) or w.ADVICE.search(core)) and not (
        counts(core) or w.LEVEL.search(core) or _OWN.search(core)
    )


def _checkable(core: str) -> bool:
    """Tell whether a part holds what a record can: a number, an event, a name of something, or a level that is a value."""
    return bool(
        counts(core) or w.PAST.search(core) or w.SIDE.search(core) or _named(core) or _VALUE.search(core)
    )


def _named(core: str) -> bool:
    """Tell whether something that a record can hold is named, beyond cancer, treatment and the like."""
    return bool(kinds_in(COMMON.sub(" ", core))) or w.DISEASE.search(core) is not None


def _of_one_case(core: str) -> bool:
    """Tell whether a specific is said as of one case: a state, a past event, a measured value, a note without a verb, a finding with its article."""
    past = _happened(core)
    if _PEOPLE.search(core) and not past:
        return False
    if _PLURAL.match(core) and not (counts(core) or w.STUDY.search(core)):
        return False
    if (ANAPHOR.match(core) or _THESE.match(core)) and not past:
        return False
    if past or _STAGED.search(core) or _found(core) or w.STATE.search(_main(core)):
        return True
    if not verbal(core):
        return (_named(core) or _measured(core)) and len(core.split()) <= _LONG_NOTE
    measured = MEASURE.search(core) or (counts(core) and kinds_in(core) & _QUANTIFIED)
    return bool(measured) and not w.GENERIC_VERB.search(core)


def _measured(core: str) -> bool:
    """Tell whether a part holds a unit, a value in a word, or the name of something that has values."""
    return bool(MEASURE.search(core) or _VALUE.search(core) or _FIELD.search(core) or w.LEVEL.search(core))


def _main(core: str) -> str:
    """Return the main clause of a part: what stands before a clause that depends on it."""
    below = _BELOW.search(core, _HEAD)
    return core if below is None else core[: below.start()]


def _happened(core: str) -> bool:
    """Tell whether the main clause is in the past; "has been" tells it of one case in a short line alone."""
    main = _main(_PASSIVE.sub(" ", _ATTRIBUTE.sub(" ", core)))
    if len(core.split()) > _NOTE or not w.SUBJECT.match(core):
        main = _PERFECT.sub(" ", main)
    return w.PAST.search(main) is not None


def _found(core: str) -> bool:
    """Tell whether a part begins with a finding or a result of this case: "the rash", "both plaques", "the RNA finding"."""
    article = w.SUBJECT.match(core)
    if w.RESULT.match(core):
        return True
    if article is None:
        return False
    first = next(iter(mentions(core)), None)
    known = concept(first.concept) if first is not None else None
    return (
        first is not None
        and known is not None
        and known.kind in _FOUND
        and first.start - article.end() <= _CLOSE
    )


def _valued(text: str) -> bool:
    """Tell whether a line is a name and its value: "Stage: IIA"."""
    label = LABEL.match(text)
    if label is None:
        return False
    value = text[text.index(":") + 1 :]
    if w.GENERIC_VERB.search(label[0]) and not w.PAST.search(label[0]):
        return (
            False  # "Insulin has three characteristics: onset, .." is a sentence, and no name with its value
        )
    if w.LEVEL.search(value) or kinds_in(text):
        return True
    return DIGIT.search(value) is not None and _measured(text)
