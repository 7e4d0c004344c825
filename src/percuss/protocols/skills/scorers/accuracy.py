"""Accuracy: one option, a set of options, a label, fields of a text, an amount."""

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from percuss.protocols.skills.scorers.score import Score, text_of, unscored
from percuss.protocols.textbook.scoring.normal import normal
from percuss.protocols.textbook.scoring.parsing import parse_choice, parse_list

__all__ = [
    "SMALLEST",
    "amount_of",
    "amounts",
    "choice",
    "extract",
    "fields_of",
    "label",
    "multi",
    "options_meant",
]

SMALLEST = 0.01
"""Tolerance of an amount where its item gives none: one smallest currency unit (definitions, section 3)."""
_AMOUNT = re.compile(r"(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|\.\d)")
_FINAL = re.compile(
    r"(?:answer|total|result|pays?|reimburses?|amounts? to|amount|sum)\b[^\d\n-]{0,40}$", re.IGNORECASE
)
_FIELD = re.compile(r"^[\s\-*•]*\"?([^:=\"]{1,60}?)\"?\s*[:=]\s*(.+?)\s*,?$", re.MULTILINE)
_DAY = re.compile(r"^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def choice(answer: object, options: Sequence[str], right: str) -> Score:
    """Score the one option that an answer names: 100 or 0; several, or none, can't be scored.

    Args:
        answer: of the model. options: texts in the order of their letters. right: text of the right one, or its letter.

    >>> choice("The answer is B.", ("iron", "zinc"), "B").value
    100.0
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    meant = options_meant((right,), options)
    if isinstance(meant, Score):
        return meant
    read = parse_choice(text, options)
    if read.reason is not None:
        return unscored(read.reason)
    if len(read.chosen) > 1:
        return unscored(f"undecided:{len(read.chosen)} options named")
    return Score(100.0 * (read.chosen == meant), found={"chosen": list(read.chosen)})


def multi(answer: object, options: Sequence[str], right: Sequence[str]) -> Score:
    """Score a set of options: 100 where it is the right one exactly; the share in common stands beside it as `partial`.

    Args:
        answer: of the model. options: texts in the order of their letters. right: texts or letters of all right ones.

    >>> multi("A, C", ("a rash", "a cough", "a fever"), ("A",)).parts["partial"]
    50.0
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    meant = options_meant(right, options)
    if isinstance(meant, Score):
        return meant
    read = parse_list(text, options)
    known = tuple(each for each in read.chosen if each in options)
    if read.reason is not None or (not known and parse_list(text).chosen):
        return unscored(read.reason or "unparsable:no option named")
    chosen, wanted = set(known), set(meant)
    partial = len(chosen & wanted) / len(chosen | wanted)
    return Score(
        100.0 * (chosen == wanted), parts={"partial": 100 * partial}, found={"chosen": sorted(chosen)}
    )


def options_meant(right: Sequence[str], options: Sequence[str]) -> tuple[str, ...] | Score:
    """Return the options that letters or texts mean; unscored where one means none.

    Args:
        right: letters or texts. options: texts in the order of their letters.
    """
    if isinstance(right, str) or not all(isinstance(each, str) for each in (*right, *options)) or not right:
        return unscored("not_applicable:the item has no right option")
    by_letter = dict(zip(LETTERS, options, strict=False))
    by_text = {normal(option): option for option in options}
    found = [by_text.get(normal(each)) or by_letter.get(each.strip().upper().rstrip(".)")) for each in right]
    missing = [each for each, option in zip(right, found, strict=True) if option is None]
    if missing:
        return unscored(f"not_applicable:{missing[0]!r} is none of the item's {len(options)} options")
    return tuple(option for option in found if option is not None)


def label(answer: object, labels: Sequence[str], right: str) -> Score:
    """Score the one label of a set that an answer gives.

    Args:
        answer: of the model. labels: what may be said; () for anything. right: the right label.

    >>> label("Department: cardiology", ("cardiology", "surgery"), "Cardiology").value
    100.0
    """
    if labels:
        return choice(answer, labels, right)
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    if not isinstance(right, str) or not right.strip():
        return unscored("not_applicable:the item has no right label")
    return Score(100.0 * (normal(text) == normal(right)), found={"label": text.strip()})


def extract(answer: object, right: Mapping[str, Any]) -> Score:
    """Score fields that were taken out of a text: the share that is right, each made alike before it is compared.

    Args:
        answer: JSON, or lines `field: value`. right: field -> value; a list is compared as a set.

    A field that is missing is wrong; an answer that names no field of the item can't be read.
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    if not isinstance(right, Mapping) or not right:
        return unscored("not_applicable:the item has no fields")
    found = fields_of(text, tuple(right))
    if not found:
        return unscored(f"unparsable:none of the fields {', '.join(right)}")
    hits = {name: _same(found.get(name), value) for name, value in right.items()}
    return Score(
        100 * sum(hits.values()) / len(hits),
        found={"fields": {n: str(v) for n, v in found.items()}, "right": hits},
    )


def fields_of(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Return the named fields that an answer gives, from JSON where there is some, else from its lines.

    Args:
        text: the answer. names: of the fields.
    """
    by_name = {normal(name): name for name in names}
    start, stop = text.find("{"), text.rfind("}")
    held: Any = None
    if 0 <= start < stop:
        try:
            held = json.loads(text[start : stop + 1])
        except (json.JSONDecodeError, RecursionError):
            held = None
    pairs = held.items() if isinstance(held, dict) else _FIELD.findall(text)
    return {by_name[key]: value for name, value in pairs if (key := normal(str(name))) in by_name}


def _same(found: Any, right: Any) -> bool:
    if isinstance(right, list | tuple):
        entries = (
            found if isinstance(found, list | tuple) else str(found if found is not None else "").split(",")
        )
        return {_plain(each) for each in entries if _plain(each)} == {_plain(each) for each in right}
    return found is not None and _plain(found) == _plain(right)


def _plain(value: Any) -> str:
    """Return a value as it is compared: a date as ISO, a number by its size, words made alike."""
    text = str(value).strip().strip("\"'").rstrip(".")
    if day := _DAY.match(text):
        return f"{int(day[1]):04}-{int(day[2]):02}-{int(day[3]):02}"
    number = _number(text)
    return str(number.normalize() + 0) if number is not None else normal(text)


def _number(text: str) -> Decimal | None:
    if _AMOUNT.fullmatch(text) is None:
        return None
    try:
        return Decimal(text.replace(",", "").replace("−", "-"))
    except InvalidOperation:
        return None


def amount_of(answer: object, right: float, tolerance: float = SMALLEST) -> Score:
    """Score an amount: 100 where it is within the tolerance of the right one.

    Args:
        answer: the amount, alone or in words; what follows "answer", "total" or "pays" counts where there are several.
        right: in the same currency. tolerance: half-width, both ends included.

    >>> amount_of("Deductible 100. The insurer pays 1,250.50", 1250.5).value
    100.0
    """
    text = text_of(answer)
    if isinstance(text, Score):
        return text
    if isinstance(right, bool) or not isinstance(right, int | float):
        return unscored("not_applicable:the item has no amount")
    found = amounts(text)
    if len(set(found)) != 1:
        return unscored(f"undecided:{len(set(found))} amounts" if found else "unparsable:no amount")
    off = abs(found[0] - Decimal(str(right)))
    return Score(100.0 * (off <= Decimal(str(tolerance))), found={"amount": str(found[0])})


def amounts(text: str) -> list[Decimal]:
    """Return the amounts that an answer ends on: what its last word of result is followed by, else all that stand there.

    Args:
        text: the answer.
    """
    every = [(match.start(), _number(match[0])) for match in _AMOUNT.finditer(text)]
    held = [(start, value) for start, value in every if value is not None]
    final = [value for start, value in held if _FINAL.search(text[max(0, start - 60) : start])]
    return final[-1:] or [value for _, value in held]
