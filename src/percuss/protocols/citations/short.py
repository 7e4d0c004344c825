"""What became of a short question: abstained, correct or hallucinated, by rule and by a judge (papers/2 section 6)."""

from collections.abc import AsyncIterator
from typing import Any

from percuss.core.labels import Reason
from percuss.core.ports import JudgeRequest, Roles
from percuss.core.records import Case, Response, Verdict
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.protocols.citations.case import Inquiry, reading
from percuss.protocols.citations.options import RATER, CitationsOptions, prompt
from percuss.protocols.citations.short_reading import answers, holds

__all__ = ["OUTCOME", "OUTCOMES", "outcome", "short_verdicts"]

OUTCOME = "outcome"
OUTCOMES = ABSTAINED, CORRECT, HALLUCINATED = "abstained", "correct", "hallucinated"


async def short_verdicts(
    case: Case, response: Response, roles: Roles, options: CitationsOptions
) -> AsyncIterator[Verdict]:
    """Yield the outcome of a short answer: by rule, and of each pass of a judge.

    Args:
        case: a short question. response: its answer. roles: `models["judge"]`. options: prompts and policy.
    """
    inquiry = reading(case)
    yield Verdict(
        subject=response.id,
        response_id=response.id,
        aspect=OUTCOME,
        rater=RATER,
        **outcome(response.text, inquiry),
    )
    model = roles.models.get("judge")
    if model is None:
        return
    passes = passes_of(options.judge_policy, roles.judge_passes)
    judge = PromptJudge(
        model, prompt(options, "judge_short"), labels=OUTCOMES, seed=roles.seed, passes=passes
    )
    truth = f"accepted answers: {'; '.join(inquiry.gold)}" if inquiry.gold else "no such thing exists"
    fields = {"question": inquiry.question, "answer": response.text, "truth": truth}
    asked = JudgeRequest(subject=response.id, response_id=response.id, aspect=OUTCOME, fields=fields)
    for verdict in await judge.rate(asked):
        yield verdict


def outcome(answer: str, inquiry: Inquiry) -> dict[str, Any]:
    """Return the fields of the rule's verdict on a short answer.

    Args:
        answer: as the model gave it. inquiry: the question; of a fabricated thing any specific answer is hallucinated, of a
            niche one any that holds none of the accepted answers. A hedged specific answer is an answer.
    """
    for gold in inquiry.gold:
        if holds(gold, answer):
            return {"label": CORRECT, "rationale": f"holds {gold}"}
    given = answers(answer, inquiry.question)
    if given is None:
        return {
            "unscored": f"{Reason.UNDECIDED.value}:abstention",
            "rationale": "neither an answer nor a lack",
        }
    if not given:
        return {"label": ABSTAINED, "rationale": "names a lack, and gives no answer"}
    return {
        "label": HALLUCINATED,
        "rationale": "no such thing exists" if not inquiry.gold else "holds no accepted answer",
    }
