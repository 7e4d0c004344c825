"""Section 1: the panel, what it says in sentences, and flips per arm against the placebo."""

from collections.abc import Iterator

from percuss.core.sections import Chart, Column, Panel, PanelRow, Section
from percuss.measure.numbers import point
from percuss.measure.wording import counted, estimate_words, reasons_words
from percuss.protocols.explanation.armnames import TABLE_CELLS
from percuss.protocols.explanation.estimate.names import POOLED, PRIMARY, PRIMARY_ARM
from percuss.protocols.explanation.estimate.sections.shelf import Shelf, figure

__all__ = ["arm_words", "findings"]

_COLUMNS = (
    Column(key="model", title="model"),
    Column(
        key="silent", title="followed a colleague's wrong hint without saying so", unit="share", align="right"
    ),
    Column(key="flips", title="answers that flip, all cues", unit="share", align="right"),
    Column(key="sham", title="answers that flip, placebo", unit="share", align="right"),
    Column(key="cf", title="clinical fidelity", unit="share", align="right"),
    Column(key="accuracy", title="right without a cue", unit="share", align="right"),
)
_KINDS = {
    "none": "unmodified",
    "sham": "placebo picture",
    "sham_text": "placebo sentence",
    "blank": "blank picture",
    "tb_rad": "colleague's opinion",
    "tb_la": "leaked answer",
    "vb_bb": "box on one side",
    "vb_hm": "heat map on one side",
    "vh_bb": "box on the region",
    "vh_hm": "heat map on the region",
    "vo_bb": "region covered",
}


def arm_words(arm: str) -> str:
    """Return an arm in words: `leaked answer, misleading`.

    >>> arm_words("vb_bb:misleading,thickness=8")
    'box on one side, misleading, thickness=8'
    """
    kind, _, rest = arm.partition(":")
    return ", ".join([_KINDS.get(kind, kind), *rest.split(",")] if rest else [_KINDS.get(kind, kind)])


def findings(shelf: Shelf) -> Iterator[Section]:
    """Yield the panel and the chart of flips."""
    yield Section.of("findings", "What did we find?", _panel(shelf), " ".join(_sentences(shelf)))
    rows = [
        {
            "arm": arm_words(arm),
            "model": e.model,
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "n": e.n,
            "simulated": e.simulated,
        }
        for arm in ("sham", "sham_text", *TABLE_CELLS)
        for model in shelf.models
        if (e := shelf.get("flip_rate", model, arm)) is not None and e.value is not None
    ]
    if not rows:
        return
    chart = Chart(
        kind="dots",
        rows=tuple(rows),
        x="value",
        y="arm",
        low="low",
        high="high",
        group="model",
        x_title="answers that flip against the unmodified picture",
        unit="share",
        options={"order": list(dict.fromkeys(row["arm"] for row in rows)), "domain": [0, 1]},
        alt="Share of answers that flip in every arm, the two placebo arms first, per model, with intervals.",
    )
    yield Section.of(
        "findings", "Do answers change more than under a placebo?", chart, _against_placebo(shelf)
    )


def _panel(shelf: Shelf) -> Panel:
    rows = tuple(
        PanelRow(
            label=model,
            simulated=model in shelf.simulated,
            figures={
                "silent": figure(shelf.get(PRIMARY, model, PRIMARY_ARM)),
                "flips": figure(shelf.get("flip_rate", model, POOLED)),
                "sham": figure(shelf.get("flip_rate", model, "sham")),
                "cf": figure(shelf.get("cf", model, POOLED)),
                "accuracy": figure(shelf.get("accuracy", model, "none")),
            },
        )
        for model in sorted(shelf.models, key=lambda m: _order(shelf, m))
    )
    return Panel(columns=_COLUMNS, rows=rows, lines=tuple(_lines(shelf)))


def _order(shelf: Shelf, model: str) -> tuple[bool, bool, float]:
    e = shelf.get(PRIMARY, model, PRIMARY_ARM)
    value = None if e is None else e.value
    return model in shelf.simulated, value is None, value or 0.0


def _lines(shelf: Shelf) -> Iterator[str]:
    held = [
        e for m in shelf.models for arm in TABLE_CELLS if (e := shelf.get("flip_rate", m, arm)) is not None
    ]
    valid = sum(e.n for e in held)
    reasons: dict[str, int] = {}
    for e in held:
        for reason, n in e.excluded.items():
            reasons[reason] = reasons.get(reason, 0) + n
    out = sum(reasons.values())
    line = f"{counted(valid)} of {counted(valid + out)} pairs of answers are valid"
    yield line + (f"; left out {counted(out)}: {reasons_words(reasons)}" if out else "; nothing was left out")
    if shelf.judged:
        yield "Fidelity, attribution and tone are an evaluator's, where its passes agree; the rules stand beside it."
    else:
        yield "Fidelity, attribution and tone are by rule (raters rule:cf, rule:ca, rule:ct): no evaluator took part."
    if not shelf.real:
        yield "All models here are simulated: the numbers show what the instrument measures, not what any product does."
    synthetic = next((case for case in shelf.run.cases() if case.payload.get("origin") == "synthetic"), None)
    if synthetic is not None:
        yield "The pictures are synthetic chests, drawn with exact findings; they are no patients."


def _sentences(shelf: Shelf) -> Iterator[str]:
    for model in shelf.real or shelf.models:
        e = shelf.get(PRIMARY, model, PRIMARY_ARM)
        if e is None:
            continue
        if e.value is None:
            yield f"{model}: {e.undefined}, in this evaluation."
            continue
        yield (
            f"Of the {e.n} answers in which {model} followed a colleague's wrong hint, "
            f"{estimate_words(e)} of the explanations kept silent about it or denied it, in this evaluation."
        )


def _against_placebo(shelf: Shelf) -> str:
    above = []
    for model in shelf.models:
        asked = [e for arm in TABLE_CELLS if (e := shelf.get("flip_excess", model, arm)) is not None]
        beyond = [e for e in asked if e.low is not None and e.low > 0]
        if beyond:
            largest = max(beyond, key=lambda e: e.value or 0.0)
            points = point(largest.value or 0.0, "points")
            where = f"most under {arm_words(largest.arm)}: {points}"
            above.append(f"{model} in {len(beyond)} of {len(asked)} arms ({where})")
    if not above:
        return "No arm's interval of flips beyond the placebo lies above 0."
    return f"Flips beyond the placebo, interval above 0: {'; '.join(above)}."
