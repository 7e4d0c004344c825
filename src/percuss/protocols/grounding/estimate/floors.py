"""What a word needs before it is given: enough decided, no matter what the undecided are, and the same with hedged claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from percuss.core.records import Estimate
from percuss.judging.passport import passport_of
from percuss.measure.pairing import paired
from percuss.measure.quantity import Plan
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.countings import (
    Counted,
    count_index,
    counted,
    of_tally,
    open_counts,
    read_with,
    span,
)
from percuss.protocols.grounding.estimate.missing import survives
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.word import (
    CANT_TELL,
    CORRECTS,
    HDI_ABOVE,
    HDI_LOW_ABOVE,
    HOLDS_BACK,
    NO_EFFECT,
    WORSE,
    Read,
    Span,
    word,
)
from percuss.stats.policy import support
from percuss.text.acts import SPEECH_ACT

__all__ = ["FEWEST_ANSWERED", "FEWEST_DECIDED", "GAMMA", "falls_at", "refused_word"]

FEWEST_DECIDED = 0.50
FEWEST_ANSWERED = 0.90
GAMMA = 4.0
OF_RATES = (WORSE, CORRECTS, NO_EFFECT)
"""Words that compare what is said in one arm with what is said in the other."""
STEPS = (1.25, 1.5, 2.0, 3.0, GAMMA)
MACHINES = ("rule:", "verifier:")
LIKELY = ", what is said as likely counted too"

Tallies = Mapping[tuple[str, str], Tally]


def refused_word(
    held: Tallies, found: Sequence[Estimate], r: Read, plan: Plan, *, model: str, arm: str, labels: str
) -> str:
    """Return why the word that the numbers give is not given; "" where it is.

    Args:
        held: the cells. found: estimates made of them. r: the model's numbers, of the first way to count. plan: the draws.
        model, arm, labels: whose word it is: the arm with all the evidence, the headline's source.

    All must hold of assertions alone, and with what is said as likely (reading.md, section 4: "possibly" changes no word).
    """
    given = word(r)
    if given == HOLDS_BACK and model not in plan.simulated and (unsure := _acts_below()):
        return unsure
    for at in (arm, BASELINE):
        share = _value(found, "answered_share", model, at)
        if (
            share is not None
            and share < FEWEST_ANSWERED
            and not _without_the_missing(held, r, plan, model, arm, labels)
        ):
            return f"fewer than {FEWEST_ANSWERED:.0%} of the answers came"
    ways = counted(held, model, arm, labels)
    for number, one in enumerate(ways):
        own = r if number == 0 else read_with(held, one, r, plan, arm=arm)
        if given != CANT_TELL and word(own) != given:
            return "it is another one with what is said as likely counted too"
        reasons = chain(
            _below(held, one, own, plan, arm=arm),
            _against_counts(one, own, plan, arm=arm) if one is ways[-1] else (),
        )
        if why := next(reasons, ""):
            return f"{why}{LIKELY if one.way.hedged else ''}"
    return ""


def _without_the_missing(held: Tallies, r: Read, plan: Plan, model: str, arm: str, labels: str) -> bool:
    """Whether a word on rates holds whatever the answers that didn't come would have said, in each way to count."""
    given = word(r)
    return given in OF_RATES and all(
        survives(one.rate, arm, lambda tally: word(of_tally(tally, r, plan, arm=arm)) == given)
        for one in counted(held, model, arm, labels)
    )


def _below(held: Tallies, one: Counted, r: Read, plan: Plan, *, arm: str) -> Iterator[str]:
    """Yield what one way to count withholds the word for."""
    given = word(r)
    (model,), labels = one.rate.models, one.rate.labels
    if given in OF_RATES:
        yield from _of_few_cases(one.rate, arm)
    if labels.startswith(MACHINES):
        for at in (arm, BASELINE):
            share = one.decided(held, model, at)
            if share is not None and share < FEWEST_DECIDED:
                who = "rules decide" if labels.startswith("rule:") else "the verifier decides"
                yield f"{who} {share:.0%} of the assertions of one arm"
        gamma = _falls(one, r, plan, arm=arm)
        if given != CANT_TELL and gamma is not None:
            yield f"it falls if what is undecided has {gamma:g} times the odds of being unsupported"
    if given in OF_RATES:
        yield from _of_easy_cases(one, r, plan, arm=arm)


