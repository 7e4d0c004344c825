"""One statement of a claim against the reference: what supports it, what contradicts it, or why nothing can be said."""

import re
from collections.abc import Callable
from decimal import Decimal

import msgspec

from percuss.evidence.rules.support2.record import Hang, Outcome
from percuss.evidence.rules.support2.reference import Known, Reference
from percuss.evidence.rules.support2.tables import level_row
from percuss.evidence.rules.support2.wording import stems
from percuss.text.concepts import Statement, compare, concept, concepts, relation, with_parents
from percuss.text.concepts.fitting import STANDING, direction_of
from percuss.text.concepts.table import analyte_of
from percuss.text.numbers import Number, in_unit

__all__ = ["hold"]

_DISEASE_NOW = frozenset({"historical"})
_FRAMES = frozenset({"negated", "ruled_out", "historical", "stopped", "possible", "family"})
_HISTORY_OF = re.compile(r"\bhistory of\b", re.IGNORECASE)
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
_UP = frozenset({"high", "low", "normal"})
_GENERAL = frozenset("surgery procedure treatment therapy operation medication disease cancer tumour infection pain smoking".split())
_NEVER_ABSENT = frozenset(
    {"tumour stage", "T category", "N category", "M category", "stage band", "CKD stage", "age", "size", "duration", "birth year", "weight", "height", "body mass index", "temperature", "pain"}
)
"""Attributes whose words mean other things too, or that are said in passing."""
_SHARED = frozenset("acute chronic disease syndrome primary level cell lung type heart failure".split())
_MEASURED = frozenset({"analyte", "vital", "score", "gene"})
_NEAR = Decimal("0.04")
"""A standardised value so near to zero is on neither side."""
_INSIDE = Decimal("0.1")
"""Share of an edge that a value must lie outside of it, and of the range inside of it, before a word of interpretation is wrong."""
_ROUGH = re.compile(r"\b(?:about|around|roughly|nearly|almost|close to|approximately|some|over|under|more than|less than|at least|up to|approaching|just)\b|~|≈", re.IGNORECASE)
_PER_DAY = "the same per day"
_COMMON = frozenset(map(Decimal, (0, 1, 2, 3)))
"""Numbers that stand in any record."""
_RULED_OUT = re.compile(r"\b(?:ruled out|excluded|denied|absent|no|not|without|free)\b", re.IGNORECASE)
_HAD = re.compile(r"\b(?:had|previous|previously|prior|past|suffered|experienced|history)\b", re.IGNORECASE)
_TIGHT = 26
"""Characters between an attribute and a number that leave no doubt whose it is."""
_TUMOUR = re.compile(r"carcinoma|cancer|tumou?r|metasta|lymphoma|sarcoma|neoplas|malignan", re.IGNORECASE)
_OF_TUMOUR = frozenset({"tumour stage", "immune tier", "tumour purity", "tumour mutational burden"})
_YEARS = 1
"""Years that a claimed age may lie outside the two that a year of birth allows, before it is wrong."""
_KIN = re.compile(r"\b(?:mother|father|sister|brother|son|daughter|grandmother|grandfather|uncle|aunt|cousin|parent|sibling)s?\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|has had|have had)\b", re.IGNORECASE)

Settled = tuple[Outcome, str, Known | None]


def hold(claim: Statement, text: str, reference: Reference, beside: Callable[[Statement], Known | None]) -> Hang:
    """Hold one statement of a claim against the reference.

    Args:
        claim: the statement. text: the claim. reference: the case.
        beside: the record that proves a number of the same attribute in the same claim, or None.
    """
    outcome, reason, record = _settled(claim, text, reference, beside)
    if outcome in {"contradicted", "absent"} and claim.kind in {"quantity", "dose"} and _elsewhere(claim, text, reference, record):
        outcome, reason, record = "undecided", "its number stands elsewhere in the record", None
    if outcome == "contradicted" and "possible" in claim.frames and _RULED_OUT.search(text):
        outcome, reason, record = "undecided", "possibly denied, or denied for sure", None
    return Hang(
        text=text[claim.start : claim.stop], start=claim.start, stop=claim.stop, attribute=claim.attribute, outcome=outcome, reason=reason,
        path=record.path if record else "", value=record.value if record else "",
    )  # fmt: skip


