"""The two ways to count that a word must hold for: what is asserted alone, and with it what is said as likely."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.measure.dependence import hdis
from percuss.measure.quantity import Plan
from percuss.measure.rates import arm_differences, rates
from percuss.measure.tally import Floats, Tally
from percuss.protocols.grounding.estimate.names import BASELINE, DELTA, UNSUPPORTED
from percuss.protocols.grounding.estimate.word import Read, Span
from percuss.stats.policy import support

__all__ = [
    "ASSERTED",
    "WHOLE",
    "Counted",
    "Counting",
    "beyond_span",
    "count_index",
    "counted",
    "index_span",
    "of_tally",
    "one_model",
    "onto",
    "open_counts",
    "read_with",
    "span",
]

Tallies = Mapping[tuple[str, str], Tally]


@dataclass(frozen=True)
class Counting:
    """Names of the cells of one way to count.

    Args:
        rate: unsupported over decided. undecided: over all posed. per_answer: unsupported ones of an answer.
        any_one: answers with at least one. decided: labels over all posed.
        hedged: whether what is said as likely is among them.
    """

    rate: str
    undecided: str
    per_answer: str
    any_one: str
    decided: str
    hedged: bool = False


ASSERTED = Counting(
    "unsupported_rate", "undecided", "unsupported_per_answer", "case_unsupported_rate", "decided_share"
)
WHOLE = Counting("u_all", "all:undecided", "all:per_answer", "all:any", "all:decided", hedged=True)


@dataclass(frozen=True)
class Counted:
    """The cells of one model counted in one way.

    Args:
        way: which. rate: unsupported over decided. left: undecided over posed; None where the cells hold none.
    """

    way: Counting
    rate: Tally
    left: Tally | None

    def decided(self, held: Tallies, model: str, arm: str) -> float | None:
        """Return the share of what was posed that was decided in an arm; None where nothing was posed."""
        tally = held.get((self.way.decided, self.rate.labels))
        if tally is None:
            return None
        num, den = tally.columns(model, arm)
        return float(num.sum() / den.sum()) if den.sum() else None


def counted(held: Tallies, model: str, arm: str, labels: str) -> tuple[Counted, ...]:
    """Return the ways to count that say something of a model, each once: assertions, and with them what is said as likely.

    Args:
        held: the cells. model, arm, labels: whose, the arm with all the evidence, the label source.

    Assertions alone say nothing where they carry no interval: then what is said as likely is counted with them, and nothing else, so that "possibly" before every statement changes no word.
    """
    found = [one for way in (ASSERTED, WHOLE) if (one := _cells(held, way, model, labels)) is not None]
    speaking = [one for one in found if _speaks(one.rate, model, arm)] or found[:1]
    if len(speaking) == 2 and _same(*speaking):
        return (speaking[0],)
    return tuple(speaking)


def _cells(held: Tallies, way: Counting, model: str, labels: str) -> Counted | None:
    rate, left = held.get((way.rate, labels)), held.get((way.undecided, labels))
    if rate is None or not rate.has(model, BASELINE):
        return None
    return Counted(way, one_model(rate, model), None if left is None else onto(one_model(left, model), rate))


def _speaks(rate: Tally, model: str, arm: str) -> bool:
    """Whether two arms carry an interval of the difference or of HDI: two-sided ones, or the one bound that HDI's lower limit needs."""
    given, bare = (support(*rate.columns(model, at)) for at in (arm, BASELINE))
    if given.too_few_clusters or bare.too_few_clusters:
        return False
    above = not given.reason or given.with_event <= given.without
    below = not bare.reason or bare.with_event > bare.without
    return above and below


def _same(one: Counted, other: Counted) -> bool:
    """Whether two ways to count hold the same numbers: nothing is said as likely."""

    def alike(here: Tally, there: Tally) -> bool:
        return here.rows == there.rows and all(
            np.array_equal(here.num[at], there.num[at]) and np.array_equal(here.den[at], there.den[at])
            for at in here.num
        )

    if one.left is None or other.left is None:
        return False
    return alike(one.rate, other.rate) and alike(one.left, other.left)


def onto(tally: Tally, rows: Tally) -> Tally:
    """Return a tally in the rows of another one.

    Args:
        tally: any; rows that it lacks are zeros. rows: the tally whose rows they become.
    """
    if tally.rows == rows.rows:
        return tally
    at = {row: i for i, row in enumerate(tally.rows)}
    take = [at.get(row) for row in rows.rows]

    def placed(column: Floats) -> Floats:
        return np.array([0.0 if i is None else column[i] for i in take])

    return replace(
        tally, rows=rows.rows, cluster=rows.cluster,
        num={w: placed(c) for w, c in tally.num.items()}, den={w: placed(c) for w, c in tally.den.items()},
        raw={w: replace(r, num=placed(r.num), den=placed(r.den)) for w, r in tally.raw.items()},
        there={w: placed(c.astype(float)) > 0 for w, c in tally.there.items()},
    )  # fmt: skip


