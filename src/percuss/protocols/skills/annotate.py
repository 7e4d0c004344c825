"""What a person judges: an answer beside its question and its reference, blinded; for `likert5` they are what is compared."""

from collections.abc import Iterator

from percuss.core.ids import b2
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import AnnotationItem
from percuss.judging.extract import is_truncated
from percuss.protocols.skills.arms import shown
from percuss.protocols.skills.case import item_of, played_of
from percuss.protocols.skills.options import SkillsOptions

__all__ = ["items"]

OPEN = frozenset({"open", "gen", "api", "dialogue", "plan"})
"""Formats whose answers people compare with a reference on a scale (paper, section 3.6: open-domain tasks)."""


def items(run: RunView, design: str, options: SkillsOptions) -> Iterator[AnnotationItem]:
    """Yield every answer to an item as one; for the design `likert5` those of open formats alone.

    Args:
        run: one scoring. design: name of the study's design. options: not used.
    """
    del options
    for scored in run.assessed():
        usable = scored.response.status == "done" and not scored.left_out and scored.claims
        if not usable or is_truncated(scored.claims[0]) or played_of(scored.case) is not None:
            continue
        item = item_of(scored.case)
        if item.is_blank or (design == "likert5" and item.format not in OPEN):
            continue
        yield _one(scored, design)


def _one(scored: ScoredResponse, design: str) -> AnnotationItem:
    claim, response, item = scored.claims[0], scored.response, item_of(scored.case)
    likert = design == "likert5"
    right = {"reference": shown(item)} if likert else {"evidence": {"reference": shown(item)}}
    return AnnotationItem(
        id=b2("item", claim.id), subject=claim.id, response_id=response.id, model=response.model, arm=response.arm,
        kind=item.format, stratum={"tier": item.task}, shown={"question": item.question, **right},
        content={"answer" if likert else "claim": claim.text}, hidden={"case": scored.case.id, **_score(scored)},
    )  # fmt: skip


def _score(scored: ScoredResponse) -> dict[str, float]:
    values = [v.score for v in scored.verdicts if v.score is not None and v.rater.startswith("rule:")]
    return {"score": 100 * sum(values) / len(values)} if values else {}
