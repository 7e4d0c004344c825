"""One walk over all answers, for every section that reads them: a large run is read once, not once a section."""

import typing
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case
from percuss.judging.extract import is_truncated

__all__ = ["Entry", "Steps", "by_case"]


class Entry(typing.Protocol):
    """One claim under one label source: a label, or the reason why it is left out."""

    @property
    def label(self) -> str | None: ...
    @property
    def reason(self) -> str | None: ...


def by_case(run: RunView) -> Iterator[tuple[Case, list[ScoredResponse]]]:
    """Walk all models through the cases in step, so that no more than one case is held.

    Args:
        run: answers of every status come, in the order model, arm, epoch.
    """
    walks = [groupby(run.assessed(model=m), key=lambda a: a.case.id) for m in run.models]
    heads = [next(walk, None) for walk in walks]
    for case in run.cases():
        found: list[ScoredResponse] = []
        for at, head in enumerate(heads):
            if head is not None and head[0] == case.id:
                found.extend(head[1])
                heads[at] = next(walks[at], None)
        if found:
            yield case, found


class Steps:
    """Answers asked, answered and usable; claims made, checked and scored: per model and arm, with what left and why.

    A key of a counter is (step, reason why it went no further), the reason "" for all that came so far.
    """

    def __init__(self) -> None:
        self._by: dict[tuple[str, str], Counter[tuple[str, str]]] = {}

    def add(self, scored: ScoredResponse, entries: Sequence[Entry], lost: str | None) -> None:
        """Count one answer and its claims.

        Args:
            scored: an answer of any status. entries: the headline's, one a claim. lost: why the answer cannot be used.
        """
        response = scored.response
        held = self._by.setdefault((response.model, response.arm), Counter())
        if response.status == "not_applicable":
            held["posed", response.reason or "not_applicable"] += 1
            return
        held["asked", ""] += 1
        if response.status != "done":
            held["asked", response.reason or "failed"] += 1
            return
        held["answered", ""] += 1
        held["cut", ""] += response.finish == "length"
        held["answered" if lost else "usable", lost or ""] += 1
        if lost and not scored.left_out:
            held["unreadable", lost] += 1
        for claim, entry in zip(scored.claims, entries, strict=False):
            held["made", ""] += 1
            early = bool(scored.left_out) or is_truncated(claim)
            if entry.label is not None:
                held["scored", ""] += 1
            else:
                held["made" if early else "checked", entry.reason or "error"] += 1
            held["checked", ""] += not early

    def of(self, models: Sequence[str], arms: Sequence[str] | None = None) -> Counter[tuple[str, str]]:
        """Return the counts over some models and arms; None takes every arm."""
        total: Counter[tuple[str, str]] = Counter()
        for (model, arm), held in self._by.items():
            if model in models and (arms is None or arm in arms):
                total.update(held)
        return total

    def arms(self, models: Sequence[str]) -> tuple[str, ...]:
        """Return the arms in which these models were asked."""
        return tuple(dict.fromkeys(arm for model, arm in self._by if model in models))
