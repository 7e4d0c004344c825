"""A judge card as sections of a report, and as lines of a terminal."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from percuss.core.sections import Chart, Column, Figure, Prose, Section, Table
from percuss.judging.card import Card, GateLine, MetricCard, Number
from percuss.judging.second import MOST_ABOVE
from percuss.judging.selection import Selection
from percuss.measure.numbers import point, show

__all__ = [
    "ALTERNATIVES",
    "card_sections",
    "card_words",
    "coefficient_name",
    "gate_words",
    "second_lines",
    "stars",
]

ALTERNATIVES = {
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "kappa_nominal": "kappa, unweighted",
    "kappa_quadratic": "quadratic kappa with each person",
    "same_score": "same score as a person",
}
_COEFFICIENTS = {"label": "kappa", "ordinal": "quadratic kappa", "score": "tau-b"}


def coefficient_name(metric: MetricCard) -> str:
    """Return what a metric's coefficient is called."""
    return _COEFFICIENTS[metric.scale]


def stars(p: float | None) -> str:
    """Return the marks of Moll et al. 2025 Table S7: *** below 0.001, ** below 0.01, * below 0.05, else ns.

    >>> stars(0.004), stars(0.2), stars(None)
    ('**', 'ns', '')
    """
    if p is None:
        return ""
    return next((mark for limit, mark in ((0.001, "***"), (0.01, "**"), (0.05, "*")) if p < limit), "ns")


def card_words(card: Card) -> str:
    """Return a card in one sentence."""
    name = f"{card.judge} (simulated)" if card.simulated else card.judge
    if card.macro.value is None:
        return f"{name}: agreement with people undefined ({card.macro.undefined})"
    kinds = list(dict.fromkeys(map(coefficient_name, card.metrics)))
    what = f"{'mean ' if len(card.metrics) > 1 else ''}{' and '.join(kinds)}"
    failed = ", ".join(_gate_name(line) for line in card.failed_gates)
    gates = f"; fails the gates {failed}" if failed else "; passes every gate"
    return f"{name}: {what} {_shown(card.macro)} on {card.items:,} items{gates}"


def _gate_name(line: GateLine) -> str:
    return f"{line.name} of {line.metric}" if line.metric else line.name


def gate_words(line: GateLine) -> tuple[str, str]:
    """Return a gate's verdict, and how sure it is."""
    verdict = "undefined" if line.passed is None else "pass" if line.passed else "fail"
    if line.assured:
        return verdict, "assured"
    return verdict, "no n assures it" if line.needs is None else f"needs n >= {line.needs:,}"


def card_sections(cards: Sequence[Card], selection: Selection | None = None) -> Iterator[Section]:
    """Yield cards as sections: agreement per metric, by person, confusion, strata, gates, and the choice.

    Args:
        cards: of one or more judges.
        selection: a choice among them, where one was made.
    """
    said = "; ".join(map(card_words, cards))
    yield Section.of("judge", "Can the judge be trusted?", _agreement(cards), said)
    yield Section.of("judge", "Agreement by other measures", _beside(cards))
    yield Section.of("judge", "What it misses and invents", _errors(cards), _beside_second(cards))
    if any(metric.raters for card in cards for metric in card.metrics):
        yield Section.of("judge", "Against each person", _persons(cards))
    for card in cards:
        for metric in card.metrics:
            if metric.confusion:
                title = f"Who says what: {card.judge}, {metric.metric}"
                yield Section.of("judge", title, _matrix(card, metric))
            if metric.strata:
                title = f"By stratum: {card.judge}, {metric.metric}"
                yield Section.of("judge", title, _strata(card, metric))
    answer = "A gate passes by its bootstrap bound; assured is the stricter exact bound."
    yield Section.of("judge", "Gates", _gates(cards), answer)
    if selection is not None:
        yield Section.of("judge", "Which judge was chosen?", _choice(selection), _ahead(selection))
        dev, test = len(selection.split.dev), len(selection.split.test)
        words = f"Chosen on {dev} items, reported on {test} others; seed {selection.split.seed}, gates {selection.gates}."
        yield Section.of("how", "The split", Prose(markdown=words))


def _ahead(selection: Selection) -> str:
    found = selection.ahead
    if found is None or found.value is None or found.low is None or found.high is None:
        return selection.why
    on_test = f"on test {_shown(found)} ahead of {selection.ahead_of}"
    return f"{selection.chosen}: {selection.why}; {on_test}"


