"""What a text or a packet field states, in one form, so that the two can be compared."""

from typing import Literal

from percuss.core.strict import Record
from percuss.text.concepts.mentions import Mention, Qualifier
from percuss.text.numbers import Number

__all__ = ["Dose", "Reading", "Span", "Statement", "StatementKind"]

Span = tuple[int, int]
StatementKind = Literal["quantity", "word", "presence", "dose", "code", "named"]
"""quantity: a number; word: an interpretation ("high", "normal", "positive"); presence: it is there or not; dose; code: a stage, class
or subtype; named: an attribute of which nothing is said that is understood."""


class Dose(Record):
    """How a drug is given; an empty part isn't said.

    Args:
        route: "oral", "intravenous" ..
        frequency: times per period ("2/d", "1/wk"), "as needed", "once".
    """

    route: str = ""
    frequency: str = ""


class Statement(Record):
    """One thing said: of an attribute, a value, in a frame.

    Args:
        attribute: canonical concept.
        subject: concept that the attribute belongs to (the nodule of a size, the drug of a dose); "" = the patient.
        kind: what sort of value it has.
        number: the quantity; None = none.
        earlier: the value it changed from; None = no change told.
        word: interpretation or code; "" = none.
        present: for presence; None = not said.
        dose: how a drug is given; None = not said.
        qualifiers: (dimension, value) pairs that change what it is.
        site: anatomical concepts.
        frames: "negated", "possible", "historical" ..; () = asserted of the patient now.
        date: ISO date as far as told; "" = undated.
        others: further concepts that the abbreviation may mean.
        derived: follows from another one ("hyperkalaemia": potassium is high).
        start, stop: place of the attribute's name (of the value where none is named).
        spans: places of everything that it hangs on.
    """

    attribute: str
    kind: StatementKind
    subject: str = ""
    number: Number | None = None
    earlier: Number | None = None
    word: str = ""
    present: bool | None = None
    dose: Dose | None = None
    qualifiers: tuple[Qualifier, ...] = ()
    site: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    date: str = ""
    others: tuple[str, ...] = ()
    derived: bool = False
    start: int = 0
    stop: int = 0
    spans: tuple[Span, ...] = ()


class Reading(Record):
    """All that was read in a text, and what wasn't.

    Args:
        text: the text.
        statements: in order of place.
        mentions: mentions of concepts.
        numbers: numbers with their kinds.
        unbound: numbers that belong to no attribute that is sure.
    """

    text: str
    statements: tuple[Statement, ...] = ()
    mentions: tuple[Mention, ...] = ()
    numbers: tuple[Number, ...] = ()
    unbound: tuple[Number, ...] = ()
