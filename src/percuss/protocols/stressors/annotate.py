"""What a person sees of a statement to judge: what had been told, the statement, nothing of model, arm or labels."""

from collections.abc import Iterator

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem
from percuss.protocols.stressors.check.judging import SUPPORT
from percuss.protocols.stressors.check.stated import stated, story
from percuss.protocols.stressors.check.trajectory import Trajectory, trajectory
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.record import reading
from percuss.protocols.stressors.replaying import is_replay

__all__ = ["items"]

ABOUT = "Is this true of the answers, read turn by turn?"


def items(run: RunView, design: str, options: StressorsOptions) -> Iterator[AnnotationItem]:
    """Yield every checked statement, and every item that a judge audited, as an item; a study samples by `stratum`.

    Args:
        run: one scoring of a run. design: name of the study's design; the items are the same for each.
        options: settings of the scoring.
    """
    del design
    for assessed in run.assessed():
        if assessed.response.status != "done" or assessed.left_out or is_replay(assessed.response.arm):
            continue
        t = trajectory(assessed.case, assessed.response, seed=run.seed, inject_at=options.inject_at)
        yield from _statements(t, assessed)
        yield from _audited(t, assessed)


def _statements(t: Trajectory, assessed: ScoredResponse) -> Iterator[AnnotationItem]:
    labels: dict[str, dict[str, str]] = {}
    for verdict in (v for v in assessed.verdicts if v.aspect == SUPPORT):
        labels.setdefault(verdict.subject, {})[verdict.rater] = verdict.label or verdict.unscored or ""
    for claim in assessed.claims:
        if not claim.payload.get("truncated"):
            shown = {
                "question": reading(assessed.case).question,
                "evidence": "\n".join(t.told(int(claim.payload["n"]))),
            }
            yield _item(assessed, claim.id, claim.kind, shown, claim.text, labels.get(claim.id, {}))


def _audited(t: Trajectory, assessed: ScoredResponse) -> Iterator[AnnotationItem]:
    labels: dict[tuple[str, str], dict[str, str]] = {}
    for verdict in (v for v in assessed.verdicts if v.aspect == "audit"):
        for row in verdict.evidence:
            said = labels.setdefault((str(row["metric"]), str(row["item"])), {})
            said[verdict.rater] = str(row.get("hit"))
    text = story(t)
    for one in stated(t, assessed):
        shown = {"question": ABOUT, "evidence": text}
        yield _item(assessed, one.id, f"audited {one.metric}", shown, one.words, labels[one.metric, one.item])


def _item(
    assessed: ScoredResponse,
    subject: str,
    kind: str,
    shown: dict[str, str],
    claim: str,
    labels: dict[str, str],
) -> AnnotationItem:
    return AnnotationItem(
        id=b2("item", subject),
        subject=subject,
        response_id=assessed.response.id,
        model=assessed.response.model,
        arm=assessed.response.arm,
        kind=kind,
        stratum={"tier": assessed.case.stratum},
        shown={"question": shown["question"]},
        # An arm of a stressor is what was told and when, so what was told is part of what is judged, and tells the arm.
        content={"evidence": shown["evidence"], "claim": claim},
        hidden={"case": assessed.case.id, "labels": labels},
    )
