"""Whether what is said agrees with what is known: the same, in conflict, not to be decided, or about something else."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from percuss.text.concepts.record import Statement
from percuss.text.concepts.staging import broader_stage
from percuss.text.concepts.table import analyte_of, concept, concepts, with_parents
from percuss.text.numbers import Number, compare_quantities, in_unit

__all__ = [
    "Comparison",
    "Outcome",
    "compare",
    "level_of",
    "may_be_in_another_unit",
    "relation",
    "same_concept",
]

Outcome = Literal["same", "conflict", "undecided", "unrelated"]
Relation = Literal["same", "narrower", "broader", "opposite", "other"]


class Comparison(NamedTuple):
    """How a claimed statement stands to a known one, with the reason in a few words."""

    outcome: Outcome
    reason: str


_EXCLUSIVE = {"high": {"low", "normal", "negative"}, "low": {"high", "normal"}, "normal": {"high", "low", "abnormal", "positive"},
              "abnormal": {"normal"}, "positive": {"negative"}, "negative": {"positive"}, "rising": {"falling", "stable"},
              "falling": {"rising", "stable"}, "stable": {"rising", "falling"}, "therapeutic": {"subtherapeutic", "supratherapeutic"},
              "subtherapeutic": {"therapeutic", "supratherapeutic"}, "supratherapeutic": {"therapeutic", "subtherapeutic"},
              "borderline": {"negative"}, "intermediate": {"high", "low"}}  # fmt: skip
_IMPLIED = {("high", "abnormal"), ("low", "abnormal"), ("abnormal", "high"), ("abnormal", "low")}
_DAY = re.compile(r"(?:(?P<year>\d{4})|-)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?!\d)")
"""A date as far as it is told: 2025, 2025-03, 2025-03-08, or --03-08 without its year."""
_USUAL = ("g/L", "g/dL", "mg/dL", "mmol/L", "umol/L", "nmol/L", "Cel", "degF")
"""Units of which one may be meant where none is written."""
_CHANGES = frozenset({"rising", "falling", "stable"})
_DENIED = {"positive": "negative", "negative": "positive"}
"""Word -> what is said where it is denied."""
_NOT_SAID = frozenset({"planned", "hypothetical", "compared", "unlikely"})
_OPEN = frozenset({"possible"})


@lru_cache(maxsize=65536)
def relation(claim: str, record: str) -> Relation:
    """Return how one concept stands to another: the claim is "same", "broader" or "narrower" than the record, "opposite" or "other".

    >>> relation("pneumonia", "lobar pneumonia"), relation("flat abdomen", "abdominal distension")
    ('broader', 'opposite')
    """
    if claim == record:
        return "same"
    if claim in with_parents(record):
        return "broader"
    if record in with_parents(claim):
        return "narrower"
    first, second = concept(claim), concept(record)
    if (first and first.opposite == record) or (second and second.opposite == claim):
        return "opposite"
    return "other"


def same_concept(first: str, second: str) -> bool:
    """Tell whether two names, as written anywhere, mean one concept ("MI" and "heart attack").

    >>> same_concept("heart attack", "myocardial infarction"), same_concept("type 1 diabetes", "type 2 diabetes")
    (True, False)
    """
    return _named(first) == _named(second)


def _named(written: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    from percuss.text.concepts.mentions import mentions

    if written in concepts():
        return written, ()
    found = mentions(written)
    if len(found) == 1 and not found[0].others and not found[0].ambiguous:
        return found[0].concept, found[0].qualifiers
    return written.strip().lower(), ()


def level_of(number: Number, attribute: str, reference: tuple[float, float] | None = None) -> str:
    """Return "high", "low" or "normal" by a reference range; "" where there is none or the number lies on its edge.

    Args:
        number: the value. attribute: concept. reference: range given beside the value, in its unit; None = the table's.
    """
    known = concept(attribute)
    span = reference or (known.range if known else None)
    if span is None or number.value is None or number.upper is not None or number.comparator or known is None:
        return ""
    value = number.value
    if reference is None and number.unit and known.unit not in {"", "1", number.unit}:
        converted = in_unit(value, number.unit, known.unit, analyte_of(attribute))
        if converted is None:
            return ""
        value = converted
    elif reference is None and not number.unit and known.unit not in {"", "1"}:
        scale = Decimal(str(span[1] or 1))
        if not scale / 50 <= value <= scale * 50:
            return ""  # another unit, surely
    low, high = (Decimal(str(edge)) for edge in span)
    slack = (high - low) / 50
    if abs(value - low) < slack or abs(value - high) < slack:
        return "normal" if low <= value <= high else ""
    return "low" if value < low else "high" if value > high else "normal"


def compare(claim: Statement, record: Statement, reference: tuple[float, float] | None = None) -> Comparison:
    """Return how a claimed statement stands to a known one.

    Args:
        claim: what is said. record: what is known.
        reference: the reference range printed with the record's value, in its unit; None = the table's.
    """
    related = relation(claim.attribute, record.attribute)
    if related == "other" or not _same_subject(claim, record):
        return Comparison("unrelated", "another attribute")
    if ("family" in claim.frames) != ("family" in record.frames):
        return Comparison("unrelated", "another person")
    if claim.others or record.others:
        return Comparison("undecided", "an abbreviation with several meanings")
    if claim.kind == "named" or record.kind == "named":
        return Comparison("undecided", "no value is stated")
    if related == "opposite":
        return _opposite(claim, record)
    apart = _dates(claim, record)
    if apart is not None and claim.kind != "presence":
        return apart
    qualified = _qualified(claim, record)
    result = _value(claim, record, related, reference)
    if result.outcome in {"same", "conflict"} and qualified is not None:
        result = _with_qualifiers(claim, record, result, qualified)
    if result.outcome == "same" and apart is not None:
        return Comparison("conflict" if claim.date and record.date else "undecided", "another date")
    return result


def _same_subject(claim: Statement, record: Statement) -> bool:
    if claim.subject == record.subject or not claim.subject or not record.subject:
        return True
    return relation(claim.subject, record.subject) in {"same", "broader", "narrower"}


def _opposite(claim: Statement, record: Statement) -> Comparison:
    if claim.kind != "presence" or record.kind != "presence" or _hedged(claim, record):
        return Comparison("undecided", "opposite findings, not both stated")
    if claim.present and record.present:
        return Comparison("conflict", f"{record.attribute} is recorded")
    return Comparison("undecided", "absence of the opposite finding")


def _dates(claim: Statement, record: Statement) -> Comparison | None:
    """Tell two dates apart as far as both are told; None where they can be one."""
    if not claim.date or not record.date:
        return None
    said, known = _day(claim.date), _day(record.date)
    if said is None or known is None:
        return None
    if all(one == other for one, other in zip(said, known, strict=True) if one and other):
        return None
    return Comparison("unrelated", "another date")


def _day(date: str) -> tuple[str, str, str] | None:
    """Return year, month and day of a date, "" for one that isn't told; None where it is no date."""
    match = _DAY.match(date)
    return None if match is None else (match["year"] or "", match["month"] or "", match["day"] or "")


