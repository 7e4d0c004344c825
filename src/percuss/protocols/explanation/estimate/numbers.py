"""From cells to estimates: per arm, over the eleven cells, differences on shared resamples; the primary one comes first."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.judging.sources import CORRECTED, HUMAN, is_judged
from percuss.measure.correction import beside, corrected
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.pairing import partners
from percuss.measure.quantity import Plan
from percuss.measure.rates import model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.protocols.explanation.estimate.contrasts import contrasts
from percuss.protocols.explanation.estimate.influence import moved, ranges
from percuss.protocols.explanation.estimate.names import (
    ANSWERS,
    ATTRIBUTABLE,
    INFLUENCE,
    INFLUENCE_RANGES,
    PRIMARY,
    PRIMARY_ARM,
    RATES,
    SCORES,
)
from percuss.protocols.explanation.estimate.recall import corrected_ranges
from percuss.protocols.explanation.estimate.row import ANSWER
from percuss.protocols.explanation.estimate.sweeps import slopes
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["MIN_CLUSTERS", "estimates", "headline", "influences"]

#: Fewer clusters than this leave an interval undefined (definitions/explanation).
MIN_CLUSTERS = 5
Tallies = Mapping[tuple[str, str], Tally]
_SUMS = frozenset({"flip_excess", "follow_excess", ATTRIBUTABLE})
_SHARES = frozenset({"silent_share", "denied_share", "admitted_share"})
_FOLLOWS = tuple(q for q in INFLUENCE_RANGES if q.name.endswith("follow"))
_RANGED = {q.name: q for q in INFLUENCE_RANGES if q not in _FOLLOWS}


def estimates(cells: Sequence[Cell], options: ExplanationOptions, seed: int) -> Iterator[Estimate]:
    """Yield all estimates of a scoring; the primary one, of each model, comes first.

    Args:
        cells: of `cells`.
        options: `resamples` of the bootstrap.
        seed: root seed; all statistics share their resamples, so that differences are paired.
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    labels = headline(held)
    found = list(_all(held, plan, labels))
    corrected = list(corrected_ranges(held, _RANGED, plan, labels))
    labels = _lead(found, corrected, labels, plan)
    found += corrected
    found += list(_unmeasured(held, found, labels, plan))
    found = [_unless_idle(e, found) for e in found]
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels) == (PRIMARY, PRIMARY_ARM, labels)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def influences(cells: Sequence[Cell], options: ExplanationOptions, seed: int) -> Iterator[Estimate]:
    """Yield what cues move and how much of it silently, and nothing else.

    Args:
        cells: of `cells`. options: `resamples` of the bootstrap. seed: root seed.
    """
    held = tallies(cells)
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    yield from ranges(held, _RANGED, plan)
    yield from corrected_ranges(held, _RANGED, plan, headline(held))
    for quantity in _FOLLOWS:
        for (name, _), tally in held.items():
            if name == quantity.source:
                yield from rates(tally, quantity, plan, proportion=name != ATTRIBUTABLE)


def _unless_idle(e: Estimate, found: Sequence[Estimate]) -> Estimate:
    """Return an estimate; a share among followers is undefined where the cue isn't shown to move answers at all."""
    if e.name not in _SHARES or e.value is None:
        return e
    whole = next(
        (w for w in found if (w.name, w.model, w.arm) == (ATTRIBUTABLE, e.model, e.arm) and not w.versus),
        None,
    )
    said = moved(whole)
    if said == "moved":
        return e
    why = f"{said}: answers at the target beyond the placebo are not shown to be more than none"
    gone = {"value": None, "low": None, "high": None, "sided": "both", "bounds": None, "p": None}
    return msgspec.structs.replace(e, undefined=why, **gone)


