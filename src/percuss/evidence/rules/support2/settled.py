"""One statement of a claim against the reference: what supports it, what contradicts it, or why nothing can be said."""

import re
from collections.abc import Callable
from decimal import Decimal

import msgspec

from percuss.evidence.rules.support2.absence import EMPTY, absence
from percuss.evidence.rules.support2.changes import series
from percuss.evidence.rules.support2.compared import LEVELS, compared, kind_of
from percuss.evidence.rules.support2.record import Hang, Outcome
from percuss.evidence.rules.support2.reference import Known, Nearby, Reference, near
from percuss.evidence.rules.support2.tables import level_row
from percuss.text.concepts import Statement, compare, relation, with_parents
from percuss.text.concepts.fitting import STANDING, direction_of

__all__ = ["BY_AMOUNT", "hold"]

BY_AMOUNT = "by the first and the last value"

_FRAMES = frozenset({"negated", "ruled_out", "historical", "stopped", "possible", "family"})
_STAGES = {
    "early": frozenset({"0", "I", "II"}),
    "locally advanced": frozenset({"III"}),
    "advanced": frozenset({"III", "IV"}),
    "metastatic": frozenset({"IV"}),
}
_STAGE_NOT = {
    "early": frozenset({"III", "IV"}),
    "locally advanced": frozenset({"0", "I", "IV"}),
    "advanced": frozenset({"0", "I"}),
    "metastatic": frozenset({"0", "I", "II"}),
}
_NEAR = Decimal("0.04")
"""A standardised value so near to zero is on neither side."""
_COMMON = frozenset(map(Decimal, (0, 1, 2, 3)))
"""Numbers that stand in any record."""
_RULED_OUT = re.compile(r"\b(?:ruled out|excluded|denied|absent|no|not|without|free)\b", re.IGNORECASE)
_BY = re.compile(
    r"\b(?:rose|risen|fell|fallen|increased|decreased|dropped|improved|worsened|climbed|sank|went\s(?:up|down)|came\sdown|up|down|gained|lost|reduced|declined)\s(?:again\s)?by\s(?:about\s)?$",
    re.IGNORECASE,
)
_FELL = re.compile(
    r"\b(?:fell|fallen|decreased|dropped|sank|down|lost|reduced|declined)\b|\b(?:NIHSS|DAS28|score)\b.*\bimproved\b",
    re.IGNORECASE,
)
_TIGHT = 26
"""Characters between an attribute and a number that leave no doubt whose it is."""

_PLAN = re.compile(
    r"(?:^|[._])(?:plan(?:ned)?|proposed|proposal|intended|scheduled)(?:[._]|$)", re.IGNORECASE
)
"""Places of a record that tell what is to be done."""

Settled = tuple[Outcome, str, Known | None]


def hold(
    claim: Statement, text: str, reference: Reference, beside: Callable[[Statement], Known | None]
) -> Hang:
    """Hold one statement of a claim against the reference.

    Args:
        claim: the statement. text: the claim. reference: the case.
        beside: the record that proves a number of the same attribute in the same claim, or None.
    """
    outcome, reason, record = _by_amount(claim, text, reference) or _settled(claim, text, reference, beside)
    if (
        outcome in {"contradicted", "absent"}
        and claim.kind in {"quantity", "dose"}
        and not (reason == EMPTY and claim.number is not None and claim.number.unit)
        and _elsewhere(claim, text, reference, record)
    ):
        outcome, reason, record = "undecided", "its number stands elsewhere in the record", None
    if outcome == "contradicted" and "possible" in claim.frames and _RULED_OUT.search(text):
        outcome, reason, record = "undecided", "possibly denied, or denied for sure", None
    return Hang(
        text=text[claim.start : claim.stop], start=claim.start, stop=claim.stop, attribute=claim.attribute, outcome=outcome, reason=reason,
        path=record.path if record else "", value=record.value if record else "",
    )  # fmt: skip


