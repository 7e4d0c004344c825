"""A judge card as sections of a report."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.sections import Chart, Column, Prose, Section, Table
from percuss.judging.card import Card, MetricCard, Number
from percuss.judging.selection import Selection

__all__ = ["card_sections", "card_words"]


def card_words(card: Card) -> str:
    """Return a card in one sentence."""
    name = f"{card.judge} (simulated)" if card.simulated else card.judge
    if card.macro.value is None:
        return f"{name}: agreement with people undefined ({card.macro.undefined})"
    span = (
        ""
        if card.macro.low is None or card.macro.high is None
        else f" [{card.macro.low:.2f}, {card.macro.high:.2f}]"
    )
    failed = [line.name for line in card.gates if line.passed is False]
    gates = f"; fails {', '.join(failed)}" if failed else "; passes every gate"
    kind = "kappa" if any(metric.scale == "label" for metric in card.metrics) else "tau-b"
    return f"{name}: {kind} {card.macro.value:.2f}{span} on {card.items:,} items{gates}"


def card_sections(cards: Sequence[Card], selection: Selection | None = None) -> Iterator[Section]:
    """Yield cards as sections: agreement per metric, confusion, gates, strata, and the choice.

    Args:
        cards: of one or more judges.
        selection: a choice among them, where one was made.
    """
    yield Section.of(
        "judge", "Can the judge be trusted?", _agreement(cards), "; ".join(map(card_words, cards))
    )
    for card in cards:
        for metric in card.metrics:
            if metric.confusion:
                yield Section.of(
                    "judge", f"Who says what: {card.judge}, {metric.metric}", _matrix(card, metric)
                )
            if metric.strata:
                yield Section.of("judge", f"By stratum: {card.judge}, {metric.metric}", _strata(metric))
    yield Section.of(
        "judge",
        "Gates",
        _gates(cards),
        "A gate passes by its bootstrap bound; assured is the stricter exact bound.",
    )
    if selection is not None:
        yield Section.of("judge", "Which judge was chosen?", _choice(selection), selection.why)
        words = f"Dev {len(selection.split.dev)} items, test {len(selection.split.test)} items, seed {selection.split.seed}."
        yield Section.of("how", "The split", Prose(markdown=words))


def _figure(found: Number | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "value": found.value, "low": found.low, "high": found.high, "unit": "ratio", "n": found.n,
        "undefined": found.undefined,
    }  # fmt: skip


def _agreement(cards: Sequence[Card]) -> Table:
    titles = {
        "judge": "judge", "metric": "metric", "n": "items", "coefficient": "kappa or tau-b", "raw": "raw agreement",
        "ceiling": "human ceiling", "people": "among people", "passes": "with itself", "sensitivity": "sensitivity",
        "specificity": "specificity", "coverage": "coverage", "validity": "validity", "note": "note",
    }  # fmt: skip
    rows = [
        {
            "judge": card.judge,
            "simulated": card.simulated,
            "metric": metric.metric,
            "n": metric.n,
            "coefficient": _figure(metric.coefficient),
            "raw": _figure(metric.raw),
            "ceiling": _figure(metric.ceiling),
            "people": _figure(metric.people),
            "passes": _figure(metric.passes),
            "sensitivity": _figure(metric.sensitivity),
            "specificity": _figure(metric.specificity),
            "coverage": metric.coverage,
            "validity": metric.validity,
            "note": metric.coefficient.note,
        }
        for card in cards
        for metric in card.metrics
    ]
    used = [key for key in titles if any(row[key] not in (None, "") for row in rows)]
    columns = tuple(
        Column(key=key, title=titles[key], align="left" if key in {"judge", "metric", "note"} else "right")
        for key in used
    )
    return Table(columns=columns, rows=tuple(rows))


def _matrix(card: Card, metric: MetricCard) -> Chart:
    rows = tuple(
        {"people": people, "judge": judge, "value": count, "n": count, "simulated": card.simulated}
        for people, counts in zip(metric.words, metric.confusion, strict=True)
        for judge, count in zip(metric.words, counts, strict=True)
    )
    alt = f"Counts of items by people's label and {card.judge}'s label."
    return Chart(kind="matrix", rows=rows, x="judge", y="people", value="value", unit="count", alt=alt)


def _strata(metric: MetricCard) -> Table:
    columns = (
        Column(key="stratum", title="stratum"),
        Column(key="n", title="items", align="right"),
        Column(key="raw", title="raw agreement", align="right"),
        Column(key="coefficient", title="kappa", align="right"),
    )
    rows = tuple(
        {
            "stratum": line.stratum,
            "n": line.n,
            "raw": _figure(line.raw),
            "coefficient": _figure(line.coefficient),
        }
        for line in metric.strata
    )
    return Table(columns=columns, rows=rows)


def _gates(cards: Sequence[Card]) -> Table:
    columns = tuple(
        Column(key=key, title=title, align=align)  # type: ignore[arg-type]
        for key, title, align in (
            ("judge", "judge", "left"), ("gate", "gate", "left"), ("rate", "rate", "right"), ("limit", "limit", "right"),
            ("verdict", "verdict", "left"), ("assured", "assured", "left"),
        )
    )  # fmt: skip
    rows = tuple(
        {
            "judge": card.judge,
            "simulated": card.simulated,
            "gate": line.name,
            "rate": {**(_figure(line.rate) or {}), "unit": "share"},
            "limit": {"value": line.threshold, "unit": "share"},
            "verdict": "undefined" if line.passed is None else "pass" if line.passed else "fail",
            "assured": "assured"
            if line.assured
            else "no n assures it"
            if line.needs is None
            else f"needs n >= {line.needs:,}",
        }
        for card in cards
        for line in card.gates
    )
    return Table(columns=columns, rows=rows)


def _choice(selection: Selection) -> Table:
    columns = (
        Column(key="judge", title="judge"),
        Column(key="dev", title="on dev", align="right"),
        Column(key="test", title="on test", align="right"),
        Column(key="gates", title="gates on dev"),
        Column(key="chosen", title="chosen"),
    )
    on_test = {card.judge: card for card in selection.test}
    rows = tuple(
        {
            "judge": card.judge,
            "simulated": card.simulated,
            "dev": _figure(card.macro),
            "test": _figure(on_test[card.judge].macro),
            "gates": "pass" if card.passes_gates else "fail",
            "chosen": "chosen" if card.judge == selection.chosen else "",
        }
        for card in selection.dev
    )
    return Table(columns=columns, rows=rows)
