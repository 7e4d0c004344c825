"""Would a word hold, whatever the missing answers had said? By definitions/grounding.md, version 2, "Which answers are compared"."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.names import BASELINE

__all__ = ["survives"]

Where = tuple[str, str]
LOWEST, HIGHEST = 0, 1


def survives(tally: Tally, arm: str, holds: Callable[[Tally], bool]) -> bool:
    """Say whether what holds of a model's rates holds at both bounds over its missing answers.

    Args:
        tally: unsupported over decided, of one model. arm: with all the evidence. holds: whether it holds of a tally.

    Each missing answer takes the worst or the best case-level rate seen in its arm and its arm's mean number of assertions, the arms
    against each other.
    """
    (model,) = tally.models
    whole = _with_lost_cases(tally, model, arm)
    ends = ((HIGHEST, LOWEST), (LOWEST, HIGHEST))
    return all(
        holds(_filled(_filled(whole, (model, arm), given), (model, BASELINE), bare)) for given, bare in ends
    )


def _with_lost_cases(tally: Tally, model: str, arm: str) -> Tally:
    """Return a tally with rows for the cases that have no answer in either arm."""
    known = set(tally.rows)
    lost = tuple(
        dict.fromkeys(
            case for at in (arm, BASELINE) for case in tally.gone.get((model, at), {}) if case not in known
        )
    )
    more = np.zeros(len(lost))
    return replace(
        tally, rows=(*tally.rows, *lost), cluster=(*tally.cluster, *lost),
        num={w: np.concatenate([c, more]) for w, c in tally.num.items()},
        den={w: np.concatenate([c, more]) for w, c in tally.den.items()},
        raw={w: replace(r, num=np.concatenate([r.num, more]), den=np.concatenate([r.den, more])) for w, r in tally.raw.items()},
        there={w: np.concatenate([c, more > 0]) for w, c in tally.there.items()},
    )  # fmt: skip


def _filled(tally: Tally, where: Where, end: int) -> Tally:
    """Return a tally in which the missing answers of an arm have the lowest or the highest rate that a case of it has."""
    num, den = tally.columns(*where)
    spoken = den > 0
    gone = tally.gone.get(where, {})
    lost = np.array([case in gone for case in tally.rows], dtype=np.bool_)
    if not spoken.any() or not lost.any():
        return tally
    rates = num[spoken] / den[spoken]
    size, rate = float(den[spoken].mean()), float(rates.max() if end == HIGHEST else rates.min())
    return replace(
        tally,
        num={**tally.num, where: np.where(lost, rate * size, num)},
        den={**tally.den, where: np.where(lost, size, den)},
        there={**tally.there, where: tally.there[where] | lost},
        gone={**tally.gone, where: {}},
    )
