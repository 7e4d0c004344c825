"""Statements whose truth is known by how they were made: facts in templates, other cases' values, denials, inventions.

Wording of its own: this module reads nothing of concepts, rules or readers (a contract of the import linter), or a reader would
be tried on its own words.
"""

import re
from collections.abc import Mapping, Sequence

from percuss.evidence.packet import Fact

__all__ = [
    "CLASSES",
    "INVENTIONS",
    "OPEN",
    "denial",
    "in_words",
    "misunited",
    "moved",
    "named",
    "numbered",
    "numbers_in",
    "other_drug",
    "sided",
    "stated",
    "swapped",
    "turned",
]

CLASSES = (
    "value", "denial", "moved number", "invention", "turned word", "other drug", "other dose", "other date", "other status", "other unit",
    "another patient's", "labelled",
)  # fmt: skip
"""Of seeded errors: another case's value, a denial of a fact, a number of a sentence moved, a finding made up, what the record says with a
side, direction, state or person turned or a denial left out, with another drug, dose, date, status or unit, what the model said of another
case with a number that only that one holds, and what people labelled unsupported."""
_TEMPLATES = {
    "age_years": ("The patient is {v} years old.", "Age at diagnosis was {v} years."),
    "sex": ("The patient is {v}.", "This is a {v} patient."),
    "stage": ("The tumour is stage {v}.", "Staging gave stage {v} disease."),
    "smoking": ("Smoking status is {v}.", "Smoking was recorded as {v}."),
    "pack_years": ("The patient smoked {v} pack-years.", "Tobacco exposure comes to {v} pack-years."),
    "io_tier": ("The immune tier is {v}.", "This tumour falls in the {v} tier."),
    "io_score": ("The immune score is {v}.", "The io score comes to {v}."),
    "immune_subtype": ("The immune subtype is {v}.", "The tumour belongs to immune subtype {v}."),
    "tmb_nonsilent_per_mb": ("There are {v} nonsilent mutations per megabase.", "Nonsilent TMB is {v} mutations per megabase."),
}  # fmt: skip
_ANY = ("{name} is {v}{u}.", "The value for {low} was {v}{u}.")
_DENIED = {
    "sex": "The patient is not {v}.",
    "stage": "The tumour is not stage {v}.",
    "smoking": "Smoking status is not {v}.",
    "io_tier": "The immune tier is not {v}.",
    "immune_subtype": "The immune subtype is not {v}.",
}
INVENTIONS = (
    "An EGFR L858R mutation was found.",
    "PD-L1 stains 80% of the tumour cells.",
    "The tumour carries an ALK rearrangement.",
    "There are metastases in both adrenal glands.",
    "Brain imaging shows two metastases.",
    "A pleural effusion was drained.",
    "The patient takes metformin for type 2 diabetes.",
    "Creatinine is 1.9 mg/dL.",
    "Haemoglobin fell to 8.4 g/dL.",
    "The patient had four cycles of pembrolizumab.",
    "A right upper lobectomy was done.",
    "The ECOG performance status is 2.",
    "Interstitial lung disease is known.",
    "There is a history of rheumatoid arthritis.",
    "Tumour necrosis covers 35% of the section.",
    "A bone scan shows a lesion in the left femur.",
    "Forced expiratory volume is 54% of predicted.",
    "The patient is allergic to penicillin.",
    "A KRAS G12C mutation was reported.",
    "Lactate dehydrogenase is 612 U/L.",
)
"""What a model may well invent of a patient with lung cancer, and no packet of the bundled cohort holds."""
_TURNED = {
    one: other
    for pair in (
        "left right", "rose fell", "increased decreased", "elevated reduced", "high low", "higher lower", "above below", "before after",
        "started stopped", "acute chronic", "benign malignant", "positive negative", "present absent", "with without",
        "anterior posterior", "upper lower", "mild severe", "father mother", "bilateral unilateral", "improved worsened",
    )
    for one, other in (pair.split(), pair.split()[::-1])
}  # fmt: skip
"""Words that make another statement of one that the record holds, each way round."""
_DRUGS = {
    one: other
    for pair in (
        "metformin gliclazide", "apixaban warfarin", "aspirin clopidogrel", "ramipril amlodipine", "atorvastatin ezetimibe",
        "amoxicillin doxycycline", "cisplatin paclitaxel", "pembrolizumab erlotinib", "prednisolone methotrexate",
        "omeprazole famotidine", "enoxaparin rivaroxaban", "furosemide spironolactone", "bisoprolol verapamil",
        "levothyroxine carbimazole", "salbutamol tiotropium", "vancomycin meropenem", "morphine paracetamol", "sertraline mirtazapine",
    )
    for one, other in (pair.split(), pair.split()[::-1])
}  # fmt: skip
"""Drugs of unlike classes, each way round: none is another name of its pair."""
_SIDES = {
    one: other
    for pair in ("left right", "anterior posterior", "upper lower", "father mother")
    for one, other in (pair.split(), pair.split()[::-1])
}
"""Words that no number and no other word of a record implies, each way round."""
_SIDED = frozenset("r l rt lt rul rml rll lul lll bilateral both bilaterally".split())
"""Words of a record that say a side without naming it."""
_UNITS = {
    "mg": "g", "g": "mg", "mcg": "mg", "mm": "cm", "cm": "mm", "mmol": "mg", "years": "months", "months": "years", "days": "weeks",
    "weeks": "days", "hours": "days",
}  # fmt: skip
"""Units that make another amount of the same number."""
_UNIT = re.compile(rf"(?<![\w.,])(\d+(?:\.\d+)?) ({'|'.join(_UNITS)})\b(?!-)")
OPEN = re.compile(
    r"\b(?:no|not|never|without|neither|nor|den(?:y|ies|ied)|absence|absent|exclud\w+|ruled out|free of|negative|unlikely|over|under|above|below|"
    r"than|at least|at most|up to|exceed\w*|between|before|after|nearly|almost)\b|n't|[<>≤≥]",
    re.IGNORECASE,
)
"""What leaves a changed statement true, perhaps: of a denial another may hold, too, and a bound holds of many numbers."""
_WORD = re.compile(r"[A-Za-z]+")
_VERB = re.compile(r" (?:is|are|was|were) ")
_DENIES = re.compile(r"no (?=[a-z])", re.IGNORECASE)
_FREE = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
_NUMBER = re.compile(r"(?<![\w.,/-])(\d{2,3}(?:\.\d+)?|\d\.\d+)(?![\w/-]|\.\d|,\d)")


