"""What a person judges: a cited statement beside its source, or a whole answer in which statements are marked.

extraction        one answer: mark each statement that rests on a source
source-grounding  one citation: does the source exist as cited, and does it say so (papers/2 appendix D)
confirm           one citation with the machine's verdict shown, not blinded (papers/2 Table 12)
any other         one citation beside its source, as one claim beside its evidence
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem, Claim, Turn
from percuss.judging.extract import is_truncated
from percuss.protocols.citations.aspects import CONTENT, REFERENCE, SUPPORT
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.corpus import look_up
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.sources.backends import address
from percuss.protocols.citations.sources.opened import address_of

__all__ = ["items"]


def items(run: RunView, design: str, options: CitationsOptions) -> Iterator[AnnotationItem]:
    """Yield every judged citation as an item, or every answer where statements are to be marked.

    Args:
        run: one scoring. design: name of the study's design. options: `strict`.

    `shown` holds the question; which source there is to read follows from what the answer cites, so it is content.
    """
    for scored in run.assessed():
        if scored.response.status != "done" or scored.left_out or scored.case.payload.get("short"):
            continue
        if design == "extraction":
            yield from _answers(scored)
            continue
        for claim in scored.claims:
            if not is_truncated(claim) and not is_code(claim) and claim.payload["sampled"]:
                yield _item(scored, claim, design, options)


def _answers(scored: ScoredResponse) -> Iterator[AnnotationItem]:
    """Yield each answer of a conversation with the question before it; what was extracted is hidden."""
    question = reading(scored.case).question
    for turn in scored.response.turns:
        if turn.role == "user":
            question = turn.text.split("\n\n")[0]
        else:
            yield _answer(scored, turn, question)


def _answer(scored: ScoredResponse, turn: Turn, question: str) -> AnnotationItem:
    response = scored.response
    own = [claim for claim in scored.claims if claim.turn == turn.index and "reference" in claim.payload]
    extracted = [
        {"start": claim.start, "stop": claim.stop, "reference": claim.payload["reference"].get("raw", "")}
        for claim in own
    ]
    return AnnotationItem(
        id=b2("item", response.id, turn.index), subject=response.id, response_id=response.id, model=response.model,
        arm=response.arm, kind="answer", stratum={"tier": scored.case.stratum}, shown={"question": question},
        content={"answer": turn.text}, hidden={"case": scored.case.id, "turn": turn.index, "extracted": extracted},
    )  # fmt: skip


def _item(scored: ScoredResponse, claim: Claim, design: str, options: CitationsOptions) -> AnnotationItem:
    inquiry, response = reading(scored.case), scored.response
    cited = msgspec.convert(claim.payload["reference"], Reference)
    source = look_up(cited, inquiry, strict=options.strict).candidate
    said = {
        v.rater: v.label or v.unscored or ""
        for v in scored.verdicts
        if v.subject == claim.id and v.aspect == SUPPORT
    }
    return AnnotationItem(
        id=b2("item", claim.id), subject=claim.id, response_id=response.id, model=response.model, arm=response.arm,
        kind=claim.kind, stratum={"tier": scored.case.stratum},
        shown={"question": inquiry.question}, content=_content(scored, claim, design, cited, source),
        hidden={"case": scored.case.id, "labels": {rater: label for rater, label in said.items() if label}},
    )  # fmt: skip


Fields = dict[str, Any]


def _content(
    scored: ScoredResponse, claim: Claim, design: str, cited: Reference, source: Known | None
) -> Fields:
    """Return a citation, its own words and the source that they lead to, in the fields of a design."""
    written, statement = cited.raw or cited.title, str(claim.payload["said"])
    if design not in {"source-grounding", "confirm"}:
        held = source.text if source is not None else "the corpus holds no such source"
        return {"evidence": {"source": held}, "claim": f"{statement} (cited: {written})"}
    turn = next(turn.text for turn in scored.response.turns if turn.index == claim.turn)
    place = {"before": turn[: claim.start], "marked": claim.text, "after": turn[claim.stop :]}
    content: Fields = {
        "sources": [_opened(cited, source)], "claim": statement, "reference": written, "context": place,
    }  # fmt: skip
    if design == "confirm":
        content["verdict"] = machine_verdict(scored, claim)
    return content


def _opened(cited: Reference, source: Known | None) -> Mapping[str, str]:
    if source is None:
        return {
            "title": "Nothing was found in the corpus",
            "text": "",
            "url": address_of(cited) or address(cited),
        }
    record = source.reference
    people = ", ".join(map(str, record.authors[:6]))
    title = f"{record.title} ({people}, {record.year or 'no year'})"
    return {"title": title, "text": source.text, "url": address_of(cited) or address(record)}


def machine_verdict(scored: ScoredResponse, claim: Claim) -> Mapping[str, str]:
    """Return what the first rater that decided says of reference and content, with its reason; a judge before a rule."""
    own = [v for v in scored.verdicts if v.subject == claim.id and not v.rater.startswith("human:")]
    own.sort(key=lambda v: (not v.rater.startswith("judge:"), v.rater))
    first = {
        aspect: next((v for v in own if v.aspect == aspect), None) for aspect in (REFERENCE, CONTENT, SUPPORT)
    }
    out = {
        aspect: (found.label or found.unscored or "").replace("_", " ")
        for aspect, found in first.items()
        if found is not None and aspect != SUPPORT
    }
    support = first[SUPPORT]
    return {**out, "rationale": "" if support is None else support.rationale}
