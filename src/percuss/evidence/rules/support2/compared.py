"""Two statements compared as a rule needs it: what the concept layer finds, and the doubts that keep a conflict from being called one."""

import re
from decimal import Decimal

import msgspec

from percuss.evidence.rules.support2.limited import by_limits
from percuss.evidence.rules.support2.reference import Known
from percuss.evidence.rules.support2.sides import denied_in_part
from percuss.text.concepts import Statement, compare, concept
from percuss.text.concepts.table import analyte_of
from percuss.text.numbers import Number, in_unit

__all__ = ["LEVELS", "TOTAL", "compared", "kind_of"]

_HISTORY_OF = re.compile(r"\bhistory of\b", re.IGNORECASE)
LEVELS = frozenset({"high", "low", "normal"})
_INSIDE = Decimal("0.1")
"""Share of an edge that a value must lie outside of it, and of the range inside of it, before a word of interpretation is wrong."""
_ROUGH = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|close to|approximately|some|over|under|more than|less than|at least|up to|approaching|just)\b|~|≈",
    re.IGNORECASE,
)
_BEGAN = re.compile(
    r"\b(?:start\w*|beg[au]n|diagnosed|since|first|initiated|commenced|prescribed|had|underwent|performed|done|took\s+place|happened|occurred|was\s+in)\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:when|at\s+the\s+time|at\s+(?:diagnosis|onset|presentation|age|the\s+age)|then|back\s+in|in\s+(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SLIGHT = re.compile(
    r"\b(?:slight\w*|mild\w*|borderline|marginal\w*|a\s(?:little|bit|touch)|somewhat|just|upper|lower)\b",
    re.IGNORECASE,
)
_IN_ALL = re.compile(r"\b(?:in\s(?:all|total)|altogether|all\stold|combined|put\stogether)\b", re.IGNORECASE)
_AGE_SLACK = 6
"""Years that an age said as a span may miss the recorded one by, before it is wrong."""
_DAILY = re.compile(
    r"\btotal\s(?:daily\s)?(?:dose|intake|amount)\b|\bdaily\stotal\b|\bin\stotal\b", re.IGNORECASE
)
TOTAL = "the total per day"
_PER_DAY = "the same per day, given otherwise"
_PAST = re.compile(
    r"\b(?:was|were|had|used to|previously|formerly|earlier|before|initially|at first|until|received|took|got|tried|once|been)\b",
    re.IGNORECASE,
)
_HAD = re.compile(r"\b(?:had|previous|previously|prior|past|suffered|experienced|history)\b", re.IGNORECASE)
_YEARS = 3
"""Years that a claimed age may lie outside the two that a year of birth allows, before it is wrong."""
_KIN = re.compile(
    r"\b(?:mother|father|sister|brother|son|daughter|grandmother|grandfather|uncle|aunt|cousin|parent|sibling)s?\b",
    re.IGNORECASE,
)
_SIDE = re.compile(r"\b(?:maternal|paternal)\b", re.IGNORECASE)
_STILL = re.compile(r"\b(?:still|active|ongoing|currently|at\s+present|persists?|continues)\b", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|has had|have had)\b", re.IGNORECASE)


def kind_of(attribute: str) -> str:
    """Return the kind of a concept; "" for one that isn't in the table."""
    found = concept(attribute)
    return found.kind if found else ""


