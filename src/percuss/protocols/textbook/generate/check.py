"""Check a generated question: its form, and whether the passage supports it, by rule and by a judge."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.labels import Reason, Support
from percuss.core.ports import JudgeRequest, Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.kit.vectors import with_vectors
from percuss.protocols.textbook.generate.cases import source_of
from percuss.protocols.textbook.generate.options import (
    STRUCTURE,
    SUPPORT_RULE,
    GenerateOptions,
    prompt,
    raters,
)
from percuss.protocols.textbook.generate.quoted import support_of
from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.items.valid import faults

__all__ = ["BAD", "FORM", "GOOD", "SUPPORT", "claims", "item_of", "raters", "stated", "verdicts"]

FORM, SUPPORT = "structure", "support"
GOOD, BAD = Support.SUPPORTED.value, Support.UNSUPPORTED.value
"""Labels of both aspects: of the form, that a question can be put or not."""
RULED = {"supported": GOOD, "contradicts": BAD, "not_in_passage": BAD, "contradicted": BAD, "absent": BAD}
"""What a rule says of an item -> label; everything else is undecided."""
LABELS = {
    "supported": Support.SUPPORTED.value,
    "contradicts": Support.UNSUPPORTED.value,
    "not_in_passage": Support.UNSUPPORTED.value,
}
"""A judge's word -> label; what is not in the passage is unsupported as what contradicts it is (definitions, "Hallucination labels")."""


def item_of(response: Response) -> Item | None:
    """Return the item of a response; None where no try could be read."""
    held = response.artifacts.get("item")
    return None if held is None else msgspec.convert(held, Item)


async def claims(case: Case, response: Response, roles: Roles, options: GenerateOptions) -> tuple[Claim, ...]:
    """Return the last try as one claim: question and answer, which stand or fall together; with an embedder, the question's vector.

    Args:
        case, options: not used. response: a done one. roles: `embedder` may be None.
    """
    del case, options
    turn = response.turns[-1]
    if not turn.text.strip():
        return ()
    payload = {"truncated": True} if turn.finish == "length" else None
    whole = Claim.of(response.id, turn=turn.index, start=0, stop=len(turn.text), text=turn.text, extractor="rule:whole", kind=response.arm, payload=payload)  # fmt: skip
    item = item_of(response)
    if roles.embedder is None or item is None:
        return (whole,)
    return await with_vectors((whole,), (item.question,), roles.embedder)


def stated(item: Item) -> str:
    """Return what an item states, for a reader of support: question and right answer; a false statement states nothing."""
    if item.type == "true_false":
        return item.question if item.answer == "true" else ""
    right = "; ".join(item.answers) if item.type == "list" else item.answer
    return " ".join(part for part in (item.question, right, item.explanation) if part)


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: GenerateOptions
) -> AsyncIterator[Verdict]:
    """Yield the form of a question, and its support by rule and judge where its form is right.

    Args:
        case: the passage. response: the question. claims: of `claims`. roles: `models["judge"]`. options: prompts, policy.
    """
    passage, item = source_of(case).passage.text, item_of(response)
    for claim in claims:
        base: dict[str, Any] = {"subject": claim.id, "response_id": response.id}
        if claim.payload.get("truncated"):
            yield Verdict(**base, aspect=FORM, rater=STRUCTURE, unscored=Reason.TRUNCATED.value)
            continue
        found = ("the reply holds no item",) if item is None else faults(item, passage)
        yield Verdict(
            **base,
            aspect=FORM,
            rater=STRUCTURE,
            label=BAD if found else GOOD,
            rationale="; ".join(found),
        )
        if item is None or found:
            yield Verdict(
                **base,
                aspect=SUPPORT,
                rater=SUPPORT_RULE,
                unscored=f"{Reason.NOT_APPLICABLE.value}:invalid question",
            )
            continue
        yield await asyncio.to_thread(_by_rule, item, passage, base)
        async for verdict in _judged(item, passage, base, roles, options):
            yield verdict


def _by_rule(item: Item, passage: str, base: dict[str, Any]) -> Verdict:
    """Read the item against its passage by words in a row; a true statement that isn't decided so, by `support-2` too."""
    found = support_of(item, passage)
    label, evidence = RULED.get(found.label or ""), {"relation": found.label, "quote": found.quote}
    if label is None and item.type == "true_false" and item.answer == "true":
        read = support2(item.question, Packet.of_text(passage))
        label, evidence = RULED.get(read.label), {"relation": read.label, "reader": "support-2"}
    if label is None:
        said = f"{Reason.UNDECIDED.value}:{found.reason}"
        return Verdict(**base, aspect=SUPPORT, rater=SUPPORT_RULE, unscored=said)
    return Verdict(**base, aspect=SUPPORT, rater=SUPPORT_RULE, label=label, evidence=(evidence,))


async def _judged(
    item: Item, passage: str, base: dict[str, Any], roles: Roles, options: GenerateOptions
) -> AsyncIterator[Verdict]:
    model = roles.models.get("judge")
    if model is None:
        return
    judge = PromptJudge(
        model, prompt(options, "judge_support"), labels=tuple(LABELS), seed=roles.seed, passes=passes_of(options.judge_policy, roles.judge_passes)
    )  # fmt: skip
    said = (
        f"Statement marked false: {item.question}"
        if item.type == "true_false" and item.answer == "false"
        else stated(item)
    )
    asked = JudgeRequest(
        subject=base["subject"], response_id=base["response_id"], aspect=SUPPORT, fields={"passage": passage, "claim": said}, labels=tuple(LABELS)
    )  # fmt: skip
    for verdict in await judge.rate(asked):
        yield (
            verdict
            if verdict.label is None
            else replace(verdict, label=LABELS[verdict.label], evidence=({"relation": verdict.label},))
        )
