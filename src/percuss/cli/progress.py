"""The progress bar: calls, tokens, cost and time left, on standard error, so that standard output stays clean."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from percuss.engine.progress import Lines, words_of
from percuss.engine.progress import Progress as Step

__all__ = ["counting", "watching"]

EVERY_S = 10.0
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
            bar.update(
                tasks[step.stage], completed=step.done, total=step.total, words=words_of(step, stage=False)
            )

        yield watch


@contextmanager
def counting(*, quiet: bool, words: str = "simulating") -> Iterator[Any]:
    """Yield a function of (done, total) that draws a bar, or writes a line every 10 s where standard error is no terminal.

    Args:
        quiet: write nothing (`--json`). words: what is being done.
    """
    console = Console(stderr=True)
    if quiet:
        yield None
        return
    if not console.is_terminal:
        yield _lines(console, words)
        return
    columns = (
        TextColumn(words),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(words, total=None)

        def watch(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield watch


def _lines(console: Console, words: str) -> Callable[[int, int], None]:
    last = time.monotonic()

    def watch(done: int, total: int) -> None:
        nonlocal last
        if done == total or time.monotonic() - last >= EVERY_S:
            last = time.monotonic()
            console.print(f"{words} {done} of {total}")

    return watch
