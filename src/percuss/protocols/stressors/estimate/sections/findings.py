"""Section 1: the panel, what it says in sentences, and one strip of contradictions noticed."""

from collections.abc import Iterator

from percuss.core.labels import is_simulated
from percuss.core.sections import Chart, Column, Panel, PanelRow, Section
from percuss.measure.ranks import separates
from percuss.measure.wording import (
    counted,
    covers_words,
    estimate_words,
    joined,
    p_words,
    plural,
    reasons_words,
)
from percuss.measure.wording import (
    figure as plain,
)
from percuss.protocols.stressors.estimate.names import PRIMARY_ARM, arm_words
from percuss.protocols.stressors.estimate.numbers import PRIMARY
from percuss.protocols.stressors.estimate.sections.shelf import Shelf, figure

__all__ = ["findings", "panel"]

SHOWN = (
    ("cdr", "contradiction", "contradictions noticed"),
    ("gdr", "omission", "missing data named"),
    ("rur", "delay", "diagnosis updated"),
    ("hpr", "baseline", "made-up statements that stay"),
    ("fcr", "baseline", "unsupported evidence"),
)
COLUMNS = (
    Column(key="model", title="model"),
    *(Column(key=name, title=title, unit="share", align="right") for name, _, title in SHOWN),
    Column(key="weakest", title="largest effect of a stressor"),
)


def findings(shelf: Shelf) -> Iterator[Section]:
    """Yield the panel and the strip chart."""
    yield Section.of("findings", "What did we find?", panel(shelf), " ".join(_sentences(shelf)))
    rows = [
        {"model": model, "value": e.value, "low": e.low, "high": e.high, "n": e.n, "simulated": e.simulated}
        for model in shelf.ordered
        if (e := shelf.get(PRIMARY, model, PRIMARY_ARM)) is not None and e.value is not None
    ]
    if rows:
        chart = Chart(
            kind="strip",
            rows=tuple(rows),
            x="value",
            y="model",
            low="low",
            high="high",
            x_title="injected contradictions that are noticed",
            unit="share",
            options={"order": [row["model"] for row in rows]},
            alt="Share of injected contradictions that each model notices, with intervals.",
        )
        yield Section.of("findings", "How many injected contradictions are noticed?", chart)


def panel(shelf: Shelf) -> Panel:
    """Return the panel: figures per model, then what was left out, who differs, and what intervals cover."""
    aside = bool(shelf.real)
    rows = tuple(_row(shelf, model, aside=aside and is_simulated(model)) for model in shelf.ordered)
    lines = [*_left_out(shelf), *_comparison(shelf), _covers(shelf), *_alarms(shelf)]
    return Panel(columns=COLUMNS, rows=rows, lines=tuple(line for line in lines if line))


def _row(shelf: Shelf, model: str, *, aside: bool) -> PanelRow:
    simulated = is_simulated(model)
    if aside:
        planted = shelf.manifest.get("planted", {}).get(model, {}).get(PRIMARY)
        words = {} if planted is None else {"planted": f"planted {plain(planted)}"}
        noticed = figure(shelf.get(PRIMARY, model, PRIMARY_ARM))
        return PanelRow(
            label=model, simulated=True, figures={"measured, contradictions noticed": noticed}, words=words
        )
    return PanelRow(
        label=model,
        simulated=simulated,
        figures={
            name: figure(shelf.get(name, model, arm), "the arm was not asked") for name, arm, _ in SHOWN
        },
        words={"weakest": _largest(shelf, model)},
    )


def _largest(shelf: Shelf, model: str) -> str:
    """The largest effect that separates after Holm, else that none does."""
    found = [e for e in shelf.all("_effect", model) if e.value is not None]
    if not found:
        return "not all eight arms were asked"
    apart = [e for e in found if separates(e)]
    if not apart:
        return "none separates from 0 after Holm's correction"
    top = max(apart, key=lambda e: abs(e.value or 0))
    name = top.label.removeprefix("effect on ").partition(" (")[0]
    return f"{arm_words(top.arm)} on {name}: {estimate_words(top)}"


def _left_out(shelf: Shelf) -> Iterator[str]:
    held = [e for e in shelf.all("unsupported_rate") if not (e.simulated and shelf.real)]
    scored = sum(e.n for e in held)
    reasons: dict[str, int] = {}
    for e in held:
        for reason, n in e.excluded.items():
            reasons[reason] = reasons.get(reason, 0) + n
    out = sum(reasons.values())
    line = f"scored {counted(scored)} of {counted(scored + out)} statements"
    yield (
        f"{line}; left out {counted(out)}: {reasons_words(reasons)}"
        if out
        else f"{line}; nothing was left out"
    )


def _comparison(shelf: Shelf) -> Iterator[str]:
    pairs = [e for e in shelf.pairs(PRIMARY) if not (e.simulated and shelf.real)]
    if len(pairs) > 6:
        yield f"{counted(sum(separates(e) for e in pairs))} of {plural(len(pairs), 'pair')} of models differ in contradictions noticed after Holm's correction."
        return
    for e in pairs:
        names = f"{e.model} and {e.versus}"
        if e.value is None:
            yield f"{names} cannot be compared in contradictions noticed: {e.undefined}."
        elif separates(e):
            p = p_words(e.p_adjusted) if e.p_adjusted is not None else ""
            yield f"{names} differ in contradictions noticed: {estimate_words(e)}, {p} (Holm)."
        else:
            seen = "" if e.detectable is None else f"; we could have seen {100 * e.detectable:.0f} points"
            yield f"{names} are not separable in contradictions noticed: {estimate_words(e)}{seen}."


def _covers(shelf: Shelf) -> str:
    first = next((e for e in shelf.estimates if e.primary), None)
    covers = first.covers if first is not None else "sampling of cases, not of answers (1 epoch)"
    judged = shelf.labels in {"agreement", "majority"}
    words = {"agreement": "judge, where both passes agree", "majority": "judge, most of three passes"}
    return (
        f"Labels: {words.get(shelf.labels, 'rules')}. Intervals cover {covers_words(covers, judged=judged)}."
    )


def _alarms(shelf: Shelf) -> Iterator[str]:
    """Crying wolf detects everything: false alarms stand beside detection."""
    said = [
        f"{model} {estimate_words(e)}"
        for model in (shelf.real or shelf.models)
        if (e := shelf.get("cfa", model, "baseline")) is not None and e.value is not None
    ]
    if said:
        yield f"Conflicts claimed where there is none, without any stressor: {joined(said)}."


def _sentences(shelf: Shelf) -> Iterator[str]:
    """At most three: who notices most, which stressor does most, what was left out."""
    models = [m for m in shelf.ordered if not (shelf.real and is_simulated(m))]
    first = shelf.get(PRIMARY, models[0], PRIMARY_ARM) if models else None
    if first is None or first.value is None:
        yield "No injected contradiction could be scored, so nothing was found."
        return
    verb = "noticed" if len(models) == 1 else "noticed most:"
    yield f"In this evaluation {models[0]} {verb} {estimate_words(first)} of the injected contradictions."
    yield f"Stressors: {_largest(shelf, models[0])}."
    line = next(_left_out(shelf))
    yield line[0].upper() + line[1:] + "."
