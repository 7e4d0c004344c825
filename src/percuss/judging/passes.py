"""From passes to one label: the agreement gate and the majority of three."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from percuss.core.labels import Reason
from percuss.core.records import Verdict

__all__ = ["Gated", "gate"]

Policy = Literal["agreement", "majority"]


@dataclass(frozen=True)
class Gated:
    """What the passes of one judge say together: a label, or the reason why there is none."""

    label: str | None
    unscored: str | None


def gate(verdicts: Sequence[Verdict], *, policy: Policy = "agreement", passes: int = 2) -> Gated:
    """Reduce the passes of one judge on one subject to one label (papers/0 section 3, Appendix G).

    Args:
        verdicts: the passes' verdicts, in any order; fewer than `passes` means that some were never made.
        policy: `agreement` needs all passes readable and equal; `majority` needs more than half of `passes`.
        passes: how many passes the scoring declares.

    Returns:
        The label; or `conflict` where readable passes differ, or the first pass's own reason where one is unreadable,
        or `error` where passes are missing.
    """
    labels = [verdict.label for verdict in verdicts if verdict.label is not None]
    reasons = [verdict.unscored for verdict in verdicts if verdict.unscored is not None]
    if policy == "majority":
        return _majority(labels, reasons, passes)
    if reasons:
        return Gated(None, reasons[0])
    if len(labels) < passes:
        return Gated(None, Reason.ERROR.value)
    return Gated(labels[0], None) if len(set(labels)) == 1 else Gated(None, Reason.CONFLICT.value)


def _majority(labels: list[str], reasons: list[str], passes: int) -> Gated:
    if labels:
        label, count = Counter(labels).most_common(1)[0]
        if 2 * count > passes:
            return Gated(label, None)
        if len(set(labels)) > 1:
            return Gated(None, Reason.CONFLICT.value)
    return Gated(None, reasons[0] if reasons else Reason.ERROR.value)
