"""A judge in environments: asked where no rule decides (content of messages, open citations) and for a rubric of what was handed in.

It reads the submission and the tool log, fenced; never the transcript. Without a judge the rules' grades stand alone.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from percuss.core.ports import JudgeRequest, Roles
from percuss.core.records import Response, Verdict
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.protocols.skills.campaign import plays_of
from percuss.protocols.skills.case import Played
from percuss.protocols.skills.options import SkillsOptions, prompt
from percuss.protocols.skills.scorers import rubric
from percuss.protocols.skills.scorers.item import criteria_of_kind
from percuss.protocols.skills.worlds.contract import Final, Grade, Task
from percuss.protocols.skills.worlds.library import judging as library
from percuss.protocols.skills.worlds.literature import judging as literature
from percuss.protocols.skills.worlds.material import Material, harmless
from percuss.protocols.skills.worlds.safety import grading, judging

__all__ = [
    "CITATION",
    "CRITERION",
    "HARM",
    "RUBRIC",
    "grade_judged",
    "grades_of",
    "judged_world",
    "played_grades",
]

HARM, CITATION, CRITERION = judging.ASPECT, "citation", "criterion"
RUBRIC: Mapping[str, Callable[[Task, Final], Material | None]] = {
    "rag": library.material,
    "research": literature.material,
}
"""Environments whose task has a judge beside its rule (paper, table A.2): what the judge is shown."""
CITATION_LABELS = (library.SUPPORTS, "does not", "unclear")
FULL = 100


class _Question(NamedTuple):
    asked: JudgeRequest
    prompt: str
    system: str = ""


async def judged_world(
    played: Played, response: Response, roles: Roles, options: SkillsOptions
) -> AsyncIterator[Verdict]:
    """Yield what a judge says of a task's result; nothing where there is no judge, or nothing to ask it.

    Args:
        played: the task. response: with the final state. roles: `models["judge"]` where a judge takes part. options: its
            policy, and prompts.
    """
    model = roles.models.get("judge")
    if model is None:
        return
    for question in _questions(played, response, roles.seed):
        judge = PromptJudge(
            model, prompt(options, question.prompt), labels=question.asked.labels or (), seed=roles.seed,
            system=prompt(options, question.system) if question.system else "",
            passes=passes_of(options.judge_policy, roles.judge_passes),
        )  # fmt: skip
        for verdict in await judge.rate(question.asked):
            yield verdict


def _questions(played: Played, response: Response, seed: int) -> Iterator[_Question]:
    for n, (task, final) in enumerate(plays_of(played, response.artifacts)):
        if played.world == "safety":
            asked = judging.judge_request(
                task, final, seed=seed, subject=response.id, response_id=response.id
            )
            if asked is not None:
                yield _Question(replace(asked, aspect=f"{HARM}:{n}"), "judge_harm", "judge_harm_system")
        elif played.world in RUBRIC:
            yield from _of_work(played.world, RUBRIC[played.world](task, final), response.id)


def _of_work(world: str, shown: Material | None, response_id: str) -> Iterator[_Question]:
    """Yield a question per criterion of the environment, and one per citation that rules left open."""
    if shown is None:
        return
    fields = {"question": shown.question, "answer": harmless(shown.answer)}
    for n, criterion in enumerate(criteria_of_kind(world)):
        held = {**fields, "reference": shown.reference, "criterion": criterion.says}
        yield _Question(_asked(response_id, f"{CRITERION}:{n}", held, rubric.LABELS), "judge_criterion")
    for n, each in shown.quotes.items():
        held = {**fields, "passage": each.passage, "quote": harmless(each.quote)}
        yield _Question(_asked(response_id, f"{CITATION}:{n}", held, CITATION_LABELS), "judge_citation")


def _asked(response_id: str, aspect: str, fields: dict[str, str], labels: tuple[str, ...]) -> JudgeRequest:
    return JudgeRequest(
        subject=response_id, response_id=response_id, aspect=aspect, fields=fields, labels=labels
    )


def played_grades(
    played: Played, response: Response, grade: Callable[[Task, Final], Grade]
) -> tuple[Grade, ...]:
    """Return the rules' grade of every play: one, or one per attack and twin of a series.

    Args:
        played: the task. response: with the final state. grade: of the world.
    """
    return tuple(grade(task, final) for task, final in plays_of(played, response.artifacts))


def grades_of(verdict: Verdict) -> tuple[Grade, ...]:
    """Return the grades that a verdict on a world keeps, one per play.

    Args:
        verdict: of the rule, with score, parts and reason of each play in its evidence.
    """
    whole = None if verdict.score is None else verdict.score * FULL
    return tuple(
        Grade(score=held.get("score", whole), parts=held["parts"], reason=held["reason"])
        for held in verdict.evidence
        if "parts" in held
    )


def grade_judged(
    played: Played,
    response: Response,
    grades: tuple[Grade, ...],
    said: Callable[[str], Mapping[int, str | None]],
) -> tuple[Grade, ...]:
    """Return grades with what a judge's passes say together; what rules decided stays as it is.

    Args:
        played: the task. response: of it. grades: of the rules. said: of an aspect, number -> label.
    """
    if played.world == "safety":
        harms = said(HARM)
        return tuple(grading.judged(grade, judging.harmful(harms.get(n))) for n, grade in enumerate(grades))
    if played.world != "rag":
        return grades
    ((_, final),) = plays_of(played, response.artifacts)
    return (library.judged(final, grades[0], said(CITATION)),)
