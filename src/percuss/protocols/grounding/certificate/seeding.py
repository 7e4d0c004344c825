"""Answers in which sentences were replaced by seeded statements, among their neighbours, for a check to read blind."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from percuss.core import seeds
from percuss.core.ids import response_id
from percuss.core.labels import CERTIFICATE, SUPPORT_ASPECT, Support
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Response, Text, Turn
from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding.certificate.wording import (
    INVENTIONS,
    denial,
    misunited,
    moved,
    numbered,
    stated,
    swapped,
    turned,
)
from percuss.protocols.grounding.record import reading, statement
from percuss.text.sentences import split

__all__ = ["FEWEST", "Seed", "seeded", "seeds_of"]

FEWEST = 200
"""Seeded errors, and known-true statements, per arm and model below which nothing is certified (reading.md, section 5)."""
SPARE = 1.1
"""More are seeded than that, for some may repeat what the answer says."""


_LONG = 4
_COMMON = frozenset(
    "patient tumour carries cells both were there have takes type this that with shows".split()
)


class Seed(NamedTuple):
    """A statement, whether the case's record supports it, and the class of errors that it is of."""

    text: str
    supported: bool
    of: str


def seeded(run: RunView, models: Sequence[str], seed: int) -> Iterator[Response]:
    """Yield answers of the reserved model: each is one of a model's in an arm, half of its sentences replaced by seeds.

    Args:
        run: one scoring; done answers of the full arm and of the one without evidence are imitated. models: whose.
        seed: root of the draws; the same seed makes the same answers.
    """
    pool = _Pool(list(run.cases()))
    for model in models:
        for arm in ("full_multimodal", "full", "ungrounded"):
            done = [a for a in run.assessed(model=model, arm=arm) if a.response.status == "done"]
            told = [(a.case.id, text) for a in done for text in _sentences(a.response)]
            each = int(np.ceil(SPARE * FEWEST / max(1, len(done))))
            for scored in done:
                yield from _imitations(
                    scored, pool, told, each, seeds.derive(seed, "certificate", scored.response.id)
                )


def seeds_of(
    scored: ScoredResponse, pool: "_Pool", told: Sequence[tuple[str, str]], each: int, seed: int
) -> list[Seed]:
    """Return seeds for one answer: as many errors, by class in turn, as statements that are known to be true.

    Args:
        scored: the answer, whose own sentences are moved, too; what people labelled of it is seeded as they labelled it.
        pool: the cohort. told: (case, sentence) of the model's answers in this arm. each: how many of either. seed: of the draws.
    """
    rng = seeds.generator(seed, "seeds")
    labelled = _labelled(scored)
    wrong = [one for one in labelled if not one.supported]
    errors = pool.errors(scored.case, _sentences(scored.response), rng, told=told, labelled=wrong)
    true = [*(one for one in labelled if one.supported), *pool.true(scored.case, rng)]
    chosen: list[Seed] = []
    said: set[str] = set()
    wanted = {True: each, False: each}
    for one in (*true, *errors):
        if wanted[one.supported] and one.text not in said:
            wanted[one.supported] -= 1
            said.add(one.text)
            chosen.append(one)
    order = rng.permutation(len(chosen))
    return [chosen[int(i)] for i in order]


class _Pool:
    """What the cohort's records hold, for values that are plausible and wrong."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._packets = {case.id: reading(case).packet for case in cases}
        self._values: dict[str, list[tuple[str, Any]]] = {}
        for name, packet in self._packets.items():
            for fact in packet.facts:
                if _stated(fact):
                    self._values.setdefault(fact.path, []).append((name, fact.value))
        self._numbers = [n for packet in self._packets.values() for n in _numbers(packet)]

    def true(self, case: Case, rng: np.random.Generator) -> list[Seed]:
        """Statements that the case's own record holds."""
        packet = self._packets[case.id]
        facts = [fact for fact in packet.facts if _stated(fact)]
        told = [
            Seed(stated(fact, fact.value, way, packet.layers), True, "fact")
            for way in (0, 1)
            for fact in facts
        ]
        told += [Seed(text, True, "verbatim") for text in _passages(packet)]
        return [told[int(i)] for i in rng.permutation(len(told))]

    def errors(
        self, case: Case, said: Sequence[str], rng: np.random.Generator, *, told: Sequence[tuple[str, str]] = (),
        labelled: Sequence[Seed] = (),
    ) -> list[Seed]:  # fmt: skip
        """Statements that it does not hold, of each of `CLASSES` in turn."""
        packet = self._packets[case.id]
        held, ways = _numbers(packet), [int(way) for way in rng.integers(0, 1_000, 400)]
        classes: list[list[Seed]] = [
            [Seed(text, False, "value") for text in self._others(case.id, packet, rng)],
            [
                Seed(text, False, "denial")
                for fact in packet.facts
                if _stated(fact) and (text := denial(fact))
            ],
            self._moved(said, held, ways),
            self._moved(_passages(packet), held, ways),
            [Seed(text, False, "invention") for text in INVENTIONS if _silent_on(text, packet)],
            *_mutants(packet),
            [Seed(text, False, "another patient's") for text in self._of_others(case.id, told, held)],
            list(labelled),
        ]
        mixed = [[held[int(i)] for i in rng.permutation(len(held))] for held in classes]
        return [one for turn in zip_longest(*mixed) for one in turn if one is not None]

    def _moved(self, said: Sequence[str], held: Sequence[float], ways: Sequence[int]) -> list[Seed]:
        others = self._numbers or [17.0, 42.0, 63.0, 88.0]
        made = (moved(text, others, held, way) for text, way in zip(said, ways, strict=False))
        return [Seed(text, False, "moved number") for text in made if text is not None]

    def _of_others(self, name: str, told: Sequence[tuple[str, str]], held: Sequence[float]) -> Iterator[str]:
        """What was said of another patient, with a number that only that one's record holds."""
        numbers = {other: _numbers(packet) for other, packet in self._packets.items()}
        for other, text in told:
            if other != name and numbered(text, numbers[other], held):
                yield text

    def _others(self, name: str, packet: Packet, rng: np.random.Generator) -> Iterator[str]:
        for way in (0, 1):
            for fact in packet.facts:
                if not _stated(fact):
                    continue
                own = [one.value for one in packet.facts if _named(one) == _named(fact)]
                free = [
                    v
                    for other, v in self._values[fact.path]
                    if other != name and all(_differs(v, value) for value in own)
                ]
                if free:
                    yield stated(fact, free[int(rng.integers(len(free)))], way, packet.layers)


