"""What a person sees of a statement to judge: what had been told, the statement, nothing of model, arm or labels."""

from collections.abc import Iterator

from percuss.core.ids import b2
from percuss.core.ports import RunView
from percuss.core.records import Item
from percuss.protocols.stressors.check.judging import SUPPORT
from percuss.protocols.stressors.check.trajectory import trajectory
from percuss.protocols.stressors.record import reading

__all__ = ["items"]


def items(run: RunView, design: str) -> Iterator[Item]:
    """Yield every checked statement as an item; the study draws its stratified sample by `stratum`.

    Args:
        run: one scoring of a run. design: name of the study's design; the items are the same for each.
    """
    del design
    inject_at = int(run.manifest().get("options", {}).get("inject_at", 2))
    for assessed in run.assessed():
        if assessed.response.status != "done" or assessed.left_out:
            continue
        t = trajectory(assessed.case, assessed.response, seed=run.seed, inject_at=inject_at)
        labels: dict[str, dict[str, str]] = {}
        for verdict in (v for v in assessed.verdicts if v.aspect == SUPPORT):
            labels.setdefault(verdict.subject, {})[verdict.rater] = verdict.label or verdict.unscored or ""
        for claim in assessed.claims:
            if claim.payload.get("truncated"):
                continue
            yield Item(
                id=b2("item", claim.id),
                subject=claim.id,
                response_id=assessed.response.id,
                stratum={
                    "model": assessed.response.model,
                    "arm": assessed.response.arm,
                    "kind": claim.kind,
                    "tier": assessed.case.stratum,
                },
                shown={
                    "question": reading(assessed.case).question,
                    "evidence": "\n".join(t.told(int(claim.payload["n"]))),
                    "claim": claim.text,
                },
                hidden={
                    "model": assessed.response.model,
                    "arm": assessed.response.arm,
                    "case": assessed.case.id,
                    "labels": labels.get(claim.id, {}),
                },
            )
