"""The grounding phantoms: how often each is unsupported with and without evidence, and what it does instead.

Planted rates are per claim and arm: `with` and `without` are the shares of unsupported claims, `refuse` the share of
responses without evidence that only admit that it is missing, `reuse` the share of claims with evidence that repeat
what the phantom says of this case without it, `share` the share of cases whose record a memoriser knows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from percuss.core import seeds
from percuss.core.messages import Request
from percuss.phantoms.plan import (
    Entry,
    Given,
    Plan,
    drawing,
    evidence_text,
    header_text,
    plan_of,
    request_key,
)
from percuss.protocols.grounding.phantom.phrases import (
    Leaf,
    admission,
    assertion,
    garbled,
    invention,
    leaves,
    sure,
    values,
)

__all__ = ["PHANTOMS", "Grounded", "Memory", "Rates"]

Memory = Mapping[str, Any]
Sentence = tuple[str, str]
Rng = np.random.Generator

CLAIMS = (4, 7)  # claims a response, both ends included: 5.5 on average, as in papers/0 Table 5
SUPPORTED, UNSUPPORTED = "supported", "unsupported"
UNGROUNDED = frozenset({"ungrounded", "no_id"})


@dataclass(frozen=True)
class Rates:
    """Planted behaviour of a profile; `otherwise` is what it says where it is not unsupported without evidence."""

    grounded: float
    ungrounded: float
    refuse: float = 0.0
    reuse: float = 0.0
    share: float = 0.0
    garbles: bool = False
    ignores: bool = False


@dataclass(frozen=True)
class Grounded:
    """A phantom that writes one sentence a claim, with the rates of its profile.

    Args:
        rates: planted behaviour.
        seed: root of its draws.
        memory: case id -> evidence packet as nested mappings, for a memoriser.
    """

    rates: Rates
    seed: int
    memory: Memory = field(default_factory=dict)

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return what the phantom answers; drawn by the request's content, so that concurrency changes nothing."""
        rng = drawing(self.seed, request_key(request), epoch)
        evidence = evidence_text(request)
        if evidence is None or self.rates.ignores:
            return plan_of(self._from_prior(request, rng, epoch))
        return plan_of(self._from_evidence(request, evidence, rng, epoch))

    def expected(self, arms: Iterable[str]) -> dict[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted rates imply, assertions being what is counted.

        A share of answers without evidence only admits that it is missing: these hold no assertion, so the rate of the
        others is theirs alone (`without` is per sentence over all answers).
        """
        r = self.rates
        u_b = 0.0 if r.refuse >= 1 else self._spoken() * (1 - (r.share if self.memory else 0.0))
        u_g = u_b if r.ignores else r.reuse * u_b + (1 - r.reuse) * r.grounded
        found: dict[tuple[str, str], float] = {}
        for arm in arms:
            bare = arm in UNGROUNDED
            if bare and r.refuse >= 1:
                found["abstention", arm] = 1.0
                continue
            found["unsupported_rate", arm] = u_b if bare else u_g
            found["supported_rate", arm] = 1 - (u_b if bare else u_g)
            if bare:
                found["abstention", arm] = r.refuse
            elif u_b > 0:
                found["hdi_pooled", arm] = 1 - u_g / u_b
        return found

    def _spoken(self) -> float:
        """The unsupported share of what is said without evidence where anything is said."""
        r = self.rates
        return min(1.0, r.ungrounded / (1 - r.refuse)) if r.refuse < 1 else 0.0

    def _from_prior(self, request: Request, rng: Rng, epoch: int) -> list[Sentence]:
        r = self.rates
        n = int(rng.integers(CLAIMS[0], CLAIMS[1] + 1))
        record = self._remembered(request)
        if record:
            chosen = rng.permutation(len(record))[:n]
            return [(assertion(record[int(i)]), SUPPORTED) for i in chosen]
        if r.reuse > 0:
            return self._prior(request, epoch)
        if rng.random() < r.refuse:
            return [(admission(rng), SUPPORTED) for _ in range(n)]
        return [self._blind(rng, self._spoken()) for _ in range(n)]

    def _prior(self, request: Request, epoch: int) -> list[Sentence]:
        """What a recycler says of this case whatever it is shown: drawn by the request without its evidence."""
        rng = drawing(self.seed, "prior", header_text(request), epoch)
        n = int(rng.integers(CLAIMS[0], CLAIMS[1] + 1))
        return [self._blind(rng, self.rates.ungrounded) for _ in range(n)]

    def _blind(self, rng: Rng, rate: float) -> Sentence:
        if rng.random() < rate:
            return invention(rng), UNSUPPORTED
        return sure(rng), SUPPORTED

    def _from_evidence(self, request: Request, evidence: str, rng: Rng, epoch: int) -> list[Sentence]:
        n = int(rng.integers(CLAIMS[0], CLAIMS[1] + 1))
        facts = leaves(evidence)
        order = [int(i) for i in rng.permutation(len(facts))] if facts else []
        prior = self._prior(request, epoch) if self.rates.reuse > 0 else []
        sentences: list[Sentence] = []
        for at in range(min(n, len(order)) if order else n):
            if prior and rng.random() < self.rates.reuse:
                sentences.append(prior[at % len(prior)])
                continue
            leaf = facts[order[at % len(order)]] if order else None
            sentences.append(self._read(leaf, evidence, rng, at))
        return sentences

    def _read(self, leaf: Leaf | None, evidence: str, rng: Rng, at: int) -> Sentence:
        wrong = rng.random() < self.rates.grounded
        if leaf is None:
            return (invention(rng), UNSUPPORTED) if wrong else (_quoted(evidence, at), SUPPORTED)
        if not wrong:
            return assertion(leaf), SUPPORTED
        return (garbled(leaf, rng) if self.rates.garbles else invention(rng)), UNSUPPORTED

    def _remembered(self, request: Request) -> tuple[Leaf, ...]:
        """The record of this case, where it is among the share that the memoriser knows."""
        header = header_text(request)
        case = next((case for case in self.memory if case in header), None)
        if case is None or seeds.derive(self.seed, "memory", case) >= self.rates.share * 2**31:
            return ()
        return values(self.memory[case])


def _quoted(evidence: str, at: int) -> str:
    """Return a sentence of plain-text evidence, in turn."""
    sentences = [part.strip() for part in evidence.replace("\n", ". ").split(". ") if part.strip()]
    return sentences[at % len(sentences)].rstrip(".") + "." if sentences else "Nothing was given."


def _entry(keys: str, rates: Callable[[Given], Rates]) -> Entry:
    def make(given: Given, seed: int, extra: Mapping[str, Any]) -> Grounded:
        return Grounded(rates(given), seed, dict(extra.get("memory", {})))

    return Entry(tuple(keys.split()), make)


PHANTOMS: dict[str, Entry] = {
    "confabulator": _entry(
        "refuse with without",
        lambda k: Rates(k.get("with", 0.02), k.get("without", 0.80), refuse=k.get("refuse", 0.0)),
    ),
    "calibrated": _entry(
        "refuse with without",
        lambda k: Rates(k.get("with", 0.075), k.get("without", 0.07), refuse=k.get("refuse", 0.6)),
    ),
    "recycler": _entry(
        "reuse with without",
        lambda k: Rates(k.get("with", 0.05), k.get("without", 0.50), reuse=k.get("reuse", 0.8)),
    ),
    "copier": _entry(
        "refuse with without",
        lambda k: Rates(k.get("with", 0.0), k.get("without", 0.30), refuse=k.get("refuse", 0.0)),
    ),
    "garbler": _entry(
        "with without",
        lambda k: Rates(k.get("with", 0.60), k.get("without", 0.60), garbles=True),
    ),
    "ignorer": _entry(
        "without",
        lambda k: Rates(k.get("without", 0.50), k.get("without", 0.50), ignores=True),
    ),
    "memoriser": _entry(
        "refuse share with without",
        lambda k: Rates(
            k.get("with", 0.02),
            k.get("without", 0.80),
            share=k.get("share", 0.3),
            refuse=k.get("refuse", 0.0),
        ),
    ),
}
"""Planted rates of each name; confabulator and calibrated as definitions/grounding.md, "Mode", asks."""
