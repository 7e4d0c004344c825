"""Verdicts: support of every claim and the audit of the nodes, by rule and by judge side by side."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import msgspec

from percuss.core.labels import Reason
from percuss.core.ports import Embedder, JudgeRequest, Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.protocols.stressors.check.audit import audit
from percuss.protocols.stressors.check.claiming import assertion_of
from percuss.protocols.stressors.check.meaning import by_meaning
from percuss.protocols.stressors.check.nodes import rows
from percuss.protocols.stressors.check.replayed import replay_verdict
from percuss.protocols.stressors.check.support import UNDECIDED, support
from percuss.protocols.stressors.check.trajectory import Trajectory, trajectory
from percuss.protocols.stressors.options import RATER, StressorsOptions, prompt
from percuss.protocols.stressors.replaying import is_replay

__all__ = ["AUDIT", "IDENTITY", "LABELS", "SUPPORT", "verdicts"]

SUPPORT, AUDIT, IDENTITY = "support", "audit", "identity"
LABELS = ("supported", "unsupported", "unknown")
TWINS = ("same", "different", "unknown")


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: StressorsOptions
) -> AsyncIterator[Verdict]:
    """Yield the rule's audit and support, then the judge's, one a pass; of claims that may be twins, also their identity.

    Of a replay only how it ended is said.

    Args:
        case: of this protocol. response: done. claims: of `claims`.
        roles: `models["judge"]` where a judge takes part; the root seed draws the scenario.
        options: prompts, policy, turn of injection.
    """
    if is_replay(response.arm):
        yield replay_verdict(response)
        return
    t = trajectory(case, response, seed=roles.seed, inject_at=options.inject_at)
    evidence = tuple(msgspec.to_builtins(row) for row in rows(t))
    yield Verdict(
        subject=response.id,
        response_id=response.id,
        aspect=AUDIT,
        rater=RATER,
        label="audited",
        evidence=evidence,
    )
    for claim in claims:
        await asyncio.sleep(0)  # a rule reads for some milliseconds; others may go on between two claims
        yield await _by_rule(t, claim, roles.embedder)
    async for verdict in _judged(t, response, claims, roles, options):
        yield verdict


async def _judged(
    t: Trajectory, response: Response, claims: Sequence[Claim], roles: Roles, options: StressorsOptions
) -> AsyncIterator[Verdict]:
    model = roles.models.get("judge")
    if model is None:
        return
    passes = passes_of(options.judge_policy, roles.judge_passes)
    async for verdict in audit(
        t, response, model, prompt(options, "judge_audit"), seed=roles.seed, passes=passes
    ):
        yield verdict
    judge, matcher = (
        PromptJudge(model, prompt(options, name), labels=labels, seed=roles.seed, passes=passes)
        for name, labels in (("judge", LABELS), ("judge_identity", TWINS))
    )
    for claim in claims:
        reason = _not_asked(claim)
        if reason is not None:
            yield _unscored(claim, f"{judge.rater}#1", reason)
            continue
        for verdict in await judge.rate(_support(t, claim)):
            yield verdict
    for judge_request in _twins(claims):
        for verdict in await matcher.rate(judge_request):
            yield verdict


def _support(t: Trajectory, claim: Claim) -> JudgeRequest:
    told = "\n".join(f"- {line}" for line in t.told(int(claim.payload["n"])))
    return JudgeRequest(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=SUPPORT,
        fields={"evidence": told, "claim": claim.text},
        labels=LABELS,
    )


def _twins(claims: Sequence[Claim]) -> Iterator[JudgeRequest]:
    """Statements in other words that neither number, words nor embedding can tell apart or join."""
    texts = {claim.id: claim.text for claim in claims}
    for claim in claims:
        near = claim.payload.get("near")
        if near is not None and not claim.payload.get("truncated"):
            yield JudgeRequest(
                subject=claim.id,
                response_id=claim.response_id,
                aspect=IDENTITY,
                fields={"earlier": texts[near], "later": claim.text},
                labels=TWINS,
            )


def _not_asked(claim: Claim) -> str | None:
    if claim.payload.get("truncated"):
        return Reason.TRUNCATED.value
    state = claim.payload["state"]
    return f"{Reason.NOT_APPLICABLE}:{state}" if state in {"withdrawn", "questioned"} else None


def _unscored(claim: Claim, rater: str, reason: str) -> Verdict:
    return Verdict(
        subject=claim.id, response_id=claim.response_id, aspect=SUPPORT, rater=rater, unscored=reason
    )


async def _by_rule(t: Trajectory, claim: Claim, embedder: Embedder | None) -> Verdict:
    if claim.payload.get("truncated"):
        return _unscored(claim, RATER, Reason.TRUNCATED.value)
    turn = int(claim.payload["n"])
    known = {fact.id for fact in t.told_facts(turn)}
    withheld = [fact.text for fact in t.vignette.facts if fact.id not in known]
    found = support(assertion_of(claim), t.told(turn), t.injected(turn), withheld)
    if found.unscored == UNDECIDED and claim.kind == "evidence" and embedder is not None:
        found = await by_meaning(claim.text, t.told(turn), embedder) or found
    basis = {"origin": found.origin, "lucky": found.lucky, "paths": [found.path] if found.path else []}
    return Verdict(
        subject=claim.id,
        response_id=claim.response_id,
        aspect=SUPPORT,
        rater=RATER,
        label=found.label,
        unscored=found.unscored,
        rationale=found.rationale,
        evidence=(basis,) if found.origin else (),
    )
