"""How far a stage is: one small record after each step, for whoever shows it."""

import sys
import time
from collections import Counter
from collections.abc import Callable

from percuss.core.records import Record
from percuss.store.calls import Call

__all__ = ["EVERY_S", "Lines", "Progress", "Tally", "Watcher", "words_of"]

EVERY_S = 10.0
"""Between two lines of progress in a log."""
_WORDS = {"ask": "asking", "check": "checking", "estimate": "estimating", "work": "working"}


class Progress(Record):
    """How far a stage is.

    Args:
        stage: ask, check or estimate.
        done, total: responses (ask, check) so far and in all; work of earlier starts, and poses that turn out not to
            apply, are not among them.
        calls: made in this start; hits: answered by the journal, the cache or a call under way.
        tokens_in, tokens_out, cost_usd: of the calls made in this start.
        failures: reason -> count of responses that ended without a value.
        elapsed_s: since the stage began.
    """

    stage: str
    done: int
    total: int
    calls: int = 0
    hits: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    failures: dict[str, int] = {}
    elapsed_s: float = 0.0


Watcher = Callable[[Progress], None]
"""Is told of every step; it must be quick, for it runs between calls."""


class Tally:
    """Counts a stage's steps and tells a watcher."""

    def __init__(self, stage: str, total: int, watcher: Watcher | None) -> None:
        self._stage = stage
        self._total = total
        self._watcher = watcher
        self._started = time.monotonic()
        self._done = 0
        self._calls = 0
        self._hits = 0
        self._tokens_in = 0
        self._tokens_out = 0
        self._cost_usd = 0.0
        self._failures: Counter[str] = Counter()

    def call(self, call: Call, hit: bool) -> None:
        """Count a call."""
        if hit:
            self._hits += 1
            return
        self._calls += 1
        self._tokens_in += call.tokens_in
        self._tokens_out += call.tokens_out
        self._cost_usd += call.cost_usd
        self._tell()

    def step(self, failure: str | None = None) -> None:
        """Count a response as done, with the reason where it ended without a value."""
        self._done += 1
        if failure is not None:
            self._failures[failure] += 1
        self._tell()

    def skip(self) -> None:
        """Take one off the total: a pose that does not apply is no work, and no failure."""
        self._total -= 1
        self._tell()

    def progress(self) -> Progress:
        """Return how far the stage is."""
        return Progress(
            stage=self._stage,
            done=self._done,
            total=self._total,
            calls=self._calls,
            hits=self._hits,
            tokens_in=self._tokens_in,
            tokens_out=self._tokens_out,
            cost_usd=self._cost_usd,
            failures=dict(self._failures),
            elapsed_s=time.monotonic() - self._started,
        )

    def _tell(self) -> None:
        if self._watcher is not None:
            self._watcher(self.progress())


def words_of(step: Progress, *, stage: bool = True) -> str:
    """Return a step in words: `asking: 3 of 10 (12 calls · 1 failed)`.

    Args:
        step: how far a stage is. stage: False gives only what stands in the brackets.
    """
    parts = [f"{step.calls:,} calls"] if step.calls else []
    if step.hits:
        parts.append(f"{step.hits:,} answered before")
    tokens = step.tokens_in + step.tokens_out
    if tokens:
        parts.append(f"{tokens:,} tokens")
    if step.cost_usd:
        parts.append(f"{step.cost_usd:.4f} USD")
    failed = sum(step.failures.values())
    if failed:
        parts.append(f"{failed:,} failed")
    words = " · ".join(parts)
    if not stage:
        return words
    what = _WORDS.get(step.stage, step.stage)
    return f"{what}: {step.done:,} of {step.total:,}{f' ({words})' if words else ''}"


class Lines:
    """A watcher for logs: one line on standard error every `EVERY_S` seconds, and none of a stage that was quicker.

    Args:
        clock: seconds, of any origin. write: where lines go.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, write: Callable[[str], object] | None = None
    ) -> None:
        self._clock = clock
        self._write = write or (lambda line: print(line, file=sys.stderr, flush=True))
        self._last = clock()

    def __call__(self, step: Progress) -> None:
        """Hear of a step."""
        if self._clock() - self._last < EVERY_S:
            return
        self._last = self._clock()
        self._write(words_of(step))
