"""Split a response into claims, and label each: by rule first, then by a judge where there is one."""

from collections.abc import AsyncIterator, Iterator, Sequence

from percuss.core.labels import SUPPORT_LABELS
from percuss.core.ports import JudgeRequest, Model, Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.evidence.packet import Packet
from percuss.judging.extract import extract, is_truncated
from percuss.judging.judge import PromptJudge
from percuss.judging.passes import passes_of
from percuss.kit.vectors import with_vectors
from percuss.protocols.grounding.claiming import cut
from percuss.protocols.grounding.options import GroundingOptions, prompt
from percuss.protocols.grounding.record import (
    ARM_LAYERS,
    evidence_json,
    given,
    reading,
    shown_layers,
    statement,
)
from percuss.protocols.grounding.ruling import ASPECT, by_rule, truncated
from percuss.protocols.grounding.speaking import (
    ABSTAINS,
    ABSTENTION_ASPECT,
    COMMITS,
    abstention,
    availability,
    is_checked,
    question_of,
    shown_in,
    told_of,
    with_acts,
)
from percuss.protocols.grounding.verifying import verified

__all__ = [
    "ABSTAINS",
    "ABSTENTION_ASPECT",
    "ASPECT",
    "COMMITS",
    "EMBEDDED_ARMS",
    "claims",
    "reference",
    "verdicts",
]

EMBEDDED_ARMS = frozenset({"full_multimodal", "full", "ungrounded"})


async def claims(
    case: Case, response: Response, roles: Roles, options: GroundingOptions
) -> tuple[Claim, ...]:
    """Return the statements of a response as claims, each with its speech act; with an embedder, each carries its vector.

    Args:
        case: its question and header tell what is given.
        response: a done response.
        roles: `embedder` may be None; `extractor` cuts what grammar can't.
        options: where they replicate the paper, sentences stay whole, carry no speech act, and all are counted.
    """
    found = extract(response)
    if not options.replicates:
        found = await cut(found, roles)
        found = with_acts(found, question_of(case, options), told_of(case, options))
    if roles.embedder is None or response.arm not in EMBEDDED_ARMS or not found:
        return found
    return await with_vectors(found, [statement(claim) for claim in found], roles.embedder)


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: GroundingOptions
) -> AsyncIterator[Verdict]:
    """Yield one verdict a claim by rule, one by the verifier, and one a claim and pass by the judge.

    Args:
        case: holds the packet that claims are checked against (`reference`).
        response: whose claims they are.
        claims: of `claims`; the unfinished end of a cut reply is `truncated`.
        roles: `models["judge"]` where a judge takes part, `verifier` where one does.
        options: which rules, which reference, which policy.
    """
    for verdict in _by_rules(case, response, claims, roles, options):
        yield verdict
    packet, _ = reference(case, response.arm, options)
    if roles.verifier is not None:
        for verdict in await verified(claims, packet, roles.verifier, options):
            yield verdict
    model = roles.models.get("judge")
    if model is None:
        return
    if options.judge_abstention:
        for verdict in await judge_abstention(response, model, roles, options):
            yield verdict
    fields = {
        "evidence": evidence_json(packet, packet.layers) or "(none)",
        "question": question_of(case, options),
    }
    async for verdict in _by_judge(claims, model, fields, roles, options):
        yield verdict


async def _by_judge(
    claims: Sequence[Claim], model: Model, fields: dict[str, str], roles: Roles, options: GroundingOptions
) -> AsyncIterator[Verdict]:
    """One verdict a checked claim and pass; the judge sees the claim, the reference and the question, and nothing else."""
    judge = PromptJudge(
        model,
        prompt(options, "judge"),
        labels=SUPPORT_LABELS,
        seed=roles.seed,
        system=prompt(options, "judge_system", ""),
        passes=passes_of(options.judge_policy, roles.judge_passes),
    )
    for claim in claims:
        if is_truncated(claim):
            yield truncated(claim, f"{judge.rater}#1")
            continue
        if not is_checked(claim):
            continue
        judge_request = JudgeRequest(
            subject=claim.id,
            response_id=claim.response_id,
            aspect=ASPECT,
            fields={**fields, "claim": statement(claim)},
            labels=SUPPORT_LABELS,
        )
        for verdict in await judge.rate(judge_request):
            yield verdict


def _by_rules(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: GroundingOptions
) -> Iterator[Verdict]:
    """Support of every claim, whether what it says of the data is so, and whether the whole answer abstains."""
    content, arm = reading(case), response.arm
    packet, layers = reference(case, arm, options)
    told = told_of(case, options)
    for claim in claims:
        yield by_rule(claim, packet, told, layers, options, roles.rule)
    if options.replicates:
        return
    shown = shown_in(given(content, arm), shown_layers(content, arm), content.packet.layers)
    for claim in claims:
        if claim.payload.get("act") == "availability" and not is_truncated(claim):
            yield availability(claim, shown)
    yield from abstention(response, question_of(case, options))


async def judge_abstention(
    response: Response, model: Model, roles: Roles, options: GroundingOptions
) -> tuple[Verdict, ...]:
    """Return the judge's passes on whether a whole answer abstains.

    Args:
        response: a done response. model: the judge. roles: seed and passes. options: prompts and policy.
    """
    judge = PromptJudge(
        model,
        prompt(options, "judge_abstention"),
        labels=(ABSTAINS, COMMITS),
        seed=roles.seed,
        passes=passes_of(options.judge_policy, roles.judge_passes),
    )
    judge_request = JudgeRequest(
        subject=response.id,
        response_id=response.id,
        aspect=ABSTENTION_ASPECT,
        fields={"answer": response.text},
        labels=(ABSTAINS, COMMITS),
    )
    return await judge.rate(judge_request)


def reference(case: Case, arm: str, options: GroundingOptions) -> tuple[Packet, tuple[str, ...] | None]:
    """Return what claims of an arm are checked against, and the layers that the arm showed (None: all there is).

    Args:
        case: of this protocol.
        arm: name of the arm. In `shuffled` the packet shown, the donor's, is the reference.
        options: `reference` full: numbers and values against the full packet in every arm, modality words against the
            layers shown (papers/0 Appendices C, F, L); given: everything against what the arm showed (section 4.3).
    """
    content = reading(case)
    if arm == "shuffled" and content.donor_packet is not None:
        return content.donor_packet, None
    shown = shown_layers(content, arm) if content.layered or not ARM_LAYERS.get(arm) else None
    return (content.packet if options.reference == "full" else given(content, arm)), shown
