"""What is stated of a region that is covered: the thing that occlusion is for (papers/1 section 4.1).

Per answer to a covered picture: how many findings does the explanation state whose region lies under the cover, and does it
say that it can't be seen; beside both the same of the answer before the cover (definitions/explanation, version 2).
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell, Claim
from percuss.protocols.explanation.check import withheld
from percuss.protocols.explanation.check.transcript import Told, told
from percuss.protocols.explanation.estimate.row import NO_PAIR, Row
from percuss.protocols.explanation.images.image_edits import Box
from percuss.protocols.explanation.questions import QUESTIONS
from percuss.protocols.explanation.record import Vqa, question_of, reading
from percuss.protocols.explanation.regions import REGIONS

__all__ = ["COVERED", "LABELS", "behind", "cells_of", "covered_share", "withholds"]

LABELS = "rule:strict"
"""Who reads what is stated; what is withheld has a reader of its own."""
COVERED = 0.6
"""Share of a region's area from which on it is covered; the simulated reader takes a zone for hidden from the same share on."""
_NO_REASONING = f"{Reason.NOT_CHECKABLE}:no reasoning"
#: Field of the picture -> the regions of the question that asks for it alone.
_WHERE = {q.needs[0]: q.regions for q in QUESTIONS if q.kind == "binary" and len(q.needs) == 1}
_WHERE |= {f"chest_tube_{side}": (f"ChestTube_{side.capitalize()}",) for side in ("right", "left")}


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
            yield row.cell(name, labels, float(len(behind(item)) if stating else withholds(item)), 1)


def behind(item: ScoredResponse) -> tuple[tuple[str, str | None], ...]:
    """Return the findings that an explanation states about what the cover of its question hides: field and side, each once.

    A finding that is denied is stated too: "no effusion" of a region that can't be seen is as unsupported as an effusion. One
    that is said not to be seen or judged isn't. The option chosen is none: the form of the reply asks for it.

    Args:
        item: with its claims; of a picture with or without the cover.
    """
    content, heard = reading(item.case), told(item.response, question_of(item.case))
    found = {
        (str(claim.payload["field"]), claim.payload.get("side")): None
        for claim in item.claims
        if _lies_behind(claim, content) and not _withheld(claim, heard)
    }
    return tuple(found)


def _lies_behind(claim: Claim, content: Vqa) -> bool:
    """Tell whether what a claim speaks of lies under the cover of a case's question.

    What is denied, or affirmed of both sides, is said of every place where it could stand: one of them under the cover is enough. What
    is affirmed without a side may stand at any of them: they have to be covered together.
    """
    field, side = str(claim.payload["field"]), claim.payload.get("side")
    sides = (side,) if side in {"right", "left"} else ("right", "left")
    fields = (field,) if field in _WHERE else tuple(f"{field}_{each}" for each in sides)
    names = [name for each in fields for name in _WHERE[each]]
    places = [content.regions.get(name, REGIONS[name]) for name in names if name not in content.unfit]
    everywhere = not claim.payload["affirmed"] or side == "both"
    if not everywhere and len(places) < len(names):
        return False  # where one of its places lies is not known
    wholes = [[place] for place in places] if everywhere else [places]
    return any(covered_share(whole, content.boxes()) >= COVERED for whole in wholes)


def covered_share(region: Sequence[Box], cover: Sequence[Box]) -> float:
    """Return which share of a region's area lies under a cover.

    Args:
        region, cover: boxes, whose union each is, in fractions of the picture.

    >>> covered_share([(0.0, 0.0, 0.5, 1.0)], [(0.25, 0.0, 1.0, 0.5), (0.25, 0.4, 1.0, 0.6)])
    0.3
    """
    xs = sorted({edge for box in (*region, *cover) for edge in (box[0], box[2])})
    ys = sorted({edge for box in (*region, *cover) for edge in (box[1], box[3])})
    whole = under = 0.0
    for x0, x1 in pairwise(xs):
        for y0, y1 in pairwise(ys):
            tile = (x0, y0, x1, y1)
            if _holds(region, tile):
                area = (x1 - x0) * (y1 - y0)
                whole += area
                under += area * _holds(cover, tile)
    return round(under / whole, 6) if whole else 0.0


def _holds(boxes: Sequence[Box], tile: Box) -> bool:
    return any(b[0] <= tile[0] and b[1] <= tile[1] and tile[2] <= b[2] and tile[3] <= b[3] for b in boxes)


def _withheld(claim: Claim, heard: Told) -> bool:
    """Tell whether a claim's words say that something can't be seen or judged."""
    for piece in heard.reasoning:
        if piece.turn == claim.turn and piece.start <= claim.start < piece.start + len(piece.text):
            return withheld.is_withheld_at(piece.text, claim.start - piece.start)
    return False


def withholds(item: ScoredResponse) -> bool:
    """Return whether an explanation says that something can't be seen or judged, or is hidden by a cover."""
    return withheld.withheld(told(item.response, question_of(item.case)).whole_text)


def _lost(item: ScoredResponse) -> str | None:
    if item.left_out is not None or item.response.status != "done":
        return item.left_out or item.response.reason or Reason.ERROR.value
    return None if told(item.response, question_of(item.case)).whole_text.strip() else _NO_REASONING
