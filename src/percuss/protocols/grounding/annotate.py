"""What a person sees of a claim to adjudicate: blinded to model, arm and labels (papers/0 Appendix F)."""

from collections.abc import Iterator

from percuss.core.ids import b2
from percuss.core.ports import RunView
from percuss.core.records import AnnotationItem
from percuss.judging.extract import is_truncated
from percuss.protocols.grounding.check import ASPECT, reference
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import evidence_json, statement
from percuss.protocols.grounding.speaking import is_checked, question_of

__all__ = ["items"]


def items(run: RunView, design: str, options: GroundingOptions) -> Iterator[AnnotationItem]:
    """Yield every checked claim as an item; the study draws its stratified sample by `stratum`.

    Args:
        run: one scoring of a run.
        design: name of the study's design; the items are the same for each.
        options: settings of the scoring; people judge against the reference that the rules had.

    Only assertions are asked about, hedged ones and those that no reader of speech acts was sure of included. `shown` holds
    the question and the one reference of the case, `content` the claim; `hidden` holds the case and the labels of rules and
    judge, which come back only in exports. Nothing shown depends on the arm.
    """
    del design
    for assessed in run.assessed():
        if assessed.response.status != "done" or assessed.left_out:
            continue
        packet, _ = reference(assessed.case, assessed.response.arm, options)
        evidence = evidence_json(packet, packet.layers)
        labels: dict[str, dict[str, str]] = {}
        for verdict in assessed.verdicts:
            if verdict.aspect != ASPECT:
                continue
            said = verdict.label or verdict.unscored or ""
            labels.setdefault(verdict.subject, {})[verdict.rater] = said
        for claim in assessed.claims:
            if is_truncated(claim) or not is_checked(claim):
                continue
            yield AnnotationItem(
                id=b2("item", claim.id),
                subject=claim.id,
                response_id=assessed.response.id,
                model=assessed.response.model,
                arm=assessed.response.arm,
                kind=claim.kind,
                stratum={"tier": assessed.case.stratum},
                shown={
                    "question": question_of(assessed.case, options),
                    "evidence": evidence,
                },
                content={"claim": statement(claim)},
                hidden={"case": assessed.case.id, "labels": labels.get(claim.id, {})},
            )
