"""Verdicts by rule, with no judge and no network: the reference, what it is cited for, and the two together."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import msgspec

from percuss.core.labels import Reason, Support
from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.extract import is_truncated
from percuss.protocols.citations.case import Inquiry, reading
from percuss.protocols.citations.claiming import claims, is_code
from percuss.protocols.citations.content.rule import check_content
from percuss.protocols.citations.corpus import look_up
from percuss.protocols.citations.options import RATER, CitationsOptions, raters
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Finding, reference_verdict

__all__ = ["CONTENT", "REFERENCE", "SUPPORT", "claims", "raters", "verdicts"]

REFERENCE, CONTENT, SUPPORT = "reference", "content", "support"
GOOD, BAD = Support.SUPPORTED.value, Support.UNSUPPORTED.value
UNSAMPLED = f"{Reason.NOT_APPLICABLE.value}:not sampled"


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: CitationsOptions
) -> AsyncIterator[Verdict]:
    """Yield reference, content and support of every claim that is judged.

    Args:
        case: its corpus. response: whose claims. claims: of `claims`. roles: not used by rules.
        options: `strict`.

    `support` is derived, never said: a wrong reference, or content that is not there, is unsupported; both right is
    supported; anything undecided leaves it out with its reason.
    """
    del roles
    inquiry = reading(case)
    for claim in claims:
        if is_truncated(claim):
            continue
        made = await asyncio.to_thread(_judged, claim, inquiry, options)
        for aspect, said in made:
            yield Verdict(subject=claim.id, response_id=response.id, aspect=aspect, rater=RATER, **said)


Said = tuple[str, dict[str, Any]]


def _judged(claim: Claim, inquiry: Inquiry, options: CitationsOptions) -> list[Said]:
    if is_code(claim):
        return [(SUPPORT, _of_code(claim.payload["finding"]))]
    if not claim.payload["sampled"]:
        return [(SUPPORT, {"unscored": UNSAMPLED})]
    return list(_of_citation(claim, inquiry, options))


def _of_code(finding: dict[str, Any]) -> dict[str, Any]:
    status, reason = finding["status"], finding["reason"]
    if status == "not_checkable":
        return {"unscored": f"{Reason.NOT_CHECKABLE.value}:code", "rationale": reason}
    evidence = (
        ({"status": status, "quote": finding["evidence"]},) if finding["evidence"] else ({"status": status},)
    )
    return {"label": BAD if status == "nonexistent" else GOOD, "rationale": reason, "evidence": evidence}


def _of_citation(claim: Claim, inquiry: Inquiry, options: CitationsOptions) -> Iterator[Said]:
    cited = msgspec.convert(claim.payload["reference"], Reference)
    found = look_up(cited, inquiry, strict=options.strict)
    if claim.payload["ambiguous"] and found.status == "found":
        found = msgspec.structs.replace(found, status="ambiguous")
    verdict = reference_verdict(found, strict=options.strict)
    said = {"status": found.word, "identity": claim.payload["identity"]}
    notes = "; ".join(found.notes)
    if verdict == "unscored":
        reason = f"{Reason.NOT_CHECKABLE.value}:{found.status}"
        yield REFERENCE, {"unscored": reason, "rationale": notes, "evidence": (said,)}
        yield SUPPORT, {"unscored": reason, "rationale": _words(found, notes), "evidence": (said,)}
        return
    yield REFERENCE, {"label": verdict, "rationale": notes, "evidence": (said,)}
    if verdict == "no":
        inherited = ({"status": found.word, "subtype": "inherited"},)
        yield CONTENT, {"label": "no", "rationale": "inherited from the reference", "evidence": inherited}
        yield SUPPORT, {"label": BAD, "rationale": _words(found, notes), "evidence": (said,)}
        return
    content = _content(str(claim.payload["said"]), found)
    yield CONTENT, content
    label = {"yes": GOOD, "no": BAD}.get(content.get("label", ""))
    rest = {"unscored": content["unscored"]} if label is None else {"label": label}
    evidence = (said, *content.get("evidence", ()))
    yield SUPPORT, {**rest, "rationale": _words(found, content["rationale"]), "evidence": evidence}


def _content(said: str, found: Finding) -> dict[str, Any]:
    """Return what the rule says of the content, with the passage that it hangs on."""
    source = found.candidate
    if source is None or not source.text:
        return {
            "unscored": f"{Reason.NOT_CHECKABLE.value}:no text",
            "rationale": "no text of the source is held",
        }
    decided = check_content(said, source.text, whole=source.text_whole)
    evidence: dict[str, Any] = {"subtype": decided.subtype} if decided.subtype else {}
    if decided.stop:
        quote = source.text[decided.start : decided.stop]
        evidence |= {
            "quote": quote,
            "source": source.reference.title,
            "start": decided.start,
            "stop": decided.stop,
        }
    held = {"rationale": decided.reason, "evidence": (evidence,) if evidence else ()}
    if decided.label == "undecided":
        return {"unscored": f"{Reason.UNDECIDED.value}:rule", **held}
    return {"label": decided.label, **held}


def _words(found: Finding, rest: str) -> str:
    """Say the status in words; "invented" stands nowhere, and "nonexistent" only where an authority said so."""
    return f"{found.word.replace('_', ' ')}: {rest}" if rest else found.word.replace("_", " ")