def _figure(found: Number | None, unit: str = "ratio") -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "value": found.value, "low": found.low, "high": found.high, "unit": unit, "n": found.n,
        "undefined": found.undefined,
    }  # fmt: skip


Titled = tuple[tuple[str, str, Literal["left", "right"]], ...]


def _table(columns: Titled, rows: Sequence[dict[str, Any]], *, keep_empty: bool = False) -> Table:
    """Make a table; columns that no row fills are left out."""
    used = [one for one in columns if keep_empty or any(row.get(one[0]) not in (None, "") for row in rows)]
    return Table(
        columns=tuple(Column(key=key, title=title, align=align) for key, title, align in used),
        rows=tuple(rows),
    )


def _agreement(cards: Sequence[Card]) -> Table:
    columns: Titled = (
        ("judge", "judge", "left"), ("metric", "metric", "left"), ("n", "items", "right"), ("what", "coefficient", "left"),
        ("coefficient", "judge and people", "right"), ("ceiling", "human ceiling", "right"),
        ("people", "among people", "right"), ("note", "note", "left"),
    )  # fmt: skip
    rows = [
        {
            **_of(card, metric),
            "what": coefficient_name(metric),
            "coefficient": _figure(metric.coefficient),
            "ceiling": _figure(metric.ceiling),
            "people": _figure(metric.people),
            "note": metric.coefficient.note,
        }
        for card in cards
        for metric in card.metrics
    ]
    return _table(columns, rows)


def _beside(cards: Sequence[Card]) -> Table:
    """Raw agreement, other coefficients and self-agreement."""
    columns: Titled = (
        ("judge", "judge", "left"), ("metric", "metric", "left"), ("raw", "raw agreement", "right"),
        *((key, title, "right") for key, title in ALTERNATIVES.items()), ("passes", "with itself", "right"),
        ("no_consensus", "people split", "right"),
    )  # fmt: skip
    rows = [
        {
            **_of(card, metric),
            "raw": _figure(metric.raw, "share"),
            "passes": _figure(metric.passes, "share"),
            "no_consensus": metric.no_consensus or None,
            **{
                key: _figure(found, "share" if key == "same_score" else "ratio")
                for key, found in metric.alternatives.items()
            },
        }
        for card in cards
        for metric in card.metrics
    ]
    return _table(columns, rows)


def _errors(cards: Sequence[Card]) -> Table:
    """What the judge misses, what it invents, and how often it can be read."""
    columns: Titled = (
        ("judge", "judge", "left"), ("metric", "metric", "left"), ("positive", "label", "left"),
        ("sensitivity", "sensitivity", "right"), ("specificity", "specificity", "right"),
        ("coverage", "coverage", "right"), ("validity", "validity", "right"),
    )  # fmt: skip
    rows = [
        {
            **_of(card, metric),
            "positive": metric.positive,
            "sensitivity": _figure(metric.sensitivity, "share"),
            "specificity": _figure(metric.specificity, "share"),
            "coverage": _share(metric.coverage),
            "validity": _share(metric.validity),
        }
        for card in cards
        for metric in card.metrics
    ]
    return _table(columns, rows)


def _beside_second(cards: Sequence[Card]) -> str:
    """Say how each judge errs beside a second person, of metrics that have errors by class."""
    said = [
        f"{card.judge}, {metric.metric}: {line}"
        for card in cards
        for metric in card.metrics
        if metric.sensitivity is not None
        for line in second_lines(metric)
    ]
    return f"{'. '.join(said)}." if said else ""


def second_lines(metric: MetricCard) -> Iterator[str]:
    """Yield one sentence per class: the judge's error rate beside a second person's, or that nobody gave second labels.

    Args:
        metric: of labels.
    """
    if metric.second is None:
        yield "no second person's labels: held against the floors only"
        return
    for line in metric.second.classes:
        if line.more.value is None:
            yield f"errors in {line.of!r}: {line.more.undefined}"
            continue
        judge, person = (point(one.value or 0.0) for one in (line.judge, line.person))
        span = f" [{100 * line.more.low:.1f}, {100 * line.more.high:.1f}]" if line.more.low is not None and line.more.high is not None else ""  # fmt: skip
        yield (
            f"errors in {line.of!r}, against {metric.second.first.removeprefix('human:')}: {judge} by the judge, {person} by "
            f"{metric.second.second.removeprefix('human:')}, {100 * line.more.value:.1f}{span} points more, n {line.n:,}: {_above(line.verdict)}"
        )