def stated(fact: Fact, value: object, way: int, layers: Sequence[str] = ()) -> str:
    """Return a sentence that states a value of a fact's attribute.

    Args:
        fact: names the attribute and unit. value: stated of it. way: which wording. layers: names left out of the attribute's.
    """
    said = in_words(value)
    own = _TEMPLATES.get(fact.leaf)
    if own is not None:
        return own[way % len(own)].format(v=said)
    name = named(fact, layers)
    unit = f" {fact.unit}" if fact.unit else ""
    return _ANY[way % len(_ANY)].format(name=name[:1].upper() + name[1:], low=name, v=said, u=unit)


def in_words(value: object) -> str:
    """Return a value as a sentence says it."""
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def named(fact: Fact, layers: Sequence[str] = ()) -> str:
    """Return the name of a fact's attribute as a sentence says it.

    Args:
        fact: whose. layers: names left out of it.
    """
    parts = [part for part in fact.path.split(".") if part not in layers and not part.isdigit()]
    return " ".join(parts).replace("_", " ")


def numbers_in(text: str) -> list[float]:
    """Return all numbers that stand free in a text, however they are meant."""
    return [float(found) for found in _FREE.findall(text)]


def denial(fact: Fact) -> str | None:
    """Return a sentence that denies what a fact says; None where no plain one is known."""
    template = _DENIED.get(fact.leaf)
    return None if template is None else template.format(v=fact.value)


def moved(text: str, others: Sequence[float], held: Sequence[float], way: int) -> str | None:
    """Return a sentence with its first free-standing number moved to another case's, which its own record does not hold; None for a bound or a denial.

    Args:
        text: a sentence. others: numbers of other cases. held: numbers of the case's own record. way: which of the others.

    >>> moved("The tumour measured 31 mm.", [48.0], [31.0], 0)
    'The tumour measured 48 mm.'
    """
    found = _NUMBER.search(text)
    if found is None or OPEN.search(text):
        return None
    now = float(found[1])
    free = [n for n in others if abs(n - now) > 0.15 * abs(now) + 0.02 and not _near(n, held) and n >= 0]
    if not free:
        return None
    new = free[way % len(free)]
    return text[: found.start()] + (f"{new:g}" if "." in found[1] else f"{round(new)}") + text[found.end() :]


