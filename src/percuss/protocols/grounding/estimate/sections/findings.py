"""Section 1: the panel, what it says in sentences, and one strip of rates."""

from collections.abc import Iterator

from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Figure, Panel, PanelRow, Section
from percuss.measure.numbers import point
from percuss.measure.ranks import separates
from percuss.measure.wording import (
    counted,
    covers_words,
    estimate_words,
    p_words,
    plural,
    reasons_words,
    source_words,
)
from percuss.protocols.grounding.estimate.pattern import CORRECTS, HOLDS_BACK, NOT_MEASURED
from percuss.protocols.grounding.estimate.sections.shelf import Shelf, figure

__all__ = ["findings", "panel"]

COLUMNS = (
    Column(key="model", title="model"),
    Column(key="with", title="unsupported with evidence", unit="share", align="right"),
    Column(key="without", title="unsupported without", unit="share", align="right"),
    Column(key="hdi", title="HDI", unit="ratio", align="right"),
    Column(key="pattern", title="pattern"),
)


SETTLED = 0.8
"""Below this share of resamples a pattern says how often it shows."""
FEWEST = (
    10  # unsupported claims without evidence, from which on the self-test holds HDI's interval to its level
)
MOST_PAIRS = 6


def findings(shelf: Shelf) -> Iterator[Section]:
    """Yield the panel and the strip chart."""
    yield Section.of("findings", "What did we find?", panel(shelf), " ".join(_sentences(shelf)))
    rows = [
        {
            "model": model,
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "n": e.n,
            "simulated": e.simulated,
        }
        for model in ordered(shelf)
        if (e := shelf.get("unsupported_rate", model)) is not None and e.value is not None
    ]
    chart = Chart(
        kind="strip",
        rows=tuple(rows),
        x="value",
        y="model",
        low="low",
        high="high",
        x_title="unsupported claims with evidence",
        unit="share",
        options={"order": [row["model"] for row in rows]},
        alt="Share of claims that the evidence does not support, with the evidence given, per model, with intervals.",
    )
    yield Section.of("findings", "How many claims stay unsupported with the evidence at hand?", chart)


def ordered(shelf: Shelf) -> tuple[str, ...]:
    """Return the models by unsupported claims with evidence, fewest first; simulated ones after the others."""

    def key(model: str) -> tuple[bool, bool, float]:
        e = shelf.get("unsupported_rate", model)
        value = None if e is None else e.value
        return model in shelf.simulated, value is None, value or 0.0

    return tuple(sorted(shelf.models, key=key))


def named(estimate: Estimate) -> str:
    """Return the model of an estimate in a sentence; one that is simulated says so."""
    return f"{estimate.model} (simulated)" if estimate.simulated else estimate.model


def panel(shelf: Shelf) -> Panel:
    """Return the panel: figures per model, then what was left out, who differs, and what intervals cover."""
    aside = bool(shelf.real)
    rows = tuple(_row(shelf, model, aside=aside and model in shelf.simulated) for model in ordered(shelf))
    lines = [*_left_out(shelf), *_decided(shelf), *_comparison(shelf), _covers(shelf), *_flags(shelf)]
    return Panel(columns=COLUMNS, rows=rows, lines=tuple(line for line in lines if line))


def _row(shelf: Shelf, model: str, *, aside: bool) -> PanelRow:
    hdi = shelf.get("hdi_pooled", model)
    if aside:
        planted = shelf.manifest.get("planted", {}).get(model, {}).get("hdi_pooled")
        words = {} if planted is None else {"planted": f"planted HDI {point(planted, 'ratio')}"}
        return PanelRow(label=model, simulated=True, figures={"measured HDI": figure(hdi)}, words=words)
    return PanelRow(
        label=model,
        simulated=model in shelf.simulated,
        figures={
            "with": _rate(shelf, model, shelf.arm),
            "without": _rate(shelf, model, shelf.baseline),
            "hdi": _hdi_figure(hdi),
        },
        words={"pattern": _pattern(shelf, model)},
    )


