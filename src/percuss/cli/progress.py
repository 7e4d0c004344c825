"""The progress bar: calls, tokens, cost and time left, on standard error, so that standard output stays clean."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from percuss.engine.progress import Progress as Step

__all__ = ["Lines", "counting", "watching"]

EVERY_S = 10.0
"""Between two lines of progress in a log."""
_WORDS = {"ask": "asking", "check": "checking", "estimate": "estimating", "work": "working"}


@contextmanager
def watching(*, quiet: bool) -> Iterator[Any]:
    """Yield a watcher of the stages that draws a bar, or writes a line every 10 s where standard error is no terminal.

    Args:
        quiet: write nothing (`--json`).
    """
    console = Console(stderr=True)
    if quiet:
        yield None
        return
    if not console.is_terminal:
        yield Lines()
        return
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def watch(step: Step) -> None:
            if step.stage not in tasks:
                tasks[step.stage] = bar.add_task(
                    _WORDS.get(step.stage, step.stage), total=step.total, words=""
                )
            bar.update(tasks[step.stage], completed=step.done, total=step.total, words=_words(step))

        yield watch


class Lines:
    """A watcher for logs: one line on standard error every `EVERY_S` seconds, and none of a stage that was quicker.

    Args:
        clock: seconds, of any origin. write: where lines go.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, write: Callable[[str], object] | None = None
    ) -> None:
        self._clock = clock
        self._write = write or (lambda line: click.echo(line, err=True))
        self._last = clock()

    def __call__(self, step: Step) -> None:
        """Hear of a step."""
        if self._clock() - self._last < EVERY_S:
            return
        self._last = self._clock()
        words = _words(step)
        what = _WORDS.get(step.stage, step.stage)
        self._write(f"{what}: {step.done:,} of {step.total:,}{f' ({words})' if words else ''}")


def _words(step: Step) -> str:
    parts = [f"{step.calls:,} calls"] if step.calls else []
    if step.hits:
        parts.append(f"{step.hits:,} from the journal")
    tokens = step.tokens_in + step.tokens_out
    if tokens:
        parts.append(f"{tokens:,} tokens")
    if step.cost_usd:
        parts.append(f"{step.cost_usd:.4f} USD")
    failed = sum(step.failures.values())
    if failed:
        parts.append(f"{failed:,} failed")
    return " · ".join(parts)


@contextmanager
def counting(*, quiet: bool) -> Iterator[Any]:
    """Yield a function of (done, total) that draws a bar."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("simulating"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("simulating", total=None)

        def watch(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield watch
