"""Answers in which sentences were replaced by seeded statements, among their neighbours, for a check to read blind."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from percuss.core import seeds
from percuss.core.ids import response_id
from percuss.core.labels import CERTIFICATE, SUPPORT_ASPECT, Support
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Response, Text, Turn
from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding.certificate.listing import Lists
from percuss.protocols.grounding.certificate.mutants import Held, mutants
from percuss.protocols.grounding.certificate.seed import Seed
from percuss.protocols.grounding.certificate.verbal import Told, spoken, twin
from percuss.protocols.grounding.certificate.wording import (
    INVENTIONS,
    denial,
    misunited,
    moved,
    numbered,
    numbers_in,
    stated,
    swapped,
    turned,
)
from percuss.protocols.grounding.record import reading, statement
from percuss.text.sentences import split

__all__ = ["FEWEST", "Seed", "seeded", "seeds_of"]

FEWEST = 200
"""Seeded errors, and known-true statements, per arm and model below which nothing is certified (reading.md, section 5)."""
SPARE = 1.6
"""More are seeded than that: some may repeat what the answer says, and of 220 the interval of the arms' difference is so wide that a reader
which errs alike in both would fail the certificate in one run of three."""
MUTANTS = 1 / 3
"""Share of the seeded errors that are mutants of the model's own claims, where so many can be made."""
_LONG = 4
_COMMON = frozenset(
    "patient tumour carries cells both were there have takes type this that with shows".split()
)


def seeded(
    run: RunView, models: Sequence[str], seed: int, replies: Mapping[str, str] | None = None
) -> Iterator[Response]:
    """Yield answers of the reserved model: each is one of a model's in an arm, half of its sentences replaced by seeds.

    Args:
        run: one scoring; done answers of the full arm and of the one without evidence are imitated. models: whose.
        seed: root of the draws; the same seed makes the same answers.
        replies: what a verbaliser said, by the names of `certificate.asked`; None: facts stand in templates alone.
    """
    pool = _Pool(list(run.cases()), spoken(run, replies or {}, seed))
    for model in models:
        for arm in ("full_multimodal", "full", "ungrounded"):
            done = [a for a in run.assessed(model=model, arm=arm) if a.response.status == "done"]
            told = [(a.case.id, text) for a in done for text in _sentences(a.response)]
            each = int(np.ceil(SPARE * FEWEST / max(1, len(done))))
            rng = seeds.generator(seed, "mutants", model, arm)
            changed = mutants(done, pool.held, int(np.ceil(MUTANTS * SPARE * FEWEST)), rng)
            for scored in done:
                own = seeds_of(
                    scored, pool, told, each, seeds.derive(seed, "certificate", scored.response.id),
                    mutated=changed.get(scored.response.id, ()),
                )  # fmt: skip
                yield from _imitations(scored, own, pool.told(scored.case.id))


def seeds_of(
    scored: ScoredResponse, pool: "_Pool", told: Sequence[tuple[str, str]], each: int, seed: int, mutated: Sequence[Seed] = (),
) -> list[Seed]:  # fmt: skip
    """Return seeds for one answer: as many errors, by class in turn, as statements that are known to be true, by source in turn.

    Args:
        scored: the answer; what people labelled of it is seeded as they labelled it.
        pool: the cohort. told: (case, sentence) of the model's answers in this arm. each: how many of either. seed: of the draws.
        mutated: mutants of its claims; they come first, so that their proportions stay those of the arm.
    """
    rng = seeds.generator(seed, "seeds")
    labelled = _labelled(scored)
    wrong = [one for one in labelled if not one.supported]
    errors = pool.errors(scored.case, rng, told=told, labelled=wrong)
    true = [*(one for one in labelled if one.supported), *pool.true(scored.case, rng)]
    chosen: list[Seed] = []
    said: set[str] = set()
    wanted = {True: each, False: max(each, len(mutated))}
    for one in (*true, *mutated, *errors):
        if wanted[one.supported] and one.text not in said:
            wanted[one.supported] -= 1
            said.add(one.text)
            chosen.append(one)
    order = rng.permutation(len(chosen))
    return [chosen[int(i)] for i in order]