def _qualified(claim: Statement, record: Statement) -> str | None:
    """Return how the qualifiers differ: "other" (left, not right), "more" (the claim says one that isn't recorded); None = they agree."""
    if not claim.qualifiers and not (claim.site and record.site):
        return None
    said, known = _by_dimension(claim), _by_dimension(record)
    worst: str | None = None
    for dimension, values in said.items():
        held = known.get(dimension)
        if dimension == "specimen":
            if held is not None and held != values:
                return "unrelated"
        elif held is None:
            worst = worst or ("more" if dimension != "size" else None)
        elif values != held and not (
            dimension == "side" and "bilateral" in held and claim.present is not False
        ):
            return "other"
    if claim.site and record.site and not set(claim.site) & set(record.site):
        return worst or "site"
    return worst


def _by_dimension(statement: Statement) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for dimension, value in statement.qualifiers:
        found.setdefault(dimension, set()).add(value)
    return found


def _with_qualifiers(claim: Statement, record: Statement, result: Comparison, difference: str) -> Comparison:
    if difference == "unrelated":
        return Comparison("unrelated", "another specimen")
    denies = claim.kind == "presence" and claim.present is False
    if difference == "more":
        if denies and record.present is False:
            return result  # "no left effusion" follows from "no effusion"
        return Comparison("undecided", "more specific than the record")
    if difference == "other" and result.outcome == "same" and not denies:
        return Comparison("conflict", "another side, type or cause")
    return Comparison("undecided", "of another side, type, cause or place")


