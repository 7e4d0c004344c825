"""From verdicts to cells: what one answer adds to each metric, for every label source alike."""

from collections.abc import Iterator

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, is_judged, said_by
from percuss.kit.counting import labels_of, sources_of
from percuss.protocols.skills.case import Item, item_of, metrics_of, played_of
from percuss.protocols.skills.check import SUPPORT, VALUE
from percuss.protocols.skills.estimate.in_worlds import of_world
from percuss.protocols.skills.estimate.names import PEOPLE
from percuss.protocols.skills.estimate.tallying import Counted, cell_of, of_rubric, said_of
from percuss.protocols.skills.options import RULE, SkillsOptions
from percuss.protocols.skills.scorers.item import criteria_for
from percuss.protocols.skills.scorers.points import HIT
from percuss.protocols.skills.scorers.rubric import UNCLEAR

__all__ = ["cells"]

NOTHING = f"{Reason.UNPARSABLE.value}:no answer"


def cells(run: RunView, options: SkillsOptions) -> Iterator[Cell]:
    """Yield the cells of every answer: one a metric of its task and label source, or the grade of a world and its parts.

    Args:
        run: one scoring. options: the judge's policy.
    """
    people, judged = _sources(run, options)
    for scored in run.assessed():
        if scored.response.status == "not_applicable":
            continue
        played = played_of(scored.case)
        if played is not None:
            yield from of_world(scored, played, judged)
        else:
            item = item_of(scored.case)
            for source in (RULE, *judged):
                for metric in metrics_of(item):
                    counted = _counted(scored, item, metric, source)
                    yield cell_of(scored, source, "judge_score" if metric == "judge" else metric, counted)
        if people:
            yield from _of_people(scored, options)


def _sources(run: RunView, options: SkillsOptions) -> tuple[bool, tuple[str, ...]]:
    """Return whether people labelled, and the source of a judge's passes where there is one."""
    people = HUMAN in sources_of(run, options.judge_policy, SUPPORT)
    judged = any(v.rater.startswith("judge:") for scored in run.assessed() for v in scored.verdicts)
    return people, (options.judge_policy,) if judged else ()


def _why_not(scored: ScoredResponse) -> str:
    """Return why nothing of an answer counts; "" where it was checked."""
    if scored.left_out:
        return scored.left_out
    if not scored.claims:
        return NOTHING
    return Reason.TRUNCATED.value if is_truncated(scored.claims[0]) else ""


def _counted(scored: ScoredResponse, item: Item, metric: str, source: str) -> Counted:
    reason = _why_not(scored)
    if reason:
        return Counted(reason=reason)
    said = _of_judge(scored, item, metric, source) if is_judged(source) else None
    if said is not None:
        return said
    made = next((v for v in scored.verdicts if v.aspect == metric and v.rater.startswith("rule:")), None)
    if made is None:
        return Counted(reason=Reason.ERROR.value)
    sums = next((found["parts"] for found in made.evidence if "den" in found.get("parts", {})), None)
    if metric == "micro_f1" and sums is not None and sums["den"]:
        return Counted(float(sums["num"]), float(sums["den"]))
    return Counted(reason=made.unscored or "") if made.score is None else Counted(made.score, 1.0)


def _of_judge(scored: ScoredResponse, item: Item, metric: str, source: str) -> Counted | None:
    """Return what a judge's passes say of a metric; None where it was not asked about it."""
    own = [v for v in scored.verdicts if v.aspect == metric]
    whole = said_by(own, source).get(source)
    if whole is not None:
        return (
            Counted(reason=whole.reason or Reason.ERROR.value)
            if whole.score is None
            else Counted(whole.score, 1.0)
        )
    if metric == "judge":
        return of_rubric(criteria_for(item), said_of(scored, "criterion", source))
    return _of_points(scored, own, source) if metric == "macro_recall" else None


def _of_points(scored: ScoredResponse, own: list[Verdict], source: str) -> Counted | None:
    said = said_of(scored, "point", source)
    if not said:
        return None
    read: list[dict[str, str]] = next(
        (found["points"] for v in own for found in v.evidence if "points" in found), []
    )
    labels = [said.get(n, (one["label"], ""))[0] for n, one in enumerate(read)]
    unclear = sum(label in {None, UNCLEAR} for label in labels)
    if unclear:
        return Counted(reason=f"{Reason.UNDECIDED.value}:{unclear} of {len(labels)} key points")
    return Counted(labels.count(HIT) / len(labels), 1.0)


def _of_people(scored: ScoredResponse, options: SkillsOptions) -> Iterator[Cell]:
    if not scored.claims:
        return
    said = labels_of(scored, scored.claims[0], options.judge_policy, SUPPORT).get(HUMAN)
    if said is not None:
        value = VALUE.get(said.label or "")
        counted = Counted(reason=said.reason or Reason.ERROR.value) if value is None else Counted(value, 1.0)
        yield cell_of(scored, HUMAN, PEOPLE.name, counted)