class _Pool:
    """What the cohort's records hold, for values that are plausible and wrong."""

    def __init__(self, cases: Sequence[Case], spoken: Mapping[str, Sequence[Told]] | None = None) -> None:
        self._packets = {case.id: reading(case).packet for case in cases}
        self._spoken = spoken or {}
        self._lists = Lists(self._packets)
        self._values: dict[str, list[tuple[str, Any]]] = {}
        for name in self._packets:
            for fact in self._facts(name):
                if _stated(fact):
                    self._values.setdefault(fact.path, []).append((name, fact.value))
        self._numbers = [n for packet in self._packets.values() for n in _numbers(packet)]
        others = self._numbers or [17.0, 42.0, 63.0, 88.0]
        self.held = {
            name: Held(_words(packet), _numbers(packet), others) for name, packet in self._packets.items()
        }

    def _facts(self, name: str) -> list[Fact]:
        """Return the facts of a case that say of themselves what they are of: fields of a list's entry are stated with the whole of it."""
        return [fact for fact in self._lists.of(name).plain if _stated(fact)]

    def true(self, case: Case, rng: np.random.Generator) -> list[Seed]:
        """Statements that the case's own record holds, by source in turn."""
        packet, facts = self._packets[case.id], self._facts(case.id)
        told = [
            Seed(stated(fact, fact.value, way, packet.layers), True, "fact", "template")
            for way in (0, 1)
            for fact in facts
        ]
        model = [Seed(one.sentence, True, "fact", "model") for one in self._told(case.id)]
        passages = [Seed(text, True, "verbatim", "record's own words") for text in _passages(packet)]
        return _in_turn((told, self._lists.true(case.id), model, passages), rng)

    def _told(self, name: str) -> Iterator[Told]:
        """Facts of a case that a model put into a sentence which may be seeded."""
        return (one for one in self._spoken.get(name, ()) if one.sentence)

    def told(self, name: str) -> tuple[int, int]:
        """Return how many facts of a case a model was asked to verbalise, and how many of its sentences are seeded."""
        return len(self._spoken.get(name, ())), sum(1 for _ in self._told(name))

    def errors(
        self, case: Case, rng: np.random.Generator, *, told: Sequence[tuple[str, str]] = (), labelled: Sequence[Seed] = ()
    ) -> list[Seed]:  # fmt: skip
        """Statements that it does not hold, of each of `CLASSES` in turn; mutants of an answer's claims are made elsewhere."""
        packet = self._packets[case.id]
        held, ways = _numbers(packet), [int(way) for way in rng.integers(0, 1_000, 400)]
        classes: list[list[Seed]] = [
            [Seed(text, False, "value", "template") for text in self._others(case.id, packet, rng)],
            [Seed(text, False, "value", "model") for text in self._twins(case.id, packet, rng)],
            [
                Seed(text, False, "denial", "template")
                for fact in self._facts(case.id)
                if (text := denial(fact))
            ],
            self._moved(_passages(packet), held, ways),
            [Seed(text, False, "invention", "invention") for text in INVENTIONS if _silent_on(text, packet)],
            *_twisted(packet, self._facts(case.id)),
            *self._lists.errors(case.id, self._told(case.id)),
            [
                Seed(text, False, "another patient's", "another case's answer")
                for text in self._of_others(case.id, told, held)
            ],
            list(labelled),
        ]
        return _in_turn(classes, rng)

    def _moved(self, said: Sequence[str], held: Sequence[float], ways: Sequence[int]) -> list[Seed]:
        others = self._numbers or [17.0, 42.0, 63.0, 88.0]
        made = (moved(text, others, held, way) for text, way in zip(said, ways, strict=False))
        return [Seed(text, False, "moved number", "record's own words") for text in made if text is not None]

    def _of_others(self, name: str, told: Sequence[tuple[str, str]], held: Sequence[float]) -> Iterator[str]:
        """What was said of another patient, with a number that only that one's record holds."""
        numbers = {other: _numbers(packet) for other, packet in self._packets.items()}
        for other, text in told:
            if other != name and numbered(text, numbers[other], held):
                yield text

    def _others(self, name: str, packet: Packet, rng: np.random.Generator) -> Iterator[str]:
        for way in (0, 1):
            for fact in self._facts(name):
                if free := self._free(name, packet, fact):
                    yield stated(fact, free[int(rng.integers(len(free)))], way, packet.layers)

    def _twins(self, name: str, packet: Packet, rng: np.random.Generator) -> Iterator[str]:
        """The sentences that a model made of a case's facts, with another case's value in each."""
        for one in self._told(name):
            if one.entry is None and (free := self._free(name, packet, one.fact)):
                yield twin(one, free[int(rng.integers(len(free)))])

    def _free(self, name: str, packet: Packet, fact: Fact) -> list[Any]:
        """Values of other cases that a fact does not have, nor another fact of its name."""
        own = [one.value for one in packet.facts if _named(one) == _named(fact)]
        return [
            v
            for other, v in self._values[fact.path]
            if other != name and all(_differs(v, value) for value in own)
        ]


def _in_turn(kinds: Sequence[Sequence[Seed]], rng: np.random.Generator) -> list[Seed]:
    """Return seeds of each kind in turn, the kinds and what is of one kind in a drawn order: of a few, every kind has its share."""
    mixed = [[held[int(i)] for i in rng.permutation(len(held))] for held in kinds]
    order = [mixed[int(i)] for i in rng.permutation(len(mixed))]
    return [one for turn in zip_longest(*order) for one in turn if one is not None]


