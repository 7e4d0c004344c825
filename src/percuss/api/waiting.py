"""Waiting for a run: also inside a running event loop, as in a notebook, with its progress shown there."""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from html import escape
from typing import Any, TypeVar

from percuss.engine.progress import Lines, Progress, Watcher, words_of

__all__ = ["Cell", "cell_of", "finish"]

T = TypeVar("T")
Work = Callable[[Watcher | None], Coroutine[Any, Any, T]]

EVERY_S = 0.25
"""Between two looks at how far the run is."""


class Cell:
    """Shows progress in a notebook's cell, drawn anew in its place.

    Args:
        show: takes HTML, the first time to display it, later to replace it.
    """

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._last: Progress | None = None

    def draw(self, step: Progress | None) -> None:
        """Show a step; the same one is not drawn twice.

        Args:
            step: the latest; None before the first.
        """
        if step is None or step == self._last:
            return
        self._last = step
        bar = f'<progress value="{step.done}" max="{max(step.total, 1)}"></progress>'
        self._show(f"{bar} {escape(words_of(step))}")


def cell_of(modules: Mapping[str, Any]) -> Cell | None:
    """Return the cell of the notebook that this process is the kernel of; None outside a notebook.

    Args:
        modules: those that are loaded (`sys.modules`); IPython is looked up there, and never imported.
    """
    shell = getattr(modules.get("IPython"), "get_ipython", lambda: None)()
    if type(shell).__name__ != "ZMQInteractiveShell":
        return None
    display = modules["IPython"].display
    handles: list[Any] = []

    def show(html: str) -> None:
        if handles:
            handles[0].update(display.HTML(html))
        else:
            handles.append(display.display(display.HTML(html), display_id=True))

    return Cell(show)


def finish(work: Work[T], *, progress: bool | None = None) -> T:
    """Run a coroutine to its end, also where an event loop is running already, and return its outcome.

    Args:
        work: makes the coroutine, given the watcher that hears of its steps.
        progress: True shows how far it is, in a notebook's cell or every 10 s on standard error; None in notebooks only.

    Raises:
        KeyboardInterrupt: after the run has stopped cleanly; nothing finished is lost.
    """
    cell = None if progress is False else cell_of(sys.modules)
    if cell is None and not _in_a_loop():
        return asyncio.run(work(Lines() if progress else None))
    latest: list[Progress] = []

    def watch(step: Progress) -> None:
        latest[:] = [step]

    def look() -> None:
        if cell is not None:
            cell.draw(latest[0] if latest else None)

    return _watched(work, (Lines() if progress else None) if cell is None else watch, look)


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _watched(work: Work[T], watcher: Watcher | None, look: Callable[[], object]) -> T:
    """Run the work in a thread with a loop of its own, and look at it from here, where cells may be drawn."""
    done: Future[T] = Future()
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[T]]] = []

    async def whole() -> T:
        task = asyncio.ensure_future(work(watcher))
        running.append((asyncio.get_running_loop(), task))
        return await task

    def thread() -> None:
        try:
            done.set_result(asyncio.run(whole()))
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits
            done.set_exception(error)

    threading.Thread(target=thread, name="percuss-run", daemon=True).start()
    try:
        while True:
            try:
                outcome = done.result(timeout=EVERY_S)
            except NotYet:
                if done.done():
                    raise
                look()
            else:
                look()
                return outcome
    except KeyboardInterrupt:
        for loop, task in running:
            loop.call_soon_threadsafe(task.cancel)
        done.exception(timeout=30)
        raise
