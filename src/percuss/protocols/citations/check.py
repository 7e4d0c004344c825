"""Verdicts on every cited claim: by rule always, and by a judge where one was named; the two share what was looked up."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from percuss.core.labels import Reason
from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.passes import passes_of
from percuss.protocols.citations.aspects import BAD, CONTENT, GOOD, REFERENCE, SUPPORT
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.claiming import claims, is_code
from percuss.protocols.citations.judge.code import code_verdicts
from percuss.protocols.citations.judge.strategies import Judging, Question
from percuss.protocols.citations.looking import World
from percuss.protocols.citations.options import RATER, CitationsOptions, prompt, raters
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.ruling import looked_up, of_citation, of_code
from percuss.protocols.citations.short import short_verdicts
from percuss.protocols.citations.sources.gather import Wanted

__all__ = ["BAD", "CONTENT", "GOOD", "REFERENCE", "SUPPORT", "claims", "raters", "verdicts"]

UNSAMPLED = f"{Reason.NOT_APPLICABLE.value}:not sampled"
PROMPTS = (
    "judge_system",
    "judge_full_text",
    "judge_snippet",
    "judge_provider_search",
    "judge_fallback",
    "plan",
)


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: CitationsOptions
) -> AsyncIterator[Verdict]:
    """Yield reference, content and support of every claim that is judged.

    Args:
        case: its corpus. response: whose claims. claims: of `claims`.
        roles: `search` and `fetch` where sources may be looked for beyond the corpus; `models["judge"]` judges beside the
            rule, `models["planner"]` plans its searches (else the judge does), `models["fallback"]` decides what it leaves open.
        options: `strict`, `strategy`.

    `support` is derived, never said: a wrong reference, or content that is not there, is unsupported; both right is
    supported; anything undecided leaves it out with its reason. The claims of a response are judged side by side.
    """
    if reading(case).short:
        async for verdict in short_verdicts(case, response, roles, options):
            yield verdict
        return
    world = World.of(reading(case), roles.search, roles.fetch, roles.embedder, strict=options.strict)
    judging = _judging(roles, options, world)
    if reading(case).domain == "coding" and judging is not None:
        held = [claim for claim in claims if not is_truncated(claim) and is_code(claim)]
        async for verdict in code_verdicts(
            response,
            held,
            judging.judge,
            prompt(options, "judge_code"),
            seed=roles.seed,
            passes=judging.passes,
            searches=options.strategy == "provider_search",
        ):
            yield verdict
    made = await asyncio.gather(
        *(_of_claim(claim, world, judging) for claim in claims if not is_truncated(claim))
    )
    for group in made:
        for verdict in group:
            yield msgspec.structs.replace(verdict, response_id=response.id)


async def _of_claim(claim: Claim, world: World, judging: Judging | None) -> list[Verdict]:
    whose: dict[str, Any] = {"subject": claim.id, "response_id": claim.response_id, "rater": RATER}
    if is_code(claim):
        return [Verdict(**whose, aspect=SUPPORT, **of_code(claim.payload["finding"]))]
    if not claim.payload["sampled"]:
        return [Verdict(**whose, aspect=SUPPORT, unscored=UNSAMPLED)]
    found = await looked_up(claim, world)
    out = [Verdict(**whose, aspect=aspect, **said) for aspect, said in await of_citation(claim, found, world)]
    if judging is not None:
        cited = msgspec.convert(claim.payload["reference"], Reference)
        wanted = Wanted(cited=cited, description=str(claim.payload["said"]))
        question = Question(claim, wanted, claim.text, found, world.corpus.held)
        out += [verdict async for verdict in judging.verdicts(question)]
    return out


def _judging(roles: Roles, options: CitationsOptions, world: World) -> Judging | None:
    judge = roles.models.get("judge")
    if judge is None:
        return None
    return Judging(
        judge=judge,
        planner=roles.models.get("planner", judge),
        fallback=roles.models.get("fallback"),
        strategy=options.strategy,
        prompts={name: prompt(options, name) for name in PROMPTS},
        seed=roles.seed,
        passes=passes_of(options.judge_policy, roles.judge_passes),
        search=world.search,
        fetch=roles.fetch,
        embedder=roles.embedder,
    )
