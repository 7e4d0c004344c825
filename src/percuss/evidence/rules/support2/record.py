"""What `support-2` says of one claim, and what it hangs on."""

from typing import Literal

from percuss.core.strict import Record

__all__ = ["Hang", "Outcome", "Reading"]

Outcome = Literal["supported", "contradicted", "absent", "partial", "given", "undecided"]


class Hang(Record):
    """One part of a claim with what decided it.

    Args:
        text: the words of the claim. start, stop: their place.
        attribute: what they speak of, by its canonical name.
        outcome: how the part stands to the evidence; "given" = the question says it.
        reason: in a few words.
        path: the fact that decided; "" = none (a passage, the question, or nothing).
        value: what stands there, as text; "" = nothing.
    """

    text: str
    start: int
    stop: int
    attribute: str
    outcome: Outcome
    reason: str
    path: str = ""
    value: str = ""


class Reading(Record):
    """Label of one claim by `support-2`.

    Args:
        label: the outcome.
        reason: in a few words; for undecided, why nothing more can be said.
        hangs_on: the parts that were read, in order of place.
    """

    label: Outcome
    reason: str
    hangs_on: tuple[Hang, ...] = ()
