"""Verdicts: support of every claim and the audit of the nodes, by rule and by judge side by side."""

from collections.abc import AsyncIterator, Sequence

import msgspec

from percuss.core.labels import Reason
from percuss.core.ports import Cast, Inquiry
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.judge import PromptJudge
from percuss.protocols.stressors.check.audit import audit
from percuss.protocols.stressors.check.claiming import assertion_of
from percuss.protocols.stressors.check.nodes import rows
from percuss.protocols.stressors.check.support import support
from percuss.protocols.stressors.check.trajectory import Trajectory, trajectory
from percuss.protocols.stressors.options import RATER, StressorsOptions, prompt

__all__ = ["AUDIT", "LABELS", "SUPPORT", "verdicts"]

SUPPORT, AUDIT = "support", "audit"
LABELS = ("supported", "unsupported", "unknown")
MAJORITY_PASSES = 3


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], cast: Cast, options: StressorsOptions
) -> AsyncIterator[Verdict]:
    """Yield the rule's audit and support, then the judge's, one a pass.

    Args:
        case: of this protocol. response: done. claims: of `claims`.
        cast: `models["judge"]` where a judge takes part; the root seed draws the scenario.
        options: prompts, policy, turn of injection.
    """
    t = trajectory(case, response, seed=cast.seed, inject_at=options.inject_at)
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
        yield _by_rule(t, claim)
    model = cast.models.get("judge")
    if model is None:
        return
    passes = MAJORITY_PASSES if options.judge_policy == "majority" else cast.judge_passes
    async for verdict in audit(
        t, response, model, prompt(options, "judge_audit"), seed=cast.seed, passes=passes
    ):
        yield verdict
    judge = PromptJudge(model, prompt(options, "judge"), labels=LABELS, seed=cast.seed, passes=passes)
    for claim in claims:
        reason = _not_asked(claim)
        if reason is not None:
            yield _unscored(claim, f"{judge.rater}#1", reason)
            continue
        told = "\n".join(f"- {line}" for line in t.told(int(claim.payload["n"])))
        inquiry = Inquiry(
            subject=claim.id,
            response_id=response.id,
            aspect=SUPPORT,
            fields={"evidence": told, "claim": claim.text},
            labels=LABELS,
        )
        for verdict in await judge.rate(inquiry):
            yield verdict


def _not_asked(claim: Claim) -> str | None:
    if claim.payload.get("truncated"):
        return Reason.TRUNCATED.value
    state = claim.payload["state"]
    return f"{Reason.NOT_APPLICABLE}:{state}" if state in {"withdrawn", "questioned"} else None


def _unscored(claim: Claim, rater: str, reason: str) -> Verdict:
    return Verdict(
        subject=claim.id, response_id=claim.response_id, aspect=SUPPORT, rater=rater, unscored=reason
    )


def _by_rule(t: Trajectory, claim: Claim) -> Verdict:
    if claim.payload.get("truncated"):
        return _unscored(claim, RATER, Reason.TRUNCATED.value)
    turn = int(claim.payload["n"])
    known = {fact.id for fact in t.told_facts(turn)}
    withheld = [fact.text for fact in t.vignette.facts if fact.id not in known]
    found = support(assertion_of(claim), t.told(turn), t.injected(turn), withheld)
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