def _by_amount(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Hold "DAS28 fell by 2.4" against the first and last value of a series; None for a number that is no amount of change."""
    number = claim.number
    if claim.kind != "quantity" or number is None or number.value is None:
        return None
    if not _BY.search(text, 0, number.start):
        return None
    held = near(reference, claim.attribute)
    values = series(held, claim.attribute)
    if len(values) < 2:
        return "undecided", "a change of which one end is recorded", None
    moved = values[-1] - values[0]
    fell = _FELL.search(text) is not None
    right = abs(abs(moved) - number.value) <= Decimal("0.5").scaleb(-number.decimals) and (moved < 0) == fell
    return (
        ("supported" if right else "contradicted"),
        BY_AMOUNT,
        next(k for k in held if k.statement.number and k.statement.number.value == values[-1]),
    )


def _elsewhere(claim: Statement, text: str, reference: Reference, record: Known | None) -> bool:
    """Tell whether the number is recorded as something else: then it may have been bound to the wrong thing."""
    number = claim.number
    if number is None or number.value is None or number.value in _COMMON or number.unit == "pack-year":
        return False
    if (
        record is not None
        and not claim.derived
        and (
            claim.start == number.start
            or ("," not in (gap := text[claim.stop : number.start]) and 0 < len(gap) <= _TIGHT)
        )
    ):
        return False
    half = Decimal("0.5").scaleb(-number.decimals)
    shares = (Decimal(1), Decimal(100)) if number.unit == "%" else (Decimal(1),)
    return any(abs(value * share - number.value) <= half for value in reference.numbers for share in shares)


def _settled(
    claim: Statement, text: str, reference: Reference, beside: Callable[[Statement], Known | None]
) -> Settled:
    if claim.others:
        return "undecided", "an abbreviation with several meanings", None
    plan = _of_plan(claim, reference) if "planned" in claim.frames else None
    if plan is not None:
        claim = msgspec.structs.replace(claim, frames=tuple(f for f in claim.frames if f != "planned"))
        reference = plan
    if set(claim.frames) - _FRAMES:
        return "undecided", "not said as a fact of now", None
    if claim.kind == "named":
        return "undecided", "no value is read", None
    if claim.attribute == "immune tier" and claim.word.startswith("tier "):
        return _tier(claim, reference)
    of_list = _allergic(claim, reference)
    if of_list is not None:
        return of_list
    if claim.attribute == "stage band":
        return _stage_band(claim, reference)
    claim = _as_history(claim)
    if claim.kind == "word" and claim.word in LEVELS:
        placed = _by_level(claim, reference, beside(claim))
        if placed is not None:
            return placed
    found = _denied_code(claim, text, reference) or _against(claim, text, reference)
    if found is None:
        found = _as_state(claim, text, reference)
    if found is not None:
        return found
    for asked in reference.asked:
        if compare(claim, asked).outcome == "same":
            return "given", "the question says it", None
    if claim.kind == "presence" and any(
        compare(claim, each).outcome == "conflict" for each in reference.excluded
    ):
        return "contradicted", "what the question says excludes it", None
    return absence(claim, reference)


def _allergic(claim: Statement, reference: Reference) -> Settled | None:
    """Hold a claim that there are allergies, or none, against the section of them; None for any other, or without such a section."""
    if claim.attribute != "allergy" or claim.kind != "presence" or claim.qualifiers:
        return None
    if "allergies" not in reference.sections:
        return None
    said: Outcome = "contradicted" if claim.present is False else "supported"
    return said, "the allergies that are listed", None


def _of_plan(claim: Statement, reference: Reference) -> Reference | None:
    """Return a reference of what the record's plan says of a claim's attribute; None where it says nothing of it."""
    planned = [known for known in near(reference, claim.attribute) if _PLAN.search(known.path)]
    return reference._replace(near=Nearby(planned)) if planned else None


def _denied_code(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Hold "it is not stage IV": another code is recorded, or this one is; None for anything else."""
    if claim.kind != "code" or not {"negated", "ruled_out"} & set(claim.frames):
        return None
    found = _against(msgspec.structs.replace(claim, frames=()), text, reference)
    turned: dict[Outcome, Outcome] = {"supported": "contradicted", "contradicted": "supported"}
    return (turned[found[0]], found[1], found[2]) if found and found[0] in turned else None


def _as_history(claim: Statement) -> Statement:
    """A procedure that was done is past whatever the words."""
    if "historical" not in claim.frames:
        return claim
    if kind_of(claim.attribute) == "procedure":
        return msgspec.structs.replace(claim, frames=tuple(f for f in claim.frames if f != "historical"))
    return claim


def _as_state(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Hold a state ("hyperkalaemia") against the value it speaks of; None where it speaks of none, or the value isn't recorded."""
    state = direction_of(claim.attribute) if claim.kind == "presence" and not claim.qualifiers else None
    if (
        state is None
        or set(claim.frames) - {"negated", "ruled_out", "possible"}
        or claim.attribute in STANDING
    ):
        return None
    implied = Statement(attribute=state[0], kind="word", word=state[1], date=claim.date)
    found = _by_level(implied, reference, None) or _against(implied, text, reference)
    if found is None or found[0] == "undecided":
        return found
    if claim.present is not False:
        return (
            ("undecided", "a vital sign of another moment", found[2])
            if found[0] == "contradicted" and kind_of(state[0]) == "vital"
            else found
        )
    return "contradicted" if found[0] == "supported" else "supported", found[1], found[2]


def _against(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Compare with every known statement; None where none speaks of it."""
    conflict: tuple[str, Known] | None = None
    unsure = maybe = ""
    for known in near(reference, claim.attribute):
        outcome, reason = compared(claim, text, known)
        if outcome == "conflict" and claim.kind == "dose" and known.statement.derived:
            outcome, reason = "undecided", "the dose is of a drug of that class"
        if outcome == "same":
            return "supported", reason, known
        if outcome == "conflict":
            conflict = conflict or (reason, known)
        elif outcome == "undecided" and known.statement.derived:
            maybe = maybe or reason
        elif outcome == "undecided":
            unsure = unsure or reason
    if conflict is not None and not unsure:
        return "contradicted", conflict[0], conflict[1]
    if conflict is not None or unsure or maybe:
        return "undecided", unsure or maybe, None
    return None


def _by_level(claim: Statement, reference: Reference, proven: Known | None) -> Settled | None:
    """Place "high", "low" or "normal" by the shipped limits; None where the attribute has none or isn't recorded."""
    row = level_row(claim.attribute, kind_of(claim.attribute), with_parents(claim.attribute)[1:])
    if row is None or claim.frames:
        return None
    held = [
        k
        for k in near(reference, claim.attribute)
        if k.statement.kind == "quantity"
        and relation(claim.attribute, k.statement.attribute) in {"same", "broader"}
    ]
    if not held or any(k.low is not None or k.high is not None for k in held):
        return None
    values = [
        (k, k.statement.number.value)
        for k in ([proven] if proven else held)
        if k.statement.number and k.statement.number.value is not None
    ]
    said = {_place(value, row.low, row.normal, row.high) for _, value in values}
    if said == {claim.word} or (proven and said == {""}):
        return "supported", f"by the limits of {row.of}", values[0][0]
    against = {"high": "low", "low": "high"}.get(claim.word)
    signed = row.low < 0 < row.high
    if (said == {against}) or (
        signed
        and against
        and values
        and all((value < -_NEAR if against == "low" else value > _NEAR) for _, value in values)
    ):
        return "contradicted", f"by the limits of {row.of}", values[0][0]
    if claim.word == "normal" and len(said) == 1 and said <= {"low", "high"} and not signed:
        return "contradicted", f"by the limits of {row.of}", values[0][0]
    return "undecided", "between the limits", None


def _place(value: Decimal, low: float, normal: tuple[float, float], high: float) -> str:
    number = float(value)
    if number <= low:
        return "low"
    if number >= high:
        return "high"
    return "normal" if normal[0] <= number <= normal[1] else ""


def _tier(claim: Statement, reference: Reference) -> Settled:
    """Hold a tier by number against hot, warm, cold: none of them has a number, and only the middle may be meant by one."""
    for known in reference.known:
        if known.statement.attribute == "immune tier" and known.statement.word:
            if claim.word != "tier 2" or known.statement.word.lower() != "warm":
                return "contradicted", "no tier of that name is recorded", known
            return "undecided", "tiers that have no numbers", None
    return "undecided", "no tier is recorded", None


def _stage_band(claim: Statement, reference: Reference) -> Settled:
    for known in reference.known:
        if known.statement.attribute == "tumour stage" and known.statement.word:
            group = re.match(r"IV|I{1,3}|0", known.statement.word)
            if group and group.group() in _STAGES[claim.word]:
                return "supported", "by the stage group", known
            if group and group.group() in _STAGE_NOT[claim.word]:
                return "contradicted", "by the stage group", known
    return "undecided", "no stage is recorded", None