def _elsewhere(claim: Statement, text: str, reference: Reference, record: Known | None) -> bool:
    """Tell whether the number is recorded as something else: then it may have been bound to the wrong thing."""
    number = claim.number
    if number is None or number.value is None or number.value in _COMMON:
        return False
    if record is not None and not claim.derived and (claim.start == number.start or "," not in (gap := text[claim.stop : number.start]) and 0 < len(gap) <= _TIGHT):
        return False
    half = Decimal("0.5").scaleb(-number.decimals)
    shares = (Decimal(1), Decimal(100)) if number.unit == "%" else (Decimal(1),)
    return any(abs(value * share - number.value) <= half for value in reference.numbers for share in shares)


def _settled(claim: Statement, text: str, reference: Reference, beside: Callable[[Statement], Known | None]) -> Settled:
    if claim.others:
        return "undecided", "an abbreviation with several meanings", None
    if set(claim.frames) - _FRAMES:
        return "undecided", "not said as a fact of now", None
    if claim.kind == "named":
        return "undecided", "no value is read", None
    if claim.attribute == "stage band":
        return _stage_band(claim, reference)
    claim = _as_history(claim)
    if claim.kind == "word" and claim.word in _UP:
        placed = _by_level(claim, reference, beside(claim))
        if placed is not None:
            return placed
    found = _against(claim, text, reference)
    if found is None:
        found = _as_state(claim, text, reference)
    if found is not None:
        return found
    for asked in reference.asked:
        if compare(claim, asked).outcome == "same":
            return "given", "the question says it", None
    return _absence(claim, reference)


def _as_history(claim: Statement) -> Statement:
    """A procedure that was done is past whatever the words."""
    if "historical" not in claim.frames:
        return claim
    if _kind(claim.attribute) == "procedure":
        return msgspec.structs.replace(claim, frames=tuple(f for f in claim.frames if f != "historical"))
    return claim