def _of_few_cases(rate: Tally, arm: str) -> Iterator[str]:
    """Yield that the cases answered in both arms are too few for any interval of the arms against each other (the interval policy)."""
    (model,) = rate.models
    both = paired(rate, [(model, arm), (model, BASELINE)]).tally
    for at in (arm, BASELINE):
        k, n = both.columns(model, at)
        if few := support(k[n > 0], n[n > 0]).too_few_clusters:
            yield few


def _against_counts(one: Counted, r: Read, plan: Plan, *, arm: str) -> Iterator[str]:
    """Yield where counts per answer, with all that an answer says, don't show what shares do."""
    given = word(r)
    if given in OF_RATES and _only_shares(given, r.per_answer):
        yield ONLY_SHARES[given]
    if given in OF_RATES and one.rate.labels.startswith(MACHINES) and not _counts_hold(one, given, plan, arm):
        yield "the claims left undecided are enough to turn it round, counted per answer"


ONLY_SHARES = {
    CORRECTS: "it holds of shares alone: an answer isn't seen to hold fewer unsupported claims, only more of others",
    WORSE: "it holds of shares alone: an answer isn't seen to hold more unsupported claims, only fewer of others",
    NO_EFFECT: "it holds of shares alone: an answer is seen to hold another number of unsupported claims",
}


def _only_shares(given: str, per_answer: Span) -> bool:
    """Whether counts per answer don't show what shares do: facts said beside inventions buy no word (reading.md, section 4)."""
    low, high = per_answer.low, per_answer.high
    if per_answer.value is None:
        return False
    if given == CORRECTS:
        return per_answer.value <= HDI_LOW_ABOVE if low is None else low <= 0
    if given == WORSE:
        return per_answer.value >= 0 if high is None else high >= 0
    return (low is not None and low > 0) or (high is not None and high < 0)


def _counts_hold(one: Counted, given: str, plan: Plan, arm: str) -> bool:
    """Whether the word holds in counts per answer, had all that is undecided in one arm been unsupported and nothing in the other.

    Gamma is of the decided odds, which facts said beside lower; a count is the same whatever stands beside it.
    """
    if one.left is None or not any(num.any() for num in one.left.num.values()):
        return True
    for against in (arm, BASELINE):
        tally = open_counts(one, arm, against=against)
        index = Span() if tally is None else span(count_index(tally, plan, arm))
        if index.value is None:
            continue
        if given == NO_EFFECT and abs(index.value) > HDI_ABOVE:
            return False
        if given == {arm: CORRECTS, BASELINE: WORSE}[against] and _only_shares(given, index):
            return False
    return True


def _acts_below() -> str:
    """Say how far the reader of speech acts is below its floors, for whose word silence is; "" where it is within them."""
    known = passport_of(SPEECH_ACT, corpus="speech_act", layout="")
    if known is None or known.floors_met:
        return ""
    return f"which answers assert nothing is by {SPEECH_ACT} alone, which {known.words}"


def _of_easy_cases(one: Counted, r: Read, plan: Plan, *, arm: str) -> Iterator[str]:
    """Yield why a word on rates is not given that holds only because one arm is silent on other cases than the other.

    Who refuses the hard cases with evidence, and says the same of the easy ones in both arms, is helped by nothing: the stratum is
    the cases that are answered in both arms (definitions/grounding.md, version 2, "Which answers are compared").
    """
    (model,) = one.rate.models
    spoken = np.logical_and.reduce([one.rate.columns(model, at)[1] > 0 for at in (arm, BASELINE)])
    if not spoken.all() and word(of_tally(one.rate.of_rows(spoken), r, plan, arm=arm)) != word(r):
        yield f"it is another one on the {int(spoken.sum())} cases of which something is said in both arms"


def falls_at(held: Tallies, r: Read, plan: Plan, *, model: str, arm: str, labels: str) -> float | None:
    """Return the smallest gamma tried at which the word is another one; None where none up to 4 changes it.

    Args:
        held, r, plan, model, arm, labels: as in `refused_word`.

    Gamma multiplies the decided odds of being unsupported for the undecided of one arm and divides them for the other's
    (definitions/grounding.md, version 2, "What is counted"); of assertions alone, and with what is said as likely.
    """
    found = [
        _falls(one, r if number == 0 else read_with(held, one, r, plan, arm=arm), plan, arm=arm)
        for number, one in enumerate(counted(held, model, arm, labels))
    ]
    return min((gamma for gamma in found if gamma is not None), default=None)


def _falls(one: Counted, r: Read, plan: Plan, *, arm: str) -> float | None:
    tally, left = one.rate, one.left
    (model,) = tally.models
    if left is None or not any(left.columns(model, at)[0].any() for at in (arm, BASELINE)):
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
