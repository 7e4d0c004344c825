"""Speech acts by rule: whether a sentence asserts, hedges, tells what data there are, teaches, heads, or does none of these.

The definition is that of `grounding`, version 2 ("What is counted"): a specific of this case is an assertion wherever it stands;
said as likely it is hedged. A compound does what its strongest part does: assertion, hedged, availability, general.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from percuss.text.acts import words as w
from percuss.text.acts.asking import asks_only
from percuss.text.acts.asserting import NOTE, asserted
from percuss.text.acts.outcome import ACTS, Act, Outcome
from percuss.text.acts.signs import (
    COMMON,
    DENIAL,
    DRUGS,
    LABEL,
    MEASURE,
    MEASURED,
    PLAN,
    TOKEN,
    answers,
    counts,
    kinds_in,
    of_somebody,
    on_topic,
    opens_with,
    verbal,
)  # fmt: skip
from percuss.text.sentences import is_heading

__all__ = ["ACTS", "SPEECH_ACT", "Act", "Outcome", "speech_act"]

SPEECH_ACT = "rule:speech-act-2"
"""Name and version of the reader."""


_ENUMERATED = re.compile(r"^\W*(?:\d{1,2}[.)]\s+)+|(?<=[.!?])\s\d{1,2}\.$")
_LEADING_HEDGE = re.compile(
    r"^\W*(?:possibly|probably|perhaps|presumably|maybe|likely|potentially)\b", re.IGNORECASE
)
_CUT = re.compile(
    r";\s+|,?\s+but\s+|,\s+(?:and|yet|so)\s+(?=(?:the|she|he|they|it|we|i|there|this|her|his|their|no|nothing)\b)"
    r"|,\s+(?=(?:he|she|they|we|there|(?!which|who|whose|as|that|because|since|with|although|though|if|when|while|where|indicating|suggesting)(?:[\w-]{1,20}\s){1,5}(?:is|was|are|were))\s)|\.\s+(?=[A-Z])|\s+and\s+(?=(?:[\w-]{1,20}\s){1,4}(?:is|was|are|were)\s)",
    re.IGNORECASE,
)
_BOUND = re.compile(r"\b(?:when|if|unless|under|over|within|above|below)\b", re.IGNORECASE)
_PART_HEDGED = re.compile(
    r",?\s(?:and|or)\s(?:possibly|probably|perhaps|maybe)\s|\bpossible\s(?:side\seffects?|risk\sfactors?\sin\s\d)|\bits\spossible\b",
    re.IGNORECASE,
)
_MEDIAL = re.compile(
    r",\s(?:which|who)\s(?:is|was)\s(?:an?|the)\s(?:high|low|raised|reduced|positive|negative)\b.{3,200}?,\s\w+",
    re.IGNORECASE,
)
_PATIENT = re.compile(
    r"\b(?:this|the)\s(?:patient|child|man|woman|boy|girl|infant|pregnancy|injury)|\bpatient['’]s",
    re.IGNORECASE,
)
_POINTS = re.compile(r"^\W*(?:this|it|these|that)\s(?:is|are)\s(?:also\s)?(?:an?|the|one)\s", re.IGNORECASE)


_SHORTEST, _NEAR = 6, 120  # characters of a part, and in which its verb must stand
_EVENTS = frozenset({"finding", "diagnosis", "drug", "drug_class", "procedure", "organism"})
_EVIDENCE = frozenset({"finding", "analyte", "vital", "test", "anatomy", "score"})
_MAY = re.compile(r"\b(?:may|might|can)\s[a-z]", re.IGNORECASE)
_HABITUAL = re.compile(r"\b(?:can|will|must|should|may|when|if|is|are|within)\b", re.IGNORECASE)
_UNSURE, _TOPIC = "a habit or an event", "knowledge, or what the passage says of its topic"
_WAS = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
_TITLE = 8
_STUCK = re.compile(r"^\W*(\w+)(?:\s\1\b){2,}", re.IGNORECASE)
_WHAT_SHOWED = re.compile(
    r"^\W*(?:what|how|why)\s(?:the|this|his|her)\s(?:[\w-]{1,20}\s){1,3}(?:showed|shows?|says?|said|tells?|means?|found)\W*$",
    re.IGNORECASE,
)
_FEW, _SAME = 3, 0.85  # an echo has more words than that, and this share of them is the question's
_ASKS = re.compile(
    r"^\W*(?:summari[sz]e|describe|explain|list|name|give|write|what|how|why|when|which|is|are|does|do|did|can|could|should|would|will)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def speech_act(sentence: str, question: str = "") -> Outcome:
    """Tell what a sentence does.

    Args:
        sentence: a sentence or a line, as `sentences.split` gives it. question: what was asked, the same in every arm; "" = not known.

    Returns:
        The act with its reason; act None = undecided.

    >>> [speech_act(text).act for text in ("Potassium was 5.9.", "She may have sepsis.", "No ECG is on file.")]
    ['assertion', 'hedged', 'availability']
    """
    text = sentence.strip().replace("’", "'")
    bare = _ENUMERATED.sub("", text).strip(" \t*_#`>|\"“”'")
    frame = _no_claim(text, bare, question)
    if frame is not None:
        return frame
    leading = _LEADING_HEDGE.match(bare)
    found = [_part(part, question) for part in _parts(bare)]
    best = min(_without_items(found), key=_strength)
    if leading and best.act in {"assertion", "general", None}:
        rest = speech_act(bare[leading.end() :].lstrip(" ,"), question)
        if rest.act == "general":
            return rest
        return Outcome("hedged", f"opens with '{leading[0].strip().lower()}'")
    return best


def _without_items(found: list[Outcome]) -> list[Outcome]:
    """Leave out notes that follow knowledge in one sentence: the items of its list do what the sentence does."""
    if found[0].act != "general":
        return found
    return [each for each in found if each.reason != NOTE]


def _strength(outcome: Outcome) -> int:
    """Return the rank of an outcome among the parts of a sentence; an undecided part is stronger than teaching."""
    return {"assertion": 0, "hedged": 1, "availability": 2, None: 3, "general": 4, "heading": 5, "none": 6}[
        outcome.act
    ]


def _parts(text: str) -> Iterator[str]:
    start = 0
    for cut in _CUT.finditer(text):
        before, after = text[start : cut.start()], text[cut.end() : cut.end() + _NEAR]
        if min(len(before), len(after)) >= _SHORTEST and (
            cut[0][0] == ";" or (verbal(before) and verbal(after))
        ):
            yield text[start : cut.start()]
            start = cut.end()
    yield text[start:]


def _no_claim(text: str, bare: str, question: str) -> Outcome | None:
    """Return heading or none where a line is no statement at all."""
    if not re.search(r"[^\W\d_]{2}", bare) or _STUCK.search(bare):
        return Outcome("none", "no word, or one again and again")
    if w.IDENTITY.sub("", bare).strip(" .:,-#0123456789") == "":
        return Outcome("none", "an identifier")
    if w.COURTESY.search(bare) and not w.PERSON.search(w.COURTESY.sub("", bare)):
        return Outcome("heading" if bare.endswith(":") else "none", "courtesy")
    if asks_only(bare):
        return Outcome("none", "a question that takes nothing for granted")
    if question and (echo := _echoes(bare, question)):
        return Outcome("none" if "?" in bare or _ASKS.match(bare) else "heading", echo)
    if bare.rstrip("* _").endswith(":") and not w.LEVEL.search(bare) and len(bare) < 200:
        return Outcome("heading", "ends in a colon")
    if _titled(bare) or _WHAT_SHOWED.match(bare):
        return Outcome("heading", "a title")
    if w.ASKED_HEADING.match(bare) or (is_heading(text) and not w.LEVEL.search(bare)):
        return Outcome("heading", "a heading")
    if text.startswith(("**", "#")) and text.rstrip().endswith(("**", "#")) and not w.VERB.search(bare):
        return Outcome("heading", "a marked line without a verb")
    return None


def _titled(bare: str) -> bool:
    """Tell whether a line is a title that names no finding, disease or drug."""
    words = bare.rstrip(":").split()
    if (
        not 1 < len(words) <= _TITLE
        or bare[-1] in ".!?,"
        or w.PERSON.search(bare)
        or counts(bare)
        or w.LEVEL.search(bare)
    ):
        return False
    big = sum(
        word[0].isupper() or word.lower() in {"of", "and", "the", "in", "for", "to", "on", "with", "a"}
        for word in words
    )
    return (
        big == len(words)
        and not w.VERB.search(bare)
        and not LABEL.match(bare)
        and not kinds_in(bare) & _EVENTS
    )


def _echoes(bare: str, question: str) -> str:
    """Tell whether a line is the question said again."""
    mine, asked = set(TOKEN.findall(bare.lower())), set(TOKEN.findall(question.lower()))
    if _ASKS.match(bare) and len(mine) > _FEW and len(mine & asked) >= _SAME * len(mine):
        return "the question again"
    if "?" not in bare and (w.VERB.search(bare) or w.PAST.search(bare)):
        return ""
    if len(mine) > _FEW and len(mine & asked) >= _SAME * len(mine):
        return "the question again"
    return ""


def _part(text: str, question: str) -> Outcome:
    """Read one part of a sentence."""
    person = of_somebody(text)
    cut = w.RELATIVE.search(text)
    core = text[: cut.start()] if cut and cut.start() >= 12 else text
    specific = _specific(text, core)
    lack = w.LACK.search(text)
    if lack and lack.start() >= len(core) and (person or specific):
        lack = None  # an aside: "she was admitted for a stroke, though no scan is on file"
    told = w.TOLD.search(text)
    if told and kinds_in(told["what"]) & _EVENTS:
        lack = None  # "no complications were reported" denies them
    if lack and not (specific and _beyond(text, lack)):
        return Outcome("availability", f"a lack: '{lack[0].strip()}'")
    shown = w.PRESENTED.search(core)
    if shown and not w.LEVEL.search(core) and not counts(core):
        return Outcome("availability", f"what is there: '{shown[0].strip()}'")
    if _MEDIAL.search(text):
        return Outcome("assertion", "a specific in a clause of its own")
    hedge = _hedge(core)
    if w.LIKELIEST.search(core):
        return _likeliest(text)
    general = _general(core, question, person=person)
    if general in {_UNSURE, _TOPIC}:
        return Outcome(None, general)
    if general:
        return Outcome("general", general)
    if hedge:
        return Outcome("hedged", f"'{hedge}'")
    return asserted(core, text, question, person=person, specific=specific)


def _likeliest(text: str) -> Outcome:
    """Read a part that names the likeliest diagnosis: what it rests on is an assertion where it is a fact of this case."""
    reason = w.REASON.search(text)
    rest = "" if reason is None else text[reason.end() :]
    if counts(rest) or (kinds_in(COMMON.sub(" ", rest)) & _EVIDENCE and not w.HEDGE.search(rest)):
        return Outcome("assertion", "a likely name for a fact of this case")
    return Outcome("hedged", "the likeliest name")


def _hedge(core: str) -> str:
    found = w.HEDGE.search(_PART_HEDGED.sub(" ", core))
    return found[0].strip() if found else ""


def _specific(text: str, core: str) -> bool:
    """Tell whether a value, level, side, date or event of one case is named."""
    return bool(counts(text) or w.LEVEL.search(core) or w.SIDE.search(core) or w.PAST.search(core))


def _beyond(text: str, lack: re.Match[str]) -> bool:
    """Tell whether a specific stands outside the words of a lack: "RNA is missing, purity is high"."""
    rest = text[: lack.start()] + " # " + text[lack.end() :]
    return bool(counts(rest) and not w.GENERIC.search(rest))


def _general(core: str, question: str, *, person: bool) -> str:
    """Return why a part is knowledge, advice or appraisal; "" where it isn't."""
    told = _told_to_all(core, person=person)
    if told:
        return told
    if w.APPRAISAL.search(core) and not counts(core):
        rest = w.APPRAISAL.sub(" ", core)
        if not (w.LEVEL.search(rest) or w.PAST.search(rest) or w.DISEASE.search(rest)):
            return "appraisal"
    about = w.STUDY.search(core) is not None and not _PATIENT.search(question)
    bare = not (about or _specific(core, core) or w.DISEASE.search(core))
    if bare and w.ABSTRACT.search(core) and not kinds_in(COMMON.sub(" ", core)) & _EVENTS:
        return "words that no record can confirm"
    if w.ADVICE.search(core) and not (
        counts(core) or w.LEVEL.search(core) or w.PAST.search(core) or kinds_in(core) & _EVENTS
    ):
        return "advice"
    if w.IMPLIES.match(core) and not (person or w.PAST.search(core)):
        return "a rule with a limit"
    about |= w.RESULT.match(core) is not None and w.LEVEL.search(core) is not None
    if person or about or LABEL.match(core) or DENIAL.match(core):
        return ""
    topic = on_topic(core, question)
    if w.GENERIC.search(core) and not (MEASURE.search(core) or _WAS.search(core)):
        return "" if topic and "should" in core and not w.PAST.search(core) else "holds for many"
    if (
        w.PAST.search(core)
        or w.SIDE.search(core)
        or answers(core, question)
        or (MEASURE.search(core) and not _BOUND.search(core))
    ):
        return ""
    if w.SUMMED.search(core) and not (w.LEVEL.search(core) or counts(core)):
        return "what evidence in general shows"
    known = "holds for many" if w.MANY.search(core) else _generic(core)
    return _TOPIC if known and topic else known


