"""Expected elements of a report, found by rule: the drug, the outcome, the way it went and the number must all be said.

A denial, another number, another drug or another group is no match; what is hedged or said both ways is undecided or contested, and
counts for nothing. Accuracy on labelled sentences, a local model's reports among them: tests/protocols/skills/test_elements.py.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from percuss.core.strict import Record
from percuss.protocols.skills.worlds.literature.clauses import (
    Clause,
    clauses,
    denied,
    direction,
    hedged,
    owned,
    places,
)
from percuss.text.numbers import Number

__all__ = ["Element", "Label", "Read", "read"]

Way = Literal["lower", "higher", "none", "retracted"]
Label = Literal["said", "contested", "other", "undecided", "absent"]
"""said; contested: said and denied, or with many numbers; other: said otherwise (denied, another number); undecided: hedged, or too
many numbers to tell; absent: nothing of it is there."""

MOST_NUMBERS = 4
"""Percentages of one outcome in one clause beyond which none of them is what is meant."""
MOST_TRIES = 3
"""Clauses that state an element with another number beyond which it was guessed."""
_RETRACTED = re.compile(r"\b(?:retract\w*|withdraw\w*|withdrew)\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:no|not|never|none|nor|neither|without)\b|n[’']t\b", re.IGNORECASE)


class Element(Record):
    """An element that a report is expected to hold.

    Args:
        id: within the task. drug: by its name. drugs: names of all other drugs of the index.
        outcome, concept: names of the outcome. rivals: names of the topic's other outcomes.
        way: how it went. number: the percentage; None = none is expected. leads: it has to come first of two ("8% against 4%").
        group: names of the people that it is about; () = all. groups: names of people for whom something else holds.
        alert: whether it is a risk alert. records: ids of the records that carry it.
    """

    id: str
    drug: str
    drugs: tuple[str, ...]
    outcome: tuple[str, ...]
    way: Way
    records: tuple[str, ...]
    concept: str = ""
    rivals: tuple[str, ...] = ()
    number: float | None = None
    leads: bool = False
    group: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    alert: bool = False


class Read(Record):
    """What was read of an element, with the clause that decided; empty where none did."""

    label: Label
    quote: str = ""


def read(element: Element, sections: Sequence[str]) -> Read:
    """Return whether a report says an element.

    Args:
        element: what is looked for. sections: texts of the report; a drug is carried over within a section.
    """
    names = (element.drug, *element.drugs, *(element.records if element.way == "retracted" else ()))
    found: dict[str, list[str]] = {"said": [], "against": [], "number": [], "undecided": []}
    for section in sections:
        for clause in clauses(section, names):
            label = _retraction(element, clause) if element.way == "retracted" else _finding(element, clause)
            if label:
                found[label].append(clause.text)
    tries = found["number"]
    if found["said"]:
        if found["against"] or len(tries) > MOST_TRIES:
            return Read(label="contested", quote=(found["against"] or tries)[0])
        return Read(label="said", quote=found["said"][0])
    other = found["against"] or tries
    if other:
        return Read(label="other", quote=other[0])
    undecided = found["undecided"]
    return Read(label="undecided", quote=undecided[0]) if undecided else Read(label="absent")


def _retraction(element: Element, clause: Clause) -> str:
    cue = _RETRACTED.search(clause.text)
    if cue is None or clause.subject not in {element.drug, *(each.lower() for each in element.records)}:
        return ""
    about = " ".join((clause.text, *clause.before[:1]))
    if not places(clause.text, (element.drug, *element.records)) and not places(about, element.outcome):
        return ""  # some report was retracted, of which drug is carried over: it may be another one
    if hedged(clause.text) or denied(clause.sentence):
        return "undecided"
    return "against" if _NO.search(clause.text[: cue.start()]) else "said"


def _finding(element: Element, clause: Clause) -> str:
    if clause.subject != element.drug or not _of_group(element, clause):
        return ""
    text, own = _with_outcome(element, clause)
    if not own:
        return ""
    if hedged(clause.text) or denied(clause.sentence):
        return "undecided"
    ways = {direction(text, place) for place in own[:1]}
    way = ways.pop()
    if way is None:
        return ""
    if way != element.way:
        return "against"
    return "said" if element.number is None else _number(element, text, own)


def _of_group(element: Element, clause: Clause) -> bool:
    if element.group:
        return bool(places(clause.text, element.group))
    return not places(clause.text, element.groups)


def _with_outcome(element: Element, clause: Clause) -> tuple[str, list[tuple[int, int]]]:
    """Return the text to read and where it names the outcome; one about a group that names none speaks of the outcome before it."""
    own = places(clause.text, element.outcome, element.concept)
    if own or places(clause.text, element.rivals) or not element.group:
        return clause.text, own
    for earlier in clause.before:
        if places(earlier, element.outcome, element.concept):
            return f"{element.outcome[0]}: {clause.text}", [(0, len(element.outcome[0]))]
        if places(earlier, element.rivals):
            break
    return clause.text, []


def _number(element: Element, text: str, own: list[tuple[int, int]]) -> str:
    found = owned(text, own, places(text, element.rivals))
    if len(found) > MOST_NUMBERS:
        return "undecided"
    if not found:
        return ""
    wanted = Decimal(str(element.number))
    values = [_value(text, each) for each in found]
    if element.leads:
        values = (
            values[1:2]
            if re.search(r"\bfrom\s*$", text[: found[0].start]) and len(values) > 1
            else values[:1]
        )
    return "said" if wanted in values else "number"


def _value(text: str, number: Number) -> Decimal | None:
    """Return what a percentage says: the end of "from 4% to 8%", else the number; None for other ranges and bounds."""
    if number.kind == "range":
        return number.upper if re.search(r"\bfrom\s*$", text[: number.start]) else None
    return number.value if number.comparator in {"", "~"} else None