def compared(claim: Statement, text: str, known: Known) -> tuple[str, str]:
    """Compare two statements; what the concept layer leaves to whoever knows the record: ages by year of birth, kin, dates that aren't recorded."""
    record = known.statement
    if claim.attribute == record.attribute == "age" and record.derived:
        return _aged(claim, text, record)
    if (
        claim.number is not None
        and record.number is not None
        and (claim.number.kind == "pair") != (record.number.kind == "pair")
    ):
        return "unrelated", "one of two values"
    placed = by_limits(claim, known)
    if placed is not None:
        return placed
    outcome, reason = _total(claim, text, record) or compare(claim, record)
    if outcome in {"same", "conflict"} and "family" in claim.frames and _other_kin(text, known):
        return "unrelated", "another relative"
    if outcome == "same" and claim.present is False and denied_in_part(claim, text, known):
        return "unrelated", "denied of one side or form alone"
    if outcome == "undecided" and _over(claim, record):
        outcome, reason = "same", "the same is recorded"
    if outcome == "undecided" and _both_past(claim, text, record):
        outcome, reason = compare(_framed(claim, record.frames), record)
    if outcome == "undecided" and "historical" in record.frames and _another_year(claim, record):
        return "conflict", "another year"
    if outcome == "undecided" and "historical" in record.frames and _still(claim, text, record):
        return "conflict", "it is recorded as past"
    if outcome == "conflict" and _other_kinds(claim, record):
        return "undecided", "a test or a procedure of that name is recorded"
    if outcome == "conflict":
        return _conflict(claim, text, record, reason)
    if outcome == "same" and claim.date and not record.date:
        return "undecided", "no date is recorded"
    return outcome, reason


def _aged(claim: Statement, text: str, record: Statement) -> tuple[str, str]:
    """Compare an age with one by year of birth."""
    if "negated" in claim.frames:
        return "undecided", "an age that is denied"
    found = _ages(claim, record)
    then = found[0] == "conflict" and _THEN.search(text) is not None
    return ("undecided", "an age at another moment") if then else found


def _total(claim: Statement, text: str, record: Statement) -> tuple[str, str] | None:
    """Compare a total per day with a dose and how often it is taken; None where the claim tells none or the record doesn't give both."""
    if (
        claim.kind != "dose"
        or record.kind != "dose"
        or not _DAILY.search(text)
        or claim.frames
        or record.frames
    ):
        return None
    said, known = claim.number, record.number
    per_day = _per_day(record)
    if (
        said is None
        or said.value is None
        or known is None
        or per_day is None
        or not _same_subject(claim, record)
    ):
        return None
    value = (
        said.value
        if _same_unit(said, known)
        else in_unit(said.value, said.unit.removesuffix("/d"), known.unit)
    )
    if value is None:
        return None
    return ("same", TOTAL) if value == per_day else ("conflict", "another total per day")


def _same_subject(claim: Statement, record: Statement) -> bool:
    return not claim.subject or not record.subject or claim.subject == record.subject


def _other_kin(text: str, known: Known) -> bool:
    """Tell whether a claim names a relative and the fact names none of the same, or one of the other side."""
    kin = {word.lower() for word in _KIN.findall(text)}
    recorded = f"{known.path} {known.value}".replace("_", " ")
    sides = {word.lower() for word in _SIDE.findall(text)}, {word.lower() for word in _SIDE.findall(recorded)}
    return bool(kin) and (
        not kin & {word.lower() for word in _KIN.findall(recorded)}
        or (all(sides) and not sides[0] & sides[1])
    )


def _conflict(claim: Statement, text: str, record: Statement, reason: str) -> tuple[str, str]:
    """Return what becomes of a conflict: it stays one only where nothing else can explain it."""
    if claim.kind == "presence" and claim.present is False and "stopped" in record.frames:
        return "same", "it was stopped"
    if claim.kind == "presence" and claim.present is False and "historical" in record.frames:
        return "undecided", "it is recorded as past"
    if "stopped" in record.frames and "stopped" not in claim.frames and _PAST.search(text):
        return "undecided", "said of the past, and it was stopped"
    if reason == "another date" and claim.date[:4] == record.date[:4]:
        return "undecided", "another day of the same year"
    if claim.attribute == "CKD stage" and claim.word[:1] == record.word[:1]:
        return "undecided", "a substage that isn't recorded"
    if reason == "another date" and not (_BEGAN.search(text) or kind_of(claim.attribute) == "procedure"):
        return "undecided", "a date that may be of another moment"
    doubt = _doubt(claim, text, record)
    if doubt:
        return "undecided", doubt
    return "conflict", reason


def _both_past(claim: Statement, text: str, record: Statement) -> bool:
    """Tell whether one side calls a thing past in words that don't say it is over, or past on the other side too."""
    if claim.kind != "presence" or record.kind != "presence" or not claim.present:
        return False
    if "historical" in record.frames and "historical" not in claim.frames:
        return _HAD.search(text) is not None
    return (
        "historical" in claim.frames
        and "historical" not in record.frames
        and kind_of(claim.attribute) in {"diagnosis", "finding"}
        and (_HISTORY_OF.search(text, 0, claim.start) is not None or _SINCE.search(text) is not None)
    )


