"""Score an answer: exactly where its format allows it, key points by rule and judge, a rubric by a judge, a world by what is left."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from percuss.core.labels import Support
from percuss.core.ports import JudgeRequest, Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.kit import whole_answer as claims
from percuss.protocols.skills.arms import shown
from percuss.protocols.skills.case import Item, Played, item_of, metrics_of, played_of
from percuss.protocols.skills.judging import judged_world, played_grades
from percuss.protocols.skills.options import POINTS, RULE, STATE, SkillsOptions, prompt, raters
from percuss.protocols.skills.scorers import rubric
from percuss.protocols.skills.scorers.item import criteria_for, key_points, scored
from percuss.protocols.skills.scorers.meaning import by_meaning
from percuss.protocols.skills.scorers.points import HIT, MISSED, OPEN
from percuss.protocols.skills.scorers.score import Score
from percuss.protocols.skills.worlds.contract import Grade
from percuss.protocols.skills.worlds.registry import world_named

__all__ = ["GRADE", "POINT_LABELS", "SUPPORT", "VALUE", "claims", "raters", "verdicts"]

SUPPORT, GRADE = "support", "grade"
GOOD, PART, BAD = Support.SUPPORTED.value, Support.PARTIAL.value, Support.UNSUPPORTED.value
VALUE = {GOOD: 1.0, PART: 0.5, BAD: 0.0}
"""What a person's label is worth."""
POINT_LABELS = (HIT, MISSED, rubric.UNCLEAR)
FULL = 100.0
Said = dict[str, Any]


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: SkillsOptions
) -> AsyncIterator[Verdict]:
    """Yield what rules say by metric, what a judge says by key point and criterion, or the grade of what is left of a world.

    Args:
        case: an item or a task. response: its answer. claims: the whole answer, or none where it is empty.
        roles: `models["judge"]` where a judge takes part; `embedder` finds key points in other words. options: prompts and policy.

    A world is graded from its final state, submissions and tool log alone; the transcript is not read.
    """
    played = played_of(case)
    if played is not None:
        for verdict in _graded(played, response, claims):
            yield verdict
        async for verdict in judged_world(played, response, roles, options):
            yield verdict
        return
    item = item_of(case)
    for claim in claims:
        if is_truncated(claim):
            continue
        found = scored(item, claim.text)
        if roles.embedder is not None and "macro_recall" in found:
            read = await by_meaning(found["macro_recall"], claim.text, key_points(item), roles.embedder)
            found = {**found, "macro_recall": read}
        for verdict in _by_rule(found, claim):
            yield verdict
        async for verdict in _judged(item, found, claim, roles, options):
            yield verdict


def _graded(played: Played, response: Response, claims: Sequence[Claim]) -> Iterator[Verdict]:
    grades = played_grades(played, response, world_named(played.world).grade)
    whole = _together(grades)
    base: Said = {"subject": response.id, "response_id": response.id, "rater": STATE, "aspect": GRADE}
    evidence = tuple({"parts": each.parts, "reason": each.reason, "score": each.score} for each in grades)
    if whole.score is None:
        yield Verdict(**base, unscored=_reason(whole.reason), evidence=evidence)
    else:
        yield Verdict(**base, score=whole.score / FULL, rationale=whole.reason, evidence=evidence)
    for claim in claims:
        yield Verdict(subject=claim.id, response_id=response.id, rater=STATE, aspect=SUPPORT, **_label(whole))


def _together(grades: Sequence[Grade]) -> Grade:
    """Return the grade of a task, or the mean over the plays of a series with what went wrong in it."""
    if len(grades) == 1:
        return grades[0]
    scores = [each.score for each in grades if each.score is not None]
    wrong = Counter(each.reason for each in grades if each.score != FULL)
    reason = "; ".join(f"{n} of {len(grades)}: {words}" for words, n in wrong.items())
    return Grade(score=sum(scores) / len(scores) if scores else None, reason=reason)


def _label(grade: Grade) -> Said:
    return {"unscored": _reason(grade.reason)} if grade.score is None else {"label": label_of(grade.score)}


def _reason(words: str) -> str:
    head = words.partition(":")[0]
    return (
        words
        if head in {"unparsable", "undecided", "not_applicable", "not_checkable", "error"}
        else f"undecided:{words}"
    )


def label_of(value: float) -> str:
    """Return the label of a score from 0 to 100: right, partly right, wrong."""
    return GOOD if value >= FULL else PART if value > 0 else BAD


def _by_rule(found: dict[str, Score], claim: Claim) -> Iterator[Verdict]:
    base: Said = {"subject": claim.id, "response_id": claim.response_id}
    for name, made in found.items():
        evidence = ({**made.found, **({"parts": dict(made.parts)} if made.parts else {})},)
        said = {"unscored": made.reason} if made.value is None else {"score": made.value / FULL}
        rater = POINTS if name == "macro_recall" else RULE
        yield Verdict(**base, aspect=name, rater=rater, evidence=evidence, **said)
    values = [made.value for made in found.values() if made.value is not None]
    if values:
        yield Verdict(**base, aspect=SUPPORT, rater=RULE, label=label_of(sum(values) / len(values)))
    else:
        reason = next(
            (made.reason for made in found.values()), "not_applicable:no metric of its task fits the item"
        )
        yield Verdict(**base, aspect=SUPPORT, rater=RULE, unscored=reason)


async def _judged(
    item: Item, found: dict[str, Score], claim: Claim, roles: Roles, options: SkillsOptions
) -> AsyncIterator[Verdict]:
    if roles.models.get("judge") is None or item.is_blank:
        return
    fields = {"question": item.question, "answer": claim.text}
    read = found["macro_recall"].found.get("points", ()) if "macro_recall" in found else ()
    open_ = [n for n, one in enumerate(read) if one["label"] == OPEN]
    points = key_points(item)
    judge = _judge(roles, options, "judge_point", POINT_LABELS)
    for n in open_:
        for verdict in await judge.rate(
            _asked(claim, f"point:{n}", {**fields, "point": points[n].says}, POINT_LABELS)
        ):
            yield verdict
    if "judge" not in metrics_of(item):
        return
    judge = _judge(roles, options, "judge_criterion", rubric.LABELS)
    for n, criterion in enumerate(criteria_for(item)):
        held = {**fields, "reference": shown(item), "criterion": criterion.says}
        for verdict in await judge.rate(_asked(claim, f"criterion:{n}", held, rubric.LABELS)):
            yield verdict


def _judge(roles: Roles, options: SkillsOptions, name: str, labels: tuple[str, ...]) -> PromptJudge:
    return PromptJudge(
        roles.models["judge"], prompt(options, name), labels=labels, seed=roles.seed,
        passes=passes_of(options.judge_policy, roles.judge_passes),
    )  # fmt: skip


def _asked(claim: Claim, aspect: str, fields: dict[str, str], labels: tuple[str, ...]) -> JudgeRequest:
    return JudgeRequest(
        subject=claim.id, response_id=claim.response_id, aspect=aspect, fields=fields, labels=labels
    )
