"""What people say of a generated question: its relevance and the two flags, and the yields that come of them (paper, equations 1 and 2)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from percuss.core.ports import ScoredResponse
from percuss.core.records import Verdict
from percuss.judging.sources import NOT_JUDGED, SETTLED
from percuss.measure.quantity import Quantity

__all__ = ["IDEAL", "IDEAL_OF_ALL", "PEOPLE", "PLAUSIBLE", "UNFLAGGED", "Flags", "flags_of", "said_of"]

RELEVANCE, DISPUTE, FEEDBACK = "relevance", "dispute", "feedback"
MOST = 5  # relevance
PLAUSIBLE = Quantity(
    "plausibility", "fully relevant questions", "What share of valid questions do people rate 5 of 5 for relevance?", "higher"
)  # fmt: skip
UNFLAGGED = Quantity(
    "answerability", "questions that nobody flags", "What share of valid questions has neither a dispute nor a remark?", "higher"
)  # fmt: skip
IDEAL = Quantity(
    "ideal_pair_yield", "ideal pairs of valid questions", "What share of valid questions is fully relevant and has no flag?", "higher"
)  # fmt: skip
IDEAL_OF_ALL = Quantity(
    "ideal_pair_yield_of_all", "ideal pairs of all questions asked for",
    "What share of all questions that were asked for is valid, fully relevant and has no flag?", "higher",
)  # fmt: skip
PEOPLE = (PLAUSIBLE, UNFLAGGED, IDEAL, IDEAL_OF_ALL)
"""The numbers that only people's verification gives (definitions, "Hallucination labels and yields")."""


class Flags(NamedTuple):
    """What people settled on, else the flags of anybody and the lowest relevance.

    Args:
        relevance: 1 to 5; None where nobody said. dispute, feedback: the flags.
    """

    relevance: float | None
    dispute: bool
    feedback: bool

    @property
    def flagged(self) -> bool:
        """Whether either flag is up: then the pair counts as hallucinated."""
        return self.dispute or self.feedback

    @property
    def ideal(self) -> bool:
        """Whether the pair is fully relevant without a flag."""
        return self.relevance == MOST and not self.flagged


def flags_of(scored: ScoredResponse) -> Flags | None:
    """Return what people say of a question; None where nobody judged it."""
    relevance = [v.score for v in _people(scored, RELEVANCE) if v.score is not None]
    dispute, feedback = (_people(scored, name) for name in (DISPUTE, FEEDBACK))
    if not (relevance or dispute or feedback):
        return None
    up = (any(v.label == "yes" for v in said) for said in (dispute, feedback))
    return Flags(min(relevance) if relevance else None, *up)


def _people(scored: ScoredResponse, aspect: str) -> Sequence[Verdict]:
    """Return people's verdicts under an aspect: what was settled alone, where something was."""
    said = [
        v for v in scored.verdicts
        if v.aspect == aspect and v.rater.startswith("human:") and (v.label is not None or v.score is not None)
    ]  # fmt: skip
    return [v for v in said if v.rater in SETTLED] or said


def said_of(flags: Flags | None, *, valid: bool) -> Iterator[tuple[Quantity, float | None, str]]:
    """Yield (number, value, why there is none) of one question that was asked for.

    Args:
        flags: of `flags_of`. valid: whether it is structurally valid; an invalid one counts for the last number alone.
    """
    if not valid:
        yield IDEAL_OF_ALL, 0.0, ""
        return
    if flags is None:
        for quantity in PEOPLE:
            yield quantity, None, NOT_JUDGED
        return
    yield PLAUSIBLE, None if flags.relevance is None else float(flags.relevance == MOST), NOT_JUDGED
    yield UNFLAGGED, float(not flags.flagged), ""
    for quantity in (IDEAL, IDEAL_OF_ALL):
        yield quantity, float(flags.ideal), ""
