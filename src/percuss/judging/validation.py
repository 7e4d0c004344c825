"""Validating a judge: agreement with people, ceiling, bias, coverage, gates (papers/0 4.4; papers/1 5.2, appendix F)."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.core.labels import Support
from percuss.judging.card import Card, MetricCard, Number
from percuss.judging.gating import gate_lines
from percuss.judging.how import How
from percuss.judging.labelled import label_card, self_agreement
from percuss.judging.macro import macro_of
from percuss.judging.scored import score_card
from percuss.models.providers import is_simulated
from percuss.stats import PAPER_GATES, OutcomeRates, outcome_rates

__all__ = ["judges_of", "people_of", "validate", "validate_with"]


def judges_of(judgements: Iterable[Judgement]) -> tuple[str, ...]:
    """Return the raters that are no people, in the order in which they were first met."""
    return tuple(dict.fromkeys(one.rater for one in judgements if not one.human))


def people_of(judgements: Iterable[Judgement]) -> tuple[str, ...]:
    """Return the raters that are people, in the order in which they were first met."""
    return tuple(dict.fromkeys(one.rater for one in judgements if one.human))


def validate(
    judgements: Sequence[Judgement],
    judge: str,
    *,
    seed: int,
    positive: str = Support.UNSUPPORTED.value,
    double_count_abstain: bool = False,
    thresholds: Mapping[str, float] = PAPER_GATES,
    resamples: int = 10_000,
    scale: Sequence[str] = (),
) -> Card:
    """Return the card of one judge.

    Args:
        judgements: of people and of the judge; others are passed over.
        judge: rater id.
        seed, resamples: of every bootstrap.
        positive, double_count_abstain, thresholds, scale: as in `How`.

    Raises:
        UsageError: nobody labelled anything, the judge did not, or a label outside the scale.
    """
    how = How(
        seed=seed,
        resamples=resamples,
        positive=positive,
        double_count_abstain=double_count_abstain,
        thresholds=thresholds,
        scale=tuple(scale),
    )
    return validate_with(judgements, judge, how)


def validate_with(judgements: Sequence[Judgement], judge: str, how: How, *, split: str = "all") -> Card:
    """Return the card of one judge.

    Args:
        judgements, judge: as in `validate`. how: settings. split: name of the part of the data that this is.

    Raises:
        UsageError: as in `validate`.
    """
    people = people_of(judgements)
    mine = [one for one in judgements if one.rater == judge]
    if not people:
        raise UsageError(
            "no rater is a person; expected raters called human:.., or name them with --humans a,b"
        )
    if not mine:
        known = ", ".join(judges_of(judgements)) or "none"
        raise UsageError(f"no judgement is of {judge!r}; the judges are {known}")
    metrics = tuple(
        _metric(name, [one for one in judgements if one.metric == name], judge, how)
        for name in dict.fromkeys(one.metric for one in mine)
    )
    outcomes = _outcomes(mine, how)
    return Card(
        judge=judge,
        items=len({one.item for one in mine}),
        people=people,
        metrics=metrics,
        macro=metrics[0].coefficient if len(metrics) == 1 else _macro(metrics, judgements, judge, how),
        kappa=next((m.coefficient for m in metrics if m.scale != "score"), None),
        gates=tuple(gate_lines(mine, how)),
        coverage=outcomes.coverage,
        validity=outcomes.validity,
        split=split,
        seed=how.seed,
        simulated=is_simulated(judge.removeprefix("judge:")),
    )


def _outcomes(mine: Sequence[Judgement], how: How) -> OutcomeRates:
    return outcome_rates([one.outcome for one in mine], double_count_abstain=how.double_count_abstain)


def _metric(name: str, rows: Sequence[Judgement], judge: str, how: How) -> MetricCard:
    mine = [one for one in rows if one.rater == judge]
    first = [one for one in mine if one.run_pass == 1]
    scored = any(one.score is not None for one in rows)
    if scored and any(one.label is not None for one in rows):
        raise UsageError(f"{name!r} has labels and scores; expected one of them, or two metrics")
    card = (score_card if scored else label_card)(name, rows, first, how)
    outcomes = _outcomes(mine, how)
    return replace(
        card,
        outcomes={key: float(share) for key, share in outcomes.rates.items()},
        coverage=outcomes.coverage,
        validity=outcomes.validity,
        passes=self_agreement(mine),
    )


def _macro(metrics: Sequence[MetricCard], rows: Sequence[Judgement], judge: str, how: How) -> Number:
    """Return the mean of the metrics' coefficients; an undefined one leaves it undefined (definitions)."""
    lacking = [metric.metric for metric in metrics if metric.coefficient.value is None]
    if lacking:
        return Number(undefined=f"undefined for {', '.join(lacking)}", n=len(metrics))
    return macro_of(rows, judge, how).number()