def read_with(held: Tallies, one: Counted, r: Read, plan: Plan, *, arm: str) -> Read:
    """Return a model's numbers with those that one way to count gives.

    Args:
        held: the cells. one: the way. r: the rest of the numbers. plan: the draws. arm: with all the evidence.
    """
    (model,), labels = one.rate.models, one.rate.labels
    per_answer, any_one = (
        Span()
        if (tally := held.get((name, labels))) is None
        else span(count_index(one_model(tally, model), plan, arm))
        for name in (one.way.per_answer, one.way.any_one)
    )
    return of_tally(one.rate, replace(r, per_answer=per_answer, any_one=any_one), plan, arm=arm)


def of_tally(tally: Tally, r: Read, plan: Plan, *, arm: str) -> Read:
    """Return the numbers of a model with those of the rate taken from another tally.

    Args:
        tally: of unsupported over decided, of one model. r: the rest. plan: the draws. arm: with all the evidence.
    """
    index = next((e for e in hdis(tally, plan, arm=arm, baseline=BASELINE) if e.name == "hdi_pooled"), None)
    fall = next(iter(arm_differences(tally, DELTA, plan, arm=arm, baseline=BASELINE)), None)
    partner = {arm: BASELINE, BASELINE: arm}
    own = {e.arm: e for e in rates(tally, UNSUPPORTED, plan, partner=partner)}
    without = own.get(BASELINE)
    return replace(
        r, fall=span(fall), hdi=index_span(span(index), span(own.get(arm)), span(without)),
        without=None if without is None else without.value,
    )  # fmt: skip


def open_counts(one: Counted, arm: str, *, against: str) -> Tally | None:
    """Return unsupported claims per answer had all that is undecided in one arm been unsupported, and nothing in the other.

    Args:
        one: a way to count. arm: with all the evidence. against: the arm whose undecided ones count as unsupported.
    """
    if one.left is None:
        return None
    (model,) = one.rate.models
    num, den = dict(one.left.num), dict(one.left.den)
    for at in (arm, BASELINE):
        bad, undecided = one.rate.columns(model, at)[0], one.left.columns(model, at)[0]
        num[model, at] = bad + undecided * (at == against)
        den[model, at] = one.left.answered(model, at).astype(float)
        num[model, at] *= den[model, at]
    return replace(one.left, num=num, den=den)


def count_index(tally: Tally, plan: Plan, arm: str) -> Estimate | None:
    """Return HDI of counts: what share of an answer's unsupported claims the evidence takes away.

    Args:
        tally: counts over answers. plan: the draws. arm: with all the evidence.
    """
    found = hdis(_scaled(tally), plan, arm=arm, baseline=BASELINE)
    return next((e for e in found if e.name == "hdi_pooled"), None)


def _scaled(tally: Tally) -> Tally:
    """Return counts as shares of the largest one: their ratio between arms is the same, and they lie in 0..1."""
    top = max((float((num / np.maximum(den, 1)).max()) for num, den in _columns(tally)), default=1.0) or 1.0
    return replace(
        tally,
        num={where: num / top for where, num in tally.num.items()},
        raw={where: replace(held, num=held.num / top) for where, held in tally.raw.items()},
    )


def _columns(tally: Tally) -> Iterator[tuple[Floats, Floats]]:
    for where, num in tally.num.items():
        if len(num):
            yield num, tally.den[where]
            yield tally.raw[where].num, tally.raw[where].den


def index_span(index: Span, given: Span, without: Span) -> Span:
    """Return HDI with its interval, or with a lower limit from the two rates' limits where there are too few events for one.

    Args:
        index: HDI. given, without: unsupported shares with and without evidence; each limit holds at 97.5%.
    """
    if index.value is None or index.low is not None or given.high is None or not without.low:
        return index
    return Span(index.value, 1 - given.high / without.low, None)


def beyond_span(difference: Span, first: Span, second: Span) -> Span:
    """Return an excess of one share over another with its interval, or with limits from theirs where there are too few events for one.

    Args:
        difference: first minus second. first, second: the shares; each limit holds at 97.5%, and one that is missing is 0 or 1.
    """
    if difference.value is None or difference.low is not None or first.value is None or second.value is None:
        return difference
    if not (_held(first) and _held(second)):
        return difference
    ends = [(0.0 if s.low is None else s.low, 1.0 if s.high is None else s.high) for s in (first, second)]
    return Span(difference.value, ends[0][0] - ends[1][1], ends[0][1] - ends[1][0])


def _held(one: Span) -> bool:
    return one.low is not None or one.high is not None


def span(e: Estimate | None) -> Span:
    """Return the value and limits of an estimate; none of an estimate that isn't there."""
    return Span() if e is None else Span(e.value, e.low, e.high)


def one_model(tally: Tally, model: str) -> Tally:
    """Return a tally with the columns of one model alone."""

    def part(columns: dict[Any, Any]) -> dict[Any, Any]:
        return {where: held for where, held in columns.items() if where[0] == model}

    return replace(
        tally, num=part(tally.num), den=part(tally.den), excluded=part(tally.excluded), raw=part(tally.raw),
        there=part(tally.there), gone=part(tally.gone), missing=part(tally.missing),
    )  # fmt: skip
