"""How a law is said: it holds, or one sentence says where it doesn't."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from percuss.core.accounting import account_lines
from percuss.core.sections import Chart, Panel, Section, Table
from percuss.testing.trial import Ran, Trial

__all__ = ["Broken", "Law", "NotReached", "require", "run_of", "strangers", "words_of"]

Law = Callable[[Trial], Awaitable[None]]


class Broken(AssertionError):
    """A law does not hold; one sentence says where."""


class NotReached(AssertionError):
    """A declared capability was there, and the law found nothing to try it on."""


def require(holds: bool, sentence: str) -> None:
    """Raise `Broken` unless something holds."""
    if not holds:
        raise Broken(sentence)


def words_of(ran: Ran) -> str:
    """Return what a report says before its tables: the account of answers, lines of the panel, answers of sections."""
    lines = [*account_lines(ran.accounts)]
    for section in ran.sections:
        record = section.record
        lines += [section.answer, *(record.lines if isinstance(record, Panel) else ())]
    return "\n".join(lines)


async def run_of(trial: Trial, answering: Any = None, **how: Any) -> Ran:
    """Ask, check and estimate with answers changed by a law."""
    with trial.asked(answering, **how) as (store, protocol, options, model):
        return await trial.through(store, protocol, options, model)


def strangers(ran: Ran) -> Iterator[str]:
    """Yield a sentence for every number with an interval that a section shows and that is no estimate.

    Args:
        ran: a small run.

    A figure of the panel is held against what `--json` writes of that model, and of that name and arm where its column is
    called so (`unsupported_rate[with]`).
    """
    told = msgspec.json.decode(msgspec.json.encode(ran.estimates))
    names = {e["name"] for e in told}
    known: set[tuple[str, str, str, Any]] = set()
    for e in told:
        numbers = (e.get("value"), e.get("low"), e.get("high"))
        places = product(("", e["model"]), ("", e["name"]), ("", e["arm"]))
        known |= {(*place, numbers) for place in places}
    for section in ran.sections:
        for model, where, shown in _figures(section):
            name, _, arm = where.rstrip("]").partition("[")
            called = (name, arm) if model and name in names else ("", "")
            if (model, *called, shown) not in known:
                part = "panel" if section.kind == "panel" else f'section "{section.title}"'
                yield f"the {part} shows {shown[0]} under {where}, which is no estimate"


def _figures(section: Section) -> Iterator[tuple[str, str, tuple[Any, Any, Any]]]:
    """Yield each number with an interval: whose it must be ("" where a row names no model), where it stands, the number."""
    record = section.record
    if isinstance(record, Panel):
        for line in record.rows:
            for key, figure in line.figures.items():
                if figure.value is not None:
                    yield line.label, key, (figure.value, figure.low, figure.high)
    elif isinstance(record, Table):
        for row in record.rows:
            for key, cell in row.items():
                if isinstance(cell, Mapping) and cell.get("value") is not None and {"low", "high"} <= {*cell}:
                    yield "", key, (cell["value"], cell["low"], cell["high"])
    elif isinstance(record, Chart) and record.low is not None:
        for row in record.rows:
            if row.get("value") is not None and {"low", "high"} <= {*row}:
                yield "", str(record.y), (row["value"], row["low"], row["high"])