def _imitations(
    scored: ScoredResponse, pool: _Pool, told: Sequence[tuple[str, str]], each: int, seed: int
) -> Iterator[Response]:
    left = seeds_of(scored, pool, told, each, seed)
    for turn in range(len(left)):
        if not left:
            return
        text, places, left = _replaced(scored.response, left, first=turn % 2)
        yield _response(scored.response, text, places, turn)


def _replaced(
    response: Response, left: Sequence[Seed], *, first: int
) -> tuple[str, list[dict[str, Any]], list[Seed]]:
    """Put seeds in the place of every other sentence; an answer of one sentence is replaced by a seed."""
    sentences = _sentences(response)
    places: list[dict[str, Any]] = []
    parts, at, rest = list[str](), 0, list(left)
    for number, sentence in enumerate(sentences or ("",)):
        new = rest.pop(0) if rest and (number % 2 == first or len(sentences) < 2) else None
        part = sentence if new is None else new.text
        if new is not None:
            places.append({"start": at, "stop": at + len(part), "supported": new.supported, "class": new.of})
        parts.append(part)
        at += len(part) + 1
    return " ".join(parts), places, rest


def _response(imitated: Response, text: str, places: list[dict[str, Any]], turn: int) -> Response:
    epoch = seeds.derive(0, imitated.model, turn) % 2**31
    return Response(
        id=response_id(CERTIFICATE, imitated.case_id, imitated.arm, epoch),
        case_id=imitated.case_id,
        arm=imitated.arm,
        model=CERTIFICATE,
        epoch=epoch,
        finish="stop",
        turns=(Turn(index=0, role="assistant", parts=(Text(text=text),)),),
        artifacts={"imitates": imitated.model, "seeds": places},
    )


def _sentences(response: Response) -> list[str]:
    return [response.text[start:stop] for start, stop in split(response.text)]


def _passages(packet: Packet) -> list[str]:
    return [text[a:b] for text in packet.texts for a, b in split(text) if len(text[a:b].split()) > 3]


def _mutants(packet: Packet) -> list[list[Seed]]:
    """Return what the record says, a passage or a fact in words, with a word, a drug, or a unit changed."""
    held = " ".join(
        [*packet.texts, *(f"{fact.path} {fact.value} {fact.unit}" for fact in packet.facts if _stated(fact))]
    )
    facts = [fact for fact in packet.facts if _stated(fact)]
    words = [fact for fact in facts if isinstance(fact.value, str)]
    ways = {"turned word": turned, "other drug": swapped}
    made: list[list[Seed]] = []
    for of, change in ways.items():
        texts = [change(text, held) for text in _passages(packet)]
        texts += [
            stated(fact, other, 0, packet.layers)
            for fact in words
            if (other := change(str(fact.value), held))
        ]
        made.append([Seed(text, False, of) for text in texts if text is not None])
    amounts = [*_passages(packet), *(stated(fact, fact.value, 0, packet.layers) for fact in facts)]
    others = (misunited(text, held) for text in amounts)
    return [*made, [Seed(text, False, "other unit") for text in others if text is not None]]


def _labelled(scored: ScoredResponse) -> list[Seed]:
    """Return what every person who read a claim of an answer labelled alike, supported or unsupported."""
    given: dict[str, set[str | None]] = {}
    for verdict in scored.verdicts:
        if verdict.aspect == SUPPORT_ASPECT and verdict.rater.startswith("human:"):
            given.setdefault(verdict.subject, set()).add(verdict.label)
    known = {Support.SUPPORTED.value: True, Support.UNSUPPORTED.value: False}
    return [
        Seed(statement(claim), known[label], "labelled")
        for claim in scored.claims
        for label in given.get(claim.id, ())
        if len(given[claim.id]) == 1 and label in known
    ]


def _silent_on(invention: str, packet: Packet) -> bool:
    """Whether structured evidence holds no word of an invention; a passage may imply what it doesn't say."""
    if not packet.facts or packet.texts:
        return False
    held = " ".join(f"{fact.path} {fact.value}" for fact in packet.facts).casefold()
    words = (word.strip(".,%").casefold() for word in invention.split())
    return not any(word in held for word in words if len(word) >= _LONG and word not in _COMMON)


def _stated(fact: Fact) -> bool:
    return fact.value is not None and not isinstance(fact.value, bool)


def _named(fact: Fact) -> str:
    """Return what a statement of a fact calls it: of a list of results each is "the result"."""
    return ".".join(part for part in fact.path.split(".") if not part.isdigit())


def _numbers(packet: Packet) -> list[float]:
    return [
        float(f.value)
        for f in packet.facts
        if isinstance(f.value, int | float) and not isinstance(f.value, bool)
    ]


def _differs(one: Any, other: Any) -> bool:
    """Whether two values are plainly not the same: numbers by more than a tenth and two hundredths."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) > 0.1 * abs(other) + 0.02
    return str(one).casefold() != str(other).casefold()
