"""From cells to estimates: rates, HDI by depth, differences between models, patterns; the primary one comes first."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from percuss.core.errors import UsageError
from percuss.core.labels import JUDGED
from percuss.core.records import Cell, Estimate
from percuss.judging.sources import CORRECTED, HUMAN
from percuss.measure.answered import answered_shares
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.pairing import partners
from percuss.measure.quantity import Plan
from percuss.measure.ranks import rank_tau
from percuss.measure.rates import arm_differences, model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.protocols.grounding.certificate.certified import certificates
from percuss.protocols.grounding.estimate.alike import errors_alike
from percuss.protocols.grounding.estimate.asserted import asserted
from percuss.protocols.grounding.estimate.corrected import corrected_estimates
from percuss.protocols.grounding.estimate.extras import extras
from percuss.protocols.grounding.estimate.names import (
    ABSTENTION,
    BASELINE,
    CASE_UNSUPPORTED,
    DELTA,
    DEPTHS,
    GROUNDED,
    JUDGE_AGREEMENT,
    KINDS,
    NO_CLAIM,
    SECONDARY,
    SUPPORTED,
    UNSUPPORTED,
    kind_cells,
)
from percuss.protocols.grounding.estimate.owntext import own_rates
from percuss.protocols.grounding.estimate.readings import pattern_estimates
from percuss.protocols.grounding.estimate.said import said
from percuss.protocols.grounding.estimate.sampled import is_whole, labelled_whole, looks_chosen, part_labelled
from percuss.protocols.grounding.estimate.tongue import tongue
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["estimates", "grounded_arm", "headline", "people_lead"]

Tallies = Mapping[tuple[str, str], Tally]
FEWEST_LABELLED = 60
"""Assertions of a model in an arm that people must have labelled for a headline (definitions/grounding.md, version 2)."""


def estimates(cells: Sequence[Cell], options: GroundingOptions, seed: int) -> Iterator[Estimate]:
    """Yield all estimates of a scoring; the primary one, of each model, comes first.

    Args:
        cells: of `cells`.
        options: `resamples` of the bootstrap.
        seed: root seed; one resample sequence serves all models, so that they are paired (papers/0 Appendix E).
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(
        seed=seed,
        B=options.resamples,
        method=options.interval,
        scoring=cells[0].scoring,
        simulated=simulated_of(cells),
    )
    arm = grounded_arm(held)
    labels = headline(held, arm, plan.simulated)
    counted = HUMAN if labels == CORRECTED else labels  # whose labels what isn't corrected is counted by
    found = list(_all(held, plan, counted, arm))
    found.extend(certificates(held, plan, counted, arm))
    found.extend(answered_shares([c for c in cells if c.name == "sentences"], plan, baseline=BASELINE))
    if arm is not None:
        found.extend(
            pattern_estimates(
                held, found, plan, counted, arm, replicates=options.replicates, margin=options.margin
            )
        )
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels) == ("hdi_pooled", arm, labels)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def headline(held: Tallies, arm: str | None = None, simulated: Collection[str] = ()) -> str:
    """Return the label source of the headline: people, corrected or alone, else a judge's passes, a verifier that decided something, the rules.

    Args:
        held: the cells. arm: the arm with all the evidence; None: it was not asked. simulated: models that nobody labels.

    People lead (reading.md, section 6) where they labelled enough assertions of every real model both with and without evidence: next
    to all of them, or a random part, and the machine the rest (`corrected`). Of a part that was chosen their labels stand for itself alone.
    """
    sources = [labels for name, labels in held if name == "unsupported_rate"]
    if HUMAN in sources and arm is not None and people_lead(held, arm, simulated):
        both = (arm, BASELINE)
        if is_whole(held, both, simulated):
            return HUMAN
        if not looks_chosen(held, both, simulated, Plan(seed=0)):
            return CORRECTED
    for source in JUDGED:
        if source in sources:
            return source
    for source in sources:
        if source.startswith("verifier:"):
            tally = held["unsupported_rate", source]
            if any(den.any() for den in tally.den.values()):
                return source
    rules = [source for source in sources if source.startswith("rule:")]
    return rules[0] if rules else next((labels for _, labels in held), "rule:strict")


