"""What a person judges: every claim beside its question and its case, whoever wrote it under whichever condition."""

from collections.abc import Iterator
from typing import Any

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.protocol import Options
from percuss.core.records import AnnotationItem, Case, Claim
from percuss.judging.extract import is_truncated

__all__ = ["items", "reference_of"]


def items(run: RunView, design: str, options: Options) -> Iterator[AnnotationItem]:
    """Yield every checked claim as an item; a study samples by model, arm, kind and stratum.

    Args:
        run: one scoring. design: name of the study's design; the items are the same for each. options: not used.

    `shown` holds the case's question and the rest of its payload as evidence, alike in every arm; `content` the claim.
    """
    del design, options
    for assessed in run.assessed():
        if assessed.response.status == "done" and not assessed.left_out:
            for claim in assessed.claims:
                if not is_truncated(claim):
                    yield _item(assessed, claim)


def _item(assessed: ScoredResponse, claim: Claim) -> AnnotationItem:
    said = {v.rater: v.label or v.unscored or "" for v in assessed.verdicts if v.subject == claim.id}
    case, response = assessed.case, assessed.response
    return AnnotationItem(
        id=b2("item", claim.id),
        subject=claim.id,
        response_id=response.id,
        model=response.model,
        arm=response.arm,
        kind=claim.kind,
        stratum={"tier": case.stratum},
        shown={"question": str(case.payload.get("question", "")), "evidence": reference_of(case)},
        content={"claim": claim.text},
        hidden={"case": case.id, "labels": {rater: label for rater, label in said.items() if label}},
    )


def reference_of(case: Case) -> Any:
    """Return what a case is judged against: its `evidence`, else all of its payload but the question."""
    rest = {key: value for key, value in case.payload.items() if key != "question"}
    return case.payload.get("evidence", rest)