def _as_state(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Hold a state ("hyperkalaemia") against the value it speaks of; None where it speaks of none, or the value isn't recorded."""
    state = direction_of(claim.attribute) if claim.kind == "presence" and not claim.qualifiers else None
    if state is None or set(claim.frames) - {"negated", "ruled_out", "possible"} or claim.attribute in STANDING:
        return None
    implied = Statement(attribute=state[0], kind="word", word=state[1], date=claim.date)
    found = _by_level(implied, reference, None) or _against(implied, text, reference)
    if found is None or found[0] == "undecided":
        return found
    if claim.present is not False:
        return ("undecided", "a vital sign of another moment", found[2]) if found[0] == "contradicted" and _kind(state[0]) == "vital" else found
    return "contradicted" if found[0] == "supported" else "supported", found[1], found[2]


def _kind(attribute: str) -> str:
    found = concept(attribute)
    return found.kind if found else ""


def _against(claim: Statement, text: str, reference: Reference) -> Settled | None:
    """Compare with every known statement; None where none speaks of it."""
    conflict: tuple[str, Known] | None = None
    unsure = maybe = ""
    for known in reference.known:
        outcome, reason = _compared(claim, text, known)
        if outcome == "undecided" and _over(claim, known.statement):
            outcome, reason = "same", "the same is recorded"
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


def _compared(claim: Statement, text: str, known: Known) -> tuple[str, str]:
    """Compare two statements; what the concept layer leaves to whoever knows the record: ages by year of birth, kin, dates that aren't recorded."""
    record = known.statement
    if claim.attribute == record.attribute == "age" and record.derived:
        return _ages(claim, record)
    if claim.number is not None and record.number is not None and (claim.number.kind == "pair") != (record.number.kind == "pair"):
        return "unrelated", "one of two values"
    outcome, reason = compare(claim, record)
    if outcome in {"same", "conflict"} and "family" in claim.frames:
        kin = {m.lower() for m in _KIN.findall(text)}
        if kin and not kin & {m.lower() for m in _KIN.findall(f"{known.path} {known.value}".replace("_", " "))}:
            return "undecided", "another relative"
    if outcome == "undecided" and _both_past(claim, text, record):
        outcome, reason = compare(_framed(claim, record.frames), record)
    if outcome == "conflict" and claim.kind == "presence" and claim.present is False and "stopped" in record.frames:
        return "same", "it was stopped"
    if outcome == "conflict" and claim.kind == "presence" and claim.present is False and "historical" in record.frames:
        return "undecided", "it is recorded as past"
    doubt = _doubt(claim, text, record) if outcome == "conflict" else ""
    if doubt:
        return ("same", doubt) if doubt == _PER_DAY else ("undecided", doubt)
    if outcome == "same" and claim.date and not record.date:
        return "undecided", "no date is recorded"
    if claim.attribute == "CKD stage" and outcome == "conflict" and claim.word[:1] == record.word[:1]:
        return "undecided", "a substage that isn't recorded"
    return outcome, reason


def _both_past(claim: Statement, text: str, record: Statement) -> bool:
    """Tell whether one side calls a thing past in words that don't say it is over, or past on the other side too."""
    if claim.kind != "presence" or record.kind != "presence" or not claim.present:
        return False
    if "historical" in record.frames and "historical" not in claim.frames:
        return _HAD.search(text) is not None
    return "historical" in claim.frames and "historical" not in record.frames and _kind(claim.attribute) in {"diagnosis", "finding"} and (
        _HISTORY_OF.search(text, 0, claim.start) is not None or _SINCE.search(text) is not None
    )


def _framed(claim: Statement, frames: tuple[str, ...]) -> Statement:
    kept = set(claim.frames) - {"historical"} | ({"historical"} & set(frames))
    return msgspec.structs.replace(claim, frames=tuple(sorted(kept)))


def _doubt(claim: Statement, text: str, record: Statement) -> str:
    """Return why a conflict isn't sure enough to say so; "" = it is."""
    said, known = claim.number, record.number
    if claim.kind == "dose" and record.kind == "dose":
        if ("stopped" in claim.frames) != ("stopped" in record.frames):
            return ""
        if said is not None and known is not None and _per_day(claim) is not None and _per_day(claim) == _per_day(record) and _same_unit(said, known):
            return _PER_DAY
        return "a total or a part of a dose" if re.search(r"\btotal\b|\bper day\b|\ba day\b", text) and not _frequency(claim) else ""
    if claim.kind == "word" and known is not None and claim.word in _UP:
        return "" if _well_apart(claim, record) else "close to the edge of the reference range"
    if claim.kind == "quantity" and said is not None and known is not None and said.value is not None and known.value is not None:
        rough = _ROUGH.search(text) is not None or bool(said.comparator)
        apart = abs(said.value - known.value) > abs(known.value) * Decimal("0.2")
        if rough and not (apart and said.unit == known.unit):
            return "a rough value"
    return ""


def _same_unit(said: Number, known: Number) -> bool:
    return said.unit.removesuffix("/d") == known.unit.removesuffix("/d")


def _frequency(statement: Statement) -> str:
    return statement.dose.frequency if statement.dose else ""


def _per_day(statement: Statement) -> Decimal | None:
    """Return the amount per day of a dose; None where it can't be told."""
    if statement.number is None or statement.number.value is None or statement.number.upper is not None:
        return None
    if statement.number.unit.endswith("/d"):
        return statement.number.value
    times = re.fullmatch(r"(\d+)/d", _frequency(statement))
    return statement.number.value * Decimal(times[1]) if times else None


def _well_apart(claim: Statement, record: Statement) -> bool:
    """Tell whether a value lies well on the other side of its reference range than a word says."""
    found = concept(record.attribute)
    number = record.number
    if found is None or found.range is None or number is None or number.value is None:
        return False
    value = number.value
    if number.unit and found.unit not in {"", "1", number.unit}:
        converted = in_unit(value, number.unit, found.unit, analyte_of(record.attribute))
        if converted is None:
            return False
        value = converted
    low, high = (Decimal(str(edge)) for edge in found.range)
    slack = (high - low) * _INSIDE
    inside = low + slack < value < high - slack
    below, above = value < low * (1 - _INSIDE), value > high * (1 + _INSIDE)
    if claim.word == "normal":
        return below or above
    return inside or (below if claim.word == "high" else above)


def _ages(claim: Statement, record: Statement) -> tuple[str, str]:
    said, known = claim.number, record.number
    if said is None or known is None or said.value is None or known.value is None or known.upper is None or said.unit not in {"", "a"}:
        return "undecided", "ages that can't be compared"
    low, high = said.value, said.upper or said.value
    if low <= known.upper and high >= known.value:
        return "same", "by the year of birth"
    apart = known.value - high if high < known.value else low - known.upper
    return ("conflict", "by the year of birth") if apart > _YEARS else ("undecided", "close to the age by year of birth")


def _over(claim: Statement, record: Statement) -> bool:
    """Tell whether a dated claim is of a thing that the record calls over: the date itself makes it past."""
    return (
        claim.kind == record.kind == "presence" and claim.attribute == record.attribute and bool(claim.present) and bool(record.present)
        and "historical" in record.frames and bool(claim.date) and record.date.startswith(claim.date) and claim.qualifiers == record.qualifiers
    )  # fmt: skip


def _by_level(claim: Statement, reference: Reference, proven: Known | None) -> Settled | None:
    """Place "high", "low" or "normal" by the shipped limits; None where the attribute has none or isn't recorded."""
    held = [k for k in reference.known if k.statement.kind == "quantity" and relation(claim.attribute, k.statement.attribute) in {"same", "broader"}]
    row = level_row(claim.attribute, _kind(claim.attribute), with_parents(claim.attribute)[1:])
    if row is None or not held or claim.frames:
        return None
    values = [(k, k.statement.number.value) for k in ([proven] if proven else held) if k.statement.number and k.statement.number.value is not None]
    said = {_place(value, row.low, row.normal, row.high) for _, value in values}
    if said == {claim.word} or (proven and said == {""}):
        return "supported", f"by the limits of {row.of}", values[0][0]
    against = {"high": "low", "low": "high"}.get(claim.word)
    signed = row.low < 0 < row.high
    if (said == {against}) or (signed and against and values and all((value < -_NEAR if against == "low" else value > _NEAR) for _, value in values)):
        return "contradicted", f"by the limits of {row.of}", values[0][0]
    return "undecided", "between the limits", None


def _place(value: Decimal, low: float, normal: tuple[float, float], high: float) -> str:
    number = float(value)
    if number <= low:
        return "low"
    if number >= high:
        return "high"
    return "normal" if normal[0] <= number <= normal[1] else ""


def _stage_band(claim: Statement, reference: Reference) -> Settled:
    for known in reference.known:
        if known.statement.attribute == "tumour stage" and known.statement.word:
            group = re.match(r"IV|I{1,3}|0", known.statement.word)
            if group and group.group() in _STAGES[claim.word]:
                return "supported", "by the stage group", known
            if group and group.group() in _STAGE_NOT[claim.word]:
                return "contradicted", "by the stage group", known
    return "undecided", "no stage is recorded", None


def _absence(claim: Statement, reference: Reference) -> Settled:
    """Say absent only of what is recognised, is no denial, is related to nothing recorded, and belongs to a topic that the packet covers."""
    nothing = "the evidence doesn't speak of it"
    if not reference.structured or set(claim.frames) & {"negated", "ruled_out", "family"} or claim.present is False:
        return "undecided", nothing, None
    attribute = claim.subject if claim.kind == "dose" else claim.attribute
    if reference.empty & set(with_parents(attribute)) and not any(k.statement.attribute == attribute for k in reference.known):
        return "absent", "its field holds nothing", None
    kind = _kind(attribute)
    if not kind or kind not in reference.covers or kind in reference.opaque or attribute in _GENERAL or _related(attribute, kind, reference):
        return "undecided", nothing, None
    if attribute in _NEVER_ABSENT:
        return "undecided", nothing, None
    if kind in _MEASURED and (claim.kind == "quantity" or (claim.kind == "word" and kind == "gene")) and not claim.subject:
        return "absent", "no such value is recorded", None
    if kind in {"drug", "procedure", "diagnosis", "gene"} and claim.kind in {"presence", "dose"}:
        return "absent", "nothing of it is recorded", None
    return "undecided", nothing, None


def _related(attribute: str, kind: str, reference: Reference) -> bool:
    """Tell whether anything recorded may be the same under another name: a shared word, or a shared broader concept."""
    found = concepts()[attribute]
    if _TUMOUR.search(attribute) and any(k.statement.attribute in _OF_TUMOUR for k in reference.known):
        return True
    for name in (attribute, *found.also):
        words = stems(name) - _SHARED
        if (words and words <= reference.words) or (kind in {"diagnosis", "finding", "procedure"} and words & reference.words):
            return True
    broader = set(with_parents(attribute)[1:])
    return any(
        known.statement.attribute == attribute or known.statement.subject == attribute
        or (broader & set(with_parents(known.statement.attribute)))
        for known in reference.known
    )  # fmt: skip
