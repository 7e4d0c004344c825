"""Fields of a structured record as statements, so that a packet and a sentence can be compared."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache

from percuss.core.strict import Record
from percuss.text.concepts.mentions import Mention, mentions
from percuss.text.concepts.record import Statement, StatementKind
from percuss.text.concepts.staging import stage_of
from percuss.text.concepts.statements import read_statements
from percuss.text.concepts.table import Concept, concept, concepts
from percuss.text.numbers import Number, measure, numbers
from percuss.text.words import PAIRS, key_of

__all__ = ["Field", "attribute_of", "read_fields"]

Value = str | int | float | bool | None


class Field(Record):
    """One field of a record.

    Args:
        path: dotted place; a bar may part the last name from the entry ("conditions.asthma|status").
        value: number, text, boolean; None = not recorded.
        unit: as the source writes it; "" = none.
        date: ISO date; "" = undated.
    """

    path: str
    value: Value = None
    unit: str = ""
    date: str = ""


_PARTS = re.compile(r"[._|\s/-]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOISE = frozenset(
    "z value result results level score fraction percent pct number amount serum expression tpm zscore log2 years mean of the current".split()
)
_ENTRIES = ("conditions", "diagnoses", "problems", "medications", "procedures", "allergies", "drugs")
_STOPPED = re.compile(
    r"stop|complet|cancel|discontinu|inactive|ended|on[ _-]?hold|\bheld\b|withheld|paused|suspended|ceased|entered-in-error|resolved|remission",
    re.IGNORECASE,
)
_REFUTED = re.compile(r"refuted|entered-in-error|not-done|not-taken|not taken|not done", re.IGNORECASE)
_UNSURE = re.compile(r"provisional|differential|unconfirmed|suspected|possible|probable", re.IGNORECASE)
_PLANNED = re.compile(
    r"draft|planned|preparation|proposal|plan|pending|ordered|scheduled|intended", re.IGNORECASE
)
_YES = {
    "yes": True,
    "true": True,
    "present": True,
    "positive": True,
    "no": False,
    "false": False,
    "absent": False,
    "none": False,
    "negative": False,
}
_SMOKING = {
    "never": "never smoker",
    "former": "former smoker",
    "ever": "smoking",
    "current": "current smoker",
    "yes": "smoking",
    "no": "never smoker",
}
_LONGEST_SHORT = 5
_MEASURED = frozenset({"analyte", "vital"})
_LEVELS = frozenset("high low normal abnormal positive negative elevated reduced".split())


def read_fields(fields: Iterable[Field]) -> tuple[Statement, ...]:
    """Return what the fields of a record state.

    Entries of lists that have a name and further parts ("medications.aspirin|status") are read together: the status of a drug is
    a frame of the drug. A field whose attribute isn't in the table of concepts states nothing here.

    Args:
        fields: in any order; a null field states nothing.

    >>> [(s.attribute, s.frames) for s in read_fields((Field(path="labs.potassium", value=5.9, unit="mmol/L"),))]
    [('potassium', ())]
    """
    made: list[Statement] = []
    grouped: dict[str, dict[str, Field]] = {}
    for field in fields:
        if field.value is None or field.value == "" or "available" in field.path.lower():
            continue
        head, entry, leaf = _entry(field.path)
        if entry:
            grouped.setdefault(head, {})[leaf] = field
        else:
            made.extend(_read_one(field))
    for head, parts in grouped.items():
        made.extend(_read_entry(head, parts))
    return tuple(made)


def _entry(path: str) -> tuple[str, bool, str]:
    """Return (head, whether it is an entry of a list, last name)."""
    first = path.partition(".")[0].lower()
    if first in _ENTRIES:
        head, bar, leaf = path.rpartition("|")
        if not bar:
            head, _, leaf = path.rpartition(".")
        if head.count(".") or bar:
            return head, True, leaf.lower()
    return path, False, ""


def _read_entry(head: str, parts: Mapping[str, Field]) -> list[Statement]:
    """Read a condition, drug or procedure with its status, dose, stage and date."""
    named = parts.get("name")
    name = str(named.value) if named else " ".join(_words(head)[1:])
    said = " ".join(str(parts[key].value) for key in ("status", "verification") if key in parts)
    frames = _frames_of_status(head, said)
    date = named.date if named else next((part.date for part in parts.values() if part.date), "")
    made: list[Statement] = []
    allergy = head.lower().startswith("allerg")
    for mention in mentions(name):
        attribute, subject = ("allergy", mention.concept) if allergy else (mention.concept, "")
        made.append(
            _statement(
                mention,
                "presence",
                attribute=attribute,
                subject=subject,
                present=not _REFUTED.search(said),
                frames=frames,
                date=date,
            )
        )
        if "dose" in parts:
            drug = mention.concept
            made.extend(
                _framed(each, frames, date)
                for each in read_statements(f"{mention.text} {parts['dose'].value}")
                if each.attribute in {"dose", "duration"} and each.subject == drug
            )
    if "stage" in parts and (stage := stage_of(str(parts["stage"].value))):
        made.append(Statement(attribute="tumour stage", kind="code", word=stage, date=date))
    return made


def _framed(statement: Statement, frames: tuple[str, ...], date: str) -> Statement:
    return Statement(
        attribute=statement.attribute, kind=statement.kind, subject=statement.subject, number=statement.number, dose=statement.dose,
        frames=frames, date=date,
    )  # fmt: skip


def _frames_of_status(head: str, said: str) -> tuple[str, ...]:
    drug = head.lower().startswith(("medic", "drug"))
    found = set()
    if _REFUTED.search(said):
        found.add("negated")
    elif _STOPPED.search(said):
        found.add("stopped" if drug else "historical" if not head.lower().startswith("proced") else "")
    elif _PLANNED.search(said):
        found.add("planned")
    if _UNSURE.search(said):
        found.add("possible")
    return tuple(sorted(found - {""}))


def _statement(
    mention: Mention,
    kind: StatementKind,
    *,
    attribute: str,
    subject: str,
    present: bool,
    frames: tuple[str, ...],
    date: str,
) -> Statement:
    return Statement(
        attribute=attribute,
        kind=kind,
        subject=subject,
        present=present,
        qualifiers=mention.qualifiers,
        site=mention.site,
        frames=frames,
        date=date,
    )


def _read_one(field: Field) -> list[Statement]:
    value = field.value
    name = attribute_of(field.path)
    if name == "EGFR" and field.unit.lower().startswith("ml/min"):
        name = "glomerular filtration rate"  # one abbreviation, told apart by its unit
    if name is None:
        return _read_text(field) if isinstance(value, str) and len(value) > 40 else []
    known = concepts()[name]
    if isinstance(value, bool):
        return [Statement(attribute=name, kind="presence", present=value, date=field.date)]
    if isinstance(value, int | float):
        return [
            Statement(
                attribute=name, kind="quantity", number=_number(str(value), field, known), date=field.date
            )
        ]
    assert isinstance(value, str)
    return _read_word(field, known, value.strip())


def _read_text(field: Field) -> list[Statement]:
    return [each for each in read_statements(str(field.value)) if each.kind != "named"]


def _number(written: str, field: Field, known: Concept) -> Number:
    """Make a number of a field; a share of a concept that is told in percent is one."""
    found = measure(field.unit)
    unit = found.name if found else ""
    decimals = len(written.partition(".")[2])
    number = Decimal(written)
    if not unit and known.unit == "%" and 0 < number <= 1 and "." in written:
        number, decimals, unit = number * 100, max(0, decimals - 2), "%"
    elif not unit and known.unit == "%" and number > 1:
        unit = "%"
    return Number(
        start=0, stop=len(written), text=written, kind="quantity", value=number, unit=unit, decimals=decimals
    )


def _read_word(field: Field, known: Concept, value: str) -> list[Statement]:
    """Read a field whose value is text: a number, a level, a code, yes or no."""
    low = value.lower()
    if known.name == "smoking" and low.split()[0] in _SMOKING:
        return [Statement(attribute=_SMOKING[low.split()[0]], kind="presence", present=True, date=field.date)]
    if known.name == "sex" and low in {"male", "female", "m", "f"}:
        return [
            Statement(
                attribute="male" if low.startswith("m") else "female",
                kind="presence",
                present=True,
                date=field.date,
            )
        ]
    if known.name == "tumour stage":
        stage = stage_of(value)
        return [Statement(attribute=known.name, kind="code", word=stage, date=field.date)] if stage else []
    counted = numbers(value)
    if (
        len(counted) == 1
        and counted[0].kind in {"quantity", "range", "pair", "fraction"}
        and counted[0].start < 3
    ):
        number = counted[0]
        return [Statement(attribute=known.name, kind="quantity", number=number, date=field.date)]
    said = [
        each
        for each in read_statements(f"{known.name}: {value}")
        if each.attribute == known.name and each.kind in {"word", "code"}
    ]
    if said:
        return [
            Statement(attribute=known.name, kind=each.kind, word=each.word, date=field.date)
            for each in said[:1]
        ]
    if low in _YES:
        return [Statement(attribute=known.name, kind="presence", present=_YES[low], date=field.date)]
    if known.kind == "score" and len(value) <= 12:
        return [Statement(attribute=known.name, kind="code", word=value, date=field.date)]
    return _read_text(field)


@lru_cache(maxsize=1)
def _paths() -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for each in concepts().values():
        for phrase in each.path:
            found.setdefault(tuple(key_of(word) for word, _ in PAIRS.findall(phrase)), each.name)
    return found


def _words(path: str) -> list[str]:
    return [word for word in _PARTS.split(_CAMEL.sub(" ", path)) if word and not word.isdigit()]


@lru_cache(maxsize=4096)
def attribute_of(path: str) -> str | None:
    """Return the concept that a field holds, by the words of its path; None where the table has none.

    >>> attribute_of("transcriptomics.z_cd274"), attribute_of("labs.serum_potassium"), attribute_of("clinical.tmb_nonsilent_per_mb")
    ('CD274', 'potassium', 'tumour mutational burden')
    """
    words = [key_of(word) for word in _words(path)]
    table = _paths()
    for size in range(min(5, len(words)), 0, -1):
        for start in range(len(words) - size, -1, -1):
            name = table.get(tuple(words[start : start + size]))
            if name is not None and (
                start + size == len(words) or all(word in _NOISE for word in words[start + size :])
            ):
                return name
    telling = _words(path)
    for start in range(len(telling)):
        phrase = " ".join(telling[start:])
        found = [m for m in mentions(f"{phrase} 1") if m.start == 0]
        if found and (
            found[0].stop >= len(phrase)
            or all(word.lower() in _NOISE for word in phrase[found[0].stop :].split())
        ):
            return found[0].concept if concept(found[0].concept) else None
    return _short(telling[-1]) if telling and 1 < len(telling[-1]) <= _LONGEST_SHORT else None


def _short(leaf: str) -> str | None:
    """Return what a short form of a measured value names that a path writes in small letters: "hb", "wbc"."""
    found = mentions(f"{leaf.upper()} 1")
    if len(found) != 1 or found[0].start or found[0].stop != len(leaf) or found[0].others:
        return None
    known = concept(found[0].concept)
    return known.name if known is not None and known.kind in _MEASURED else None