def _above(verdict: str) -> str:
    most = f"{100 * MOST_ABOVE:g} points"
    return {
        "within": f"at most {most} more, interval included",
        "above": f"more than {most} above",
        "not shown to be above": f"at most {most} more, but the interval reaches beyond",
    }.get(verdict, verdict)


def _of(card: Card, metric: MetricCard) -> dict[str, Any]:
    return {"judge": card.judge, "simulated": card.simulated, "metric": metric.metric, "n": metric.n}


def _shown(found: Number) -> str:
    return show(Figure(value=found.value, low=found.low, high=found.high, unit="ratio"))


def _share(value: float | None) -> str:
    return "undefined" if value is None else point(value)


def _persons(cards: Sequence[Card]) -> Table:
    """The judge against each person, as Moll et al. 2025 Table S7 has it."""
    columns: Titled = (
        ("judge", "judge", "left"), ("metric", "metric", "left"), ("person", "person", "left"), ("n", "items", "right"),
        ("coefficient", "kappa or tau-b", "right"), ("stars", "independence", "left"),
    )  # fmt: skip
    rows = [
        {
            "judge": card.judge,
            "simulated": card.simulated,
            "metric": metric.metric,
            "person": person.removeprefix("human:"),
            "n": found.n,
            "coefficient": _figure(found),
            "stars": stars(found.p),
        }
        for card in cards
        for metric in card.metrics
        for person, found in metric.raters.items()
    ]
    return _table(columns, rows)


def _matrix(card: Card, metric: MetricCard) -> Chart:
    rows = tuple(
        {"people": people, "judge": judge, "value": count, "n": count, "simulated": card.simulated}
        for people, counts in zip(metric.words, metric.confusion, strict=True)
        for judge, count in zip(metric.words, counts, strict=True)
    )
    alt = f"Counts of items by people's label and {card.judge}'s label."
    return Chart(kind="matrix", rows=rows, x="judge", y="people", value="value", unit="count", alt=alt)


def _strata(card: Card, metric: MetricCard) -> Table:
    columns: Titled = (
        ("stratum", "stratum", "left"), ("n", "items", "right"), ("raw", "raw agreement", "right"),
        ("coefficient", coefficient_name(metric), "right"),
        *((name, name, "right") for name in ("sensitivity", "specificity") if metric.positive),
        ("note", "note", "left"),
    )  # fmt: skip
    rows = [
        {
            "stratum": line.stratum,
            "simulated": card.simulated,
            "n": line.n,
            "raw": _figure(line.raw, "share"),
            "coefficient": _figure(line.coefficient),
            "sensitivity": _figure(line.sensitivity, "share"),
            "specificity": _figure(line.specificity, "share"),
            "note": line.coefficient.note,
        }
        for line in metric.strata
    ]
    return _table(columns, rows)


def _gates(cards: Sequence[Card]) -> Table:
    columns: Titled = (
        ("judge", "judge", "left"), ("metric", "metric", "left"), ("gate", "gate", "left"), ("rate", "rate", "right"),
        ("limit", "limit", "right"), ("verdict", "verdict", "left"), ("assured", "assured", "left"),
    )  # fmt: skip
    rows = []
    for card in cards:
        for line in card.gates:
            verdict, sure = gate_words(line)
            rows.append(
                {
                    "judge": card.judge,
                    "simulated": card.simulated,
                    "metric": line.metric or "all",
                    "gate": line.name,
                    "rate": _figure(line.rate, "share"),
                    "limit": f"{100 * line.threshold:g}%",
                    "verdict": verdict,
                    "assured": sure,
                }
            )
    return _table(columns, rows, keep_empty=True)


def _choice(selection: Selection) -> Table:
    columns: Titled = (
        ("judge", "judge", "left"), ("dev", "on dev", "right"), ("test", "on test", "right"),
        ("gates", "gates on dev", "left"), ("chosen", "chosen", "left"),
    )  # fmt: skip
    on_test = {card.judge: card for card in selection.test}
    rows = [
        {
            "judge": card.judge,
            "simulated": card.simulated,
            "dev": _figure(card.macro),
            "test": _figure(on_test[card.judge].macro),
            "gates": ", ".join(f"fails {_gate_name(line)}" for line in card.failed_gates) or "pass",
            "chosen": "chosen" if card.judge == selection.chosen else "",
        }
        for card in selection.dev
    ]
    return _table(columns, rows)
