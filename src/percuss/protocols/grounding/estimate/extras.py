"""Numbers past the paper's main table: overlap with chance correction, memory, retrieval, ranks."""

from collections.abc import Iterator, Mapping

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import arm_differences, rates
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.entailed import ENTAILED
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.overlap import THRESHOLDS
from percuss.stats.contrasts import compared_rates
from percuss.stats.policy import of_sums
from percuss.stats.ratios import ratio
from percuss.stats.result import missing

__all__ = ["extras"]

Tallies = Mapping[tuple[str, str], Tally]

MEANS = (
    Quantity(
        "max_sim", "closest claim without evidence",
        "How close is each claim to the closest one made without evidence?", "neither", "cosine",
    ),
    Quantity(
        "follow_rate", "follows what it is shown",
        "Of values that tell another case's evidence from the case's own, what share follow what was shown?", "higher",
    ),
    Quantity(
        "memorisation_own", "values that match the record unseen",
        "What share of values claimed without evidence match the case's own record?", "neither",
    ),
    Quantity(
        "record_match", "unsupported here, true outside",
        "Of claims that the evidence given does not support, what share match the case's external record?", "neither",
    ),
    Quantity(
        "record_contradiction", "supported here, contradicted outside",
        "Of claims that the evidence given supports, what share does the case's external record contradict?", "neither",
    ),
    Quantity(
        "retrieval_on_request", "searches when asked", "How often does the model search literature when asked to?",
        "higher",
    ),
    Quantity(
        "retrieval_false_positive", "searches unasked", "How often does the model search literature unasked?", "lower"
    ),
    Quantity("gate_on_request", "keyword gate when asked", "How often does the keyword gate open when asked?"),
    Quantity("gate_false_positive", "keyword gate unasked", "How often does the keyword gate open unasked?"),
)  # fmt: skip
LIFT = Quantity(
    "memorisation_lift",
    "memorisation lift",
    "How much more often do values claimed without evidence match the case's own record than other cases' records?",
    "neither",
    "points",
)


def extras(held: Tallies, plan: Plan, arm: str | None) -> Iterator[Estimate]:
    """Yield overlap, memory and retrieval estimates, where they were measured.

    Args:
        held: the cells. plan: the draws. arm: the arm with all the evidence.
    """
    for threshold in THRESHOLDS:
        yield from _overlap(held, plan, str(round(100 * threshold)), f"at cosine {threshold:.2f}")
    yield from _overlap(held, plan, "placed", "at the threshold placed for the embedder")
    yield from _overlap(held, plan, ENTAILED, "by entailment both ways")
    for quantity in MEANS:
        for (name, _), tally in held.items():
            if name == quantity.source:
                yield from rates(tally, quantity, plan, proportion=quantity.unit == "share")
    yield from _lift(held, plan)
    yield from _unseen(held, plan)
    if arm is not None:
        yield from _no_id(held, plan)


def _overlap(held: Tallies, plan: Plan, percent: str, at: str) -> Iterator[Estimate]:
    own = next((t for (n, _), t in held.items() if n == f"overlap_{percent}"), None)
    chance = next((t for (n, _), t in held.items() if n == f"overlap_chance_{percent}"), None)
    if own is None:
        return
    words = Quantity(
        f"overlap_{percent}", f"overlap {at}",
        "What share of claims with evidence have a twin among those made without it?",
    )  # fmt: skip
    yield from rates(own, words, plan)
    if chance is None:
        return
    by_chance = Quantity(
        f"overlap_chance_{percent}", f"overlap with other cases {at}",
        "What share have a twin among other cases' claims made without evidence?",
    )  # fmt: skip
    yield from rates(chance, by_chance, plan)
    excess = Quantity(
        f"overlap_excess_{percent}", f"overlap beyond chance {at}",
        "How much of the overlap belongs to this case, and not to a template?", "neither", "points",
    )  # fmt: skip
    for model, arm in own.num:
        if not chance.has(model, arm):
            continue
        (num, den), (num_c, den_c) = own.columns(model, arm), chance.columns(model, arm)
        paired = compared_rates(
            np.stack([num, num_c]), np.stack([den, den_c]), **own.resampling, **plan.draws
        )
        result = paired.between(0, 1).result
        yield estimate_of(
            excess, model, arm, own.labels, result, plan, n=round(den.sum()), clusters=own.n_clusters,
            covers=own.covers,
        )  # fmt: skip


def _lift(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Own-record match rate minus the mean over other records; p = (r + 1) / (B + 1) over permutations of records."""
    for (name, labels), tally in held.items():
        if name != "memorisation_lift":
            continue
        draws = held.get(("memorisation_permuted", labels))
        for model, arm in tally.num:
            num, den = tally.columns(model, arm)
            columns = np.stack([num, den], axis=1)
            result = (
                of_sums(ratio, columns, weights=den, **tally.resampling, **plan.draws)
                if den.sum()
                else missing("no value was claimed without evidence", level=plan.level, method="none", n=0)
            )
            p = None
            if draws is not None and draws.has(model, arm):
                values = draws.columns(model, arm)[0][draws.columns(model, arm)[1] > 0]
                p = float((1 + np.sum(values[1:] >= values[0] - 1e-12)) / len(values))
            yield estimate_of(
                LIFT, model, arm, labels, result, plan, n=round(den.sum()), clusters=tally.clusters_of(model, arm),
                covers=tally.covers, excluded=tally.left_out(model, arm), p=p,
                note="" if p is None else "p of the permutation of records, one-sided",
            )  # fmt: skip


def _unseen(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Claims made without evidence that the case's record supports, and how far beyond other cases' records."""
    own = Quantity(
        "matches_unseen", "right without being shown",
        "What share of claims made without evidence does the case's record support?", "neither",
    )  # fmt: skip
    excess = Quantity(
        "matches_unseen_excess", "right without being shown, beyond chance",
        "How much more often does its own record support a claim made without evidence than 20 other cases' records do?",
        "neither", "points",
    )  # fmt: skip
    for (name, labels), tally in held.items():
        if name == own.name:
            yield from rates(tally, own, plan)
        elif name == excess.name:
            for model, arm in tally.num:
                num, den = tally.columns(model, arm)
                result = of_sums(
                    ratio, np.stack([num, den], axis=1), weights=den, **tally.resampling, **plan.draws
                )
                yield estimate_of(
                    excess, model, arm, labels, result, plan, n=round(den.sum()),
                    clusters=tally.clusters_of(model, arm), covers=tally.covers,
                )  # fmt: skip


def _no_id(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """What the identifier brings: unsupported without evidence minus unsupported without evidence or identifier."""
    words = Quantity(
        "identifier_effect", "effect of the identifier",
        "By how many points does naming the case raise the unsupported share without evidence?", "neither", "points",
        "unsupported_rate",
    )  # fmt: skip
    for (name, _), tally in held.items():
        if name == "unsupported_rate" and "no_id" in tally.arms:
            yield from arm_differences(tally, words, plan, arm="no_id", baseline=BASELINE)
