"""The door of `support-2`: a claim, a packet and the question's text make one reading."""

import re

from percuss.evidence.packet import Packet
from percuss.evidence.rules.finding import LONGEST
from percuss.evidence.rules.support2.parts import Parts, clause_of, parts_of
from percuss.evidence.rules.support2.record import Hang, Outcome, Reading
from percuss.evidence.rules.support2.reference import Known, Reference, reference
from percuss.evidence.rules.support2.settled import hold
from percuss.evidence.rules.support2.wording import match
from percuss.text.concepts import Statement, compare, concept

__all__ = ["RATER", "support2"]

RATER = "rule:support-2"
"""Name of the rater in runs, passports and panels."""

_OTHER = {"male": "female", "female": "male"}
_DRESS = re.compile(r"^(?:[-*•]+|\(?\d{1,2}[.)])\s+(?=[A-Z])|\*\*|__|`")
"""Signs of a list or of emphasis, which say nothing."""
_HARD = frozenset({"quantity", "code", "dose"})
_WHEN = re.compile(
    r"\b(?:still|last|again|yet|already|ago|now|currently|once|until|after|before|during|since|when|first|next|always|recent\w*|new)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 14
"""Words of the longest claim that is held against a single fact by its words."""


def support2(claim_text: str, packet: Packet, question: str = "") -> Reading:
    """Label one claim against the one reference of its case.

    Args:
        claim_text: the claim alone; places in the result are those in it with single blanks and without list signs.
        packet: the full packet of the case, the same in every arm.
        question: the question's own text; what it says is `given`.

    Returns:
        supported, contradicted, absent (structured packets only), partial, given, or undecided with its reason.

    >>> support2("Potassium is 4.1 mmol/L.", Packet.of_layers({"labs": {"potassium": 5.9}}, units={"potassium": "mmol/L"})).label
    'contradicted'
    """
    text = _DRESS.sub("", " ".join(claim_text.split()))
    if len(text) > LONGEST:
        return Reading(label="undecided", reason="the claim is too long to be a sentence")
    parts = parts_of(text)
    if parts.denies_twice:
        return Reading(label="undecided", reason="several denials in one sentence")
    if parts.over:
        return Reading(label="undecided", reason="an end or a plan that was not read")
    held = reference(packet, question)
    by_words = (
        None
        if parts.sex
        and any(k.statement.attribute == _OTHER[parts.sex] and k.statement.present for k in held.known)
        else _by_words(text, held)
    )
    if not parts.statements:
        return by_words or Reading(label="undecided", reason="nothing that it states was read")
    if not held.structured and _WHEN.search(text) and any(s.kind == "presence" for s in parts.statements):
        return Reading(label="undecided", reason="a time that a passage isn't read for")
    hangs = tuple(_hangs(parts, held))
    found = _together(parts, held, hangs)
    if found.label == "undecided" and by_words is not None:
        return by_words
    if by_words is not None and {found.label, by_words.label} == {"supported", "contradicted"}:
        return Reading(
            label="undecided",
            reason="its statements and its words disagree",
            hangs_on=(*hangs, *by_words.hangs_on),
        )
    return found


def _by_words(text: str, held: Reference) -> Reading | None:
    if not held.structured or len(text.split()) > _MOST_WORDS:
        return None
    found = match(text, held.facts)
    if found is None:
        return None
    hang = Hang(
        text=text,
        start=0,
        stop=len(text),
        attribute="",
        outcome=found.label,
        reason=found.reason,
        path=found.path,
        value=found.value,
    )
    return Reading(label=found.label, reason=found.reason, hangs_on=(hang,))


def _hangs(parts: Parts, held: Reference) -> list[Hang]:
    def beside(word: Statement) -> Known | None:
        for other in parts.statements:
            if other.kind == "quantity" and other.attribute == word.attribute:
                return next((k for k in held.known if compare(other, k.statement).outcome == "same"), None)
        return None

    return [hold(each, parts.text, held, beside) for each in parts.statements]


def _together(parts: Parts, held: Reference, hangs: tuple[Hang, ...]) -> Reading:
    """Combine the parts of a claim; what is unread keeps it from being supported, and a clause of its own that is unread leaves it open."""
    outcomes = {hang.outcome for hang in hangs}
    wrong = outcomes & {"contradicted", "absent"}
    if not wrong:
        return _without_error(parts, held, hangs, outcomes)
    reason = _unread_clause(parts, hangs)
    if reason or (parts.moved and _soft(parts, hangs)) or parts.loose:
        return Reading(
            label="undecided", reason=reason or "a change or comparison that was not read", hangs_on=hangs
        )
    if "undecided" in outcomes and "contradicted" not in wrong:
        return Reading(label="undecided", reason=_first(hangs, "undecided"), hangs_on=hangs)
    if _coordinated(parts, hangs):
        return Reading(label="partial", reason="one part holds and another doesn't", hangs_on=hangs)
    label: Outcome = "contradicted" if "contradicted" in wrong else "absent"
    return Reading(label=label, reason=_first(hangs, label), hangs_on=hangs)


def _first(hangs: tuple[Hang, ...], outcome: str) -> str:
    return next(hang.reason for hang in hangs if hang.outcome == outcome)


def _without_error(parts: Parts, held: Reference, hangs: tuple[Hang, ...], outcomes: set[Outcome]) -> Reading:
    if "undecided" in outcomes:
        return Reading(label="undecided", reason=_first(hangs, "undecided"), hangs_on=hangs)
    if parts.unread:
        words = ", ".join(parts.text[a:b] for a, b in parts.unread[:3])
        return Reading(label="undecided", reason=f"not read: {words}", hangs_on=hangs)
    if parts.loose:
        return Reading(
            label="undecided",
            reason=f"a number that belongs to nothing sure: {parts.loose[0].text}",
            hangs_on=hangs,
        )
    if _denial_unread(parts):
        return Reading(label="undecided", reason="a denial that was not read", hangs_on=hangs)
    if parts.sex and any(
        k.statement.attribute == _OTHER[parts.sex] and k.statement.present for k in held.known
    ):
        return Reading(label="undecided", reason="it speaks of a patient of the other sex", hangs_on=hangs)
    if _unknown_end(parts, held):
        return Reading(label="undecided", reason="an end of a change that isn't recorded", hangs_on=hangs)
    if parts.bounded:
        return Reading(label="undecided", reason="a time, cause or number that was not read", hangs_on=hangs)
    if parts.moved and not any(s.word in {"rising", "falling", "stable"} for s in parts.statements):
        return Reading(label="undecided", reason="a change or comparison that was not read", hangs_on=hangs)
    label: Outcome = "given" if outcomes == {"given"} else "supported"
    return Reading(label=label, reason=_first(hangs, label), hangs_on=hangs)


def _soft(parts: Parts, hangs: tuple[Hang, ...]) -> bool:
    """Tell whether the conflict is of a kind that a word of change could explain."""
    return any(
        h.outcome == "contradicted" and s.kind in {"quantity", "word", "dose"}
        for h, s in zip(hangs, parts.statements, strict=True)
    )


def _unread_clause(parts: Parts, hangs: tuple[Hang, ...]) -> str:
    """Return a reason where a clause without any read statement has words that were not read, or a conflict is no hard one beside such words."""
    settled = {clause_of(parts, hang.start) for hang in hangs}
    for start, stop in parts.unread:
        if clause_of(parts, start) not in settled:
            return f"a clause was not read: {parts.text[start:stop]}"
    for hang, statement in zip(hangs, parts.statements, strict=True):
        beside = any(clause_of(parts, start) == clause_of(parts, hang.start) for start, _ in parts.unread)
        hard = statement.kind in _HARD or (hang.outcome == "absent" and _is_gene(statement.attribute))
        if hang.outcome in {"contradicted", "absent"} and not hard and beside:
            return "not all beside it was read"
    if _denial_unread(parts):
        return "a denial that was not read"
    return ""


def _unknown_end(parts: Parts, held: Reference) -> bool:
    """Tell whether a change is told with a number that the record doesn't hold."""
    changes = any(s.word in {"rising", "falling", "stable"} for s in parts.statements)
    return changes and any(
        n.value is not None and n.kind != "date" and n.value not in held.numbers for n in parts.numbers
    )


def _denial_unread(parts: Parts) -> bool:
    return parts.denies and not any(
        set(s.frames) & {"negated", "ruled_out", "stopped"} or s.attribute == "never smoker"
        for s in parts.statements
    )


def _is_gene(attribute: str) -> bool:
    found = concept(attribute)
    return found is not None and found.kind == "gene"


def _coordinated(parts: Parts, hangs: tuple[Hang, ...]) -> bool:
    """Tell whether a clause of its own is supported as a whole, beside one that isn't: then the claim is two statements in one."""
    right = {
        clause_of(parts, h.start)
        for h in hangs
        if h.outcome == "supported" and h.attribute not in {"male", "female"}
    }
    wrong = {clause_of(parts, h.start) for h in hangs if h.outcome in {"contradicted", "absent"}}
    return bool(right - wrong)
