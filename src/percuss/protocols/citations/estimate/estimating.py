"""From cells to estimates: shares by turn, domain and arm, what documents do to them, what comes back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import UsageError
from percuss.core.records import Cell, Estimate
from percuss.judging.sources import leading
from percuss.kit.estimating import effect_of
from percuss.measure.dependence import hdis
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import arm_differences, differences, families, model_differences, rates
from percuss.measure.tally import Tally, simulated_of, tallies
from percuss.protocols.citations.arms import CLOSED, GROUNDED
from percuss.protocols.citations.estimate.names import (
    BY_LANGUAGE,
    CITED,
    CONDITIONING,
    DOMAINS_MEAN,
    MACRO,
    OF_JUDGE,
    PER_CITATION,
    POOLED,
    PROPAGATION,
    SETTING,
    SHORT_FORM,
    TURN,
    turn_quantity,
)
from percuss.protocols.citations.histories import CONTROL, REDACTED
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.sweeps import is_swept
from percuss.stats.contrasts import compared_sums
from percuss.stats.policy import of_sums
from percuss.stats.result import Result

__all__ = ["estimates", "mean_of_ratios", "within_shares"]

Floats = NDArray[np.float64]
Tallies = Mapping[tuple[str, str], Tally]
MEANS = frozenset(
    {
        "claims_per_turn",
        "unique_references",
        "hallucination_weighted",
        "judge_tokens",
        "judge_searches",
        "judge_pages",
    }
)
"""Numbers that are no share of what was posed, so that exclusions set no bound."""


def estimates(cells: Sequence[Cell], options: CitationsOptions, seed: int) -> Iterator[Estimate]:
    """Yield all estimates of a scoring; the primary one comes first.

    Args:
        cells: of `cells`. options: `resamples`. seed: root seed; models share their resamples.

    Raises:
        UsageError: nothing was checked.
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    pooled = [labels for name, labels in held if name == POOLED.name]
    found = [
        *_by_turn(held, pooled, plan),
        *_shares(held, plan),
        *_contrasts(held, plan),
        *_by_domain(cells, plan),
        *_by_stratum(cells, plan),
    ]
    lead = leading(pooled)
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels, e.versus, e.stratum) == (MACRO.name, CLOSED, lead, None, None)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def _shares(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    for quantity in (*PER_CITATION, *CITED, *PROPAGATION, *BY_LANGUAGE, *OF_JUDGE, *SHORT_FORM):
        for (name, _), tally in held.items():
            if name == quantity.name:
                yield from rates(tally, quantity, plan, proportion=quantity.name not in MEANS)
                if quantity.name in {POOLED.name, "reference_failure"}:
                    for arm in tally.arms:
                        yield from model_differences(tally, quantity, plan, arm=arm)


def _contrasts(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Yield what the documents do (difference and HDI), and what one's own mistakes do to the last turn."""
    for (name, _), tally in held.items():
        if name != POOLED.name:
            continue
        if {CLOSED, GROUNDED} <= set(tally.arms):
            for e in arm_differences(tally, effect_of(POOLED), plan, arm=CLOSED, baseline=GROUNDED):
                yield msgspec.structs.replace(e, arm=GROUNDED, baseline=CLOSED)
            yield from hdis(tally, plan, arm=GROUNDED, baseline=CLOSED)
        if {REDACTED, CONTROL} <= set(tally.arms):
            yield from arm_differences(tally, CONDITIONING, plan, arm=REDACTED, baseline=CONTROL)
        for arm in filter(is_swept, tally.arms if CLOSED in tally.arms else ()):
            for e in arm_differences(tally, SETTING, plan, arm=CLOSED, baseline=arm):
                yield msgspec.structs.replace(e, arm=arm, baseline=CLOSED)


def _by_turn(held: Tallies, sources: Sequence[str], plan: Plan) -> Iterator[Estimate]:
    """Yield the mean over turns, and each turn's own share."""
    for labels in dict.fromkeys(sources):
        turns = [(int(name.removeprefix(TURN)), tally) for (name, source), tally in held.items()
                 if name.startswith(TURN) and source == labels]  # fmt: skip
        turns.sort(key=lambda each: each[0])
        yield from _means([tally for _, tally in turns], held[POOLED.name, labels], MACRO, plan)
        for number, tally in turns:
            yield from rates(tally, turn_quantity(number), plan)


def mean_of_ratios(sums: Floats) -> Floats:
    """Return the unweighted mean of num / den, of sums (.., 2 k) as num, den, num, den ..; NaN where a den is 0."""
    num, den = sums[..., 0::2], sums[..., 1::2]
    each = np.where(den > 0, num / np.where(den > 0, den, 1.0), np.nan)
    out: Floats = each.mean(axis=-1)
    return out


def within_shares(result: Result) -> Result:
    """Return the interval of a mean of shares cut at 0 and 1: limits by t on few conversations reach beyond, where no share is.

    Args:
        result: value and limits, in shares; without limits it stays as it is.
    """
    if result.low is None or result.high is None or 0 <= result.low <= result.high <= 1:
        return result
    low, high = max(0.0, result.low), min(1.0, result.high)
    return replace(result, low=low, high=high, method=f"{result.method}, cut at 0 and 1")


def _means(parts: Sequence[Tally], whole: Tally, quantity: Quantity, plan: Plan) -> Iterator[Estimate]:
    """Yield the mean over parts (turns, domains) of each part's pooled share, and differences between models.

    Parts in which a model has nothing verifiable are left out of its mean, with a note.
    """
    for arm in whole.arms:
        columns: dict[str, Floats] = {}
        for model in whole.models:
            if not whole.has(model, arm):
                continue
            stacked, empty = _columns(parts, whole, model, arm)
            result = within_shares(
                of_sums(mean_of_ratios, stacked, **_counted(stacked), **whole.resampling, **plan.draws)
            )
            note = (
                f"{empty} of {len(parts)} had no verifiable citation and are not in the mean" if empty else ""
            )
            made = estimate_of(
                quantity, model, arm, whole.labels, result, plan, n=whole.scored(model, arm),
                clusters=whole.clusters_of(model, arm), covers=whole.covers, excluded=whole.left_out(model, arm), note=note,
            )  # fmt: skip
            yield (
                made
                if made.value is not None
                else msgspec.structs.replace(made, undefined="no verifiable citation")
            )
            if made.value is not None and not empty:
                columns[model] = stacked
        yield from _differences(columns, whole, quantity, plan, arm)


def _columns(parts: Sequence[Tally], whole: Tally, model: str, arm: str) -> tuple[Floats, int]:
    """Return num and den of every part that has any, one row a conversation, and how many parts have none."""
    at = {row: place for place, row in enumerate(whole.rows)}
    made: list[Floats] = []
    for part in parts:
        num, den = part.columns(model, arm)
        if den.sum() > 0:
            places = [at[row] for row in part.rows]
            for column in (num, den):
                spread = np.zeros(len(whole.rows))
                spread[places] = column
                made.append(spread)
    stacked = np.stack(made, axis=1) if made else np.zeros((len(whole.rows), 2))
    return stacked, len(parts) - len(made) // 2


def _differences(
    columns: Mapping[str, Floats], whole: Tally, quantity: Quantity, plan: Plan, arm: str
) -> Iterator[Estimate]:
    """Models on the conversations that all of them answered, the real ones apart from the simulated."""
    for models, only in families(list(columns), plan):
        both = paired(whole, [(model, arm) for model in models])
        keep = np.logical_and.reduce([whole.answered(model, arm) for model in models])
        sides = [columns[model][keep] for model in models]
        if not len(both.tally.rows):
            continue
        counted = [_counted(each) for each in sides]
        made = compared_sums(
            mean_of_ratios, sides, weights=[each["weights"] for each in counted],
            events=[each["events"] for each in counted], clusters=np.array(both.tally.cluster), **plan.draws,
        )  # fmt: skip
        yield from differences(
            made, models, quantity, plan, arm=arm, labels=whole.labels,
            n=[both.tally.scored(model, arm) for model in models], clusters=both.tally.n_clusters, covers=whole.covers,
            note=both.words, only_simulated=only,
        )  # fmt: skip


def _counted(stacked: Floats) -> dict[str, Floats]:
    """Events and trials of each conversation over all parts, from which the policy tells what they carry."""
    return {"events": stacked[:, 0::2].sum(axis=1), "weights": stacked[:, 1::2].sum(axis=1)}


def _by_stratum(cells: Sequence[Cell], plan: Plan) -> Iterator[Estimate]:
    """Yield shares of code by language, and what became of short questions by their kind."""
    for quantity in (*BY_LANGUAGE, *SHORT_FORM):
        own = [cell for cell in cells if cell.name == quantity.name]
        for stratum in sorted({cell.stratum for cell in own}):
            for tally in tallies(cell for cell in own if cell.stratum == stratum).values():
                for e in rates(tally, quantity, plan):
                    yield msgspec.structs.replace(e, stratum=stratum)


def _by_domain(cells: Sequence[Cell], plan: Plan) -> Iterator[Estimate]:
    """Yield each domain's pooled share under its name, and the unweighted mean over domains where there are several."""
    own = [cell for cell in cells if cell.name == POOLED.name]
    domains = list(dict.fromkeys(cell.stratum for cell in own))
    if len(domains) < 2:
        return
    parts: dict[str, list[Tally]] = {}
    for domain in domains:
        for (_, labels), tally in tallies(cell for cell in own if cell.stratum == domain).items():
            parts.setdefault(labels, []).append(tally)
            for e in rates(tally, POOLED, plan):
                yield msgspec.structs.replace(e, stratum=domain)
    for (_, labels), whole in tallies(own).items():
        yield from _means(parts[labels], whole, DOMAINS_MEAN, plan)
