"""What a word needs before it is given: enough decided, no matter what the undecided are, and the same with hedged claims."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from percuss.core.records import Estimate
from percuss.judging.passport import passport_of
from percuss.measure.dependence import hdis
from percuss.measure.quantity import Plan
from percuss.measure.rates import arm_differences, rates
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.names import BASELINE, DELTA, UNSUPPORTED
from percuss.protocols.grounding.estimate.word import (
    CANT_TELL,
    CORRECTS,
    HDI_LOW_ABOVE,
    HOLDS_BACK,
    NO_EFFECT,
    WORSE,
    Read,
    Span,
    word,
)
from percuss.text.acts import SPEECH_ACT

__all__ = [
    "FEWEST_ANSWERED",
    "FEWEST_DECIDED",
    "GAMMA",
    "falls_at",
    "index_span",
    "of_tally",
    "one_model",
    "refused_word",
    "span",
]

FEWEST_DECIDED = 0.50
FEWEST_ANSWERED = 0.90
GAMMA = 4.0
OF_RATES = (WORSE, CORRECTS, NO_EFFECT)
"""Words that compare what is said in one arm with what is said in the other."""
STEPS = (1.25, 1.5, 2.0, 3.0, GAMMA)

Tallies = Mapping[tuple[str, str], Tally]


def refused_word(
    held: Tallies, found: Sequence[Estimate], r: Read, plan: Plan, *, model: str, arm: str, labels: str
) -> str:
    """Return why the word that the numbers give is not given; "" where it is.

    Args:
        held: the cells. found: estimates made of them. r: the model's numbers. plan: the draws.
        model, arm, labels: whose word it is: the arm with all the evidence, the headline's source.
    """
    given = word(r)
    if given == HOLDS_BACK and model not in plan.simulated and (unsure := _acts_below()):
        return unsure
    for at in (arm, BASELINE):
        share = _value(found, "answered_share", model, at)
        if share is not None and share < FEWEST_ANSWERED:
            return f"fewer than {FEWEST_ANSWERED:.0%} of the answers came"
    if labels.startswith(("rule:", "verifier:")):
        for at in (arm, BASELINE):
            share = _value(found, "decided_share", model, at, labels)
            if share is not None and share < FEWEST_DECIDED:
                who = "rules decide" if labels.startswith("rule:") else "the verifier decides"
                return f"{who} {share:.0%} of the assertions of one arm"
        gamma = falls_at(held, r, plan, model=model, arm=arm, labels=labels)
        if given != CANT_TELL and gamma is not None:
            return f"it falls if what is undecided has {gamma:g} times the odds of being unsupported"
    if given == CORRECTS and _only_diluted(r.per_answer):
        return "it holds of shares alone: an answer isn't seen to hold fewer unsupported claims, only more of others"
    both = held.get(("u_all", labels))
    if given != CANT_TELL and both is not None:
        own = _of_one(both, model)
        if own is not None and word(of_tally(own, r, plan, arm=arm)) != given:
            return "it is another one with what is said as likely counted too"
    return _of_easy_cases(held, r, plan, model=model, arm=arm, labels=labels)


def _only_diluted(per_answer: Span) -> bool:
    """Whether an answer isn't seen to hold fewer unsupported claims: facts of the packet said beside them buy no word (reading.md, section 4)."""
    if per_answer.value is None:
        return False
    return per_answer.value <= HDI_LOW_ABOVE if per_answer.low is None else per_answer.low <= 0


def _acts_below() -> str:
    """Say how far the reader of speech acts is below its floors, for whose word silence is; "" where it is within them."""
    known = passport_of(SPEECH_ACT, corpus="speech_act", layout="")
    if known is None or known.floors_met:
        return ""
    return f"which answers assert nothing is by {SPEECH_ACT} alone, which {known.words}"


def _of_easy_cases(held: Tallies, r: Read, plan: Plan, *, model: str, arm: str, labels: str) -> str:
    """Return why a word on rates is not given that holds only because one arm is silent on other cases than the other; "" where it is.

    Who refuses the hard cases with evidence, and says the same of the easy ones in both arms, is helped by nothing: the stratum is
    the cases that are answered in both arms (definitions/grounding.md, version 2, "Which answers are compared").
    """
    given, tally = word(r), held.get(("unsupported_rate", labels))
    own = None if tally is None or given not in OF_RATES else _of_one(tally, model)
    if own is None:
        return ""
    spoken = np.logical_and.reduce([own.columns(model, at)[1] > 0 for at in (arm, BASELINE)])
    if spoken.all() or word(of_tally(own.of_rows(spoken), r, plan, arm=arm)) == given:
        return ""
    return f"it is another one on the {int(spoken.sum())} cases of which something is said in both arms"


def falls_at(held: Tallies, r: Read, plan: Plan, *, model: str, arm: str, labels: str) -> float | None:
    """Return the smallest gamma tried at which the word is another one; None where none up to 4 changes it.

    Args:
        held, r, plan, model, arm, labels: as in `refused_word`.

    Gamma multiplies the decided odds of being unsupported for the undecided of one arm and divides them for the other's
    (definitions/grounding.md, version 2, "What is counted").
    """
    tally, left = held.get(("unsupported_rate", labels)), held.get(("undecided", labels))
    if tally is None or left is None or tally.rows != left.rows:
        return None
    tally, left = _of_one(tally, model) or tally, _of_one(left, model) or left
    if not any(left.columns(model, at)[0].any() for at in (arm, BASELINE)):
        return None
    given = word(r)

    def changes(gamma: float) -> bool:
        return any(
            word(of_tally(_as_if(tally, left, odds), r, plan, arm=arm)) != given
            for odds in (
                {(model, arm): gamma, (model, BASELINE): 1 / gamma},
                {(model, arm): 1 / gamma, (model, BASELINE): gamma},
            )
        )

    if not changes(GAMMA):
        return None
    return next((gamma for gamma in STEPS if changes(gamma)), GAMMA)


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


def index_span(index: Span, given: Span, without: Span) -> Span:
    """Return HDI with its interval, or with a lower limit from the two rates' limits where there are too few events for one.

    Args:
        index: HDI. given, without: unsupported shares with and without evidence; each limit holds at 97.5%.
    """
    if index.value is None or index.low is not None or given.high is None or not without.low:
        return index
    return Span(index.value, 1 - given.high / without.low, None)


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


def _of_one(tally: Tally, model: str) -> Tally | None:
    return one_model(tally, model) if tally.has(model, BASELINE) else None


def _as_if(tally: Tally, left: Tally, gammas: Mapping[tuple[str, str], float]) -> Tally:
    """Return a tally in which the undecided count, unsupported at gamma times the decided odds of their arm."""
    num, den = dict(tally.num), dict(tally.den)
    for where, gamma in gammas.items():
        bad, n = tally.columns(*where)
        undecided, _ = left.columns(*where)
        odds = gamma * (bad.sum() + 0.5) / (n.sum() - bad.sum() + 0.5)
        num[where], den[where] = bad + undecided * odds / (1 + odds), n + undecided
    there = {where: np.asarray(den[where] > 0) | held for where, held in tally.there.items()}
    return replace(tally, num=num, den=den, there=there)


def _value(
    found: Sequence[Estimate], name: str, model: str, arm: str, labels: str | None = None
) -> float | None:
    for e in found:
        if (e.name, e.model, e.arm, e.stratum) == (name, model, arm, None) and labels in {None, e.labels}:
            return e.value
    return None
