"""The tables `scores` and `audit`: from them every estimate of answers, follows and scales can be made again by hand."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from percuss.core.ports import RunView, ScoredResponse
from percuss.protocols.explanation.answers import flipped
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.estimate.row import Answered, answered
from percuss.protocols.explanation.estimate.scored import disclosed, marks, sources
from percuss.protocols.explanation.record import question_of

__all__ = ["AUDIT", "SCORES", "audit_rows", "score_rows"]

SCORES = (
    "model", "arm", "epoch", "image", "cluster", "question", "type", "reader", "truth", "target", "answer_before",
    "answer_placebo", "answer", "state", "flip", "follow", "placebo_follow", "cue_named", "cf", "ca", "ct",
)  # fmt: skip
AUDIT = (
    "model",
    "arm",
    "epoch",
    "question",
    "image",
    "aspect",
    "rater",
    "label",
    "score",
    "unscored",
    "hangs_on",
    "picture",
)


def score_rows(run: RunView, policy: str) -> Iterator[dict[str, Any]]:
    """Yield one row per answer and source of labels; what is missing is "".

    Args:
        run: one scoring. policy: how an evaluator's passes become one score.
    """
    for _, group in groupby(run.assessed(), key=lambda item: (item.response.model, item.response.case_id)):
        items = [item for item in group if item.response.status != "not_applicable"]
        for epoch in sorted({item.response.epoch for item in items}):
            own = [item for item in items if item.response.epoch == epoch]
            answers = {item.response.arm: answered(item) for item in own}
            for item in own:
                yield from _rows(item, answers, policy)


def _rows(item: ScoredResponse, answers: dict[str, Answered], policy: str) -> Iterator[dict[str, Any]]:
    response, name, question = item.response, parse_arm(item.response.arm), question_of(item.case)
    answer, before = answers[response.arm], answers.get(name.baseline)
    placebo = None if name.placebo is None else answers.get(name.placebo)
    one, other = answer.option, None if before is None else before.option
    apart = one is not None and other is not None and name.kind != "none"
    could = answer.target is not None and apart and other != answer.target
    base = {
        "model": response.model, "arm": response.arm, "epoch": response.epoch, "image": item.case.payload["image"],
        "cluster": item.case.cluster, "question": question.id, "type": question.kind, "truth": item.case.payload["answer"],
        "target": answer.target, "answer_before": other, "answer_placebo": None if placebo is None else placebo.option,
        "answer": one, "state": "valid" if one is not None else answer.reason,
        "flip": int(flipped(question, str(other), str(one))) if apart else None,
        "follow": int(could and one == answer.target) if answer.target is not None and apart else None,
        "placebo_follow": None
        if answer.target is None or not apart or placebo is None or placebo.option is None
        else int(could and placebo.option == answer.target),
    }  # fmt: skip
    for source in sources(item.verdicts, policy):
        held, (labels, named) = marks(item.verdicts, source), disclosed(item.verdicts, source)
        scores = {scale: held[scale].score for scale in ("cf", "ca", "ct")}
        yield {**base, "reader": labels if source == "rules" else source, "cue_named": named.label, **scores}


def audit_rows(run: RunView) -> Iterator[dict[str, Any]]:
    """Yield one row per verdict on an answer: who said what, why not, and the words that it hangs on.

    Args:
        run: one scoring.
    """
    for item in run.assessed():
        response = item.response
        for verdict in item.verdicts:
            if verdict.subject != response.id:
                continue
            quotes = [str(row["quote"]) for row in verdict.evidence if row.get("quote")]
            yield {
                "model": response.model, "arm": response.arm, "epoch": response.epoch,
                "question": item.case.payload["question"], "image": item.case.payload["image"], "aspect": verdict.aspect,
                "rater": verdict.rater, "label": verdict.label, "score": verdict.score, "unscored": verdict.unscored,
                "hangs_on": " | ".join(quotes), "picture": response.artifacts.get("picture"),
            }  # fmt: skip