def _hedged(claim: Statement, record: Statement) -> str:
    """Return why frames forbid a decision; "" = they don't."""
    if claim.frames and not _NOT_SAID.isdisjoint(claim.frames):
        return "not stated as a fact"
    if not record.frames:
        return ""
    if not _NOT_SAID.isdisjoint(record.frames):
        return "the record doesn't state it as a fact"
    if not _OPEN.isdisjoint(record.frames) and _OPEN.isdisjoint(claim.frames):
        return "the record says it is possible"
    return ""


def _value(
    claim: Statement, record: Statement, related: Relation, reference: tuple[float, float] | None
) -> Comparison:
    hedge = _hedged(claim, record)
    if hedge:
        return Comparison("undecided", hedge)
    kinds = (claim.kind, record.kind)
    if kinds == ("presence", "presence"):
        return _presence(claim, record, related)
    if related not in {"same", "broader"}:
        return Comparison("undecided", "more specific than the record")
    if "negated" in claim.frames and claim.kind != "presence":
        return _denied(claim, record)
    if kinds == ("dose", "dose"):
        return _dose(claim, record)
    if kinds == ("quantity", "quantity") and claim.number and record.number:
        return _quantity(claim.number, record.number, claim.attribute)
    if kinds == ("code", "code"):
        return _code(claim, record)
    if claim.kind == "word" and (claim.word in _CHANGES) != (record.word in _CHANGES):
        return Comparison("unrelated", "a change against a level")
    if claim.kind == "word":
        known = (
            record.word
            if record.kind == "word"
            else level_of(record.number, record.attribute, reference)
            if record.number
            else ""
        )
        return _word(claim.word, known)
    if kinds == ("quantity", "word") and claim.number:
        level = level_of(claim.number, claim.attribute)
        if level and level in _EXCLUSIVE.get(record.word, ()):
            return Comparison("conflict", f"the record calls it {record.word}")
    return Comparison("undecided", "values of another kind")


def _denied(claim: Statement, record: Statement) -> Comparison:
    """Compare a value that is denied: "not positive" is negative, and of other values what they are stays open."""
    if claim.kind == record.kind == "word" and claim.word in _DENIED:
        return _word(_DENIED[claim.word], record.word)
    return Comparison("undecided", "a value that is denied")


def _presence(claim: Statement, record: Statement, related: Relation) -> Comparison:
    denied, absent = claim.present is False, record.present is False
    if claim.attribute != record.attribute:
        if related == "broader" and denied != absent:
            return (
                Comparison("conflict", f"{record.attribute} is recorded")
                if denied
                else Comparison("undecided", "only one form is denied")
            )
        if related == "broader" and denied:
            return Comparison("undecided", "only one form is denied")
        if related == "narrower":
            if absent:
                return Comparison("same" if denied else "conflict", f"{record.attribute} is denied")
            return Comparison("undecided", "more specific than the record")
    if denied != absent:
        return Comparison("conflict", "denied on one side")
    if not denied:
        for frame in ("stopped", "historical"):
            if (frame in claim.frames) != (frame in record.frames):
                said = frame == "stopped" and concepts()[claim.attribute].kind in {"drug", "drug_class"}
                return Comparison("conflict" if said else "undecided", f"{frame} on one side")
    return Comparison("same", "the same is recorded")


