"""What a sentence of an answer is: an assertion about this patient, or a question, a plan, a hypothesis, general knowledge.

Only assertions are claims. Conflict, withdrawal and premise are read here too, by cue.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from percuss.protocols.stressors.check.declared import without_declarations
from percuss.protocols.stressors.check.trajectory import Said
from percuss.protocols.stressors.questions import Question
from percuss.text.quantities import quantities
from percuss.text.sentences import is_finished, is_heading, split

__all__ = [
    "Assertion",
    "assertions",
    "is_explaining",
    "is_missing_cue",
    "lines",
    "unnumbered",
]

Type = Literal["numeric", "other", "evidence"]
State = Literal["asserted", "premise", "questioned", "withdrawn"]

_MISSING = re.compile(
    r"\b(?:missing|not (?:yet )?(?:available|provided|given|reported|known|documented|included|told)|unavailable|lacking|lack of|"
    r"without (?:the )?results?|no (?:information|data|results?) (?:on|about|for|of)|absence of (?:the )?(?:results?|data)|unknown|outstanding)\b",
    re.IGNORECASE,
)
_NEED = re.compile(
    r"\b(?:need(?:s|ed)?|require[sd]?|request\w*|order(?:ed|ing)?|obtain\w*|await\w*|pending|would (?:like|want|help|be (?:useful|helpful))|"
    r"recommend\w*|should (?:be|have|undergo)|further (?:tests?|work-?up|investigations?|evaluation)|next step|plan\b|perform\w* (?:a|an|the))\b",
    re.IGNORECASE,
)
_HYPOTHESIS = re.compile(
    r"\b(?:likely|unlikely|probabl[ey]|possibl[ey]|suggest\w*|consistent with|compatible with|differential|may|might|could|"
    r"suspect\w*|diagnos\w+|favou?rs?|points? (?:to|towards)|raises?|concern\w*|consider\w*|rule[sd]? out|assessment|indicates?|indicative)\b",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"^(?:if|when|in general|generally|typically|usually|commonly|patients? with|the normal|normal range|definitive|treatment)\b|"
    r"\b(?:typically|usually|commonly|is defined as|normal range|reference range|per guidelines?|in most (?:cases|patients))\b",
    re.IGNORECASE,
)
_PROCESS = re.compile(
    r"^(?:i (?:have |am |will |would |do )?(?:weigh\w*|consider\w*|review\w*|took|take|not(?:e|ed) that|look\w*|base\w*|maintain|keep|revis\w+|updat\w+|"
    r"chang\w+|remain|agree|cannot|can't|apologi[sz]e|understand)|let me|based on|here is|my (?:assessment|conclusion|diagnosis|impression)|"
    r"thank you|sure|answer|assessment|conclusion|summary)\b",
    re.IGNORECASE,
)
_CONFLICT = re.compile(
    r"\b(?:conflict\w*|contradict\w*|discrepan\w+|inconsisten\w+|disagree\w*|mismatch\w*|at odds|do(?:es)? not (?:match|agree|fit) with|"
    r"incompatible with (?:the )?(?:first|earlier|previous))\b",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"\b(?:explained by|explains? (?:the|this|why)|due to|because of|attributable to|result(?:s|ed)? from|caused by|secondary to|reconciled by)\b",
    re.IGNORECASE,
)
_WITHDRAW = re.compile(
    r"\b(?:i (?:now |hereby |must |have to )?(?:withdraw|retract|take back)|(?:withdraw|retract)(?:ing|ed|s)? (?:my|this|that|the) "
    r"(?:statement|claim|earlier|previous|assumption|diagnosis)|(?:was|were) (?:mistaken|not (?:in|part of) the record)|i was wrong|"
    r"should not have (?:said|stated|assumed)|disregard (?:my|the|this)|no longer (?:stands|holds)|correct (?:my|an) earlier|"
    r"was (?:my )?(?:assumption|error))\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:cannot be (?:confirmed|verified)|not confirmed|unverified|questionable|doubt\w*|needs? (?:to be )?verif\w+)\b",
    re.IGNORECASE,
)
_PREMISE = re.compile(r"^(?:because|since|given(?: that)?|as (?=the|there|this|his|her)|in view of|in light of)\b|\b(?:therefore|hence|thus|which is why|because)\b", re.IGNORECASE)  # fmt: skip
_REASON = re.compile(r"^(?:because|since|given that)\s+(?=[^;]{8})", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|takes?|took|shows?|showed|reports?|den(?:y|ies)|gives?|gave|lies|\w{3,}ed)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|(?<=:))\s*\d{1,2}[.)](?=\s)")
"""The number of an item in a list: no number of the patient."""
_DECLARES = re.compile(r"^(?:the )?(?:final |most likely |working )?(?:diagnosis|certainty)\b", re.IGNORECASE)
_BULLET = re.compile(r"^[ \t]*(?:[-*•]+|\d{1,2}[.)])?[ \t]*")


class Assertion(NamedTuple):
    """A statement about this patient with its place in the turn's text."""

    start: int
    stop: int
    text: str
    type: Type
    state: State
    explains: bool = False
    truncated: bool = False


