"""Overlap by entailment: the share of assertions with evidence that say what one without it says, and what chance brings."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Verdict
from percuss.protocols.grounding.twins import CHANCE, TWIN

__all__ = ["ENTAILED", "entailed_cells"]

ENTAILED = "entailed"
"""What stands after `overlap_`, where thresholds of cosines have their number."""


def entailed_cells(run: RunView, answers: Sequence[ScoredResponse]) -> Iterator[Cell]:
    """Yield `overlap_entailed` of each answer with evidence, and `overlap_chance_entailed`; none without a verifier.

    Args:
        run: the scoring. answers: with the verdicts of `twins`.

    An answer none of whose assertions was decided is left out by that reason; an undecided one is outside n.
    """
    for one in answers:
        twins = [verdict for verdict in one.verdicts if verdict.aspect == TWIN]
        if not twins:
            continue
        decided = [float(verdict.label == TWIN) for verdict in twins if verdict.label is not None]
        yield _cell(f"overlap_{ENTAILED}", decided, run, one, twins)
        scores = [v.score for v in one.verdicts if v.aspect == CHANCE and v.score is not None]
        if scores:
            yield _cell(f"overlap_chance_{ENTAILED}", scores, run, one, twins)


def _cell(
    name: str, values: Sequence[float], run: RunView, one: ScoredResponse, twins: Sequence[Verdict]
) -> Cell:
    shared: dict[str, Any] = {
        "name": name,
        "model": one.response.model,
        "arm": one.response.arm,
        "labels": twins[0].rater,
        "scoring": run.scoring,
        "epoch": one.response.epoch,
        "case_id": one.case.id,
        "cluster": one.case.cluster,
        "stratum": one.case.stratum,
    }
    if not values:
        return Cell(num=0, den=0, excluded={f"{Reason.UNDECIDED.value}:by the verifier": 1}, **shared)
    return Cell(num=sum(values) / len(values), den=1, **shared)