def _rate(shelf: Shelf, model: str, arm: str) -> Figure:
    e = shelf.get("unsupported_rate", model, arm)
    return Figure(undefined="this arm was not asked") if e is None else figure(e)


def _hdi_figure(hdi: Estimate | None) -> Figure:
    return Figure(undefined="one of the two arms was not asked", unit="ratio") if hdi is None else figure(hdi)


def _pattern(shelf: Shelf, model: str) -> str:
    """The pattern with what it rests on: how often the model abstains, how much stays unsupported."""
    estimate = shelf.get("pattern", model)
    word = estimate.note if estimate is not None else "can't tell: one of the two arms was not asked"
    aside = []
    if word == HOLDS_BACK:
        abstains = shelf.get("abstention", model, shelf.baseline, labels="any")
        aside += [f"abstains {point(abstains.value)}"] if abstains and abstains.value else []
    if estimate is not None and estimate.value is not None and estimate.value < SETTLED:
        aside.append(f"in {point(estimate.value)} of resamples")
    if aside:
        return f"{word} ({'; '.join(aside)})"
    still = shelf.get("unsupported_rate", model)
    if word == CORRECTS and still is not None and still.value and still.value >= 0.05:
        return f"{word}; 1 claim in {round(1 / still.value)} still unsupported"
    return word


def _left_out(shelf: Shelf) -> Iterator[str]:
    """Scored of posed, reasons, and how far HDI could move over them."""
    held = [
        e
        for model in (shelf.real or shelf.models)
        for arm in (shelf.arm, shelf.baseline)
        if (e := shelf.get("unsupported_rate", model, arm)) is not None
    ]
    scored = sum(e.n for e in held)
    reasons: dict[str, int] = {}
    for e in held:
        for reason, n in e.excluded.items():
            reasons[reason] = reasons.get(reason, 0) + n
    out = sum(reasons.values())
    line = f"scored {counted(scored)} of {counted(scored + out)} claims"
    if not out:
        yield f"{line}; nothing was left out"
        return
    bounded = [
        f"{model} {point(e.bounds[0], 'ratio')}..{point(e.bounds[1], 'ratio')}"
        for model in (shelf.real or shelf.models)
        if (e := shelf.get("hdi_pooled", model)) is not None and e.bounds is not None
    ]
    worst = f"; if all were wrong / right: HDI {', '.join(bounded)}" if bounded else ""
    yield f"{line}; left out {counted(out)}: {reasons_words(reasons)}{worst}"


def _decided(shelf: Shelf) -> Iterator[str]:
    """How much of the claims a rule could decide, where it is not all."""
    held = [e for e in shelf.all("decided_share", labels="any") if e.value is not None and e.n]
    if shelf.real:
        held = [e for e in held if not e.simulated]
    n = sum(e.n for e in held)
    decided = sum((e.value or 0.0) * e.n for e in held) / n if n else 1.0
    if decided < 1:
        yield f"A rule could decide {point(decided)} of {counted(n)} claims."


def _comparison(shelf: Shelf) -> Iterator[str]:
    pairs = [e for e in shelf.pairs("hdi_pooled_difference") if not (e.simulated and shelf.real)]
    if len(pairs) > MOST_PAIRS:
        apart = sum(separates(e) for e in pairs)
        yield f"{counted(apart)} of {plural(len(pairs), 'pair')} of models differ in HDI after Holm's correction; section 2 names them."
        return
    for e in pairs:
        names = f"{e.model} and {e.versus}"
        if e.value is None:
            yield f"{names} cannot be compared in HDI: {e.undefined}."
        elif separates(e):
            p = p_words(e.p_adjusted) if e.p_adjusted is not None else ""
            size = e.family.rsplit("· ", 1)[-1] if e.family else ""
            yield f"{names} differ in HDI: {estimate_words(e)}, {p} (Holm, {size.replace('1 pairs', '1 pair')})."
        else:
            seen = f"; we could have seen {point(e.detectable, 'ratio')}" if e.detectable is not None else ""
            yield f"{names} are not separable in HDI: {estimate_words(e)}{seen}."


