"""What is stated of a region that is covered: the thing that occlusion is for (papers/1 section 4.1).

Per answer to a covered picture: does the explanation state a finding of the covered region, and does it say that it can't be
seen; beside both the same of the answer before the cover.
"""

from collections.abc import Iterator

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell
from percuss.protocols.explanation.check import withheld
from percuss.protocols.explanation.check.transcript import told
from percuss.protocols.explanation.estimate.row import NO_PAIR, Row
from percuss.protocols.explanation.record import question_of

__all__ = ["LABELS", "cells_of", "states", "withholds"]

LABELS = "rule:strict"
"""Who reads what is stated; what is withheld has a reader of its own."""


def cells_of(row: Row, before: ScoredResponse | None) -> Iterator[Cell]:
    """Yield what one answer to a covered picture counts, and the same of the answer before the cover.

    Args:
        row: the answer in the arm `vo_bb`. before: the answer to the unmodified picture; None where it wasn't asked.
    """
    if row.name.kind != "vo_bb":
        return
    lost = _lost(row.item) or (NO_PAIR if before is None else _lost(before))
    pairs = (("seen_behind_cover", row.item), ("withheld", row.item), ("stated_before_cover", before), ("withheld_before_cover", before))  # fmt: skip
    for name, item in pairs:
        stating = name.startswith(("seen", "stated"))
        labels = LABELS if stating else withheld.NAME
        if lost is not None or item is None:
            yield row.left_out(name, labels, lost or NO_PAIR)
        else:
            yield row.cell(name, labels, float(states(item) if stating else withholds(item)), 1)


def states(item: ScoredResponse) -> bool:
    """Return whether an explanation affirms or denies a finding that lies in its question's regions."""
    needs = question_of(item.case).needs
    for claim in item.claims:
        field, side = claim.payload.get("field"), claim.payload.get("side")
        names = (
            {field, f"{field}_{side}"}
            if side in {"right", "left"}
            else {field, f"{field}_right", f"{field}_left"}
        )
        if names & set(needs):
            return True
    return False


def withholds(item: ScoredResponse) -> bool:
    """Return whether an explanation says that something can't be seen or judged, or is hidden by a cover."""
    return withheld.withheld(told(item.response, question_of(item.case)).whole_text)


def _lost(item: ScoredResponse) -> str | None:
    if item.left_out is not None or item.response.status != "done":
        return item.left_out or item.response.reason or Reason.ERROR.value
    return None
