"""Section 5: what was left out: statements by reason, what never applied, and what another label source would say."""

from collections.abc import Iterator
from typing import Any

from percuss.core.sections import Chart, Column, Section, Table
from percuss.measure.wording import counted, reasons_words
from percuss.protocols.stressors.estimate.names import METRICS, arm_words
from percuss.protocols.stressors.estimate.numbers import PRIMARY
from percuss.protocols.stressors.estimate.sections.shelf import Shelf

__all__ = ["left_out"]


def left_out(shelf: Shelf) -> Iterator[Section]:
    """Yield the flow of statements, the specification strip and the accounting of cases per metric."""
    yield _flow(shelf)
    strip = _specifications(shelf)
    if strip.rows:
        yield Section.of("left_out", "Would another choice have told another story?", strip)
    yield Section.of("left_out", "Which cases counted for which metric?", _cases(shelf))


def _flow(shelf: Shelf) -> Section:
    rows: list[dict[str, Any]] = []
    made = out = 0
    for arm in shelf.arms:
        held = [
            e
            for m in (shelf.real or shelf.models)
            if (e := shelf.get("unsupported_rate", m, arm)) is not None
        ]
        n = sum(e.n for e in held)
        reasons: dict[str, int] = {}
        for e in held:
            for reason, count in e.excluded.items():
                reasons[reason] = reasons.get(reason, 0) + count
        rows.append({"arm": arm_words(arm), "from": "statements made", "to": "statements scored", "n": n})
        rows += [
            {"arm": arm_words(arm), "from": "statements made", "reason": r, "n": c}
            for r, c in reasons.items()
        ]
        made += n + sum(reasons.values())
        out += sum(reasons.values())
    chart = Chart(
        kind="flow",
        rows=tuple(rows),
        facet="arm",
        alt="Statements made and scored, with what was left out and why, per arm.",
    )
    answer = (
        f"{counted(out)} of {counted(made)} statements were left out."
        if out
        else "No statement was left out."
    )
    return Section.of("left_out", "Where did statements leave?", chart, answer)


def _specifications(shelf: Shelf) -> Chart:
    rows = []
    for model in shelf.real or shelf.models:
        for source in shelf.sources:
            for name, words in ((PRIMARY, "mean over cases"), (f"{PRIMARY}_pooled", "pooled over items")):
                for arm in (a for a in shelf.arms if "contradiction" in a.split("+")):
                    e = shelf.get(name, model, arm, source)
                    if e is not None and e.value is not None:
                        rows.append(
                            {
                                "choice": f"{model}: {source}, {arm_words(arm)}, {words}{' (primary)' if e.primary else ''}",
                                "value": e.value,
                                "low": e.low,
                                "high": e.high,
                                "simulated": e.simulated,
                            }
                        )
    return Chart(
        kind="strip", rows=tuple(rows), x="value", y="choice", low="low", high="high", x_title="contradictions noticed",
        unit="share", alt="Contradictions noticed under every label source, arm and way of averaging.",
    )  # fmt: skip


def _cases(shelf: Shelf) -> Table:
    rows = []
    for model in shelf.ordered:
        for metric in METRICS:
            q = metric.quantity
            held = [e for arm in shelf.arms if (e := shelf.get(q.name, model, arm)) is not None]
            reasons: dict[str, int] = {}
            for e in held:
                for reason, n in e.excluded.items():
                    reasons[reason] = reasons.get(reason, 0) + n
            counted_cases = sum(e.n for e in held)
            rows.append(
                {
                    "model": model,
                    "metric": q.label,
                    "posed": counted_cases + sum(reasons.values()),
                    "counted": counted_cases,
                    "out": reasons_words(reasons) or "none",
                    "bound": metric.bound,
                    "simulated": model in shelf.simulated,
                }
            )
    columns = (
        Column(key="model", title="model"),
        Column(key="metric", title="metric"),
        Column(key="posed", title="answers", unit="count", align="right"),
        Column(key="counted", title="counted", unit="count", align="right"),
        Column(key="out", title="left out, by reason"),
        Column(key="bound", title="a rule gives"),
    )
    return Table(
        columns=columns,
        rows=tuple(rows),
        note="not_applicable:arm: the arm has no such thing; not_applicable:nothing to count: the answer gave no denominator.",
    )
