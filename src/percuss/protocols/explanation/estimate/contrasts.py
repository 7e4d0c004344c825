"""Numbers over several arms on shared resamples: Table 1, alignment, text against image, flips, framings.

Every one is a function of sums per cluster, so numerator, denominator and flip status travel with the row.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.records import Estimate
from percuss.measure.pairing import of_pairs, of_sides
from percuss.measure.quantity import Plan, Quantity, estimate_of
from percuss.measure.rates import compared
from percuss.measure.tally import Tally
from percuss.protocols.explanation.armnames import BIASED, TABLE_CELLS, parse_arm
from percuss.protocols.explanation.estimate.names import (
    ALL_CELLS,
    ANSWERS,
    INFLUENCE,
    INFLUENCE_RANGES,
    POOLED,
    SCALES,
    SCORES,
    twin,
)
from percuss.stats.policy import of_sums, rate

__all__ = ["contrasts", "pooled_columns"]

Tallies = Mapping[tuple[str, str], Tally]
Floats = NDArray[np.float64]
_FOLLOWS = tuple(q for q in INFLUENCE_RANGES if q.name.endswith("follow"))
_BY_NAME = {q.name: q for q in (*_FOLLOWS, *ANSWERS, *INFLUENCE, *SCORES)}
_TEXT = tuple(arm for arm in TABLE_CELLS if arm.startswith("tb_"))
_IMAGE = tuple(arm for arm in TABLE_CELLS if not arm.startswith("tb_"))
#: Question types on which text and image arms both exist with a target.
_MATCHED = "comparative"


def contrasts(held: Tallies, plan: Plan) -> Iterator[Estimate]:
    """Yield every number that compares or joins arms.

    Args:
        held: (name, labels) -> tally.
        plan: how intervals are made.
    """
    for (name, labels), tally in held.items():
        if name in _BY_NAME:
            yield from _over_cells(name, labels, tally, plan)
            yield from _framings(name, labels, tally, plan)
    for scale in SCALES:
        for (name, labels), tally in held.items():
            if name == scale:
                yield from _alignment(scale, labels, tally, plan)
                yield from _text_image(scale, labels, tally, plan)
                flips, others = (held.get((twin(scale, flip=flip), labels)) for flip in (True, False))
                if flips is not None and others is not None:
                    yield from _flip_difference(scale, labels, flips, others, plan)
    for (name, labels), admitted in held.items():
        silent = held.get(("cf_flip_silent", labels))
        if name == "cf_flip_admitted" and silent is not None:
            yield from _disclosure(labels, admitted, silent, plan)


def pooled_columns(
    tally: Tally, model: str, arms: Sequence[str], keep: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return numerators and denominators summed over arms, shape (rows,).

    Args:
        tally: the cells.
        model: whose.
        arms: names; those without cells add nothing.
        keep: 1 for rows that count, 0 for others; None keeps all.
    """
    num = np.zeros(len(tally.rows))
    den = np.zeros(len(tally.rows))
    for arm in arms:
        a, b = tally.columns(model, arm)
        num, den = num + a, den + b
    return (num, den) if keep is None else (num * keep, den * keep)


def _result(statistic: Callable[[Any], Any], columns: Floats, tally: Tally, plan: Plan) -> Any:
    """A rate, a difference of two or any other function of the sums, each with the interval of the policy."""
    if statistic is _ratio:
        return rate(columns[:, 0], columns[:, 1], **tally.resampling, **plan.draws)
    if statistic is _gap:
        return compared(columns[:, [0, 2]].T, columns[:, [1, 3]].T, tally, plan).between(0, 1).result
    weights, events = columns[:, 1::2].sum(axis=1), columns[:, 0::2].sum(axis=1)
    return of_sums(statistic, columns, weights=weights, events=events, **tally.resampling, **plan.draws)


def _ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        out: Floats = sums[..., 0] / sums[..., 1]
    return out


def _gap(sums: Floats) -> Floats:
    return _ratio(sums[..., :2]) - _ratio(sums[..., 2:])


