"""People's tables as sections of a report, where no judge is among the labels."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.sections import Column, Section, Table
from percuss.judging.card import Number
from percuss.judging.readers import ReaderTable

__all__ = ["reader_sections"]


def reader_sections(tables: Sequence[ReaderTable]) -> Iterator[Section]:
    """Yield how far people agree as a whole, and each two of them.

    Args:
        tables: one per metric.
    """
    whole = [
        {
            "metric": one.metric, "raters": len(one.raters), "items": one.items, "people": _figure(one.people),
            "ceiling": _figure(one.ceiling),
        }
        for one in tables
    ]  # fmt: skip
    heads = (
        ("metric", "metric"),
        ("raters", "people"),
        ("items", "items"),
        ("people", "among people"),
        ("ceiling", "human ceiling"),
    )
    answer = (
        "No judge is among the labels: this is what people say of each other, and what a judge could reach."
    )
    yield Section.of("judge", "How far do people agree?", _table(heads, whole), answer)
    pairs = [
        {
            "metric": one.metric, "first": pair.first.removeprefix("human:"), "second": pair.second.removeprefix("human:"),
            "n": pair.n, "agreement": _figure(pair.agreement),
        }
        for one in tables for pair in one.pairs
    ]  # fmt: skip
    if pairs:
        heads = (
            ("metric", "metric"),
            ("first", "reader"),
            ("second", "reader"),
            ("n", "items of both"),
            ("agreement", "agreement"),
        )
        yield Section.of("judge", "Reader by reader", _table(heads, pairs))


def _table(heads: Sequence[tuple[str, str]], rows: Sequence[dict[str, Any]]) -> Table:
    return Table(columns=tuple(Column(key=key, title=title) for key, title in heads), rows=tuple(rows))


def _figure(found: Number) -> dict[str, Any]:
    return {
        "value": found.value, "low": found.low, "high": found.high, "unit": "ratio", "n": found.n, "undefined": found.undefined,
    }  # fmt: skip
