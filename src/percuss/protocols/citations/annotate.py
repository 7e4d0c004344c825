"""What a person judges: a cited statement beside its reference and the source's own text, blinded."""

from collections.abc import Iterator

import msgspec

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem, Claim
from percuss.judging.extract import is_truncated
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.check import SUPPORT
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.corpus import look_up
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.references.record import Reference

__all__ = ["items"]


def items(run: RunView, design: str, options: CitationsOptions) -> Iterator[AnnotationItem]:
    """Yield every judged citation as an item; a study samples by model, arm, kind and stratum.

    Args:
        run: one scoring. design: name of the study's design. options: `strict`.

    `shown` holds the question; which source there is to read follows from what the answer cites, so it is content.
    """
    del design
    for scored in run.assessed():
        if scored.response.status == "done" and not scored.left_out:
            for claim in scored.claims:
                if not is_truncated(claim) and not is_code(claim) and claim.payload["sampled"]:
                    yield _item(scored, claim, options)


def _item(scored: ScoredResponse, claim: Claim, options: CitationsOptions) -> AnnotationItem:
    inquiry, response = reading(scored.case), scored.response
    cited = msgspec.convert(claim.payload["reference"], Reference)
    source = look_up(cited, inquiry, strict=options.strict).candidate
    held = source.text if source is not None else "the corpus holds no such source"
    said = {
        v.rater: v.label or v.unscored or ""
        for v in scored.verdicts
        if v.subject == claim.id and v.aspect == SUPPORT
    }
    return AnnotationItem(
        id=b2("item", claim.id), subject=claim.id, response_id=response.id, model=response.model, arm=response.arm,
        kind=claim.kind, stratum={"tier": scored.case.stratum},
        shown={"question": inquiry.question},
        content={"evidence": {"source": held}, "claim": f"{claim.payload['said']} (cited: {cited.raw or cited.title})"},
        hidden={"case": scored.case.id, "labels": {rater: label for rater, label in said.items() if label}},
    )  # fmt: skip
