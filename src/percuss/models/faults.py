"""Faults that the loopback server makes on purpose: at planted rates or by script, drawn by content and attempt."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, get_args

from percuss.core.errors import UsageError
from percuss.core.seeds import derive

__all__ = ["KINDS", "Fault", "Faults"]

Fault = Literal[
    "rate_limit",  # 429 with Retry-After
    "server_error",  # 500
    "timeout",  # no answer
    "reset",  # the connection is torn down before the answer
    "broken_off",  # .. in the middle of it
    "malformed",  # 200 with half a JSON
    "empty",  # 200 with no text
    "truncation",  # half of the text, finish reason `length`
    "refusal",  # the refusal field
    "content_filter",  # finish reason `content_filter`
    "bad_request",  # 400
]
KINDS: tuple[Fault, ...] = get_args(Fault)


class Faults:
    """Decides what goes wrong with a request.

    Args:
        rates: kind -> share of attempts, 0 .. 1 in sum; drawn by content key and attempt, so that order of arrival
            changes nothing.
        script: kinds for the first requests in order of arrival, None where all is well; the rates follow.
        seed: of the draws.
        always: whether a drawn terminal fault (refusal, filter, bad request) stays with its content, as a real
            filter's does, in place of being drawn again at the next attempt.

    Raises:
        UsageError: an unknown kind, or rates that are none.
    """

    def __init__(
        self,
        rates: Mapping[str, float] | None = None,
        *,
        script: Iterable[Fault | None] = (),
        seed: int = 0,
        always: bool = True,
    ) -> None:
        self._rates = dict(rates or {})
        self._script: Iterator[Fault | None] = iter(script)
        self._seed = seed
        self._always = always
        unknown = sorted(set(self._rates) - set(KINDS))
        if unknown:
            raise UsageError(f"got the fault {unknown[0]!r}; expected one of {', '.join(KINDS)}")
        if any(rate < 0 for rate in self._rates.values()) or sum(self._rates.values()) > 1 + 1e-9:
            raise UsageError(f"got the fault rates {self._rates}; expected shares that add up to at most 1")

    def draw(self, key: str, attempt: int) -> Fault | None:
        """Return what goes wrong with the request of a content key at its attempt (1 = first), or None."""
        for fault in self._script:
            return fault
        first = self._at(key, 1)
        if self._always and first in ("refusal", "content_filter", "bad_request"):
            return first
        return self._at(key, attempt)

    def _at(self, key: str, attempt: int) -> Fault | None:
        point = derive(self._seed, "fault", key, attempt) / 0x8000_0000
        for kind in KINDS:
            point -= self._rates.get(kind, 0.0)
            if point < 0:
                return kind
        return None
