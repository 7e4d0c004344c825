"""The rubric: criteria with weights, each met, not met or unclear; the score is the share met of what was decided."""

from collections.abc import Mapping, Sequence

import msgspec

from percuss.core.strict import Record
from percuss.protocols.skills.scorers.score import Score, unscored

__all__ = ["LABELS", "MET", "NOT_MET", "UNCLEAR", "Criterion", "criteria_of", "rubric"]

MET, NOT_MET, UNCLEAR = "met", "not met", "unclear"
LABELS = (MET, NOT_MET, UNCLEAR)


class Criterion(Record):
    """One thing that an answer is judged by.

    Args:
        says: the criterion, as a sentence about the answer. weight: above 0; beside those of the others.
    """

    says: str
    weight: float = 1.0


def criteria_of(held: object) -> tuple[Criterion, ...] | Score:
    """Return criteria of a JSON list of texts or objects; not applicable where there are none.

    Args:
        held: of an item, or of its format.
    """
    if not held:
        return unscored("not_applicable:there is no criterion")
    if isinstance(held, str) or not isinstance(held, Sequence):
        return unscored(f"unparsable:expected a list of criteria, got {type(held).__name__}")
    try:
        made = tuple(
            Criterion(says=each) if isinstance(each, str) else msgspec.convert(each, Criterion)
            for each in held
        )
    except msgspec.ValidationError as error:
        return unscored(f"unparsable:a criterion does not fit: {error}")
    if any(not one.weight > 0 or one.weight == float("inf") for one in made):
        return unscored("unparsable:a criterion whose weight is not above 0")
    return made


def rubric(criteria: Sequence[Criterion], said: Mapping[int, str | None]) -> Score:
    """Return 100 times the weighted share of criteria met among those decided, with bounds over what is unclear.

    Args:
        criteria: of the item. said: number of a criterion -> its label; None or missing where the judge gave none.

    >>> rubric((Criterion(says="a", weight=3), Criterion(says="b")), {0: "met", 1: "not met"}).value
    75.0
    """
    if not criteria:
        return unscored("not_applicable:there is no criterion")
    unknown = next((label for label in said.values() if label not in {*LABELS, None}), None)
    if unknown is not None:
        return unscored(f"unparsable:{unknown!r} is no label of a criterion")
    total = sum(one.weight for one in criteria)
    met = sum(one.weight for n, one in enumerate(criteria) if said.get(n) == MET)
    decided = met + sum(one.weight for n, one in enumerate(criteria) if said.get(n) == NOT_MET)
    if not decided:
        return unscored("undecided:every criterion is unclear")
    open_ = total - decided
    bounds = {"low": 100 * met / total, "high": 100 * (met + open_) / total}
    return Score(100 * met / decided, parts=bounds)
