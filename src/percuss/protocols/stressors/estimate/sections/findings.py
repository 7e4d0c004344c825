"""Section 1: the panel, what it says in sentences, and one strip of contradictions noticed."""

from collections.abc import Iterator, Sequence

from percuss.core.labels import is_simulated
from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Panel, PanelRow, Section
from percuss.measure.numbers import point
from percuss.measure.ranks import separates
from percuss.measure.wording import (
    counted,
    covers_words,
    estimate_words,
    joined,
    p_words,
    plural,
    reasons_words,
    source_words,
)
from percuss.protocols.stressors.check.nodes import NO_DIAGNOSIS
from percuss.protocols.stressors.estimate.names import PRIMARY_ARM, arm_words
from percuss.protocols.stressors.estimate.numbers import PRIMARY
from percuss.protocols.stressors.estimate.sections.shelf import Shelf, figure

__all__ = ["findings", "panel"]

FEW = 24
"""Cases below which an interval of an effect is known to be short (definitions, section 8)."""
POOR = 0.2
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
    lines = [*_left_out(shelf), *_comparison(shelf), *_strongest(shelf), _covers(shelf), *_alarms(shelf)]
    return Panel(columns=COLUMNS, rows=rows, lines=tuple(line for line in lines if line))


def _row(shelf: Shelf, model: str, *, aside: bool) -> PanelRow:
    simulated = is_simulated(model)
    if aside:
        planted = shelf.manifest.get("planted", {}).get(model, {}).get(PRIMARY)
        words = {} if planted is None else {"planted": f"planted {point(planted)}"}
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
    )


def _largest(shelf: Shelf, model: str) -> str:
    """The largest effect that separates after Holm, by its acronym; else that none does."""
    found = list(shelf.all("_effect", model))
    if not found:
        return "not all eight arms were asked"
    top = _top(found)
    if top is None:
        return "none separates from 0 after Holm's correction"
    return f"{arm_words(top.arm)} on {top.name.removesuffix('_effect').upper()}: {estimate_words(top)}"


def _strongest(shelf: Shelf) -> Iterator[str]:
    for model in shelf.real or shelf.models:
        yield f"{model}, largest effect of a stressor: {_largest(shelf, model)}."


def _top(found: Sequence[Estimate]) -> Estimate | None:
    apart = [e for e in found if e.value is not None and separates(e)]
    return max(apart, key=lambda e: abs(e.value or 0), default=None)


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
    return f"Labels: {source_words(shelf.labels)}. Intervals cover {covers_words(covers, judged=judged)}."


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
    """At most three: who notices most, which stressor does most, and what the answers were too poor for."""
    models = [m for m in shelf.ordered if not (shelf.real and is_simulated(m))]
    first = shelf.get(PRIMARY, models[0], PRIMARY_ARM) if models else None
    if first is None or first.value is None:
        yield "No injected contradiction could be scored, so nothing was found."
        return
    few = ", too few for a verdict," if first.n < FEW else ""
    verb = "noticed" if len(models) == 1 else "noticed most:"
    yield f"On {plural(first.n, 'vignette')}{few} {models[0]} {verb} {estimate_words(first)} of the injected contradictions."
    top = _top(list(shelf.all("_effect", models[0])))
    if top is None:
        yield "No effect of a stressor separates from 0 after Holm's correction."
    else:
        label = top.label.removeprefix("effect on ").partition(" (")[0]
        way = "raises" if (top.value or 0) > 0 else "lowers"
        yield f"Of all stressors the largest effect is that of {arm_words(top.arm)}, which {way} the {label} ({estimate_words(top)})."
    yield _too_poor(shelf, models[0]) or _sentence(next(_left_out(shelf)))


def _sentence(line: str) -> str:
    return f"{line[0].upper()}{line[1:]}."


def _too_poor(shelf: Shelf, model: str) -> str:
    """Where a model often names no diagnosis, what that leaves unmeasured."""
    held = [e for arm in shelf.arms if (e := shelf.get("rur", model, arm)) is not None]
    silent = sum(e.excluded.get(NO_DIAGNOSIS, 0) for e in held)
    chances = silent + sum(e.n for e in held)
    if not chances or silent < POOR * chances:
        return ""
    return f"At {counted(silent)} of {plural(chances, 'opportunity', 'opportunities')} to update a diagnosis it named none, so much of what is asked of a clinician could not be measured."
