"""What the parts of a claim are worth together, and what keeps them from being called supported or wrong."""

from percuss.evidence.rules.support2.changes import unknown_end
from percuss.evidence.rules.support2.compared import TOTAL
from percuss.evidence.rules.support2.parts import Parts, clause_of, words_of_clause
from percuss.evidence.rules.support2.record import Hang, Outcome, Reading
from percuss.evidence.rules.support2.reference import Reference
from percuss.evidence.rules.support2.settled import BY_AMOUNT
from percuss.evidence.rules.support2.sexes import SEXES, stands_alone
from percuss.evidence.rules.support2.wording import stems
from percuss.text.concepts import concept
from percuss.text.cued import Cued
from percuss.text.numbers import Number, numbers

__all__ = ["coordinated", "first", "of_other_sex", "together"]

_OTHER_SEX = {"male": "female", "female": "male"}
_HARD = frozenset({"quantity", "code", "dose"})
_TAIL = Cued(
    r",\s(?:which|who|whose|indicating|suggesting|making|reflecting|implying|highlighting|so|thus|and\stherefore)\b"
)
"""Where what follows is added to a main clause: no tail makes a wrong clause right."""


def together(parts: Parts, held: Reference, hangs: tuple[Hang, ...]) -> Reading:
    """Combine the parts of a claim; what is unread keeps it from being supported, and a clause of its own that is unread leaves it open."""
    outcomes = {hang.outcome for hang in hangs}
    wrong = outcomes & {"contradicted", "absent"}
    if not wrong:
        return _without_error(parts, held, hangs, outcomes)
    reason = _unread_clause(parts, hangs)
    if reason or (parts.moved() and _soft(parts, hangs)) or parts.loose:
        return Reading(
            label="undecided", reason=reason or "a change or comparison that was not read", hangs_on=hangs
        )
    if "undecided" in outcomes and "contradicted" not in wrong:
        return Reading(label="undecided", reason=first(hangs, "undecided"), hangs_on=hangs)
    if coordinated(parts, hangs):
        return Reading(label="partial", reason="one part holds and another doesn't", hangs_on=hangs)
    label: Outcome = "contradicted" if "contradicted" in wrong else "absent"
    return Reading(label=label, reason=first(hangs, label), hangs_on=hangs)


def first(hangs: tuple[Hang, ...], outcome: str) -> str:
    """Return the reason of the first part with an outcome."""
    return next(hang.reason for hang in hangs if hang.outcome == outcome)


def _without_error(parts: Parts, held: Reference, hangs: tuple[Hang, ...], outcomes: set[Outcome]) -> Reading:
    if "undecided" in outcomes:
        return Reading(label="undecided", reason=first(hangs, "undecided"), hangs_on=hangs)
    left = _left(parts, hangs)
    if left:
        words = ", ".join(parts.text[a:b] for a, b in left[:3])
        return Reading(label="undecided", reason=f"not read: {words}", hangs_on=hangs)
    loose = _loose(parts, hangs)
    if loose:
        return Reading(
            label="undecided",
            reason=f"a number that belongs to nothing sure: {loose[0].text}",
            hangs_on=hangs,
        )
    if _denial_unread(parts):
        return Reading(label="undecided", reason="a denial that was not read", hangs_on=hangs)
    if of_other_sex(parts, held):
        return Reading(label="undecided", reason="it speaks of a patient of the other sex", hangs_on=hangs)
    if not any(hang.reason == BY_AMOUNT for hang in hangs) and unknown_end(parts, held):
        return Reading(label="undecided", reason="an end of a change that isn't recorded", hangs_on=hangs)
    if parts.bounded():
        return Reading(label="undecided", reason="a time, cause or number that was not read", hangs_on=hangs)
    if parts.moved() and not any(s.word in {"rising", "falling", "stable"} for s in parts.statements):
        return Reading(label="undecided", reason="a change or comparison that was not read", hangs_on=hangs)
    label: Outcome = "given" if outcomes == {"given"} else "supported"
    return Reading(label=label, reason=first(hangs, label), hangs_on=hangs)


def of_other_sex(parts: Parts, held: Reference) -> bool:
    """Tell whether the pronouns of a claim are of the sex that the record's patient isn't."""
    sex = parts.sex()
    return bool(sex) and any(
        k.statement.attribute == _OTHER_SEX[sex] and k.statement.present for k in held.known
    )


def _left(parts: Parts, hangs: tuple[Hang, ...]) -> list[tuple[int, int]]:
    """Return the unread words that aren't words of the very facts that support the claim."""
    held: set[str] = set()
    for hang in filter(lambda each: each.path, hangs):
        held |= stems(f"{hang.path} {hang.value}".replace("_", " ").replace(".", " "))
        held |= stems("total") if hang.reason == TOTAL else set()
    return [
        (a, b) for a, b in parts.unread() if not stems(parts.text[a:b]) or not stems(parts.text[a:b]) <= held
    ]


def _loose(parts: Parts, hangs: tuple[Hang, ...]) -> list[Number]:
    """Return the unbound numbers that don't stand in the very facts that support the claim."""
    held = {n.value for hang in hangs if hang.path for n in numbers(hang.value)}
    return [n for n in parts.loose if n.value is None or n.value not in held]


def _soft(parts: Parts, hangs: tuple[Hang, ...]) -> bool:
    """Tell whether the conflict is of a kind that a word of change could explain."""
    return any(
        h.outcome == "contradicted" and s.kind in {"quantity", "word", "dose"}
        for h, s in zip(hangs, parts.statements, strict=True)
    )


def _unread_clause(parts: Parts, hangs: tuple[Hang, ...]) -> str:
    """Return a reason where a clause without any read statement has words that were not read, or a conflict is no hard one beside such words."""
    settled = {clause_of(parts, hang.start) for hang in hangs}
    tail = _TAIL.search(parts.text)
    wrong = [hang.start for hang in hangs if hang.outcome in {"contradicted", "absent"}]
    beyond = tail.start() if tail is not None and min(wrong) < tail.start() else len(parts.text)
    left: set[int] = set()
    for start, stop in parts.unread():
        if start < beyond:
            left.add(clause := clause_of(parts, start))
            if clause not in settled:
                return f"a clause was not read: {parts.text[start:stop]}"
    for hang, statement in zip(hangs, parts.statements, strict=True):
        if not left or hang.outcome not in {"contradicted", "absent"}:
            continue
        hard = statement.kind in _HARD or (hang.outcome == "absent" and _is_gene(statement.attribute))
        if not hard and clause_of(parts, hang.start) in left:
            return "not all beside it was read"
    if _denial_unread(parts):
        return "a denial that was not read"
    return ""


def _denial_unread(parts: Parts) -> bool:
    return parts.denies and not any(
        set(s.frames) & {"negated", "ruled_out", "stopped"} or s.attribute == "never smoker"
        for s in parts.statements
    )


def _is_gene(attribute: str) -> bool:
    found = concept(attribute)
    return found is not None and found.kind == "gene"


def coordinated(parts: Parts, hangs: tuple[Hang, ...]) -> bool:
    """Tell whether a clause of its own is supported as a whole, beside one that isn't: then the claim is two statements in one."""
    right = {
        clause_of(parts, h.start)
        for h in hangs
        if h.outcome == "supported"
        and (h.attribute not in SEXES or stands_alone(words_of_clause(parts, h.start)))
    }
    wrong = {clause_of(parts, h.start) for h in hangs if h.outcome in {"contradicted", "absent"}}
    return bool(right - wrong)
