"""What the simulated reader is told of this protocol: wording, options and places of the questions, zones of the chest."""

from typing import Any

from percuss.protocols.explanation.chest import PROBES
from percuss.protocols.explanation.questions import QUESTIONS

__all__ = ["told_to_reader"]


def told_to_reader() -> dict[str, Any]:
    """Return `zones` (name -> box) and `questions` (rows), as plain values: no truth, no cue, no rule of the checker."""
    rows = [
        {"id": q.id, "text": q.text, "kind": q.kind, "options": q.options, "side": q.side, "boxes": q.boxes()}
        for q in QUESTIONS
    ]
    return {"zones": dict(PROBES), "questions": rows}
