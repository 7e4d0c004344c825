"""Patterns and modes as estimates: the value is the share of bootstrap draws that show it, the word stands in `note`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.countings import (
    beyond_span,
    counted,
    index_span,
    read_with,
    span,
)
from percuss.protocols.grounding.estimate.floors import GAMMA, falls_at, refused_word
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.pattern import NOT_MEASURED, Floats, Reading, mode, mode_paper
from percuss.protocols.grounding.estimate.word import (
    CANT_TELL,
    CORRECTS,
    FEW_WITHOUT,
    HDI_ABOVE,
    HOLDS_BACK,
    MARGIN,
    NO_EFFECT,
    REMEMBERS,
    REPEATS,
    SILENT,
    TWINS,
    WORSE,
    Read,
    Span,
    word,
)
from percuss.stats.bootstrap import bootstrap_draws
from percuss.stats.policy import support

__all__ = ["BY_ENTAILMENT", "REPLICATES", "pattern_estimates", "read_of", "reading_of", "repeats_by"]

REPLICATES = "the paper's rule; not comparable"
NOT_ASKED = "one of the arms was not asked"
OVERLAP = "overlap_80"
BY_ENTAILMENT = "overlap_excess_entailed"


def reading_of(found: Sequence[Estimate], model: str, arm: str, labels: str) -> Reading:
    """Return the numbers that decide a model's pattern.

    Args:
        found: estimates of the scoring. model: whose. arm: the arm with all the evidence. labels: the label source.
    """

    def get(name: str, where: str, source: str | None) -> Estimate | None:
        for e in found:
            if (e.name, e.model, e.arm, e.stratum) == (name, model, where, None) and source in {
                None,
                e.labels,
            }:
                return e
        return None

    hdi = get("hdi_pooled", arm, labels)
    without = get("unsupported_rate", BASELINE, labels)
    abstention = get("abstention", BASELINE, None)
    overlap = get(OVERLAP, arm, None)
    return Reading(
        hdi=None if hdi is None else hdi.value,
        low=None if hdi is None else hdi.low,
        high=None if hdi is None else hdi.high,
        without=None if without is None else without.value,
        abstention=None if abstention is None else abstention.value,
        overlap=None if overlap is None else overlap.value,
        undefined=NOT_ASKED if hdi is None else hdi.undefined or "",
    )


def repeats_by(found: Iterable[Estimate]) -> str:
    """Return the estimate that *repeats itself* rests on: of entailment where a verifier read it, else of the placed threshold.

    Args:
        found: estimates of the scoring.
    """
    return BY_ENTAILMENT if any(e.name == BY_ENTAILMENT for e in found) else "overlap_excess_placed"


def read_of(found: Sequence[Estimate], model: str, arm: str, labels: str, *, margin: float = MARGIN) -> Read:
    """Return the numbers that decide a model's word.

    Args:
        found, model, arm, labels: as in `reading_of`. margin: largest difference of no importance.
    """

    def get(name: str, where: str, source: str | None = labels) -> Span:
        for e in found:
            if (e.name, e.model, e.arm, e.stratum) == (name, model, where, None) and source in {
                None,
                e.labels,
            }:
                return span(e)
        return Span()

    given, without = get("unsupported_rate", arm), get("unsupported_rate", BASELINE)
    excess = repeats_by(found)
    twins, chance = (get(excess.replace("_excess_", middle), arm, None) for middle in ("_", "_chance_"))
    return Read(
        fall=get("delta_u", arm),
        hdi=index_span(get("hdi_pooled", arm), given, without),
        without=without.value,
        per_answer=get("hdi_per_answer", arm),
        any_one=get("hdi_any", arm),
        silent=get("no_assertion", BASELINE, None),
        silent_with=get("no_assertion", arm, None).value,
        lift=get("matches_unseen_excess", BASELINE, None),
        excess=beyond_span(get(excess, arm, None), twins, chance),
        entailed=excess == BY_ENTAILMENT,
        margin=margin,
    )


def pattern_estimates(
    held: Mapping[tuple[str, str], Tally],
    found: Sequence[Estimate],
    plan: Plan,
    labels: str,
    arm: str,
    *,
    replicates: bool = False,
    margin: float = MARGIN,
) -> Iterator[Estimate]:
    """Yield `pattern`, `gamma`, `pattern_probability`, `mode` and `mode_paper` of every model.

    Args:
        held: the cells. found: estimates made of them. plan: the draws. labels: the headline's source. arm: grounded.
        replicates: the run counts as the paper does, so its modes alone are given, and no word.
        margin: largest difference of no importance.
    """
    unsupported = held.get(("unsupported_rate", labels))
    if unsupported is None:
        return
    for model in unsupported.models:
        r = reading_of(found, model, arm, labels)
        shared: dict[str, Any] = {
            "model": model,
            "arm": arm,
            "labels": labels,
            "scoring": plan.scoring,
            "baseline": BASELINE,
            "simulated": model in plan.simulated,
            "clusters": unsupported.n_clusters,
        }
        if replicates:
            yield _pattern(CANT_TELL, REPLICATES, {}, plan, margin, shared)
        else:
            yield from _word(held, found, plan, r, margin, shared)
        yield _mode("mode", "mode", mode(r), r, shared)
        yield _mode("mode_paper", "mode, as the paper has it", mode_paper(r), r, shared)


def _word(
    held: Mapping[tuple[str, str], Tally],
    found: Sequence[Estimate],
    plan: Plan,
    r: Reading,
    margin: float,
    shared: dict[str, Any],
) -> Iterator[Estimate]:
    """The word and what it takes to change it: of assertions, or where these carry no interval of all that is said."""
    model, arm, labels = (shared[key] for key in ("model", "arm", "labels"))
    unsupported = held["unsupported_rate", labels]
    first = next(iter(counted(held, model, arm, labels)), None)
    numbers = read_of(found, model, arm, labels, margin=margin)
    if first is not None and first.way.hedged:
        numbers = read_with(held, first, numbers, plan, arm=arm)
    why = r.undefined if r.undefined == NOT_ASKED else ""
    why = why or refused_word(held, found, numbers, plan, model=model, arm=arm, labels=labels)
    said = CANT_TELL if why else word(numbers)
    why = why or (r.undefined if said == CANT_TELL else "")
    shares = _probabilities(held, first.rate if first else unsupported, plan, model, arm, numbers)
    yield _pattern(said, why, shares, plan, margin, shared)
    if unsupported.has(model, BASELINE) and unsupported.has(model, arm):
        yield from _gamma(held, numbers, plan, shared)
    yield from _shares(shares, plan, shared)


def _shares(shares: Mapping[str, float], plan: Plan, shared: dict[str, Any]) -> Iterator[Estimate]:
    for other, share in shares.items():
        yield Estimate(
            name="pattern_probability",
            stratum=other,
            label=f"probability of: {other}",
            question="In what share of resamples do the numbers show this pattern?",
            value=share,
            method=f"cluster bootstrap, B = {plan.B}",
            seed=plan.seed,
            **shared,
        )


def _pattern(
    said: str, why: str, shares: Mapping[str, float], plan: Plan, margin: float, shared: dict[str, Any]
) -> Estimate:
    share = None if why else shares.get(said)
    return Estimate(
        name="pattern",
        label="pattern",
        question=f"What do the numbers say together, {100 * margin:g} points being of no importance?",
        value=share,
        undefined=None
        if share is not None
        else why or ("no resample is classed by it" if shares else "too few cases to resample"),
        method=f"cluster bootstrap, B = {plan.B}",
        seed=plan.seed,
        note=f"{said}: {why}" if why else said,
        **shared,
    )


def _gamma(
    held: Mapping[tuple[str, str], Tally], r: Read, plan: Plan, shared: dict[str, Any]
) -> Iterator[Estimate]:
    """At which odds of the undecided the word falls; nothing for labels that leave none undecided."""
    if not str(shared["labels"]).startswith(("rule:", "verifier:")):
        return
    found = falls_at(held, r, plan, model=shared["model"], arm=shared["arm"], labels=shared["labels"])
    yield Estimate(
        name="gamma",
        label="gamma at which the word falls",
        question="At how many times the decided odds of being unsupported, arms against each other, does what is undecided change the word?",
        unit="ratio",
        value=found,
        undefined=None if found is not None else f"the word is the same up to {GAMMA:g} times",
        method="undecided claims at gamma times the decided odds in one arm and 1/gamma in the other",
        **shared,
    )


def _mode(name: str, label: str, word: str, r: Reading, shared: dict[str, Any]) -> Estimate:
    """A mode in `note`; the value is the HDI that it was read from."""
    reason = None
    if word.startswith("undefined"):
        reason = (
            NOT_MEASURED if NOT_MEASURED in word else r.undefined or "no unsupported claim without evidence"
        )
    return Estimate(
        name=name,
        label=label,
        question="Which of the paper's failure modes do the thresholds name?",
        unit="ratio",
        value=None if reason else r.hdi,
        undefined=reason,
        method="thresholds of Gonehal et al. 2026 section 6.1",
        note=word,
        **shared,
    )


def _probabilities(
    held: Mapping[tuple[str, str], Tally], unsupported: Tally, plan: Plan, model: str, arm: str, r: Read
) -> dict[str, float]:
    """Draw patients once for the numbers that words rest on; a draw is classed by its point values.

    A word whose condition is an interval beyond chance (memory, repeats) is tried where that interval is: point values alone are
    beyond chance in half of the draws of a model that has neither.
    """
    if not (unsupported.has(model, arm) and unsupported.has(model, BASELINE)):
        return {}
    unsupported = paired(unsupported, [(model, arm), (model, BASELINE)]).tally
    if not unsupported.rows:
        return {}
    both = [unsupported.columns(model, at) for at in (arm, BASELINE)]
    if any(support(*columns).too_few_clusters for columns in both):
        return {}  # so few cases that resamples of them say nothing (the interval policy)
    zeros = (np.zeros(len(unsupported.rows)),) * 2
    beside = (_aligned(held, name, model, at, unsupported) or zeros for name, at in _beside(held, arm))
    draws = bootstrap_draws(
        lambda sums: sums[..., 0], [column[:, None] for pair in (*both, *beside) for column in pair],
        seed=plan.seed, B=plan.B, **unsupported.resampling,
    )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        given, without, quiet, quiet_with, lift, twins, chance = (draws[:, ::2] / draws[:, 1::2]).T
        hdi = 1 - given / without
        masks = (
            (WORSE, given - without > r.margin),
            (HOLDS_BACK, (quiet >= SILENT) & (quiet > np.nan_to_num(quiet_with))),
            (REMEMBERS, (lift > 0) & ((r.lift.low or 0.0) > 0)),
            (REPEATS, (twins - chance >= TWINS) & ((r.excess.low or 0.0) >= TWINS)),
            (CORRECTS, (hdi > HDI_ABOVE) & (without >= FEW_WITHOUT)),
            (NO_EFFECT, (np.abs(given - without) < r.margin) & (without >= 2 * r.margin)),
        )
    shares, left = dict[str, float](), np.ones(len(draws), dtype=bool)
    for name, mask in masks:
        shares[name] = float(np.mean(mask & left))
        left &= ~mask
    return shares | {CANT_TELL: float(np.mean(left))}


def _beside(held: Mapping[tuple[str, str], Tally], arm: str) -> tuple[tuple[str, str], ...]:
    """Cells and arms that words rest on beside the rates: silence in both arms, memory, twins and twins by chance."""
    twins = "entailed" if any(name == "overlap_entailed" for name, _ in held) else "placed"
    return (
        ("no_assertion", BASELINE), ("no_assertion", arm), ("matches_unseen_excess", BASELINE),
        (f"overlap_{twins}", arm), (f"overlap_chance_{twins}", arm),
    )  # fmt: skip


def _aligned(
    held: Mapping[tuple[str, str], Tally], name: str, model: str, arm: str, onto: Tally
) -> tuple[Floats, Floats] | None:
    """Return a tally's columns in the rows of another; None where the number was not measured."""
    tally = next((t for (n, _), t in held.items() if n == name and t.has(model, arm)), None)
    if tally is None:
        return None
    num, den = tally.columns(model, arm)
    at = {row: i for i, row in enumerate(tally.rows)}
    take = [at.get(row) for row in onto.rows]
    return (
        np.array([0.0 if i is None else num[i] for i in take]),
        np.array([0.0 if i is None else den[i] for i in take]),
    )
