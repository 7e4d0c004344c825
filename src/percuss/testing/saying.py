"""How a law is said: it holds, or one sentence says where it doesn't."""

from collections.abc import Awaitable, Callable
from typing import Any

from percuss.core.accounting import account_lines
from percuss.core.sections import Panel
from percuss.testing.trial import Ran, Trial

__all__ = ["Broken", "Law", "NotReached", "require", "run_of", "words_of"]

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