def _told_to_all(core: str, *, person: bool) -> str:
    """Return why a part is told to anybody, by the words that it begins with or that bound it; "" where it isn't."""
    if w.PRAISE.search(core) and not counts(core):
        return "praise"
    if w.ORDER.match(core) and not (counts(core) or w.LEVEL.search(core) or w.SOMEBODY.search(core)):
        return "advice"
    if w.DUTY.match(core) and not (counts(core) or w.PAST.search(core)):
        return "advice"
    if person or w.PAST.search(core) or w.STUDY.search(core):
        return ""
    if w.LIMIT.search(core):
        return "a rule with a limit"
    return "holds for many" if w.USUAL.search(core) else ""


def _generic(core: str) -> str:
    """Return why a part without any sign of a case is knowledge; "" where it isn't."""
    if w.HABIT.match(core):
        return "a line of advice"
    if w.SUBJECT.match(core) and counts(core) and not _BOUND.search(core):
        return ""
    if w.GENERIC_KIND.search(core) or _POINTS.match(core):
        return "says what a thing is"
    if _MAY.search(core) and opens_with(core, DRUGS):
        return "what a drug may do"
    if PLAN.match(core) or w.STATE.search(core) or w.HEDGE.search(core) or not w.GENERIC_VERB.search(core):
        return ""
    if not _HABITUAL.search(core) and opens_with(core, MEASURED):
        return _UNSURE  # "sputum grows pneumococci" against "troponin rises within hours"
    return "a habit, not an event"