def _imitations(
    scored: ScoredResponse, chosen: Sequence[Seed], verbalised: tuple[int, int]
) -> Iterator[Response]:
    left = list(chosen)
    for turn in range(2 * len(left)):
        if not left:
            return
        text, places, left = _replaced(scored.response, left, first=turn % 2)
        if places:
            yield _response(scored.response, text, places, turn, verbalised)


def _replaced(
    response: Response, left: Sequence[Seed], *, first: int
) -> tuple[str, list[dict[str, Any]], list[Seed]]:
    """Put seeds in the place of every other sentence, a mutant in its original's; an answer of one sentence is replaced by a seed."""
    sentences = _sentences(response) or [""]
    places: list[dict[str, Any]] = []
    parts, at, rest = list[str](), 0, list(left)
    for number, sentence in enumerate(sentences):
        new = _next(rest, number) if number % 2 == first or len(sentences) < 2 else None
        part = sentence if new is None else new.text
        if new is not None:
            rest.remove(new)
            places.append(_placed(new, at, at + len(part)))
        parts.append(part)
        at += len(part) + 1
    return " ".join(parts), places, rest


def _next(rest: Sequence[Seed], number: int) -> Seed | None:
    """Return the seed that takes the place of a sentence: a mutant of it first, else one that may stand anywhere."""
    own = (one for one in rest if one.at == number)
    return next(own, next((one for one in rest if one.at is None), None))


def _placed(seed: Seed, start: int, stop: int) -> dict[str, Any]:
    place = {
        "start": start, "stop": stop, "supported": seed.supported, "class": seed.of, "source": seed.source,
    }  # fmt: skip
    return place | ({"read": seed.read} if seed.read else {})


def _response(
    imitated: Response, text: str, places: list[dict[str, Any]], turn: int, verbalised: tuple[int, int]
) -> Response:
    epoch = seeds.derive(0, imitated.model, turn, text) % 2**31
    artifacts = {"imitates": imitated.model, "seeds": places}
    return Response(
        id=response_id(CERTIFICATE, imitated.case_id, imitated.arm, epoch),
        case_id=imitated.case_id,
        arm=imitated.arm,
        model=CERTIFICATE,
        epoch=epoch,
        finish="stop",
        turns=(Turn(index=0, role="assistant", parts=(Text(text=text),)),),
        artifacts=artifacts | ({"verbalised": list(verbalised)} if verbalised[0] else {}),
    )


def _sentences(response: Response) -> list[str]:
    return [response.text[start:stop] for start, stop in split(response.text)]


def _passages(packet: Packet) -> list[str]:
    return [text[a:b] for text in packet.texts for a, b in split(text) if len(text[a:b].split()) > 3]


def _twisted(packet: Packet, facts: Sequence[Fact]) -> list[list[Seed]]:
    """Return what the record says, a passage or a fact in words, with a word, a drug, or a unit changed."""
    held = _words(packet)
    words = [fact for fact in facts if isinstance(fact.value, str)]
    ways = {"turned word": turned, "other drug": swapped}
    own, made = "record's own words", list[list[Seed]]()
    for of, change in ways.items():
        texts = [change(text, held) for text in _passages(packet)]
        texts += [
            stated(fact, other, 0, packet.layers)
            for fact in words
            if (other := change(str(fact.value), held))
        ]
        made.append([Seed(text, False, of, own) for text in texts if text is not None])
    amounts = [*_passages(packet), *(stated(fact, fact.value, 0, packet.layers) for fact in facts)]
    others = (misunited(text, held) for text in amounts)
    return [*made, [Seed(text, False, "other unit", own) for text in others if text is not None]]


def _labelled(scored: ScoredResponse) -> list[Seed]:
    """Return what every person who read a claim of an answer labelled alike, supported or unsupported."""
    given: dict[str, set[str | None]] = {}
    for verdict in scored.verdicts:
        if verdict.aspect == SUPPORT_ASPECT and verdict.rater.startswith("human:"):
            given.setdefault(verdict.subject, set()).add(verdict.label)
    known = {Support.SUPPORTED.value: True, Support.UNSUPPORTED.value: False}
    return [
        Seed(statement(claim), known[label], "labelled", "people")
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


def _words(packet: Packet) -> str:
    """Return all that a record says."""
    facts = (f"{fact.path} {fact.value} {fact.unit}" for fact in packet.facts if _stated(fact))
    return " ".join([*packet.texts, *facts])


def _numbers(packet: Packet) -> list[float]:
    """Return the numbers of a record, those of its passages too: what another case holds may stand in one's own text."""
    facts = [
        float(f.value)
        for f in packet.facts
        if isinstance(f.value, int | float) and not isinstance(f.value, bool)
    ]
    return [*facts, *(n for text in packet.texts for n in numbers_in(text))]


def _differs(one: Any, other: Any) -> bool:
    """Whether two values are plainly not the same: numbers by more than a tenth and two hundredths."""
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) > 0.1 * abs(other) + 0.02
    return str(one).casefold() != str(other).casefold()
