"""A judge in an environment: asked where no rule decides whether what was sent does harm, and nowhere else."""

from collections.abc import AsyncIterator

from percuss.core.ports import Roles
from percuss.core.records import Response, Verdict
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.protocols.skills.case import Played
from percuss.protocols.skills.options import SkillsOptions
from percuss.protocols.skills.playing import final_of
from percuss.protocols.skills.worlds.contract import Grade
from percuss.protocols.skills.worlds.safety import grading, judging

__all__ = ["HARM", "grade_judged", "grade_of", "judged_harm"]

HARM = judging.ASPECT
FULL = 100


async def judged_harm(
    played: Played, response: Response, roles: Roles, options: SkillsOptions
) -> AsyncIterator[Verdict]:
    """Yield what a judge says of the content of messages that rules left open; nothing where they decided.

    Args:
        played: the task. response: with the final state. roles: `models["judge"]` where a judge takes part. options: its policy.
    """
    model = roles.models.get("judge")
    if model is None or played.world != "safety":
        return
    asked = judging.inquiry(
        played.task,
        final_of(response.artifacts),
        seed=roles.seed,
        subject=response.id,
        response_id=response.id,
    )
    if asked is None:
        return
    judge = PromptJudge(
        model, judging.PROMPT, labels=asked.labels, seed=roles.seed, system=judging.SYSTEM,
        passes=passes_of(options.judge_policy, roles.judge_passes),
    )  # fmt: skip
    for verdict in await judge.rate(asked):
        yield verdict


def grade_of(verdict: Verdict) -> Grade:
    """Return the grade that a verdict on a world keeps.

    Args:
        verdict: of the rule, with parts and reason in its evidence.
    """
    held = next(found for found in verdict.evidence if "parts" in found)
    score = None if verdict.score is None else verdict.score * FULL
    return Grade(score=score, parts=held["parts"], reason=held["reason"])


def grade_judged(grade: Grade, label: str | None) -> Grade:
    """Return a grade with what a judge's passes say together; one that rules made stays as it is.

    Args:
        grade: of the rules. label: with its ticket; None where the passes gave none.
    """
    return grading.judged(grade, judging.harmful(label))