def may_be_in_another_unit(claim: Number, record: Number, attribute: str) -> bool:
    """Tell whether a number written without its unit is the other one in another unit that is usual for what both measure.

    Args:
        claim, record: the two numbers; one has a unit. attribute: concept, for the mass of a mole of it.

    >>> from percuss.text.numbers import numbers
    >>> [may_be_in_another_unit(numbers(said)[0], numbers("252 mg/dL")[0], "glucose") for said in ("14.0", "15.0", "14 mmol/L")]
    [True, False, False]
    """
    if bool(claim.unit) == bool(record.unit) or claim.value is None or record.value is None:
        return False
    bare, known = (record, claim) if claim.unit else (claim, record)
    half = Decimal(10) ** -bare.decimals / 2
    return any(
        other is not None and abs(other - bare.value) <= half
        for unit in _USUAL
        if unit != known.unit and bare.value is not None and known.value is not None
        for other in (in_unit(known.value, known.unit, unit, analyte_of(attribute)),)
    )


def _quantity(claim: Number, record: Number, attribute: str) -> Comparison:
    found = compare_quantities(claim, record, analyte_of(attribute))
    if found in {"equal", "within"}:
        return Comparison("same", "the same value")
    if found == "different" and may_be_in_another_unit(claim, record, attribute):
        return Comparison("undecided", "a number without its unit")
    return (
        Comparison("conflict", "another value")
        if found == "different"
        else Comparison("undecided", "values that can't be compared")
    )


def _code(claim: Statement, record: Statement) -> Comparison:
    said, known = claim.word.lower(), record.word.lower()
    if said == known:
        return Comparison("same", "the same code")
    if claim.attribute == "tumour stage" and broader_stage(claim.word) == broader_stage(record.word):
        return (
            Comparison("same", "the stage group")
            if claim.word == broader_stage(claim.word)
            else (
                Comparison("undecided", "a substage that isn't recorded")
                if record.word == broader_stage(record.word)
                else Comparison("conflict", "another substage")
            )
        )
    if claim.attribute in {"T category", "N category", "M category"} and known.startswith(said):
        return Comparison("same", "the category")
    if claim.attribute in {"T category", "N category", "M category"} and said.startswith(known):
        return Comparison("undecided", "a subcategory that isn't recorded")
    return Comparison("conflict", "another code")


def _word(said: str, known: str) -> Comparison:
    if not known:
        return Comparison("undecided", "no reference range")
    if said == known or ((said, known) in _IMPLIED and said == "abnormal"):
        return Comparison("same", f"the record is {known}")
    if known in _EXCLUSIVE.get(said, ()):
        return Comparison("conflict", f"the record is {known}")
    return Comparison("undecided", f"{said} against {known}")


def _dose(claim: Statement, record: Statement) -> Comparison:
    """Compare amount, route and frequency as one tuple: a part that differs is a conflict, one that isn't recorded is open."""
    if ("stopped" in claim.frames) != ("stopped" in record.frames):
        return Comparison("conflict", "stopped on one side")
    open_part = False
    if claim.number is not None:
        if record.number is None:
            open_part = True
        else:
            found = compare_quantities(claim.number, record.number)
            if found == "different":
                return Comparison("conflict", "another dose")
            open_part |= found == "undecided"
    for part in ("route", "frequency"):
        said = getattr(claim.dose, part, "") if claim.dose else ""
        known = getattr(record.dose, part, "") if record.dose else ""
        if said and known and said != known:
            return Comparison("conflict", f"another {part}")
        open_part |= bool(said and not known)
    return (
        Comparison("undecided", "a part of the dose isn't recorded")
        if open_part
        else Comparison("same", "the same dose")
    )
