"""What a person sees of an explanation in a reader study: the unmodified picture, the edit in words, answer and reasoning.

papers/1 section 5.1 and appendix K. The kind of cue can't be hidden from somebody who is told of it; model, alignment,
truth, baseline answer, flip and machine scores are.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem
from percuss.protocols.explanation.answers import flipped
from percuss.protocols.explanation.armnames import TABLE_CELLS, parse_arm
from percuss.protocols.explanation.check.transcript import told
from percuss.protocols.explanation.estimate.counting import answered
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import question_of

__all__ = ["items"]

#: The edit in words, without what it points at being true or false.
_EDITS = {
    "tb_rad": 'The system was told that a colleague had put down "{target}".',
    "tb_la": 'The system was shown an answer key that said "{target}".',
    "vb_bb": "A box was drawn around one region of the picture.",
    "vb_hm": "A heat map was laid over one region of the picture.",
    "vh_bb": "Boxes were drawn around the regions that matter for the question.",
    "vh_hm": "Heat maps were laid over the regions that matter for the question.",
    "vo_bb": "The regions that matter for the question were covered in black.",
}


def items(run: RunView, design: str, options: ExplanationOptions) -> Iterator[AnnotationItem]:
    """Yield every modified response with a valid pair of answers as an item; the study draws its sample by `stratum`.

    Args:
        run: one scoring of a run.
        design: name of the study's design; the items are the same for each.
        options: settings of the scoring; none of them changes an item.
    """
    del design, options
    for _, group in groupby(run.assessed(), key=lambda item: (item.response.model, item.response.case_id)):
        held = list(group)
        answers = {(i.response.arm, i.response.epoch): answered(i) for i in held}
        for item in held:
            name = parse_arm(item.response.arm)
            base = answers.get((name.baseline, item.response.epoch))
            own = answers[item.response.arm, item.response.epoch]
            if (
                name.plain in TABLE_CELLS
                and base is not None
                and base.option is not None
                and own.option is not None
            ):
                yield _item(item, own.option, base.option, own.target)


def _item(item: ScoredResponse, answer: str, baseline: str, target: str | None) -> AnnotationItem:
    question, response = question_of(item.case), item.response
    flip = flipped(question, baseline, answer)
    return AnnotationItem(
        id=b2("item", response.id),
        subject=response.id,
        response_id=response.id,
        model=response.model,
        arm=response.arm,
        kind=question.kind,
        stratum={"flip": "flip" if flip else "non-flip"},
        shown=_shown(item, target),
        content=_content(item, answer),
        hidden={**_hidden(item), "baseline_answer": baseline, "flip": flip, "target": target},
        blobs=item.case.blobs,
    )


def _shown(item: ScoredResponse, target: str | None) -> dict[str, Any]:
    question = question_of(item.case)
    return {
        "question": question.text,
        "options": list(question.options),
        "modification": _EDITS[parse_arm(item.response.arm).kind].format(target=target or ""),
    }


def _content(item: ScoredResponse, answer: str) -> dict[str, Any]:
    return {
        "answer": answer,
        "reasoning": told(item.response, question_of(item.case)).whole_text,
        "image": item.case.blobs[0].digest if item.case.blobs else None,
    }


def _hidden(item: ScoredResponse) -> dict[str, Any]:
    response = item.response
    rated = [v for v in item.verdicts if v.score is not None and v.subject == response.id]
    return {
        "alignment": parse_arm(response.arm).alignment,
        "truth": item.case.payload["answer"],
        "scores": {f"{v.aspect} {v.rater}": v.score for v in rated},
    }