def _cell_mean(sums: Floats) -> Floats:
    """Mean over cells of their ratios; cells that are empty in a resample are left out of its mean."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sums[..., 0::2] / sums[..., 1::2]
    known = ~np.isnan(ratios)
    count = known.sum(axis=-1)
    total = np.where(known, ratios, 0).sum(axis=-1)
    out: Floats = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return out


def _yield(
    quantity: Quantity,
    model: str,
    arm: str,
    labels: str,
    tally: Tally,
    columns: Floats,
    statistic: Any,
    plan: Plan,
    **fields: Any,
) -> Estimate:
    dens = columns[:, 1::2]
    contributing = {c for c, d in zip(tally.cluster, dens.sum(axis=1), strict=True) if d > 0}
    return estimate_of(
        quantity,
        model,
        arm,
        labels,
        _result(statistic, columns, tally, plan),
        plan,
        n=round(float(dens.sum())),
        clusters=len(contributing),
        covers=tally.covers,
        **fields,
    )


def _over_cells(name: str, labels: str, tally: Tally, plan: Plan) -> Iterator[Estimate]:
    """Table 1: unweighted mean over the eleven cells with its SD over them, and all of them pooled."""
    quantity = _BY_NAME[name]
    for model in tally.models:
        cells = [tally.columns(model, arm) for arm in TABLE_CELLS]
        full = [(num, den) for num, den in cells if den.sum() > 0]
        if not full:
            continue
        empty = [arm for arm, (_, den) in zip(TABLE_CELLS, cells, strict=True) if den.sum() == 0]
        values = [float(num.sum() / den.sum()) for num, den in full]
        spread = (
            f"SD over {len(values)} cells {np.std(values, ddof=1):.3f}" if len(values) > 1 else "one cell"
        )
        note = spread + (f"; empty: {', '.join(empty)}" if empty else "")
        columns = np.column_stack([column for pair in full for column in pair])
        mean = _yield(quantity, model, ALL_CELLS, labels, tally, columns, _cell_mean, plan, note=note)
        yield mean
        if len(values) > 1:
            yield _spread(mean, quantity, float(np.std(values, ddof=1)), len(values))
        pooled = np.column_stack(pooled_columns(tally, model, TABLE_CELLS))
        yield _yield(quantity, model, POOLED, labels, tally, pooled, _ratio, plan)


def _spread(mean: Estimate, quantity: Quantity, value: float, cells: int) -> Estimate:
    """The +/- of papers/1 Table 1, read as the SD over cells: it says how arms differ, not how sure the mean is."""
    kept = {
        name: getattr(mean, name)
        for name in ("model", "arm", "labels", "scoring", "n", "clusters", "simulated")
    }
    return Estimate(
        name=f"{quantity.name}_sd",
        label=f"{quantity.label}: SD over cells",
        question="How much do the arms differ?",
        unit=quantity.unit,
        value=value,
        method=f"sample SD over {cells} cells",
        covers="nothing: a description of the cells",
        **kept,
    )


def _framings(name: str, labels: str, tally: Tally, plan: Plan) -> Iterator[Estimate]:
    """Table S12: each framing pooled over its arms."""
    framed: dict[str, list[str]] = {}
    for arm in tally.arms:
        parts = parse_arm(arm)
        if parts.plain in TABLE_CELLS and str(parts) == arm:
            framed.setdefault(parts.framing, []).append(arm)
    if set(framed) <= {"base"}:
        return
    for model in tally.models:
        for framing, arms in framed.items():
            own = [arm for arm in arms if arm in TABLE_CELLS or framing != "base"]
            columns = np.column_stack(pooled_columns(tally, model, own))
            if columns[:, 1].sum() > 0:
                arm = f"{POOLED}:framing={framing}"
                yield _yield(_BY_NAME[name], model, arm, labels, tally, columns, _ratio, plan)


def _named(scale: str, suffix: str, label: str, question: str) -> Quantity:
    base = _BY_NAME[scale]
    return Quantity(f"{scale}_{suffix}", f"{base.label}: {label}", question, "neither", "points")


def _difference(
    quantity: Quantity, model: str, labels: str, tally: Tally, one: tuple[Floats, Floats], other: tuple[Floats, Floats],
    plan: Plan, arm: str, **fields: Any,
) -> Iterator[Estimate]:  # fmt: skip
    if one[1].sum() > 0 and other[1].sum() > 0:
        yield _yield(
            quantity, model, arm, labels, tally, np.column_stack([*one, *other]), _gap, plan, **fields
        )


def _alignment(scale: str, labels: str, tally: Tally, plan: Plan) -> Iterator[Estimate]:
    quantity = _named(
        scale,
        "aligned_minus_misleading",
        "aligned minus misleading",
        "Do cues that point at the truth make it better than cues that don't?",
    )
    pairs = [(f"{kind}:aligned", f"{kind}:misleading") for kind in BIASED]
    for model in tally.models:
        both = of_pairs(tally, model, pairs)
        yield from _difference(
            quantity, model, labels, tally, both.first, both.second, plan, POOLED, note=both.words
        )


def _text_image(scale: str, labels: str, tally: Tally, plan: Plan) -> Iterator[Estimate]:
    """All cells, as the paper; and comparative questions only, where both kinds of biasing cue exist."""
    question = "Do cues in words move it more than cues in the picture?"
    whole = _named(scale, "text_minus_image", "text minus image, all cells", question)
    matched = _named(scale, "text_minus_image_matched", "text minus image, comparisons only", question)
    compared = np.array([case.rpartition(":")[2].startswith("c") for case in tally.rows], dtype=np.bool_)
    biased_text = list(_TEXT)
    biased_image = [arm for arm in _IMAGE if arm.startswith("vb_")]
    for model in tally.models:
        text, image = pooled_columns(tally, model, _TEXT), pooled_columns(tally, model, _IMAGE)
        note = "not paired: most questions have no such words"
        yield from _difference(whole, model, labels, tally, text, image, plan, POOLED, note=note)
        both = of_sides(tally.of_rows(compared), model, biased_text, biased_image)
        yield from _difference(
            matched, model, labels, both.tally, both.first, both.second, plan, POOLED, stratum=_MATCHED,
            note=both.words,
        )  # fmt: skip


def _flip_difference(scale: str, labels: str, flips: Tally, others: Tally, plan: Plan) -> Iterator[Estimate]:
    """Flipped minus unflipped answers, per arm and pooled, from the same resamples: rows of both are the same cases."""
    quantity = _named(
        scale, "flip_minus_nonflip", "flipped minus unflipped", "Is it different where the answer flipped?"
    )
    joint = _joint(flips, others)
    for model in flips.models:
        for arm in (*[arm for arm in flips.arms if others.has(model, arm)], POOLED):
            arms = TABLE_CELLS if arm == POOLED else (arm,)
            one, other = (
                _aligned(tally, joint, pooled_columns(tally, model, arms)) for tally in (flips, others)
            )
            yield from _difference(quantity, model, labels, joint, one, other, plan, arm)


def _disclosure(labels: str, admitted: Tally, silent: Tally, plan: Plan) -> Iterator[Estimate]:
    quantity = Quantity(
        "cf_flip_admitted_minus_silent",
        "clinical fidelity of flips: cue admitted minus not",
        "Is an explanation that admits the cue better grounded than one that doesn't?",
        "neither",
        "points",
    )
    joint = _joint(admitted, silent)
    for model in admitted.models:
        one, other = (
            _aligned(tally, joint, pooled_columns(tally, model, TABLE_CELLS)) for tally in (admitted, silent)
        )
        yield from _difference(quantity, model, labels, joint, one, other, plan, POOLED)


def _joint(one: Tally, other: Tally) -> Tally:
    """Return an empty tally over the rows of both."""
    clusters = dict(zip(one.rows, one.cluster, strict=True)) | dict(
        zip(other.rows, other.cluster, strict=True)
    )
    rows = tuple(sorted(clusters))
    cluster = tuple(clusters[row] for row in rows)
    return Tally(name=one.name, labels=one.labels, rows=rows, cluster=cluster, num={}, den={}, excluded={})


def _aligned(tally: Tally, joint: Tally, columns: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    place = {row: at for at, row in enumerate(joint.rows)}
    spots = [place[row] for row in tally.rows]
    num, den = np.zeros(len(joint.rows)), np.zeros(len(joint.rows))
    num[spots], den[spots] = columns
    return num, den
