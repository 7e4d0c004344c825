"""What a person judges: an answer beside its question, reference and passage, blinded; or all answers to one question."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem
from percuss.judging.extract import is_truncated
from percuss.protocols.textbook.arms import CLOSED, CONTINUATION, fields_of
from percuss.protocols.textbook.case import Task, task_of
from percuss.protocols.textbook.options import TextbookOptions

__all__ = ["items"]


def items(run: RunView, design: str, options: TextbookOptions) -> Iterator[AnnotationItem]:
    """Yield every answer as an item; for the design `ranking` one item a question with the answers of all models.

    Args:
        run: one scoring. design: name of the study's design. options: not used.

    `shown` is alike in every arm: question, reference, passage where one is held.
    """
    del options
    usable = [
        scored for scored in run.assessed()
        if scored.response.status == "done" and not scored.left_out and scored.response.arm != CONTINUATION
        and scored.claims and not is_truncated(scored.claims[0])
    ]  # fmt: skip
    if design == "ranking":
        yield from _ranked(usable)
    else:
        for scored in usable:
            yield _one(scored)


def _shown(task: Task) -> dict[str, Any]:
    fields = fields_of(task.item)
    parts = [task.item.question, fields["options"], fields["steps"]]
    if task.item.given_answer:
        parts.insert(1, f"Wrong answer that was shown: {task.item.given_answer}")
    evidence = {"reference": task.item.right, **({"passage": task.passage} if task.passage else {})}
    return {"question": "\n\n".join(part for part in parts if part), "evidence": evidence}


def _one(scored: ScoredResponse) -> AnnotationItem:
    claim, response = scored.claims[0], scored.response
    said = {v.rater: v.label for v in scored.verdicts if v.subject == claim.id and v.label}
    return AnnotationItem(
        id=b2("item", claim.id), subject=claim.id, response_id=response.id, model=response.model, arm=response.arm,
        kind=scored.case.stratum, stratum={"tier": scored.case.stratum}, shown=_shown(task_of(scored.case)), content={"claim": claim.text},
        hidden={"case": scored.case.id, "labels": said},
    )  # fmt: skip


def _owned(scored: ScoredResponse) -> dict[str, str]:
    """Return an answer with whose it is; a study shows the text and hides the rest."""
    response = scored.response
    return {"text": response.text, "response_id": response.id, "model": response.model}


def _ranked(usable: list[ScoredResponse]) -> Iterator[AnnotationItem]:
    """Yield the closed-book answers to each question of all models together, in an order of their own."""
    closed = [scored for scored in usable if scored.response.arm == CLOSED and scored.response.epoch == 0]
    closed.sort(key=lambda scored: (scored.case.id, b2("order", scored.response.id)))
    for case_id, group in groupby(closed, key=lambda scored: scored.case.id):
        answers = list(group)
        if len(answers) < 2:
            continue
        task = task_of(answers[0].case)
        shown = _shown(task)
        yield AnnotationItem(
            id=b2("ranking", case_id, *(scored.response.id for scored in answers)), subject=case_id,
            response_id=answers[0].response.id, arm=CLOSED, kind=task.item.type, stratum={"tier": task.item.type},
            shown={"question": shown["question"], "reference": task.item.right, **({"passage": task.passage} if task.passage else {})},
            content={"answers": [_owned(scored) for scored in answers]}, hidden={"case": case_id},
        )  # fmt: skip
