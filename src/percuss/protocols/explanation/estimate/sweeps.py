"""Dose and response: how a number moves with the thickness of a box or the opacity of a heat map.

Slope = least squares over the level means, items resampled: thickness on log2 t, opacity per step of 0.2
(papers/1 appendix D; definitions/explanation).
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.tally import Tally
from percuss.protocols.explanation.armnames import ArmName, parse_arm
from percuss.protocols.explanation.arms import OPACITIES, THICKNESSES
from percuss.protocols.explanation.estimate.names import ANSWERS, SCORES
from percuss.stats.policy import of_sums

__all__ = ["dose", "levels", "slopes"]

Floats = NDArray[np.float64]
_ENDPOINTS = ("flip_rate", "cf_flip", "cf_nonflip", "ca_flip", "ca_nonflip")
_WORDS = {q.name: q for q in (*ANSWERS, *SCORES)}
_OPACITY_STEP = 0.2


def dose(name: ArmName) -> float:
    """Return an arm's level on the scale of the slope: log2 of the thickness, or steps of 0.2 of opacity."""
    return float(np.log2(name.thickness)) if name.kind == "vb_bb" else name.opacity / _OPACITY_STEP


def levels(tally: Tally, model: str) -> dict[tuple[str, str], list[str]]:
    """Return (kind, alignment) -> arms of a sweep, lowest level first, where at least three levels were asked.

    Args:
        tally: cells of one number.
        model: whose.
    """
    swept: dict[tuple[str, str], list[ArmName]] = {}
    for arm in tally.arms:
        name = parse_arm(arm)
        grid = {"vb_bb": name.thickness in THICKNESSES, "vb_hm": name.opacity in OPACITIES}
        if grid.get(name.kind) and name.framing == "base" and tally.has(model, arm):
            swept.setdefault((name.kind, str(name.alignment)), []).append(name)
    return {key: [str(n) for n in sorted(names, key=dose)] for key, names in swept.items() if len(names) >= 3}


def slopes(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield the slope of every endpoint of papers/1 Figures S2 and S3, per alignment.

    Args:
        held: (name, labels) -> tally.
        plan: how intervals are made.
    """
    for (name, labels), tally in held.items():
        if name not in _ENDPOINTS:
            continue
        for model in tally.models:
            for (kind, alignment), arms in levels(tally, model).items():
                filled = [arm for arm in arms if tally.columns(model, arm)[1].sum() > 0]
                if len(filled) >= 3:
                    yield _slope(name, labels, tally, model, (kind, alignment), filled, plan)


def _slope(
    name: str, labels: str, tally: Tally, model: str, sweep: tuple[str, str], arms: list[str], plan: Plan
) -> Estimate:
    kind, alignment = sweep
    x = np.array([dose(parse_arm(arm)) for arm in arms])
    weights = (x - x.mean()) / ((x - x.mean()) ** 2).sum()

    def statistic(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            out: Floats = (sums[..., 0::2] / sums[..., 1::2]) @ weights
        return out

    columns = np.column_stack([column for arm in arms for column in tally.columns(model, arm)])
    asked = columns[:, 1::2].sum(axis=1)
    events = columns[:, 0::2].sum(axis=1)
    result = of_sums(statistic, columns, weights=asked, events=events, **tally.resampling, **plan.draws)
    per = "doubling of the thickness" if kind == "vb_bb" else "0.2 of opacity"
    words = Quantity(
        f"{name}_slope",
        f"{_WORDS[name].label}: change per {per}",
        "Does a stronger mark move it more?",
        "neither",
        "points",
    )
    means = [float(num.sum() / den.sum()) for num, den in (tally.columns(model, arm) for arm in arms)]
    return estimate_of(
        words,
        model,
        f"{kind}:{alignment}",
        labels,
        result,
        plan,
        n=round(float(columns[:, 1::2].sum())),
        clusters=len({c for c, d in zip(tally.cluster, columns[:, 1::2].sum(axis=1), strict=True) if d > 0}),
        covers=tally.covers,
        note="level means " + ", ".join(f"{mean:.3f}" for mean in means),
    )
