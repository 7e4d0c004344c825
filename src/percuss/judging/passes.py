"""A judge's passes: one loop that makes them, and one gate from passes to a label or a score."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from percuss.core.errors import ModelError, OverBudget, Refused
from percuss.core.labels import Reason
from percuss.core.ports import Model
from percuss.core.records import Reply, Request, Verdict
from percuss.engine.journal import key_of

__all__ = ["Gated", "Policy", "gate", "passes_of", "rated"]

Policy = Literal["agreement", "majority"]
MAJORITY_PASSES = 3
"""Of a majority; an odd number, so that two labels cannot draw (papers/0 Appendix G)."""
_LONGEST = 500
"""Characters of an unreadable reply that a verdict keeps."""


def passes_of(policy: str, declared: int = 2) -> int:
    """Return how many passes a judge makes under a policy.

    Args:
        policy: `agreement` or `majority`. declared: passes of a policy that does not fix their number.
    """
    return MAJORITY_PASSES if policy == "majority" else declared


async def rated(
    model: Model, request: Request, read: Callable[[Reply], dict[str, Any]], *, passes: int, **whose: Any
) -> AsyncIterator[Verdict]:
    """Yield one verdict a pass; whatever a judge replies, nothing is raised but a spent budget.

    Args:
        model: the judge; pass k is epoch k of its call, under the rater `judge:<model>#k`.
        request: what every pass is asked.
        read: turns a reply into fields of a verdict: label, score or the reason why neither.
        passes: how many.
        whose: subject, response_id and aspect of the verdicts.
    """
    for k in range(1, passes + 1):
        pass_k = {**whose, "rater": f"judge:{model.id}#{k}", "call": key_of(model, request, k)}
        try:
            reply = await model.generate(request, epoch=k)
        except OverBudget:
            raise
        except ModelError as error:
            reason = Reason.REFUSED if isinstance(error, Refused) else Reason.ERROR
            yield Verdict(**pass_k, unscored=reason.value, rationale=str(error))
            continue
        if reply.finish == "refused":
            yield Verdict(**pass_k, unscored=Reason.REFUSED.value, rationale=reply.text[:_LONGEST])
        else:
            yield Verdict(**pass_k, **read(reply))


@dataclass(frozen=True)
class Gated:
    """What the passes of one judge say together: a label or a score, or the reason why there is neither."""

    label: str | None
    unscored: str | None
    score: float | None = None


def gate(verdicts: Sequence[Verdict], *, policy: str = "agreement", passes: int = 2) -> Gated:
    """Reduce the passes of one judge on one subject to one label or score (papers/0 section 3, Appendix G).

    Args:
        verdicts: the passes' verdicts, in any order; fewer than `passes` means that some were never made.
        policy: `agreement` needs all passes readable and equal; `majority` needs more than half of `passes`.
        passes: how many passes the scoring declares.

    Returns:
        The label or score; or `conflict` where readable passes differ, or the first pass's own reason where one is
        unreadable, or `error` where passes are missing.

    >>> scores = [Verdict(subject="r", response_id="r", aspect="ca", rater=f"judge:j#{k}", score=s)
    ...           for k, s in enumerate((4, 4, 3), 1)]
    >>> gate(scores, policy="majority", passes=3).score, gate(scores, policy="agreement", passes=3).unscored
    (4.0, 'conflict')
    """
    said = [_value(verdict) for verdict in verdicts if verdict.unscored is None]
    reasons = [verdict.unscored for verdict in verdicts if verdict.unscored is not None]
    if policy == "majority":
        return _majority(said, reasons, passes)
    if reasons:
        return Gated(None, reasons[0])
    if len(said) < passes:
        return Gated(None, Reason.ERROR.value)
    return _gated(said[0]) if len(set(said)) == 1 else Gated(None, Reason.CONFLICT.value)


def _value(verdict: Verdict) -> str | float:
    return verdict.label if verdict.label is not None else float(verdict.score or 0)


def _gated(said: str | float) -> Gated:
    return Gated(said, None) if isinstance(said, str) else Gated(None, None, said)


def _majority(said: Sequence[str | float], reasons: Sequence[str], passes: int) -> Gated:
    if said:
        most, count = Counter(said).most_common(1)[0]
        if 2 * count > passes:
            return _gated(most)
        if len(set(said)) > 1:
            return Gated(None, Reason.CONFLICT.value)
    return Gated(None, reasons[0] if reasons else Reason.ERROR.value)
