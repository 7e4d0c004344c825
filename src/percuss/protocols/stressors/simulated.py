"""The simulated record: answers questions from what may be told in a turn, by rule first, by a model second.

What is omitted was never handed to it; what comes later is "pending" before its turn.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from percuss.core import seeds
from percuss.core.errors import ModelError, OverBudget
from percuss.core.ports import Roles
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Message, Record, Request
from percuss.protocols.stressors.questions import Question
from percuss.protocols.stressors.readers.asked import Entry, asked_for
from percuss.protocols.stressors.scenario.wording import coverage
from percuss.text.quantities import missing

__all__ = ["NOT_AVAILABLE", "NOT_RECORDED", "PENDING", "WHICH", "Answer", "SimulatedRecord"]

NOT_AVAILABLE = "That result is not available."
PENDING = "Requested; result pending."
NOT_RECORDED = "Not done or not recorded."
WHICH = "Please name one test or topic."
NEAR = 0.55
"""Cosine from which an embedder takes a question and a topic for the same."""
SAME = 0.99
"""Share of a question's content words in an earlier one from which it is asked again."""
FAITHFUL = 0.6
"""Share of a model-written answer's content words that one entry must hold."""


class Answer(Record):
    """What the record said to one question: `kind` told | known | unavailable | pending | off_record | undecided | repeated."""

    turn: int
    question: str
    text: str
    kind: str
    facts: tuple[str, ...] = ()
    gap: str | None = None
    askable: bool = False
    by: str = "rule"


class SimulatedRecord:
    """Answers the questions of one trajectory.

    Args:
        entries: of `Posed.script["record"]`. template: prompt of the model-written answer.
        roles: `embedder` and `models["record"]` help where the rule finds nothing; both may be missing.
    """

    def __init__(self, entries: Sequence[dict[str, Any]], template: str, roles: Roles) -> None:
        self._entries = entries
        self._template = template
        self._cast = roles
        self._asked: list[str] = []
        self._told: set[str] = set()

    async def answer(self, question: Question, turn: int) -> tuple[Answer, ...]:
        """Answer what a question asks for in a turn, one answer an entry; they are read in the next turn."""
        if any(coverage(question.text, before) > SAME for before in self._asked):
            said = "Asked before; see the answer given."
            return (Answer(turn=turn, question=question.text, text=said, kind="repeated"),)
        self._asked.append(question.text)
        asked = asked_for(question.text, self._seen(turn))
        if asked.undecided:
            return (Answer(turn=turn, question=question.text, text=WHICH, kind="undecided"),)
        found = [self._entries[int(place)] for place in asked.entries]
        if not found and (near := await self._near(question.text)) is not None:
            found = [near]
        if not found:
            return (await self._by_model(question.text, turn),)
        return tuple(self._from(entry, question.text, turn) for entry in found)

    def _seen(self, turn: int) -> tuple[Entry, ...]:
        """The record as a question is matched with it: names always, texts of examinations and history as far as they may be told."""
        return tuple(
            Entry(
                str(place),
                tuple(entry["names"]),
                entry["kind"],
                tuple(f["text"] for f in entry["facts"])
                if not entry["objective"] and entry["from"] is not None and entry["from"] <= turn
                else (),
                entry["askable"],
            )
            for place, entry in enumerate(self._entries)
        )

    async def _near(self, question: str) -> dict[str, Any] | None:
        named = [(name, entry) for entry in self._entries for name in entry["names"]]
        if self._cast.embedder is None or not named:
            return None
        vectors = await self._cast.embedder.embed([question, *(name for name, _ in named)])
        cosines = vectors[1:] @ vectors[0]
        at = int(np.argmax(cosines))
        return named[at][1] if float(cosines[at]) >= NEAR else None

    def _from(self, entry: dict[str, Any], question: str, turn: int) -> Answer:
        held: dict[str, Any] = {
            "turn": turn,
            "question": question,
            "gap": entry["gap"],
            "askable": entry["askable"],
        }
        if entry["from"] is None:
            return Answer(text=NOT_AVAILABLE, kind="unavailable", **held)
        if entry["from"] > turn:
            return Answer(text=PENDING, kind="pending", **held)
        facts = tuple(fact["id"] for fact in entry["facts"])
        new = entry["askable"] and not set(facts) <= self._told
        self._told |= set(facts)
        text = " ".join(fact["text"].rstrip(".") + "." for fact in entry["facts"])
        return Answer(text=text, kind="told" if new else "known", facts=facts, **held)

    async def _by_model(self, question: str, turn: int) -> Answer:
        """Let a model find the words; they pass only if every number and finding in them may be told."""
        refusal = Answer(turn=turn, question=question, text=NOT_RECORDED, kind="off_record")
        model = self._cast.models.get("record")
        told = [
            fact for e in self._entries if e["from"] is not None and e["from"] <= turn for fact in e["facts"]
        ]
        if model is None or not told:
            return refusal
        entries = "\n".join(f"- {fact['text']}" for fact in told)
        text = fill(self._template, {"entries": neutralise(entries), "question": neutralise(question)})
        request = Request(
            messages=(Message.of("user", text),),
            max_tokens=120,
            seed=seeds.derive(self._cast.seed, "record", model.id),
        )
        try:
            said = (await model.generate(request)).text.strip()
        except OverBudget:
            raise
        except ModelError:
            return refusal
        behind = [fact for fact in told if coverage(said, fact["text"]) >= FAITHFUL]
        if not behind or missing(said, [fact["text"] for fact in behind]):
            return refusal
        return Answer(
            turn=turn,
            question=question,
            text=said,
            kind="told",
            facts=tuple(f["id"] for f in behind),
            askable=True,
            by=model.id,
        )
