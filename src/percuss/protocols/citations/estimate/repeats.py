"""References that come back: propagation of incorrect ones, and survival of incorrect and right ones by turn.

A reference is the same by identifier, or by title and year (`references.identity`): a DOI in the first turn and the title alone
in the second are one.
"""

from collections.abc import Mapping, Sequence

import msgspec

from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim
from percuss.judging.sources import Said
from percuss.protocols.citations.check import BAD, GOOD
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.references.identity import same_reference
from percuss.protocols.citations.references.record import Reference

__all__ = ["repeated"]

LATER = (2, 3)


def repeated(
    scored: ScoredResponse, entries: Sequence[tuple[Claim, Said]]
) -> Mapping[str, tuple[float, float, Mapping[str, int]]]:
    """Return name -> counts of a conversation's first-turn references that stand in later turns.

    Args:
        scored: its claims, also those that were not sampled: a reference comes back wherever it is cited again.
        entries: judged claims with what a source says of them.

    A reference of the first turn is incorrect with one hallucinated claim among its judged ones, and right where all of
    them are supported (definitions/citations, "Propagation").
    """
    first: list[tuple[Reference, set[str]]] = []
    for claim, each in entries:
        if claim.payload["n"] == 1 and each.label is not None and "reference" in claim.payload:
            cited = _reference(claim)
            held = next((labels for other, labels in first if same_reference(cited, other)), None)
            if held is None:
                first.append((cited, {each.label}))
            else:
                held.add(each.label)
    wrong = [cited for cited, labels in first if BAD in labels]
    right = [cited for cited, labels in first if labels == {GOOD}]
    there = {number: _cited(scored, number) for number in LATER}
    answered = _answers(scored)
    anywhere = [cited for number in LATER for cited in there[number]]
    out = {"propagation": _counts(wrong, anywhere, any(n in answered for n in LATER))}
    for number in LATER:
        out[f"survival_incorrect_{number}"] = _counts(wrong, there[number], number in answered)
        out[f"survival_correct_{number}"] = _counts(right, there[number], number in answered)
    return out


def _answers(scored: ScoredResponse) -> range:
    return range(1, sum(turn.role == "assistant" for turn in scored.response.turns) + 1)


def _cited(scored: ScoredResponse, number: int) -> list[Reference]:
    return [
        _reference(claim)
        for claim in scored.claims
        if not is_code(claim) and claim.payload["n"] == number and "reference" in claim.payload
    ]


def _reference(claim: Claim) -> Reference:
    return msgspec.convert(claim.payload["reference"], Reference)


def _counts(
    first: Sequence[Reference], later: Sequence[Reference], asked: bool
) -> tuple[float, float, Mapping[str, int]]:
    if not asked:
        return 0.0, 0.0, {}
    back = sum(any(same_reference(cited, other) for other in later) for cited in first)
    return float(back), float(len(first)), {}