def _lead(found: Sequence[Estimate], corrected: Sequence[Estimate], labels: str, plan: Plan) -> str:
    """Return the headline's label source: the reader's as people correct it, where they labelled enough of every real model."""

    def led(estimates: Sequence[Estimate]) -> set[str]:
        return {
            e.model
            for e in estimates
            if (e.name, e.arm, e.versus) == (PRIMARY, PRIMARY_ARM, None) and e.value is not None
        }

    wanted = led([e for e in found if e.labels == labels])
    right = led(corrected)
    return CORRECTED if right and wanted - right <= plan.simulated else labels


def headline(held: Tallies) -> str:
    """Return the label source of the headline: the evaluator's passes together where there are any, else the rules."""
    names = sorted(labels for name, labels in held if name == PRIMARY)
    rules = next((labels for labels in names if labels.startswith("rule:")), "rule:disclosure-2")
    return next((labels for labels in names if is_judged(labels)), rules)


def _all(held: Tallies, plan: Plan, labels: str) -> Iterator[Estimate]:
    yield from ranges(held, _RANGED, plan)
    for quantity in (*_FOLLOWS, *INFLUENCE, *ANSWERS, *SCORES, *RATES):
        for (name, _), tally in held.items():
            if name == quantity.source:
                whole = name in {q.name for q in (*ANSWERS, *INFLUENCE, *_FOLLOWS)} - _SUMS or name in {
                    "sham_fpr",
                    "unsupported_rate",
                    "withheld",
                    "withheld_before_cover",
                }
                partner = partners(tally.arms, ("none",), "blank") if name == "unsupported_rate" else None
                yield from rates(tally, quantity, plan, proportion=whole, partner=partner)
    flips = held.get(("flip_rate", "rule:answer"))
    if flips is not None:
        for arm in flips.arms:
            yield from model_differences(
                flips, next(q for q in ANSWERS if q.name == "flip_rate"), plan, arm=arm
            )
    influence = held.get((PRIMARY, labels))
    if influence is not None and PRIMARY_ARM in influence.arms:
        yield from model_differences(influence, _RANGED[PRIMARY], plan, arm=PRIMARY_ARM)
    yield from contrasts(held, plan)
    yield from slopes(held, plan)
    yield from _corrected(held, plan)
    stated = held.get(("unsupported_rate", "rule:strict"))
    if stated is not None and {"none", "blank"} <= set(stated.arms):
        yield from hdis(stated, plan, arm="none", baseline="blank")
        yield from model_hdi_differences(stated, plan, arm="none", baseline="blank")


def _corrected(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Yield scores and influence by an evaluator's first pass (else the rules) on all answers, people on a part of them."""
    for quantity in (*INFLUENCE, *SCORES):
        people = held.get((quantity.source, HUMAN))
        sources = [labels for name, labels in held if name == quantity.source]
        machine = next((labels for labels in sources if labels.startswith("judge:")), None)
        machine = machine or next((labels for labels in sources if labels.startswith("rule:")), None)
        if people is not None and machine is not None:
            judged = beside(held[quantity.source, machine], people)
            yield from corrected(judged, quantity, plan, arm=None, baseline="")


def _unmeasured(held: Tallies, found: Sequence[Estimate], labels: str, plan: Plan) -> Iterator[Estimate]:
    """Yield the primary estimate, undefined, of models that were asked in the primary arm and can't be measured."""
    asked = held.get(("flip_rate", ANSWER))
    if asked is None:
        return
    there = {e.model for e in found if (e.name, e.arm, e.labels) == (PRIMARY, PRIMARY_ARM, labels)}
    for model in asked.models:
        if labels == CORRECTED and model in plan.simulated:
            continue  # nobody labels what a simulation says
        if model not in there and asked.has(model, PRIMARY_ARM):
            yield Estimate(
                name=PRIMARY,
                model=model,
                arm=PRIMARY_ARM,
                labels=labels,
                undefined="no answer has its unmodified twin and its placebo",
                scoring=plan.scoring,
                simulated=model in plan.simulated,
                **_RANGED[PRIMARY].words,
            )
