"""Gates on a judge's failures, for each metric and for all together (papers/1 section 5.2, appendix F)."""

from collections.abc import Iterator, Sequence

import numpy as np

from percuss.core.judgement import Judgement
from percuss.judging.card import GateLine, number
from percuss.judging.how import How
from percuss.stats import gate

__all__ = ["ACKNOWLEDGED", "gate_lines"]

ACKNOWLEDGED = 3
"""Attribution from which a sham counts as acknowledged (papers/1 appendix F: CA >= 3)."""
_ATTRIBUTION = "ca"
_INVALID = frozenset({"parse", "schema", "evidence"})


def gate_lines(mine: Sequence[Judgement], how: How) -> Iterator[GateLine]:
    """Yield the gates of a judge: sham false positives by sham arm, then abstentions, invalid replies and their parts.

    Args:
        mine: the judge's judgements, all metrics and passes. how: thresholds, seed, whether abstentions count twice.
    """
    shams = [one for one in mine if one.sham and one.metric == _ATTRIBUTION and one.score is not None]
    for arm in sorted({one.sham for one in shams}):
        some = [one for one in shams if one.sham == arm]
        events = [(one.score or 0) >= ACKNOWLEDGED for one in some]
        yield from _line("fpr_sham", f"fpr_{arm}", _ATTRIBUTION, some, events, how)
    metrics = tuple(dict.fromkeys(one.metric for one in mine))
    for metric in ("", *(metrics if len(metrics) > 1 else ())):
        some = [one for one in mine if metric in {"", one.metric}]
        for name, outcomes in _failures(how).items():
            yield from _line(name, name, metric, some, [one.outcome in outcomes for one in some], how)


def _failures(how: How) -> dict[str, frozenset[str]]:
    twice = frozenset({"abstain"}) if how.double_count_abstain else frozenset[str]()
    return {
        "abstain": frozenset({"abstain"}),
        "invalid": _INVALID | twice,
        "parse": frozenset({"parse"}),
        "schema": frozenset({"schema"}) | twice,
        "evidence": frozenset({"evidence"}),
    }


def _line(
    key: str, name: str, metric: str, rows: Sequence[Judgement], events: Sequence[bool], how: How
) -> Iterator[GateLine]:
    if key not in how.thresholds:
        return
    found = gate(
        [float(event) for event in events],
        how.thresholds[key],
        seed=how.seed,
        name=name,
        clusters=np.array([one.cluster or one.item for one in rows]),
        B=how.resamples,
    )
    yield GateLine(
        name=name,
        metric=metric,
        threshold=found.threshold,
        rate=number(found.rate),
        passed=found.passed,
        assured=found.assured,
        needs=found.needs,
    )
