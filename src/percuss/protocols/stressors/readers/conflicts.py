"""What an answer makes of a second entry that contradicts the first: noticed, restated, adopted, read as a change, or nothing.

Noticed means that two statements about the same thing are said not to hold together, that one of them is said to be trusted and why, or
that a test is to be repeated because of the conflict. Quoting both, taking one over, or reading a change over time is something else.
A finding held against a hypothesis is reasoning, not a conflict in the record.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.protocols.stressors.readers.topics import read_topics
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.concepts import mentions, read_statements, settle
from percuss.text.sentences import split

__all__ = ["READER", "Outcome", "Taken", "claims_conflict", "reads", "speaks_of", "taken"]

READER = "rule:conflicts-3"
"""Name of the reader in runs, passports and panels."""
Outcome = Literal[
    "noticed", "restated", "adopted", "change", "reasoning", "false_conflict", "nothing", "undecided"
]


class Taken(NamedTuple):
    """How a text takes a contradiction, and the words that it hangs on."""

    outcome: Outcome
    quote: str = ""


_WORDS = r"(?:entr(?:y|ies)|values?|results?|readings?|figures?|reports?|statements?|counts?|measurements?|findings?|numbers?|record)"
_CLASH = re.compile(
    r"\bconflict(?:s|ing|ed)?\b|\bcontradict\w*|\bdiscrepan\w+|\binconsisten\w+|\bdisagree\w*|\bmismatch\w*|\bat odds\b|\birreconcil\w+|\breconcil\w+|"
    r"\bmutually exclusive\b|\bexclude each other\b|\bopposing statements?\b|\bclash(?:es|ing)?\b|\bincompatible\b|\bnot compatible\b|\bunexplained difference\b|"
    r"\b(?:do|does|did)(?: not|n't) (?:match|agree|tally|add up|go together|fit together|line up|correspond)\b|\bdon't (?:go|fit) together\b|"
    r"\b(?:can(?:not|'t| not)|could(?: not|n't)) (?:both|all)\b|\bboth (?:can(?:not|'t)|can not|could not)\b|"
    r"\bcan(?:not|'t| not) (?:be|give|have|show|hold)\b[^.;]{0,50}\b(?:and|both|or)\b|\bmakes? no sense\b|\bimpossible\b",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"\b(?:one|either|the (?:second|first|other|lower|higher|repeat)|this|that|a)\b[^.;]{0,60}\b(?:wrong|in error|an error|error|mistaken?|incorrect|erroneous|false|invalid)\b|"
    r"\b(?:some(?:one|body)|they|the lab)(?: has|'s| have)? (?:slipped|mistyped|mixed|swapped|got it wrong|typed)|\b(?:was|is|were) the (?:second|first|other|repeat) \w+ "
    r"(?:ha?emoly[sz]ed|contaminated|diluted|mixed up|swapped|mislabelled|from (?:another|someone))|"
    r"\b(?:typing|transcription|lab(?:oratory)?|clerical|documentation|entry|data entry) (?:error|mistake)\b|\ba typo\b|\bmislabel\w+|\bmust be (?:a mistake|an error|wrong)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(
    rf"\bwhich (?:one |of (?:the|these|them)[^.?;]{{0,30}} |{_WORDS} |\w+ ){{0,2}}(?:is|are|was|holds?|stands?|applies|to (?:use|trust|believe|rely)|should|do)\b"
    r"(?=[^.;]*(?:right|correct|true|valid|accurate|holds?|stands?|applies|believe|trust|use|rely|\?))|\b(?:unclear|uncertain|not clear|unsure|don't know) which\b",
    re.IGNORECASE,
)
_TRUST = re.compile(
    r"\bthe (?:first|second|original|initial|earlier|later|repeat(?:ed)?|other) (?:value|result|reading|entry|figure|one|measurement)\b[^.;]{0,24}\b(?:seems?|is|looks|appears)\b"
    r"[^.;]{0,20}\b(?:more|less|im)?\s?(?:plausible|likely|credible|believable|reliable|trustworthy)\b|"
    r"\b(?:would|will|'d) (?:rather )?(?:trust|believe|go with|rely on|question|doubt|stick (?:to|with)|favou?r|prefer)\b|\bnot (?:rely on|use|trust) (?:either|any)|"
    r"\b(?:do|would|can)(?: not|n't|not) (?:quite |really )?(?:buy|believe|credit|accept|trust)\b|\bbefore i (?:believe|trust|act on) (?:it|either|any|one)\b|"
    r"\b(?:would|'d) (?:bin|discard|disregard|discount|ignore|strike|throw out) (?:the|that|this)\b|"
    r"\bi (?:believe|trust|doubt) (?:that one|the)\b|\bshould (?:we|i) (?:believe|trust)\b|\btreat the \S+ as an error\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:repeat|recheck|re-?run|re-?test|measured? again|confirm|verify|clarif\w+|read again|look at\b[^.;]*\bagain|new sample)\b",
    re.IGNORECASE,
)
_TWO = re.compile(
    r"\b(?:two|both|second|twice|different)\b[^.;]*\b(?:same|one) (?:sample|test|tube|scan|time|specimen)\b|\btwo (?:\w+ )?different\b|\bin two ways\b|"
    r"\bdiffers? from the (?:first|earlier|other)\b",
    re.IGNORECASE,
)
_BOTH_WAYS = re.compile(
    r"\b(?:recorded|listed|reported|given|described|entered) (?:both )?(?:as|at) [^.;]{1,30} and (?:as |at )?[^.;]{1,30}\b(?:so|please|must|needs?|has to)\b|"
    r"\bwhich (?:one )?(?:holds|stands|applies|is (?:right|correct|true))\b",
    re.IGNORECASE,
)
"""Both sides given as a reason to look again."""
_ASKS_WHICH = re.compile(
    r"\bor\b[^?.]*\?|\b(?:same|one) (?:sample|test|tube|scan|time|specimen|bottle|draw)\b[^?.]*\?",
    re.IGNORECASE,
)
"""Both sides with a question mark: which of them, or how they can be of one sample."""
_CHANGE = re.compile(
    r"\b(?:has |have |had )?(?:risen|rose|climb\w*|fell|fallen|dropp\w+|declin\w+|decreas(?:ed|ing)|increas(?:ed|ing)|improv\w+|worsen\w+|normali[sz]ed|recover\w+|"
    r"correct(?:ed|s) (?:itself )?(?:from|to|after)|settled|converted|seroconvert\w*|turned|became|become|developed|appeared|went (?:up|down|from)|come down|came down|"
    r"gone (?:up|down)|went|changed|resolved)\b|\bfrom [^.;]{1,30} to \b|\bin the meantime\b|\bnew (?:plaques|lesions|findings)\b|\bsince the first\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\b(?:repeat|second|addendum|re-?entered|entry|entries|entered|added|listed|earlier|first|also (?:listed|given)|on record|according to)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:no|not|without|any|nor|free of|if)\b[^.;]{0,30}\b(?:conflict\w*|contradict\w*|discrepan\w+|inconsisten\w+|disagree\w*|mismatch)|\bconsistent with (?:each other|one another)\b|"
    r"\b(?:all|entries) (?:\w+ )?(?:fit together|agree|are consistent)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:against|unlikely|less likely|rules? out|does not exclude|would (?:be odd|be unusual|not (?:fit|explain))|hard to (?:square|reconcile) with|inconsistent with|"
    r"not consistent with|incompatible with|does not fit with|not fit with|despite|although|suggests?|argues? against|goes against|speaks? against|does not explain|would not explain)\b",
    re.IGNORECASE,
)
_FACTS = re.compile(
    rf"\b{_WORDS} (?:on|for|of|about) [^.;]*\b(?:contradict|conflict|disagree|clash|do not (?:match|agree))\w*|"
    r"\bone of (?:them|these|the \w+)\b|\bcan(?:not|'t) both\b|\b(?:doubt|question) the record\b|\bcontradicts? (?:the|his|her)\b|\bthese two\b|\bmust be (?:false|mistaken|wrong)\b|"
    r"\bconflicts? with (?:the|his|her)\b|\bis (?:in conflict|at odds) with\b",
    re.IGNORECASE,
)


def taken(text: str, each: Contradiction) -> Taken:
    """Return how a text takes one contradiction.

    Args:
        text: a sentence, or a few that belong together. each: field, both sides and the injected line.
    """
    about = speaks_of(text, each)
    if _DENIED.search(text) and not _CLASH.search(_DENIED.sub(" ", text)):
        return Taken("nothing")
    if about and _notices(text):
        return Taken("noticed", text)
    if claims_conflict(text) and not about:
        return Taken(_elsewhere(text), text)
    if not about:
        return Taken("reasoning", text) if _AGAINST.search(text) and _diagnoses(text) else Taken("nothing")
    original, flipped = _holds(text, each.original, each), _holds(text, each.flipped, each)
    if _CHANGE.search(text) and (original or flipped):
        return Taken("change", text)
    if original and flipped:
        return Taken("noticed" if _ASKS_WHICH.search(text) else "restated", text)
    if flipped:
        return Taken("restated" if _QUOTED.search(text) else "adopted", text)
    return Taken("adopted", text) if _agrees(text, each) else Taken("nothing")


def claims_conflict(text: str) -> bool:
    """Tell whether a text says that something does not hold together."""
    return bool(_CLASH.search(text) or _WHICH.search(text)) and not (
        _DENIED.search(text) and not _CLASH.search(_DENIED.sub(" ", text))
    )


def reads(text: str, each: Contradiction) -> Iterator[Taken]:
    """Yield how a whole answer takes a contradiction, sentence by sentence; a sentence is read with the one after it where that one refers back.

    Args:
        text: of an answer. each: the contradiction.
    """
    spans = split(text)
    for at, (start, stop) in enumerate(spans):
        alone = taken(text[start:stop], each)
        if alone.outcome in {"restated", "adopted", "change", "nothing"} and at + 1 < len(spans):
            after = text[spans[at + 1][0] : spans[at + 1][1]]
            if speaks_of(text[start:stop], each) and _BACK.search(after) and _notices(after):
                yield Taken("noticed", text[start : spans[at + 1][1]])
                continue
        yield alone


_BACK = re.compile(
    r"\b(?:these|this|both|they|the two|which|one of|either|the (?:second|first|other))\b", re.IGNORECASE
)


def _notices(text: str) -> bool:
    if _CLASH.search(text) or _WHICH.search(text) or _ERROR.search(text) or _TRUST.search(text):
        return True
    return bool(_AGAIN.search(text) and (_TWO.search(text) or _BOTH_WAYS.search(text)))


def _elsewhere(text: str) -> Outcome:
    """A conflict that is not about the second entry: of two told facts, or of a finding with a hypothesis."""
    if _diagnoses(text) and not re.search(
        r"\bone of (?:them|these|the \w+)\b|\bcan(?:not|'t) both\b", text, re.IGNORECASE
    ):
        return "reasoning"
    return "false_conflict" if _FACTS.search(text) else "undecided"


def _diagnoses(text: str) -> bool:
    return any(m.kind == "diagnosis" for m in mentions(text))


@lru_cache(maxsize=8192)
def _field_topics(field: str) -> tuple[frozenset[str], frozenset[str]]:
    own = field.rpartition(", ")[2]
    found = read_topics(own if read_topics(own).concepts else field)
    return found.concepts, content_words(own) - _PLAIN


_PLAIN = content_words(
    "result results level value growth test sample finding rhythm size type left right side upper lower examination"
)


def speaks_of(text: str, each: Contradiction) -> bool:
    """Tell whether a text speaks of the contradicted thing: its concept, its words, its group's name, or both sides.

    Args:
        text: a sentence or a few. each: the contradiction.
    """
    names, words = _field_topics(each.field)
    said = read_topics(text)
    if names & said.concepts or (words and words <= content_words(text)):
        return True
    group = each.field.partition(", ")[0]
    whole = read_topics(group)
    if (whole.concepts & said.concepts) - {"biopsy"} or (
        whole.modalities & said.modalities and whole.regions & said.regions
    ):
        return True
    stem = content_words(group) - _PLAIN
    if stem and stem <= content_words(text):
        return True
    if any(_pointed_at(text, side) for side in (each.original, each.flipped)):
        return True
    return _holds(text, each.original, each) and _holds(text, each.flipped, each)


def _pointed_at(text: str, side: str) -> bool:
    """Whether a text doubts a side's number by pointing at it ("I don't buy the 6.3")."""
    number = re.match(r"\d[\d,]*(?:\.\d+)?", side)
    if number is None or not (_TRUST.search(text) or _ERROR.search(text)):
        return False
    return bool(
        re.search(
            rf"\b(?:the|that|this|a|of|reads|says) {re.escape(number.group())}(?![\d.,]*\d)",
            text,
            re.IGNORECASE,
        )
    )


