"""Mutants of a model's own claims: one thing changed, wrong whatever the claim was, in the proportions in which their arm is read.

A reader tried on what it read well alone would pass (reading.md, section 5: mutants of claims read supported, unsupported *and*
undecided). What the reader made of a claim only says how many mutants are made of its kind; that a mutant is wrong follows from the
record: another case's number, another drug, another unit or side that the case's own record doesn't hold.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from percuss.core.labels import SUPPORT_ASPECT, Support
from percuss.core.ports import ScoredResponse
from percuss.core.records import Claim, Verdict
from percuss.protocols.grounding.certificate.seed import READINGS, Seed
from percuss.protocols.grounding.certificate.wording import misunited, moved, other_drug, sided
from percuss.protocols.grounding.record import statement
from percuss.protocols.grounding.speaking import is_checked
from percuss.text.sentences import split

__all__ = ["Held", "changed", "mutants", "quotas"]

HEADS = ("judge:", "verifier:", "rule:")
"""Whose reading of a claim counts: the first that took part."""
VALUES = 3
"""Numbers that one claim is given in turn."""


class Held:
    """What a case's record holds, as far as a change must know it.

    Args:
        words: all that it says. numbers: its numbers. others: numbers of other cases.
    """

    def __init__(self, words: str, numbers: Sequence[float], others: Sequence[float]) -> None:
        self.words = words
        self.numbers = numbers
        self.others = others


def mutants(
    answers: Sequence[ScoredResponse], held: Mapping[str, Held], wanted: int, rng: np.random.Generator
) -> dict[str, list[Seed]]:
    """Return response id -> mutants of its claims, over all answers in the arm's own proportions of what was read.

    Args:
        answers: of one model in one arm, as a scoring read them. held: case id -> its record. wanted: how many at most.
        rng: of the draws.
    """
    shares: Counter[str] = Counter()
    made: dict[str, list[tuple[str, Seed]]] = {name: [] for name in READINGS}
    for scored in answers:
        for claim, read in _read(scored):
            shares[read] += 1
            for seed in changed(statement(claim), held[scored.case.id], read, rng):
                made[read].append((scored.response.id, seed._replace(at=_place(scored, claim))))
    found: dict[str, list[Seed]] = defaultdict(list)
    for read, n in quotas(shares, {name: len(seeds) for name, seeds in made.items()}, wanted).items():
        for i in rng.permutation(len(made[read]))[:n]:
            response, seed = made[read][int(i)]
            found[response].append(seed)
    return found


def quotas(shares: Mapping[str, int], there: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Return how many mutants of each reading are used: as many as are wanted, or as keep the proportions.

    Args:
        shares: reading -> claims of the arm. there: reading -> mutants that could be made; a reading without one is left out.
        wanted: mutants in all.

    >>> quotas({"supported": 60, "unsupported": 10, "undecided": 30}, {"supported": 90, "unsupported": 90, "undecided": 6}, 50)
    {'supported': 12, 'unsupported': 2, 'undecided': 6}
    """
    n = sum(count for name, count in shares.items() if there.get(name))
    most = min(
        [wanted, *(there[name] * n / count for name, count in shares.items() if count and there.get(name))]
    )
    return {
        name: min(there[name], math.floor(most * count / n + 0.5))
        for name, count in shares.items()
        if there.get(name)
    }


def changed(text: str, held: Held, read: str, rng: np.random.Generator) -> Iterator[Seed]:
    """Yield a claim with its number, drug, unit or side changed, each so that the record holds it no more than before.

    Args:
        text: the claim. held: the record. read: what the reader made of the claim. rng: of the draws.
    """
    numbers = (moved(text, held.others, held.numbers, int(way)) for way in rng.integers(0, 10_000, VALUES))
    for one in dict.fromkeys(numbers):
        if one is not None:
            yield Seed(one, False, "moved number", "mutant", read)
    ways = {"turned word": sided, "other drug": other_drug, "other unit": misunited}
    for of, change in ways.items():
        other = change(text, held.words)
        if other is not None and other not in held.words:
            yield Seed(other, False, of, "mutant", read)


def _read(scored: ScoredResponse) -> Iterator[tuple[Claim, str]]:
    """Yield the claims of an answer that support is asked of, and what the reader made of each."""
    given: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in scored.verdicts:
        if verdict.aspect == SUPPORT_ASPECT and verdict.rater.startswith(HEADS):
            given[verdict.subject].append(verdict)
    for claim in scored.claims:
        if is_checked(claim) and not claim.payload.get("truncated"):
            yield claim, _reading(given[claim.id])


def _reading(verdicts: Sequence[Verdict]) -> str:
    first = min(verdicts, key=lambda v: (HEADS.index(f"{v.rater.partition(':')[0]}:"), v.rater), default=None)
    label = None if first is None else first.label
    if label == Support.SUPPORTED.value:
        return "supported"
    return "unsupported" if label in {Support.UNSUPPORTED.value, Support.PARTIAL.value} else "undecided"


def _place(scored: ScoredResponse, claim: Claim) -> int:
    """Return the number of the sentence that a claim stands in, of its whole answer."""
    before = (turn for turn in scored.response.turns if turn.role == "assistant" and turn.index < claim.turn)
    start = sum(len(turn.text) + len("\n\n") for turn in before) + claim.start
    return sum(stop <= start for _, stop in split(scored.response.text))