def people_lead(held: Tallies, arm: str, simulated: Collection[str]) -> bool:
    """Say whether people labelled enough of every real model in both arms for their labels to carry the headline: 60 assertions, or all.

    Args:
        held: the cells. arm: the arm with all the evidence. simulated: models that nobody labels.
    """
    asked = {
        where
        for (name, _), tally in held.items()
        if name == "unsupported_rate"
        for where in tally.num
        if where[0] not in simulated and where[1] in {arm, BASELINE}
    }
    people = held["unsupported_rate", HUMAN]
    asserted = {where for where in asked if not _silent(held, *where)}
    return {at for _, at in asked} == {arm, BASELINE} and all(
        people.scored(*where) >= FEWEST_LABELLED or labelled_whole(held, where) for where in asserted
    )


def _silent(held: Tallies, model: str, arm: str) -> bool:
    """Whether no source finds an assertion of a model in an arm: then there is nothing for people to label."""
    return all(
        not tally.scored(model, arm) and not set(tally.left_out(model, arm)) - {NO_CLAIM}
        for (name, _), tally in held.items()
        if name == "unsupported_rate" and tally.has(model, arm)
    )


def grounded_arm(held: Tallies) -> str | None:
    """Return the arm with all the evidence, None where no case was posed in it."""
    seen = {arm for tally in held.values() for arm in tally.arms}
    return next((arm for arm in GROUNDED if arm in seen), None)


def _all(held: Tallies, plan: Plan, labels: str, arm: str | None) -> Iterator[Estimate]:
    decided = {
        (model, at): float(num.sum() / den.sum())
        for (name, source), tally in held.items()
        if name == "decided_share" and source.startswith("rule:")
        for model, at in tally.num
        for num, den in [tally.columns(model, at)]
        if den.sum() > 0
    }
    deepest = (*(() if arm is None else (arm,)), *DEPTHS)
    for (name, source), tally in held.items():
        partner = partners(tally.arms, deepest, BASELINE)
        if name == "unsupported_rate":
            yield from rates(tally, UNSUPPORTED, plan, decided=decided, partner=partner)
            yield from _dependence(tally, plan)
        elif name == "supported_rate":
            yield from rates(tally, SUPPORTED, plan, decided=decided)
            if arm is not None and source == labels:
                yield from model_differences(tally, SUPPORTED, plan, arm=arm)
                unsupported = held["unsupported_rate", source]
                yield from rank_tau(tally, unsupported, plan, arm=arm, baseline=BASELINE)
        elif name == "case_unsupported_rate":
            yield from rates(tally, CASE_UNSUPPORTED, plan, partner=partner)
        elif name == "abstention":
            yield from rates(tally, ABSTENTION, plan)
        elif name == "judge_agreement":
            yield from rates(tally, JUDGE_AGREEMENT, plan)
            yield from rates(tally.over_arms("all arms"), JUDGE_AGREEMENT, plan)
    yield from _kinds(held, plan)
    for quantity in SECONDARY:
        for (name, _), tally in held.items():
            if name == quantity.source:
                yield from rates(tally, quantity, plan, proportion=name not in {"sentences", "completeness"})
    yield from _beside(held, plan, arm, labels)


def _beside(held: Tallies, plan: Plan, arm: str | None, labels: str) -> Iterator[Estimate]:
    """What stands beside the rates: of assertions, of languages, of the rule's errors, of people's corrections."""
    yield from said(held, plan, arm)
    yield from asserted(held, plan, arm, labels)
    yield from tongue(held, plan)
    yield from own_rates(held, plan)
    yield from errors_alike(held, plan, arm)
    yield from extras(held, plan, arm)
    yield from corrected_estimates(held, plan, arm)
    if arm is not None:
        yield from part_labelled(held, (arm, BASELINE), plan.simulated, plan)


def _dependence(tally: Tally, plan: Plan) -> Iterator[Estimate]:
    for depth in DEPTHS:
        if depth not in tally.arms:
            continue
        yield from hdis(tally, plan, arm=depth, baseline=BASELINE)
        yield from arm_differences(tally, DELTA, plan, arm=depth, baseline=BASELINE)
        yield from model_differences(tally, UNSUPPORTED, plan, arm=depth)
        if depth in GROUNDED:
            yield from model_hdi_differences(tally, plan, arm=depth, baseline=BASELINE)


def _kinds(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Rates by claim kind, once per label source (papers/0 Tables 7 and 11)."""
    for (name, _), tally in held.items():
        for kind in KINDS:
            if name == kind_cells(UNSUPPORTED.name, kind):
                for estimate in rates(tally, UNSUPPORTED, plan):
                    yield msgspec.structs.replace(estimate, stratum=f"kind={kind}")
