"""Which claims with evidence say what a claim without it says: entailment in both directions, by the run's verifier.

`repeats itself` rests on this where there is a verifier, else on the embedder's placed threshold (definitions of `grounding`,
version 2, "Words"); a cosine can't tell a claim from its opposite, entailment can.
"""

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import numpy as np

from percuss.core import seeds
from percuss.core.labels import Reason
from percuss.core.ports import Roles, RunView, ScoredResponse
from percuss.core.records import Claim, Verdict
from percuss.core.verifying import Pair, Verifier
from percuss.judging.extract import is_truncated
from percuss.kit.vectors import vector
from percuss.protocols.grounding.estimate.names import BASELINE, GROUNDED
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import statement
from percuss.protocols.grounding.speaking import is_checked
from percuss.protocols.grounding.verifying import rater_of

__all__ = ["ASPECTS", "CHANCE", "DONORS", "NEAREST", "OTHER", "TWIN", "compared"]

TWIN, CHANCE = "twin", "twin_by_chance"
OTHER = "other"
ASPECTS = frozenset({TWIN, CHANCE})
ENTAILS = 0.5
"""Probability of support from which on one claim entails another."""
NEAREST = 2
"""Claims of an answer without evidence that a claim is held against: the closest, for a verifier is asked of each twice."""
DONORS = 5
"""Other cases that chance is taken over; fewer than for cosines, since each of them is asked about."""
_WORD = re.compile(r"\w+")

Key = tuple[str, int]


async def compared(
    run: RunView, roles: Roles, options: GroundingOptions
) -> AsyncIterator[tuple[Verdict, ...]]:
    """Yield the verdicts of one answer with evidence at a time: is each of its assertions a twin, and how often by chance.

    Args:
        run: one scoring, all answers checked; what it holds of this already isn't asked again.
        roles: whose verifier reads; nothing is yielded without one.
        options: a run that replicates the paper has overlap by cosine alone.
    """
    if roles.verifier is None or options.replicates:
        return
    for model in run.models:
        bare, shown = _answers(run, model)
        asking = _Asking(roles.verifier)
        for key, answer in shown:
            own = bare.get(key)
            if own is None or any(verdict.aspect in ASPECTS for verdict in answer.verdicts):
                continue
            others = _donors(run.seed, model, key, bare)
            found = [
                verdict
                for claim in _assertions(answer)
                for verdict in await _verdicts(claim, own, others, asking)
            ]
            if found:
                yield tuple(found)


def _answers(
    run: RunView, model: str
) -> tuple[dict[Key, tuple[Claim, ...]], list[tuple[Key, ScoredResponse]]]:
    """Return the assertions of each answer without evidence, and the answers with it."""
    bare: dict[Key, tuple[Claim, ...]] = {}
    shown = []
    for one in run.assessed(model=model):
        if one.response.status != "done" or one.left_out:
            continue
        key = (one.case.id, one.response.epoch)
        if one.response.arm == BASELINE:
            bare[key] = _assertions(one)
        elif one.response.arm in GROUNDED:
            shown.append((key, one))
    return bare, shown


def _assertions(answer: ScoredResponse) -> tuple[Claim, ...]:
    return tuple(claim for claim in answer.claims if is_checked(claim) and not is_truncated(claim))


def _donors(
    seed: int, model: str, key: Key, bare: Mapping[Key, tuple[Claim, ...]]
) -> list[tuple[Claim, ...]]:
    others = [k for k in bare if k[0] != key[0]]
    rng = seeds.generator(seed, "twin donors", model, key[0], key[1])
    return [bare[others[int(i)]] for i in rng.permutation(len(others))[:DONORS]]


class _Asking:
    """Asks a verifier whether claims say the same, each pair of texts and direction once.

    Args:
        verifier: reads pairs.
    """

    def __init__(self, verifier: Verifier) -> None:
        self.rater = rater_of(verifier)
        self._verifier = verifier
        self._held: dict[Pair, float | None] = {}

    async def has_twin(self, claim: Claim, among: Sequence[Claim]) -> bool | None:
        """Return whether one of the closest claims entails this one and is entailed by it; None where that wasn't read."""
        text = statement(claim)
        near = [statement(other) for other in _nearest(claim, among)]
        unread = False
        there = await self._read([Pair(claim=text, premises=(other,)) for other in near])
        likely = [other for other, p in zip(near, there, strict=True) if p is None or p >= ENTAILS]
        back = await self._read([Pair(claim=other, premises=(text,)) for other in likely])
        known = dict(zip(near, there, strict=True))
        for other, p in zip(likely, back, strict=True):
            if p is not None and p >= ENTAILS and known[other] is not None:
                return True
            unread |= p is None or (known[other] is None and p >= ENTAILS)
        return None if unread else False

    async def _read(self, pairs: Sequence[Pair]) -> list[float | None]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._held]
        if new:
            for pair, said in zip(new, await self._verifier.verify(new), strict=True):
                self._held[pair] = said.supported
        return [self._held[pair] for pair in pairs]


def _nearest(claim: Claim, among: Sequence[Claim]) -> list[Claim]:
    """Return the closest claims by cosine where they carry vectors, else by the words that they share."""
    own, words = vector(claim), _words(claim)

    def closeness(other: Claim) -> float:
        there = vector(other)
        if own is not None and there is not None:
            return float(np.dot(own, there))
        return len(words & _words(other)) / max(1, len(words | _words(other)))

    return sorted(among, key=closeness, reverse=True)[:NEAREST]


def _words(claim: Claim) -> frozenset[str]:
    return frozenset(_WORD.findall(statement(claim).lower()))


async def _verdicts(
    claim: Claim, own: Sequence[Claim], others: Sequence[Sequence[Claim]], asking: _Asking
) -> list[Verdict]:
    twin = await asking.has_twin(claim, own)
    by_chance = [hit for donor in others if (hit := await asking.has_twin(claim, donor)) is not None]
    shared: dict[str, Any] = {"subject": claim.id, "response_id": claim.response_id, "rater": asking.rater}
    found = [
        Verdict(aspect=TWIN, unscored=f"{Reason.UNDECIDED.value}:by the verifier", **shared)
        if twin is None
        else Verdict(aspect=TWIN, label=TWIN if twin else OTHER, **shared)
    ]
    if by_chance:
        found.append(Verdict(aspect=CHANCE, score=sum(by_chance) / len(by_chance), **shared))
    return found
