"""References that come back: propagation of incorrect ones, and survival of incorrect and right ones by turn.

A reference is the same by identifier, or by title and year (`references.identity`): a DOI in the first turn and the title alone
in the second are one. It comes back where it is cited, and where a later turn's text holds it in any other way: an entry of a list
that no sentence cites names its identifier or its title.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

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
FEWEST = 4
"""Words of a title from which on it stands for its work in a text (ours): shorter ones are ordinary words."""


class _Turn(NamedTuple):
    """What one turn cites, and its words."""

    cited: Sequence[Reference]
    text: str

    def holds(self, one: Reference) -> bool:
        """Tell whether a reference is cited here, or named by its identifier or its title."""
        if any(same_reference(one, other) for other in self.cited):
            return True
        names = [value.lower() for value in one.ids.values()]
        title = _plain(one.title)
        if len(title.split()) >= FEWEST:
            names.append(title)
        return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w/-])", self.text) for name in names if name)


def repeated(
    scored: ScoredResponse, entries: Sequence[tuple[Claim, Said]]
) -> Mapping[str, tuple[float, float, Mapping[str, int]]]:
    """Return name -> counts of a conversation's first-turn references that stand in later turns.

    Args:
        scored: its claims, also those that were not sampled, and its text: a reference comes back wherever it is named again.
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
    there = {number: _Turn(_cited(scored, number), _text(scored, number)) for number in LATER}
    answered = _answers(scored)
    out = {"propagation": _counts(wrong, list(there.values()), any(n in answered for n in LATER))}
    for number in LATER:
        out[f"survival_incorrect_{number}"] = _counts(wrong, [there[number]], number in answered)
        out[f"survival_correct_{number}"] = _counts(right, [there[number]], number in answered)
    return out


def _answers(scored: ScoredResponse) -> range:
    return range(1, sum(turn.role == "assistant" for turn in scored.response.turns) + 1)


def _cited(scored: ScoredResponse, number: int) -> list[Reference]:
    return [
        _reference(claim)
        for claim in scored.claims
        if not is_code(claim) and claim.payload["n"] == number and "reference" in claim.payload
    ]


def _text(scored: ScoredResponse, number: int) -> str:
    """Return the plain words of a turn's answer, in small letters."""
    said = [turn.text for turn in scored.response.turns if turn.role == "assistant"]
    return _plain(said[number - 1]) if number <= len(said) else ""


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w./:()<>-]*\w", text.lower()))


def _reference(claim: Claim) -> Reference:
    return msgspec.convert(claim.payload["reference"], Reference)


def _counts(
    first: Sequence[Reference], later: Sequence[_Turn], asked: bool
) -> tuple[float, float, Mapping[str, int]]:
    if not asked:
        return 0.0, 0.0, {}
    back = sum(any(turn.holds(cited) for turn in later) for cited in first)
    return float(back), float(len(first)), {}
