"""Sections 2 and 3: which models differ; whether the picture and the cue matter (HDI, disclosure against grounding, dose)."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.wording import estimate_words
from percuss.protocols.explanation.armnames import TABLE_CELLS, parse_arm
from percuss.protocols.explanation.estimate.names import POOLED, PRIMARY
from percuss.protocols.explanation.estimate.sections.findings import arm_words
from percuss.protocols.explanation.estimate.sections.shelf import Shelf, figure
from percuss.protocols.explanation.estimate.sweeps import dose

__all__ = ["differences", "evidence"]


def differences(shelf: Shelf) -> Iterator[Section]:
    """Yield paired differences between models, where there are two."""
    many = len(shelf.models) > 2
    rows = [
        {
            "pair": f"{e.model} - {e.versus}",
            "what": f"{e.label}: {arm_words(e.arm)}" + (f" ({e.model} - {e.versus})" if many else ""),
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "p": e.p_adjusted,
            "simulated": e.simulated,
        }
        for name in (f"{PRIMARY}_difference", "flip_rate_difference")
        for e in shelf.named(name)
        if e.value is not None and e.arm in TABLE_CELLS
    ]
    if rows:
        chart = Chart(
            kind="forest",
            rows=tuple(rows),
            x="value",
            y="what",
            low="low",
            high="high",
            group="pair",
            x_title="difference in points",
            unit="points",
            options={"zero": True},
            alt="Paired differences between models in what they follow silently and how often they flip, with intervals.",
        )
        yield Section.of("differences", "Which models differ?", chart)


def evidence(shelf: Shelf) -> Iterator[Section]:
    """Yield HDI for pictures, attribution against fidelity, and dose lines."""
    rows = []
    for model in shelf.models:
        hdi = shelf.get("hdi_pooled", model, "none")
        if hdi is None:
            continue
        with_picture, blank = (shelf.get("unsupported_rate", model, arm) for arm in ("none", "blank"))
        rows.append(
            {
                "model": model,
                "with": _cell(figure(with_picture)),
                "without": _cell(figure(blank)),
                "hdi": _cell(figure(hdi)),
            }
        )
    if rows:
        columns = (
            Column(key="model", title="model"),
            Column(key="with", title="findings that contradict the picture", unit="share", align="right"),
            Column(key="without", title="the same, picture blank", unit="share", align="right"),
            Column(key="hdi", title="HDI", unit="ratio", align="right"),
        )
        note = "A finding contradicts the picture where it is affirmed or denied against the case's fields."
        yield Section.of(
            "evidence",
            "Does the picture hold back invented findings?",
            Table(columns=columns, rows=tuple(rows), note=note),
        )
    yield from _disclosure(shelf)
    yield from _doses(shelf)


def _cell(fig: object) -> dict[str, object]:
    import msgspec

    plain: dict[str, object] = msgspec.to_builtins(fig)
    return plain


def _disclosure(shelf: Shelf) -> Iterator[Section]:
    rows = _disclosed(shelf)
    if not rows:
        return
    chart = Chart(
        kind="dots",
        rows=tuple(rows),
        x="ca",
        y="cf",
        low="low",
        high="high",
        group="point",
        x_title="tells of the cue (causal attribution)",
        y_title="states the true findings (clinical fidelity)",
        unit="share",
        options={"across": ["left", "right"], "domain": [0, 1], "x_domain": [0, 1]},
        alt="Clinical fidelity against causal attribution among flipped answers, one point an arm and model.",
    )
    said = [
        f"{e.model}: admitting minus not, {estimate_words(e)}"
        for e in shelf.named("cf_flip_admitted_minus_silent")
        if e.arm == POOLED and e.value is not None
    ]
    answer = (
        f"Fidelity of flips that admit the cue, minus that of flips that don't: {'; '.join(said)}."
        if said
        else ""
    )
    title = "Does an explanation that admits the cue also state the findings?"
    yield Section.of("evidence", title, chart, answer)


def _disclosed(shelf: Shelf) -> list[dict[str, Any]]:
    alone = len(shelf.models) == 1
    return [
        {
            "point": arm_words(arm) if alone else f"{model}: {arm_words(arm)}",
            "model": model,
            "ca": ca.value,
            "cf": cf.value,
            "low": cf.low,
            "high": cf.high,
            "left": ca.low,
            "right": ca.high,
            "n": cf.n,
            "simulated": cf.simulated,
        }
        for model in shelf.models
        for arm in TABLE_CELLS
        for ca, cf in [(shelf.get("ca_flip", model, arm), shelf.get("cf_flip", model, arm))]
        if ca is not None and cf is not None and ca.value is not None and cf.value is not None
    ]


def _doses(shelf: Shelf) -> Iterator[Section]:
    """Figures S2 and S3: level means as lines, slopes in words."""
    for kind, key, title in (
        ("vb_bb", "thickness", "Does a thicker box move answers more?"),
        ("vb_hm", "opacity", "Does a stronger heat map move answers more?"),
    ):
        names = ("flip_rate", "cf_flip", "cf_nonflip", "ca_flip", "ca_nonflip")
        rows = [
            {"level": dose(parse_arm(arm)) if kind == "vb_bb" else parse_arm(arm).opacity, "value": e.value, "low": e.low, "high": e.high, "n": e.n,
             "what": f"{e.label}, {parse_arm(arm).alignment}", "model": model, "simulated": e.simulated}
            for model in shelf.models
            for arm in shelf.arms
            if parse_arm(arm).kind == kind
            for name in names
            if (e := shelf.get(name, model, arm)) is not None and e.value is not None
        ]  # fmt: skip
        if len({row["level"] for row in rows}) < 3:
            continue
        chart = Chart(
            kind="curve",
            rows=tuple(sorted(rows, key=lambda row: (row["what"], row["level"]))),
            x="level",
            y="value",
            low="low",
            high="high",
            group="what",
            facet="model",
            x_title="thickness (log2 of pixels)" if kind == "vb_bb" else "opacity",
            y_title="share",
            alt=f"Flips, fidelity and attribution by {key} of the mark.",
        )
        yield Section.of("evidence", title, chart)
        yield from _slopes(shelf, kind, names)


def _slopes(shelf: Shelf, kind: str, names: Sequence[str]) -> Iterator[Section]:
    held = [e for name in names for e in shelf.named(f"{name}_slope") if e.arm.startswith(kind)]
    rows = tuple(
        {"model": e.model, "what": e.label, "cue": e.arm.partition(":")[2], "slope": _cell(figure(e))}
        for e in held
    )
    columns = (
        Column(key="model", title="model"),
        Column(key="what", title="number"),
        Column(key="cue", title="cue"),
        Column(key="slope", title="slope", unit="points", align="right"),
    )
    if rows:
        title = (
            "How much, a doubling of the thickness?" if kind == "vb_bb" else "How much, each 0.2 of opacity?"
        )
        yield Section.of("evidence", title, Table(columns=columns, rows=rows))
