"""The range of HDI that a certificate implies: rates corrected at the worst and the best class recall of each arm (reading.md, section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.countings import onto
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.stats.bootstrap import bootstrap_draws

__all__ = ["FEWEST_OF_CLASS", "MOST_OUTSIDE", "implied"]

MOST_OUTSIDE = 0.01
"""Share of resamples with a corrected rate outside 0..1 above which there is no range."""
FEWEST_OF_CLASS = 20
"""Seeds of a class from which on its recall is one."""

Tallies = Mapping[tuple[str, str], Tally]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Counts:
    """Counts of one arm by case, two columns each: flagged and all. `recalls` are the worst and the best class."""

    seen: tuple[Floats, Floats]
    alarms: tuple[Floats, Floats]
    recalls: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]

    @property
    def columns(self) -> list[Floats]:
        return [one for pair in (self.seen, self.alarms, *self.recalls) for one in pair]


def implied(
    held: Tallies, plan: Plan, model: str, arm: str, labels: str, names: tuple[str, str], shared: Mapping[str, Any]
) -> Estimate:  # fmt: skip
    """Return HDI corrected for the reader's errors, a range and not a point.

    Args:
        held: the cells. plan: the draws. model, arm, labels: whose, the arm with all the evidence, the headline's source.
        names: of the cells of recall and of false alarms. shared: what the estimate says besides.

    The rates are those of cases with an answer in both arms. Undefined where more than one in a hundred resamples of cases has a
    corrected rate outside 0 to 1: the errors on seeds are then not those on the answers.
    """
    words = {
        "name": "certified", "label": "HDI that the certificate implies", "unit": "ratio",
        "question": "Between which values does the index lie, the reader's misses and false alarms on seeds taken into account?",
        "method": f"Rogan-Gladen at the worst and best class recall of each arm; B = {plan.B} for what lies outside 0..1", **shared,
    }  # fmt: skip
    rate = held.get(("unsupported_rate", labels))
    if rate is None or not (rate.has(model, arm) and rate.has(model, BASELINE)):
        return Estimate(undefined="one of the two arms was not read", **words)
    rate = paired(rate, [(model, arm), (model, BASELINE)]).tally
    counts = [_counts(held, rate, model, at, labels, names) for at in (arm, BASELINE)]
    if not rate.rows or any(one is None for one in counts):
        return Estimate(undefined="no class of seeds in one of the arms", **words)
    given, bare = (one for one in counts if one is not None)
    points = _corrected(np.array([[c.sum() for c in (*given.columns, *bare.columns)]]))
    if _outside(points).any():
        return Estimate(undefined="a corrected rate lies outside 0 to 1", **words)
    draws = bootstrap_draws(
        lambda sums: sums[..., 0], [c[:, None] for c in (*given.columns, *bare.columns)], seed=plan.seed, B=plan.B,
        **rate.resampling,
    )  # fmt: skip
    share = float(np.mean(_outside(_corrected(draws))))
    if share > MOST_OUTSIDE:
        return Estimate(
            undefined=f"a corrected rate lies outside 0 to 1 in {100 * share:.0f}% of resamples", **words
        )
    with_it, without = points[0, :2].tolist(), points[0, 2:].tolist()
    range_ = [1 - one / other for one in with_it for other in without]
    return Estimate(
        undefined="a range, not a point", bounds=(round(min(range_), 6), round(max(range_), 6)), **words
    )


def _counts(
    held: Tallies, rate: Tally, model: str, at: str, labels: str, names: tuple[str, str]
) -> _Counts | None:
    recall, alarm = names
    classes = [
        onto(tally, rate).columns(model, at)
        for (name, source), tally in held.items()
        if name.startswith(f"{recall}:") and source == labels
    ]
    told = [one for one in classes if one[1].sum() >= FEWEST_OF_CLASS] or [one for one in classes if one[1].sum()]  # fmt: skip
    if not told:
        return None
    told.sort(key=lambda one: float(one[0].sum() / one[1].sum()))
    return _Counts(
        rate.columns(model, at), onto(held[alarm, labels], rate).columns(model, at), (told[0], told[-1])
    )


def _corrected(sums: Floats) -> Floats:
    """Return the corrected rates of draws, shape (draws, 4): with evidence at the worst and best recall, and without."""
    made = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for n in (0, 8):
            seen, alarm, worst, best = (sums[:, n + 2 * i] / sums[:, n + 2 * i + 1] for i in range(4))
            made += [(seen - alarm) / (recall - alarm) for recall in (worst, best)]
    return np.stack(made, axis=1)


def _outside(rates: Floats) -> NDArray[np.bool_]:
    """Tell which draws hold a rate that is none, or no rate without evidence to divide by."""
    inside = (rates >= 0) & (rates <= 1)
    inside[:, 2:] &= rates[:, 2:] > 0
    return np.asarray(~inside.all(axis=1), dtype=np.bool_)