def _other_kinds(claim: Statement, record: Statement) -> bool:
    """Tell whether one side is a test or a procedure and the other isn't, or a denial reaches the test that found nothing: "no mass on ultrasound"."""
    done = {"test", "procedure"}
    if claim.present is False and claim.attribute != record.attribute and kind_of(record.attribute) == "test":
        return True
    return (kind_of(claim.attribute) in done) != (kind_of(record.attribute) in done)


def _another_year(claim: Statement, record: Statement) -> bool:
    """Tell whether two events of one name are told of different years."""
    dated = re.match(r"\d{4}", claim.date) and re.match(r"\d{4}", record.date)
    same = (
        claim.kind == record.kind == "presence"
        and claim.attribute == record.attribute
        and bool(claim.present)
    )
    return bool(dated) and same and claim.date[:4] != record.date[:4]


def _still(claim: Statement, text: str, record: Statement) -> bool:
    """Tell whether a claim says that a thing which is recorded as past goes on."""
    return (
        claim.kind == record.kind == "presence"
        and claim.attribute == record.attribute
        and bool(claim.present)
        and "historical" not in claim.frames
        and _STILL.search(text) is not None
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
        if (
            said is not None
            and known is not None
            and _per_day(claim) is not None
            and _per_day(claim) == _per_day(record)
            and _same_unit(said, known)
        ):
            return _PER_DAY
        return (
            "a total or a part of a dose"
            if re.search(r"\btotal\b|\bper day\b|\ba day\b", text) and not _frequency(claim)
            else ""
        )
    if claim.kind == "word" and known is not None and claim.word in LEVELS:
        if _SLIGHT.search(text):
            return "a slight one, by a range of the table"
        return "" if _well_apart(claim, record) else "close to the edge of the reference range"
    if (
        claim.kind == "quantity"
        and said is not None
        and known is not None
        and said.value is not None
        and known.value is not None
    ):
        if claim.attribute == "age" and said.upper is not None:
            return "close to the age that is said" if _outside(said, known.value) <= _AGE_SLACK else ""
        if _IN_ALL.search(text):
            return "a total"
        rough = _ROUGH.search(text) is not None or bool(said.comparator)
        apart = abs(said.value - known.value) > abs(known.value) * Decimal("0.2")
        if rough and not (apart and said.unit == known.unit):
            return "a rough value"
    return ""


def _outside(said: Number, value: Decimal) -> Decimal:
    """Return how far a value lies outside of a span; 0 inside of it."""
    low, high = said.value or value, said.upper or said.value or value
    return max(Decimal(0), low - value, value - high)


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
    clear = value < high - slack if claim.word == "high" else value > low + slack
    return inside or (below if claim.word == "high" else above) or (clear and not inside)


def _ages(claim: Statement, record: Statement) -> tuple[str, str]:
    said, known = claim.number, record.number
    if (
        said is None
        or known is None
        or said.value is None
        or known.value is None
        or known.upper is None
        or said.unit not in {"", "a"}
    ):
        return "undecided", "ages that can't be compared"
    low, high = said.value, said.upper or said.value
    if low <= known.upper and high >= known.value:
        return "same", "by the year of birth"
    apart = known.value - high if high < known.value else low - known.upper
    slack = _AGE_SLACK if said.upper is not None else _YEARS
    return (
        ("conflict", "by the year of birth")
        if apart > slack
        else ("undecided", "close to the age by year of birth")
    )


def _over(claim: Statement, record: Statement) -> bool:
    """Tell whether a dated claim is of a thing that the record calls over: the date itself makes it past."""
    return (
        claim.kind == record.kind == "presence" and claim.attribute == record.attribute and bool(claim.present) and bool(record.present)
        and "historical" in record.frames and bool(claim.date) and record.date.startswith(claim.date) and claim.qualifiers == record.qualifiers
    )  # fmt: skip
