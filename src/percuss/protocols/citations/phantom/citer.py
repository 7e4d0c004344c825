"""`phantom/citer`: states facts of the bundled library with numbered references, and makes planted mistakes."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from percuss.core.ids import canonical_json, digest
from percuss.core.messages import Request
from percuss.phantoms.plan import Plan, Truth, drawing
from percuss.protocols.citations.library import Document, Fact, bundled
from percuss.protocols.citations.phantom.rates import CLASSES, Rates, expected

__all__ = ["Citer", "Said"]

FRESH = 2
"""New statements per turn; with all that comes back a turn stays within the five that are judged."""
ABSTAINS = "I don't know of a document in the library that answers this."
WORDS = 10
_LEANS = re.compile(r"(?:It|He|She|They|This|These|Those|That|Its|The same|Both|Such)\b")
_SAID = re.compile(r"([^\n]+?) \[(\d+)\]\.")
_ENTRY = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


class Said(NamedTuple):
    """One statement: its words, the entry of the reference list ("" for none), and what was planted."""

    sentence: str
    entry: str
    planted: str


class Citer:
    """A writer that knows the library.

    Args:
        rates: planted shares. seed: root of its draws.

    It tells the turn by the questions that it is sent, and says again what it reads in its own first answer there: what
    was deleted from the history doesn't come back.
    """

    def __init__(self, rates: Rates, seed: int) -> None:
        self._rates, self._seed = rates, seed
        self._name = digest(canonical_json(rates))

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the answer to the last question, with the truth about each sentence."""
        questions = [message.text for message in request.messages if message.role == "user"]
        answers = [message.text for message in request.messages if message.role == "assistant"]
        grounded = any(
            "<documents>" in message.text for message in request.messages if message.role == "system"
        )
        turn = max(1, len(questions))
        key = ("citer", self._name, questions[0] if questions else "", epoch, int(grounded))
        draws = drawing(self._seed, *key, turn)
        if draws.random() < self._rates.abstain:
            return Plan(ABSTAINS, (Truth(0, len(ABSTAINS), "abstains"),))
        order = drawing(self._seed, *key).permutation(len(_current()))
        said = [
            self._fresh((turn - 1) * FRESH + place, order, turn, draws, grounded=grounded)
            for place in range(FRESH)
        ]
        if turn > 1 and answers:
            said += [each for each in _read(answers[0]) if draws.random() < self._rates.repeat]
        return _written(said)

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted rates imply."""
        return expected(self._rates, tuple(arms))

    def _fresh(
        self, slot: int, order: np.ndarray, turn: int, draws: np.random.Generator, *, grounded: bool
    ) -> Said:
        """Make a new statement about a document that the conversation hasn't had."""
        planted = self._drawn(turn, float(draws.random()), grounded=grounded)
        cited = draws.random() >= self._rates.uncited
        held = _retracted() if planted == "retracted" else _current()
        document, facts = held[int(order[slot % len(order)]) % len(held)]
        fact = facts[int(draws.integers(len(facts)))]
        sentence = changed(fact) if planted == "wrong_content" else fact.sentence
        entry = _entry(document, planted, slot, int(draws.integers(3))) if cited else ""
        return Said(sentence.rstrip("."), entry, planted)

    def _drawn(self, turn: int, at: float, *, grounded: bool) -> str:
        for name in CLASSES:
            at -= self._rates.share(name, turn, grounded=grounded)
            if at < 0:
                return name
        return "right"


def changed(fact: Fact) -> str:
    """Return a fact's sentence with another value of the same form."""
    value = fact.value
    other = (
        f"{3 * float(value):.{len(value.partition('.')[2])}f}" if "." in value else str(3 * int(value) + 2)
    )
    return re.sub(rf"(?<![\w.,]){re.escape(value)}(?!\w|[.,]\d)", other, fact.sentence, count=1)


Held = tuple[tuple[Document, tuple[Fact, ...]], ...]


@cache
def _current() -> Held:
    return _with_facts("current")


@cache
def _retracted() -> Held:
    return _with_facts("retracted")


def _with_facts(status: str) -> Held:
    """Return documents with those of their facts that stand alone: one number with a unit, in a sentence of some length."""
    found = ((d, tuple(f for f in d.facts if _plain(f))) for d in bundled().documents if d.status == status)
    return tuple((document, facts) for document, facts in found if facts)


def _plain(fact: Fact) -> bool:
    numbers = re.findall(r"\d+(?:[.,]\d+)*", fact.sentence)
    long = len(fact.sentence.split()) >= WORDS
    number = re.fullmatch(r"\d+(\.\d+)?", fact.value) is not None
    return bool(number and fact.unit and long and numbers == [fact.value] and not _LEANS.match(fact.sentence))


def _entry(document: Document, planted: str, slot: int, field: int) -> str:
    """Return the reference's entry, wrong in a field or of nothing at all where that was planted."""
    first, last = document.pages
    title, year, doi, volume = document.title, document.year, document.doi, document.volume
    if planted == "nonexistent":
        title, doi, volume = (
            f"Yearly review {slot + 1} of practices never described",
            f"10.5555/pel.9{slot:03d}",
            77,
        )
        first, last = 900 + slot, 901 + slot
    elif planted == "wrong_field":
        year -= 4 * (field == 0)
        title = "Handbook of unrelated measures in kitchens" if field == 1 else title
        first, last = (first + 40, last + 40) if field == 2 else (first, last)
    return (
        f"{document.organisation}. {title}. {document.container}. {year};{volume}:{first}-{last}. doi:{doi}"
    )


def _read(answer: str) -> list[Said]:
    """Read the statements of an answer that are there with their references."""
    text, _, listed = answer.partition("References\n")
    entries = dict(_ENTRY.findall(listed))
    return [
        Said(sentence.strip(), entries[number], "again")
        for sentence, number in _SAID.findall(text)
        if number in entries
    ]


def _written(said: list[Said]) -> Plan:
    entries = list(dict.fromkeys(each.entry for each in said if each.entry))
    parts, truths, at = [], [], 0
    for each in said:
        sentence = (
            f"{each.sentence} [{entries.index(each.entry) + 1}]." if each.entry else f"{each.sentence}."
        )
        truths.append(Truth(at, at + len(sentence), each.planted))
        parts.append(sentence)
        at += len(sentence) + 1
    text = " ".join(parts)
    if entries:
        text += "\n\nReferences\n" + "\n".join(
            f"[{number}] {entry}" for number, entry in enumerate(entries, start=1)
        )
    return Plan(text, tuple(truths))
