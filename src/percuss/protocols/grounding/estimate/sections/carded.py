"""May a judge's labels carry a headline? Only with a card of this scoring that is within the floors in each arm (reading.md, section 2)."""

from collections.abc import Iterator, Mapping
from typing import Any

from percuss.kit.report.context import Report
from percuss.measure.numbers import point
from percuss.measure.wording import counted, joined
from percuss.protocols.grounding.certificate.certified import LEAST_TOLD
from percuss.protocols.grounding.estimate.names import arm_words

__all__ = ["FEWEST_CARDED", "beside_second", "uncarded"]

FEWEST_CARDED = 50
"""Labels of people below which a card says nothing of the floors (reading.md, section 2: sets under 50 rows have no threshold)."""
SUPPORT = "support"

Card = Mapping[str, Any]


def uncarded(report: Report) -> str:
    """Say why a judge's labels carry no headline; "" where each judge's card is of this scoring, of enough labels, and within the floors.

    Args:
        report: of a scoring.
    """
    for judge, metric in _cards(report):
        if metric is None:
            return f"the judge {judge} has no card: nobody's labels show how often it errs on this run"
        if why := next(_below(report, metric), ""):
            return f"the judge {judge} {why}"
    return ""


def beside_second(report: Report) -> Iterator[str]:
    """Yield of each judge whose labels lead how it errs beside a second person, or that nobody gave second labels.

    Args:
        report: of a scoring.
    """
    for judge, metric in _cards(report):
        if metric is None:
            continue
        second: Card = metric.get("second") or {}
        told = [line for line in second.get("classes", ()) if _value(line, "more") is not None]
        if not told:
            yield f"The judge {judge} has no second person's labels beside it: held against the floors only."
            continue
        said = joined(
            [
                f"{point(_value(line, 'judge') or 0)} where a second person has {point(_value(line, 'person') or 0)} (n {counted(line['n'])}, {line['of']})"
                for line in told
            ]
        )
        yield f"Against the first person's labels the judge {judge} errs in {said}."


def _cards(report: Report) -> Iterator[tuple[str, Card | None]]:
    """Yield the judges whose labels lead, with what their cards of this scoring say of support."""
    held = next((e for e in report.results.estimates if e.labels == report.results.labels and e.reader), None)
    cards = report.run.manifest().get("judge_cards", {})
    for judge in () if held is None else held.reader.replace("judge:", "").split(", "):
        card = cards.get(judge)
        if card is None or card.get("scoring") != report.run.scoring:
            yield judge, None
        else:
            yield judge, next((one for one in card.get("metrics", ()) if one.get("metric") == SUPPORT), {})


def _below(report: Report, metric: Card) -> Iterator[str]:
    n = metric.get("n", 0)
    if n < FEWEST_CARDED:
        yield f"has a card of {counted(n)} labels, {FEWEST_CARDED} are needed"
    hits, rejections, positive = (
        _value(metric, "sensitivity"),
        _value(metric, "specificity"),
        metric.get("positive"),
    )
    if hits is None or rejections is None:
        yield "has a card that doesn't say how often it errs: people gave one label alone"
        return
    if hits + rejections - 1 < LEAST_TOLD:
        yield (
            f"is below the floors by its card: it finds {point(hits)} of what people call {positive} and passes {point(rejections)} "
            "of the rest"
        )
    yield from _above_second(metric)
    yield from _in_each_arm(report, metric)


def _above_second(metric: Card) -> Iterator[str]:
    """Yield the class in which a judge errs more than 5 points more often than a second person, both against the first."""
    for line in (metric.get("second") or {}).get("classes", ()):
        if line.get("verdict") == "above":
            yield (
                f"errs more often than a second person by its card: {point(_value(line, 'judge') or 0)} against {point(_value(line, 'person') or 0)} "
                f"of what the first calls {line.get('of')}"
            )


def _in_each_arm(report: Report, metric: Card) -> Iterator[str]:
    """Yield the arm in which a judge isn't known to be within the floors: good with evidence and poor without moves the index."""
    for arm in (report.results.arm, report.results.baseline):
        lines = [
            line for line in metric.get("strata", ())
            if str(line.get("stratum", "")).endswith(f" / {arm}")
        ]  # fmt: skip
        if not sum(line.get("n", 0) for line in lines):
            yield f"has a card without a label of what is said {arm_words(arm)}"
            continue
        hits, rejections = _pooled(lines, "sensitivity"), _pooled(lines, "specificity")
        if (1.0 if hits is None else hits) + (1.0 if rejections is None else rejections) - 1 < LEAST_TOLD:
            found, passed = ("none to find" if one is None else point(one) for one in (hits, rejections))
            yield (
                f"is below the floors {arm_words(arm)} by its card: it finds {found} of what people call {metric.get('positive')} "
                f"there and passes {passed} of the rest"
            )


def _pooled(lines: list[Card], name: str) -> float | None:
    """Return a share over the models of an arm; None where people called nothing so."""
    told = [(value, line[name]["n"]) for line in lines if (value := _value(line, name)) is not None]
    n = sum(count for _, count in told)
    return sum(value * count for value, count in told) / n if n else None


def _value(of: Card, name: str) -> float | None:
    value = (of.get(name) or {}).get("value")
    return None if value is None else float(value)