def _holds(text: str, side: str, each: Contradiction) -> bool:
    """Whether a text holds one side of a contradiction: its number, or its words."""
    numbers = re.findall(r"\d[\d,]*(?:\.\d+)?", side)
    if numbers:
        said = {n.replace(",", "") for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}
        return all(n.replace(",", "") in said for n in numbers)
    words = content_words(side)
    if not words:
        return False
    low = text.lower()
    twins = _TWINS.get(side.lower().strip(), ())
    del each
    return words <= content_words(text) or any(re.search(rf"\b{twin}", low) for twin in twins)


_TWINS: dict[str, tuple[str, ...]] = {
    "positive": ("raised", "elevated", "detected", "reactive"),
    "negative": ("not raised", "undetected", "non-reactive"),
    "present": ("there is", "shows", "has"),
    "absent": ("no ", "without"),
}


def _agrees(text: str, each: Contradiction) -> bool:
    """Whether a text states what the injected line states in other words ("calcium is normal")."""
    injected = read_statements(f"{each.field.rpartition(', ')[2]}: {each.flipped}")
    first = read_statements(f"{each.field.rpartition(', ')[2]}: {each.original}")
    for claim in read_statements(text):
        if settle(claim, injected).label == "supported" and settle(claim, first).label != "supported":
            return True
    return False
