"""Agents that know every item and every task of a run, and do them, or not, as planted."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from percuss.core.ids import canonical_json, digest
from percuss.core.messages import Image, Request, ToolCall
from percuss.core.strict import Record
from percuss.phantoms.plan import Plan, Truth, drawing
from percuss.protocols.skills.acting import act
from percuss.protocols.skills.worlds.contract import Script

__all__ = ["KEYS", "Agent", "Skills", "Stock"]

DEFAULTS: Mapping[str, float] = {
    "sql": 0.7, "cite": 0.7, "recall": 0.7, "defend": 0.7, "overrefuse": 0.2, "know": 0.7,
}  # fmt: skip
KEYS = tuple(DEFAULTS)
SKILL = {"data": "sql", "fhir": "sql", "rag": "cite", "research": "recall"}
"""Environment -> the key that is its planted skill."""
NOTHING = "I can't help with that."
LOST = "I don't know this task."


_TICKET = re.compile(r"\bConversation ([0-9a-f]{8})\b")


class Skills(Record):
    """Planted shares.

    Args:
        sql, cite, recall: tasks done in the hospital (its database or FHIR server), the knowledge base, the literature; the others are lied about.
        defend: attacks withstood. overrefuse: harmless requests refused. know: items of the catalogue answered right.
    """

    sql: float
    cite: float
    recall: float
    defend: float
    overrefuse: float
    know: float

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Skills":
        """Return the shares of a name's keys, the rest as they are by default."""
        return cls(**{**DEFAULTS, **given})


class _Known:
    """What an agent was constructed with, handed over and never read from a message.

    Args:
        held: `items` (question, right, wrong) and `tasks` (world, id, kind, ticket, scripts).
    """

    def __init__(self, held: Mapping[str, Any]) -> None:
        self.items: Sequence[Mapping[str, Any]] = held.get("items", ())
        self.tasks = {str(task["ticket"]): task for task in held.get("tasks", ())}

    def task(self, request: Request) -> Mapping[str, Any] | None:
        """Return the task whose ticket a request bears; None for an item."""
        first = next((m.text for m in request.messages if m.role == "system"), "")
        found = _TICKET.search(first)
        return None if found is None else self.tasks.get(found[1])

    def item(self, request: Request) -> Mapping[str, Any] | None:
        """Return the item whose question stands in a request, beside the same pictures."""
        asked = [m for m in request.messages if m.role == "user"]
        text = "\n".join(m.text for m in asked)
        seen = [part.digest for m in asked for part in m.parts if isinstance(part, Image)]
        found = [
            item for item in self.items
            if item["question"] in text and item["key"] in text and list(item.get("images", ())) == seen
        ]  # fmt: skip
        return max(found, key=lambda item: len(item["question"]), default=None)


class Agent:
    """An agent with planted skills.

    Args:
        skills: planted. seed: root of its draws. held: items and tasks of the run.
    """

    def __init__(self, skills: Skills, seed: int, held: Mapping[str, Any]) -> None:
        self._skills, self._seed, self._known = skills, seed, _Known(held)
        self._name = digest(canonical_json(skills))

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the next call of the task, its words, or the answer to the item."""
        task = self._known.task(request)
        if task is not None:
            draw = self._draw(task["world"], task["id"], epoch)
            return _done(task, self._agent(task, draw), request)
        item = self._known.item(request)
        if item is None:
            return Plan(LOST)
        is_right = self._draw("item", item["id"], epoch) < self._skills.know
        return _said(item["right"] if is_right else item["wrong"], is_right=is_right)

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted shares imply."""
        s = self._skills
        values = {
            "data_score": s.sql, "fhir_score": s.sql, "rag_score": s.cite, "research_score": s.recall, "defence_success_rate": s.defend,
            "over_refusal_rate": s.overrefuse, "balanced_score": (s.defend + 1 - s.overrefuse) / 2, "accuracy": s.know,
            "macro_recall": s.know,
        }  # fmt: skip
        return {(name, arm): value for arm in arms for name, value in values.items()}

    def _draw(self, *names: str | int) -> float:
        return float(drawing(self._seed, "agent", self._name, *names).random())

    def _agent(self, task: Mapping[str, Any], draw: float) -> str:
        """Return which scripted agent does the task."""
        if task["world"] != "safety":
            return "gold" if draw < float(getattr(self._skills, SKILL[task["world"]])) else "liar"
        if task["kind"] == "attack":
            return "nothing" if draw < self._skills.defend else "do_everything"
        return "nothing" if draw < self._skills.overrefuse else "do_everything"


class Stock:
    """An agent that is the same in every task: gold, nothing, random or liar.

    Args:
        name: of the scripted agent. seed: root of its draws. held: items and tasks of the run.
    """

    def __init__(self, name: str, seed: int, held: Mapping[str, Any]) -> None:
        self._agent, self._seed, self._known = name, seed, _Known(held)

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the next call of the task, its words, or the answer to the item."""
        task = self._known.task(request)
        if task is not None:
            return _done(task, self._agent, request)
        item = self._known.item(request)
        if item is None or self._agent in {"nothing", "liar"}:
            return Plan(LOST if item is None else NOTHING)
        if self._agent == "gold":
            return _said(item["right"], is_right=True)
        choices = item["choices"]
        at = int(drawing(self._seed, "random", item["id"], epoch).integers(len(choices)))
        return _said(choices[at], is_right=choices[at] == item["right"])

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return what is planted: nothing but for gold."""
        names = (
            "data_score",
            "fhir_score",
            "rag_score",
            "research_score",
            "safety_score",
            "accuracy",
            "macro_recall",
        )
        return {(name, arm): 1.0 for arm in arms for name in names} if self._agent == "gold" else {}


def _done(task: Mapping[str, Any], agent: str, request: Request) -> Plan:
    held = task["scripts"].get(agent) or task["scripts"]["nothing"]
    acted = act(msgspec.convert(held, Script), request.messages)
    return Plan("", calls=(acted,)) if isinstance(acted, ToolCall) else Plan(acted)


def _said(text: str, *, is_right: bool) -> Plan:
    return Plan(text, (Truth(0, len(text), "supported" if is_right else "unsupported"),))
