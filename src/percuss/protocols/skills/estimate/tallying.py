"""What one answer adds to a metric, as sums or as a reason, and the cell that is made of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell, Verdict
from percuss.judging.sources import said_by
from percuss.protocols.skills.scorers.rubric import Criterion, rubric

__all__ = ["FULL", "Counted", "cell_of", "of_rubric", "said_of"]

FULL = 100


class Counted(NamedTuple):
    """What an answer adds: sums, or the reason why it adds nothing."""

    num: float = 0.0
    den: float = 0.0
    reason: str = ""


def cell_of(scored: ScoredResponse, source: str, name: str, *each: Counted) -> Cell:
    """Return a cell of what an answer adds; a series of plays adds several.

    Args:
        scored: the answer. source: of the labels. name: of the metric. each: what every play of it adds.
    """
    response = scored.response
    left = Counter(one.reason or Reason.ERROR.value for one in each if not one.den)
    return Cell(
        name=name, model=response.model, arm=response.arm, labels=source, case_id=response.case_id, cluster=scored.case.cluster,
        num=sum(one.num for one in each), den=sum(one.den for one in each), epoch=response.epoch, stratum=scored.case.stratum,
        excluded=dict(left),
    )  # fmt: skip


def said_of(scored: ScoredResponse, kind: str, source: str) -> dict[int, tuple[str | None, str]]:
    """Return number -> (label, reason) of what the judge was asked under `kind:n`.

    Args:
        scored: the answer. kind: what was asked (`point`, `criterion`, `harm`). source: the judge's passes.
    """
    by: dict[str, list[Verdict]] = {}
    for verdict in scored.verdicts:
        if verdict.aspect.startswith(f"{kind}:"):
            by.setdefault(verdict.aspect, []).append(verdict)
    said = {int(name.partition(":")[2]): said_by(held, source).get(source) for name, held in by.items()}
    return {n: (one.label, one.reason or "") for n, one in said.items() if one is not None}


def of_rubric(criteria: Sequence[Criterion], said: Mapping[int, tuple[str | None, str]]) -> Counted:
    """Return the rubric's score of what a judge said of each criterion, or why there is none.

    Args:
        criteria: with their weights. said: of `said_of`.
    """
    made = rubric(criteria, {n: label for n, (label, _) in said.items()})
    if made.value is None:
        return Counted(reason=next((reason for _, reason in said.values() if reason), made.reason))
    return Counted(made.value / FULL, 1.0)