def _covers(shelf: Shelf) -> str:
    primary = shelf.get("hdi_pooled", shelf.models[0]) if shelf.models else None
    covers = primary.covers if primary is not None else "sampling of cases, not of answers (1 epoch)"
    judged = any(source in {"agreement", "majority"} for source in shelf.sources)
    return f"Labels: {source_words(shelf.labels)}. Intervals cover {covers_words(covers, judged=judged)}."


def _flags(shelf: Shelf) -> Iterator[str]:
    if not any(e.name == "overlap_80" for e in shelf.estimates):
        yield f"{NOT_MEASURED.capitalize()} (no embedder): patterns take it as low, and recycling cannot be seen."
    yield from _hardly_divisible(shelf)
    yield from _constant_fields(shelf)


def _hardly_divisible(shelf: Shelf) -> Iterator[str]:
    """HDI divides by the rate without evidence: say where that rests on too few claims for an interval."""
    for model in shelf.models:
        hdi, without = shelf.get("hdi_pooled", model), shelf.get("unsupported_rate", model, shelf.baseline)
        if (
            hdi is None
            or hdi.value is None
            or hdi.low is not None
            or without is None
            or without.value is None
        ):
            continue
        found = round(without.value * without.n)
        if found < FEWEST:
            verb = "is" if found == 1 else "are"
            yield (
                f"HDI of {named(hdi)} has no interval: without evidence {found} of its {plural(without.n, 'claim')} {verb} "
                "unsupported, too few to divide by."
            )


def _constant_fields(shelf: Shelf) -> Iterator[str]:
    from percuss.protocols.grounding.record import reading

    values: dict[str, list[str]] = {}
    n = 0
    for case in shelf.run.cases():
        n += 1
        for fact in reading(case).packet.facts:
            values.setdefault(fact.path, []).append(repr(fact.value))
    everywhere = {path: set(held) for path, held in values.items() if len(held) == n}
    layered = [path for path, held in everywhere.items() if len(held) == 1 and not held & {"None", "True"}]
    if n > 1 and layered:
        more = f" and {len(layered) - 3} more" if len(layered) > 3 else ""
        yield f"Evidence fields that are the same in all {counted(n)} cases: {', '.join(layered[:3])}{more}."


def _sentences(shelf: Shelf) -> Iterator[str]:
    """At most three: the fewest unsupported claims, whether that is certain, what was left out."""
    models = [m for m in ordered(shelf) if not (shelf.real and m in shelf.simulated)]
    first = shelf.get("unsupported_rate", models[0]) if models else None
    if first is None or first.value is None:
        yield "Nothing was scored with the evidence given, so nothing was found."
        return
    if len(models) == 1:
        without = shelf.get("unsupported_rate", models[0], shelf.baseline)
        yield (
            f"In this evaluation {estimate_words(first)} of the claims of {named(first)} were unsupported with the evidence given"
            + (f", and {estimate_words(without)} without it." if without is not None else ".")
        )
    else:
        yield f"In this evaluation {named(first)} left the fewest claims unsupported with the evidence given: {estimate_words(first)}."
    pairs = [e for e in shelf.pairs("unsupported_rate_difference") if not (shelf.real and e.simulated)]
    if pairs:
        apart = sum(separates(e) for e in pairs)
        if len(pairs) == 1:
            yield f"The two models {'differ' if apart else 'cannot be told apart'} in that rate."
        else:
            yield f"Of {plural(len(pairs), 'pair')} of models {counted(apart)} {'differs' if apart == 1 else 'differ'} in that rate after correction."
    line = next(_left_out(shelf)).partition(": ")[0]
    yield line[0].upper() + line[1:] + "."
