"""Score an answer: exactly where its type allows it, by a judge against the reference where it doesn't."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import Reason, Support
from percuss.core.ports import JudgeRequest, Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.kit import whole_answer as claims
from percuss.protocols.textbook.arms import CONTINUATION
from percuss.protocols.textbook.case import Task, task_of
from percuss.protocols.textbook.contamination import probed, rest_of
from percuss.protocols.textbook.items.item import CLOSED, Item
from percuss.protocols.textbook.options import OVERLAP, RATER, TextbookOptions, prompt, raters
from percuss.protocols.textbook.scoring.closed import Score, scored, step_score
from percuss.protocols.textbook.scoring.overlap import MEASURES

__all__ = [
    "CONTINUED",
    "JUDGED",
    "OVERLAPS",
    "SCORE",
    "STEP",
    "SUPPORT",
    "VALUE",
    "claims",
    "raters",
    "verdicts",
]

SUPPORT, SCORE, STEP, OVERLAPS, CONTINUED = "support", "score", "step", "overlap", "continuation"
GOOD, PART, BAD = Support.SUPPORTED.value, Support.PARTIAL.value, Support.UNSUPPORTED.value
JUDGED = {"equivalent": GOOD, "partial": PART, "wrong": BAD}
VALUE = {GOOD: 1.0, PART: 0.5, BAD: 0.0}
"""What a label is worth (definitions, "Scorers")."""
NEEDS_JUDGE = f"{Reason.UNDECIDED.value}:open question, no judge"
Said = dict[str, Any]


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: TextbookOptions
) -> AsyncIterator[Verdict]:
    """Yield support, score and overlap of an answer by rule, and support of an open one by the judge.

    Args:
        case: the question with its reference. response: its answer. claims: the whole answer, or none where it is empty.
        roles: `models["judge"]` where a judge takes part. options: prompts and policy.

    A scorer that raises fails the response's check; it is never a zero.
    """
    task = task_of(case)
    for claim in claims:
        if is_truncated(claim):
            continue
        base: Said = {"subject": claim.id, "response_id": response.id}
        if response.arm == CONTINUATION:
            yield _continued(task, claim.text, base)
            continue
        for said in _by_rule(task.item, claim.text):
            yield Verdict(**base, **said)
        if task.item.type not in CLOSED:
            async for verdict in _judged(task.item, claim, roles, options):
                yield verdict


def _by_rule(item: Item, text: str) -> Iterator[Said]:
    if item.type in CLOSED:
        yield from _exact(item, scored(item, text))
        return
    yield {"aspect": SUPPORT, "rater": RATER, "unscored": NEEDS_JUDGE}
    if item.type == "multi_hop_inverse":
        step = step_score(item, text)
        held = {"unscored": step.reason} if step.value is None else {"score": step.value}
        yield {"aspect": STEP, "rater": RATER, **held, "evidence": ({"chosen": list(step.chosen)},)}
    found = {name: of(text, item.right) for name, of in MEASURES.items()}
    yield {"aspect": OVERLAPS, "rater": OVERLAP, "score": found["token_f1"], "evidence": (found,)}


def _exact(item: Item, made: Score) -> Iterator[Said]:
    evidence: Said = {"chosen": list(made.chosen)}
    if made.precision is not None:
        evidence |= {"precision": made.precision, "recall": made.recall}
    base: Said = {"rater": RATER, "evidence": (evidence,)}
    if made.value is None:
        yield {**base, "aspect": SUPPORT, "unscored": made.reason}
        yield {**base, "aspect": SCORE, "unscored": made.reason}
        return
    yield {**base, "aspect": SUPPORT, "label": label_of(item, made)}
    yield {**base, "aspect": SCORE, "score": made.value}


def label_of(item: Item, made: Score) -> str:
    """Return the label of a scored answer: a list without a wrong entry that lacks some is partial, not wrong.

    Args:
        item: closed. made: its score.
    """
    if made.value == 1:
        return GOOD
    if item.type == "list" and (made.precision == 1 or not made.chosen):
        return PART
    return BAD


async def _judged(item: Item, claim: Claim, roles: Roles, options: TextbookOptions) -> AsyncIterator[Verdict]:
    model = roles.models.get("judge")
    if model is None:
        return
    judge = PromptJudge(
        model, prompt(options, "judge_explanation" if item.is_inverse else "judge_equivalence"), labels=tuple(JUDGED),
        seed=roles.seed, passes=passes_of(options.judge_policy, roles.judge_passes),
    )  # fmt: skip
    fields = {"question": item.question, "reference": reference_of(item), "answer": claim.text}
    if item.is_inverse:
        fields["given_answer"] = item.given_answer
    asked = JudgeRequest(
        subject=claim.id, response_id=claim.response_id, aspect=SUPPORT, fields=fields, labels=tuple(JUDGED)
    )
    for verdict in await judge.rate(asked):
        yield verdict if verdict.label is None else replace(verdict, label=JUDGED[verdict.label])


def reference_of(item: Item) -> str:
    """Return what a judge holds an open answer against."""
    if item.type == "multi_hop":
        return "\n".join([item.answer, *item.reasoning])
    return item.explanation if item.is_inverse else item.answer


def _continued(task: Task, text: str, base: Said) -> Verdict:
    probe = probed(rest_of(task.passage), task.others, text)
    held = {
        "run": probe.run, "run_excess": probe.run_excess, "containment": probe.containment, "excess": probe.excess,
        "limit": probe.limit,
    }  # fmt: skip
    label = "memorised" if probe.memorised else "not memorised"
    return Verdict(**base, aspect=CONTINUED, rater=RATER, label=label, evidence=(held,))
