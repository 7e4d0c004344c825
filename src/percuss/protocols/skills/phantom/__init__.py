"""Scripted agents that go through the same loop as a model: one with planted skills, and gold, do-nothing, random and liar."""

from percuss.phantoms.plan import Entry
from percuss.protocols.skills.phantom.agent import KEYS, Agent, Skills, Stock

__all__ = ["PHANTOMS", "Agent", "Skills"]


def _scripted(name: str) -> Entry:
    return Entry((), lambda _given, seed, extra: Stock(name, seed, extra.get("skills", {})))


PHANTOMS: dict[str, Entry] = {
    "agent": Entry(KEYS, lambda given, seed, extra: Agent(Skills.of(given), seed, extra.get("skills", {}))),
    **{f"agent-{name}": _scripted(name) for name in ("gold", "nothing", "random", "liar")},
}
"""`phantom/agent` does its tasks as planted; `phantom/agent-gold` and its like show what 100, 0 and chance are."""