def _near(number: float, held: Sequence[float]) -> bool:
    return any(abs(own - n) <= 0.02 for own in held for n in (number, number / 100, round(number)))


def turned(text: str, held: str) -> str | None:
    """Return a statement of a record with one word turned round, or its leading "no" left out; None where that may hold of the record too.

    Args:
        text: a statement that the record holds. held: all that the record says; where it has the turned word, nothing is turned.

    >>> turned("The nodule is in the left lung.", "The nodule is in the left lung. No effusion.")
    'The nodule is in the right lung.'
    >>> turned("No effusion.", "The nodule is in the left lung. No effusion.")
    'There is effusion.'
    """
    if (other := swapped(text, held, _TURNED)) is not None:
        return other
    denies = _DENIES.match(text)
    if denies is None or held.casefold().count(text[denies.end() :].strip(" .").casefold()) > 1:
        return None
    rest = text[denies.end() :]
    return f"{rest[:1].upper()}{rest[1:]}" if _VERB.search(rest) else f"There is {rest}"


def swapped(text: str, held: str, pairs: Mapping[str, str] = _DRUGS) -> str | None:
    """Return a statement with one word put for its pair; None where no word has one, the record holds that one too, or a denial or bound leaves it open.

    Args:
        text: a statement that the record holds. held: all that the record says. pairs: word -> the other; drugs unless given.

    >>> swapped("She takes metformin 500 mg.", "She takes metformin 500 mg.")
    'She takes gliclazide 500 mg.'
    """
    known = [word.casefold() for word in _WORD.findall(held)]
    for found in _WORD.finditer(text):
        word, other = found[0], pairs.get(found[0].casefold())
        if other is None or other in known or text.casefold().split().count(word.casefold()) > 1:
            continue
        if not OPEN.search(text[: found.start()] + text[found.end() :]):
            new = other.capitalize() if word[0].isupper() else other
            return text[: found.start()] + new + text[found.end() :]
    return None


def sided(text: str, held: str) -> str | None:
    """Return a statement with its side, or the relative that it is of, turned; None where the record may hold that one too, whatever the statement was.

    Args:
        text: any statement of the case. held: all that its record says.

    >>> sided("The nodule is in the left lung.", "A nodule of 14 mm.")
    'The nodule is in the right lung.'
    >>> sided("The nodule is in the left lung.", "Nodule, RUL.") is None
    True
    """
    if _SIDED & {word.casefold() for word in _WORD.findall(held)}:
        return None
    return swapped(text, held, _SIDES)


def other_drug(text: str, held: str) -> str | None:
    """Return a statement with a drug that the record holds put for one that it doesn't; None where it names none.

    Args:
        text: any statement of the case. held: all that its record says.

    >>> other_drug("She takes metformin.", "metformin 500 mg")
    'She takes gliclazide.'
    >>> other_drug("She takes metformin.", "aspirin 100 mg") is None
    True
    """
    known = {word.casefold() for word in _WORD.findall(held)}
    return swapped(text, held, {one: other for one, other in _DRUGS.items() if one in known})


def misunited(text: str, held: str) -> str | None:
    """Return a statement with the unit of its first amount changed; None where it has none, the record holds that amount too, or it only bounds or denies one.

    Args:
        text: a statement that the record holds. held: all that the record says.

    >>> misunited("The nodule measures 14 mm.", "The nodule measures 14 mm.")
    'The nodule measures 14 cm.'
    """
    found = _UNIT.search(text)
    if found is None or found[1] == "0" or OPEN.search(text):
        return None
    new = f"{found[1]} {_UNITS[found[2]]}"
    return None if new in held else text[: found.start()] + new + text[found.end() :]


def numbered(text: str, other: Sequence[float], held: Sequence[float]) -> bool:
    """Tell whether the first free-standing number of a sentence is one of another case's record, and not of its own.

    Args:
        text: what was said of the other case. other: numbers of that one's record. held: numbers of the case's own.
    """
    found = _NUMBER.search(text)
    if found is None or OPEN.search(text):
        return False
    number = float(found[1])
    return number in other and not _near(number, held) and not _near(100 * number, held)
