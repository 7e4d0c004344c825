"""Rates and HDI corrected for the labeller's errors, from the claims that people labelled too (spec statistics.md)."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from percuss.core.records import Cell, Estimate
from percuss.measure.dependence import POOLED
from percuss.measure.quantity import Plan, estimate_of
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import BASELINE, UNSUPPORTED
from percuss.stats.ppi import Judged, ppi_hdi, ppi_rate

__all__ = ["CORRECTED", "corrected_estimates", "pair_counts"]

CORRECTED = "corrected"
PREFIX = "corrected:"
NOT_SEEN = "-"


def pair_counts(machine: tuple[Labelled, ...], people: tuple[Labelled, ...]) -> dict[str, int]:
    """Return cell name -> count of claims by (machine says unsupported, people say so or did not look).

    Args:
        machine: the headline's labels. people: human labels, in the same order. Claims that the machine left out do not
            count.
    """
    counts = {f"{PREFIX}{m}{p}": 0 for m in "01" for p in ("0", "1", NOT_SEEN)}
    for one, other in zip(machine, people, strict=True):
        if one.label is not None:
            seen = NOT_SEEN if other.label is None else str(int(other.unsupported))
            counts[f"{PREFIX}{int(one.unsupported)}{seen}"] += 1
    return counts


def corrected_estimates(
    held: Mapping[tuple[str, str], Tally], plan: Plan, arm: str | None
) -> Iterator[Estimate]:
    """Yield corrected `unsupported_rate` per arm and `hdi_pooled`, label source `corrected`.

    Args:
        held: the cells. plan: level and scoring; nothing is drawn. arm: the arm with all the evidence.

    The claims that people saw must be a random sample within each arm.
    """
    pairs = {name.removeprefix(PREFIX): t for (name, _), t in held.items() if name.startswith(PREFIX)}
    if not pairs:
        return
    some = next(iter(pairs.values()))
    judged = {where: _judged(pairs, *where) for where in some.num}
    for (model, at), data in judged.items():
        result = ppi_rate(data, level=plan.level)
        yield estimate_of(UNSUPPORTED, model, at, CORRECTED, result, plan, **_shared(data, some))
    for model in some.models:
        both = judged.get((model, arm or "")), judged.get((model, BASELINE))
        if both[0] is not None and both[1] is not None:
            result = ppi_hdi(both[0], both[1], level=plan.level)
            shared = _shared(both[0], some)
            yield estimate_of(POOLED, model, arm or "", CORRECTED, result, plan, baseline=BASELINE, **shared)


def corrected_cells(made: Any, machine: tuple[Labelled, ...], people: tuple[Labelled, ...]) -> Iterator[Cell]:
    """Yield the counts of one response as cells.

    Args:
        made: makes a cell of name, labels, num, den and exclusions. machine, people: as in `pair_counts`.
    """
    counts = pair_counts(machine, people)
    scored = sum(counts.values())
    for name, count in counts.items():
        yield made(name, CORRECTED, count, scored)


def _judged(pairs: Mapping[str, Tally], model: str, arm: str) -> Judged:
    """Unroll counts into one row a claim."""
    judge: list[int] = []
    human: list[float] = []
    clusters: list[str] = []
    for key, tally in pairs.items():
        counts = tally.columns(model, arm)[0]
        for cluster, count in zip(tally.cluster, counts, strict=True):
            judge.extend([int(key[0])] * int(count))
            human.extend([np.nan if key[1] == NOT_SEEN else float(key[1])] * int(count))
            clusters.extend([cluster] * int(count))
    return Judged(np.array(judge), np.array(human), np.array(clusters))


def _shared(data: Judged, tally: Tally) -> dict[str, Any]:
    seen = int((~np.isnan(np.asarray(data.human, dtype=np.float64))).sum())
    return {
        "n": len(np.asarray(data.judge)),
        "clusters": tally.n_clusters,
        "covers": f"sampling of cases and errors of the labeller ({seen} claims labelled by people)",
    }
