"""Numbers of assertions beside the two rates: per answer, hedged ones, availability, knowledge, echoes, answers that came."""

from collections.abc import Iterator, Mapping

import msgspec

from percuss.core.records import Estimate
from percuss.measure.pairing import partners
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.protocols.grounding.estimate.countings import count_index, one_model
from percuss.protocols.grounding.estimate.names import BASELINE, DEPTHS

__all__ = ["SHARES", "U_ALL", "said"]

Tallies = Mapping[tuple[str, str], Tally]

U_ALL = Quantity(
    "u_all",
    "unsupported, said as likely or not",
    "What share of claims does the evidence not support, those said as likely included?",
    "lower",
)
PER_ANSWER = Quantity(
    "unsupported_per_answer",
    "unsupported claims per answer",
    "How many unsupported claims does an answer hold?",
    "lower",
    "count",
)
SHARES = (
    Quantity("general_share", "general knowledge", "What share of sentences is knowledge or advice?"),
    Quantity(
        "echo_share", "the question said again", "What share of sentences does the question hold already?"
    ),
    Quantity(
        "hedged_share", "said as likely", "What share of sentences says a specific as likely or possible?"
    ),
    Quantity("repeated_share", "said again", "What share of sentences did the answer say before?"),
    Quantity(
        "misread_availability",
        "data misread",
        "Of sentences on what data there are, what share says present what was not shown, or absent what was?",
        "lower",
    ),
    Quantity("no_assertion", "says nothing of the case", "What share of answers holds no assertion?"),
    Quantity("cut_share", "cut at the limit of tokens", "What share of answers was cut?", "lower"),
    Quantity(
        "answered_clean",
        "answered and free of unsupported claims",
        "What share of cases has a whole answer without an unsupported claim?",
        "higher",
    ),
)
PER_ANSWER_WORDS = (
    "HDI, claims per answer",
    "What share of an answer's unsupported claims does the evidence take away, however many claims it makes?",
)
ANY_WORDS = (
    "HDI, answers with any",
    "What share of answers with an unsupported claim does the evidence take away?",
)


def said(held: Tallies, plan: Plan, arm: str | None) -> Iterator[Estimate]:
    """Yield what stands beside the rates where assertions alone are counted; nothing for a run that replicates the paper.

    Args:
        held: the cells. plan: the draws. arm: the arm with all the evidence; None: it was not asked.
    """
    deepest = (*(() if arm is None else (arm,)), *DEPTHS)
    for (name, _), tally in held.items():
        partner = partners(tally.arms, deepest, BASELINE)  # what stands beside u rests on the same cases
        if name == U_ALL.name:
            yield from rates(tally, U_ALL, plan, partner=partner)
        elif name == PER_ANSWER.name:
            yield from rates(tally, PER_ANSWER, plan, proportion=False, partner=partner)
            yield from _index(tally, plan, arm, "hdi_per_answer", PER_ANSWER_WORDS)
        elif name == "case_unsupported_rate" and _is_spoken(held):
            yield from _index(tally, plan, arm, "hdi_any", ANY_WORDS)
        for quantity in SHARES:
            if name == quantity.source:
                yield from rates(tally, quantity, plan)


def _is_spoken(held: Tallies) -> bool:
    return any(name == PER_ANSWER.name for name, _ in held)


def _index(
    tally: Tally, plan: Plan, arm: str | None, name: str, words: tuple[str, str]
) -> Iterator[Estimate]:
    if arm is None:
        return
    for model in tally.models:
        found = count_index(one_model(tally, model), plan, arm)
        if found is not None:
            yield msgspec.structs.replace(found, name=name, label=words[0], question=words[1])