def unnumbered(text: str) -> str:
    """Return a text with the numbers of its list items overwritten.

    Args:
        text: a sentence or item; offsets stay.
    """
    return _ORDINAL.sub(lambda m: " " * len(m.group()), text)


def is_missing_cue(sentence: str, *, need: bool = False) -> bool:
    """Tell whether a sentence says that something is missing; with `need`, also that it is needed or requested."""
    return bool(_MISSING.search(sentence)) or (need and bool(_NEED.search(sentence)))


def is_explaining(sentence: str) -> bool:
    """Tell whether a sentence explains something away by a cause."""
    return bool(_EXPLAIN.search(sentence))


def lines(said: Said) -> Iterator[tuple[int, int, str]]:
    """Yield the sentences of an answer's prose: declarations and the final list left out."""
    body = said.text if said.evidence is None else said.text[: said.evidence]
    kept = without_declarations(body)
    at = 0
    for line in kept.splitlines(keepends=True):
        for start, stop in split(line):
            yield at + start, at + stop, said.text[at + start : at + stop]
        at += len(line)


def assertions(said: Said, *, cut: bool) -> tuple[Assertion, ...]:
    """Return the assertions about this patient in an answer, the items of its final list among them.

    Args:
        said: one answer. cut: whether it was cut at the token limit; its unfinished last sentence is marked.
    """
    asked = {(q.start, q.stop) for q in said.asked}
    found = [
        each for start, stop, text in lines(said) if (each := _read(start, stop, text, said.asked, asked))
    ]
    found += _items(said)
    if cut and found and found[-1].stop >= len(said.text.rstrip()) and not is_finished(found[-1].text):
        found[-1] = found[-1]._replace(truncated=True)
    return tuple(found)


def _read(
    start: int, stop: int, text: str, asked: tuple[Question, ...], spans: set[tuple[int, int]]
) -> Assertion | None:
    if (
        (start, stop) in spans
        or any(q.start < stop and start < q.stop for q in asked)
        or text.rstrip().endswith("?")
    ):
        return None
    bare = _BULLET.sub("", text).strip("*# ")
    if is_heading(text) or not re.search(r"[a-z]", bare) or bare.lower().startswith("evidence"):
        return None
    numeric = any(not q.spelled for q in quantities(unnumbered(text)))
    kind: Type = "numeric" if numeric else "other"
    if _WITHDRAW.search(bare) or _DOUBT.search(bare):
        return Assertion(start, stop, text, kind, "withdrawn" if _WITHDRAW.search(bare) else "questioned")
    if clause := _because(start, text):
        return clause
    if is_explaining(bare) and not is_missing_cue(bare) and not _HYPOTHESIS.search(bare):
        return Assertion(start, stop, text, kind, "asserted", explains=True)
    if _CONFLICT.search(bare) or _PROCESS.match(bare) or _GENERAL.search(bare):
        return None
    if is_missing_cue(bare, need=True) or (_HYPOTHESIS.search(bare) and not numeric):
        return None
    return Assertion(start, stop, text, kind, "premise" if _PREMISE.search(bare) else "asserted")


def _because(start: int, text: str) -> Assertion | None:
    """The clause that reasoning rests on: "Because .., " whatever is concluded from it."""
    found = _REASON.match(text)
    if found is None:
        return None
    clause = _until_conclusion(text[found.end() :])
    if is_missing_cue(clause) or _HYPOTHESIS.search(clause):
        return None
    numeric = any(not q.spelled for q in quantities(clause))
    return Assertion(
        start + found.end(), start + found.end() + len(clause), clause, "numeric" if numeric else "other", "premise",
        explains=is_explaining(clause),
    )  # fmt: skip


def _until_conclusion(rest: str) -> str:
    """The reason ends at the first comma after its verb: "Liver panel, albumin" is one name."""
    parts = rest.partition(";")[0].split(", ")
    for n in range(1, len(parts) + 1):
        clause = ", ".join(parts[:n])
        if len(clause) >= 8 and _VERB.search(clause):
            return clause
    return parts[0] if len(parts[0]) >= 8 else rest


def _items(said: Said) -> Iterator[Assertion]:
    """One finding a line after EVIDENCE; a line of several findings is one item."""
    if said.evidence is None:
        return
    at = said.evidence
    for line in said.text[said.evidence :].splitlines(keepends=True):
        head = _BULLET.match(line)
        start = at + (head.end() if head else 0)
        stop = at + len(line.rstrip())
        at += len(line)
        text = said.text[start:stop]
        if re.search(r"\w\w", text) and not text.startswith("(") and not _DECLARES.match(text):
            yield Assertion(start, stop, text, "evidence", "asserted")
