"""References that come back: propagation of incorrect ones, and survival of incorrect and right ones by turn."""

from collections.abc import Mapping, Sequence

from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim
from percuss.judging.sources import Said
from percuss.protocols.citations.check import BAD, GOOD
from percuss.protocols.citations.claiming import is_code

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
    said: dict[str, set[str]] = {}
    for claim, each in entries:
        if claim.payload["n"] == 1 and each.label is not None and "identity" in claim.payload:
            said.setdefault(str(claim.payload["identity"]), set()).add(each.label)
    wrong = {identity for identity, labels in said.items() if BAD in labels}
    right = {identity for identity, labels in said.items() if labels == {GOOD}}
    there = {number: _cited(scored, number) for number in LATER}
    answered = {int(claim) for claim in _answers(scored)}
    out = {"propagation": _counts(wrong, set().union(*there.values()), any(n in answered for n in LATER))}
    for number in LATER:
        out[f"survival_incorrect_{number}"] = _counts(wrong, there[number], number in answered)
        out[f"survival_correct_{number}"] = _counts(right, there[number], number in answered)
    return out


def _answers(scored: ScoredResponse) -> range:
    return range(1, sum(turn.role == "assistant" for turn in scored.response.turns) + 1)


def _cited(scored: ScoredResponse, number: int) -> set[str]:
    return {
        str(claim.payload["identity"])
        for claim in scored.claims
        if not is_code(claim) and claim.payload["n"] == number and "identity" in claim.payload
    }


def _counts(first: set[str], later: set[str], asked: bool) -> tuple[float, float, Mapping[str, int]]:
    return (float(len(first & later)), float(len(first)), {}) if asked else (0.0, 0.0, {})
