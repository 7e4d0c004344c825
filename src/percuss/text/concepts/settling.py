"""A claimed statement against all that is known."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from percuss.text.concepts.comparing import compare
from percuss.text.concepts.fitting import STANDING, direction_of
from percuss.text.concepts.record import Statement
from percuss.text.concepts.table import concepts

__all__ = ["Verdict", "settle"]


class Verdict(NamedTuple):
    """How a claimed statement stands to all that is known.

    Args:
        label: "supported", "contradicted", "undecided", or "silent": nothing known speaks of it.
        reason: in a few words.
        record: the known statement that settled it; None where none did.
    """

    label: Literal["supported", "contradicted", "undecided", "silent"]
    reason: str
    record: Statement | None = None


def settle(claim: Statement, known: Iterable[Statement]) -> Verdict:
    """Return how a claimed statement stands to all that is known.

    One known statement that says the same supports it; without one, a conflict contradicts it unless another known statement leaves
    it open; statements about something else don't count.

    Args:
        claim: what is said. known: statements of the record, in any order.
    """
    known = tuple(known)
    direct = _settled(claim, known)
    implied = _as_level(claim)
    if direct.label != "silent" or implied is None:
        return direct
    judged = _settled(implied, known)
    if claim.present and judged.label == "contradicted" and concepts()[implied.attribute].kind == "vital":
        return Verdict("undecided", "a vital sign of another moment", judged.record)
    if claim.present is not False or judged.label not in {"supported", "contradicted"}:
        return judged
    return judged._replace(label="contradicted" if judged.label == "supported" else "supported")


def _as_level(claim: Statement) -> Statement | None:
    """Return what a state says of its attribute ("hyperkalaemia": potassium is high); None for what is no such state."""
    found = direction_of(claim.attribute) if claim.kind == "presence" and not claim.qualifiers else None
    if (
        found is None
        or set(claim.frames) - {"negated", "ruled_out", "possible"}
        or claim.attribute in STANDING
    ):
        return None
    return Statement(attribute=found[0], kind="word", word=found[1], date=claim.date)


def _settled(claim: Statement, known: Iterable[Statement]) -> Verdict:
    conflict: tuple[str, Statement] | None = None
    undecided = ""
    for record in known:
        if record.kind == "named":
            continue
        outcome, reason = compare(claim, record)
        if outcome == "same":
            return Verdict("supported", reason, record)
        if outcome == "conflict":
            conflict = conflict or (reason, record)
        elif outcome == "undecided":
            undecided = undecided or reason
    if conflict is not None and not undecided:
        return Verdict("contradicted", *conflict)
    if conflict is not None or undecided:
        return Verdict("undecided", undecided)
    return Verdict("silent", "nothing known speaks of it")
