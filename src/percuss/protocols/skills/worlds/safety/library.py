"""The written scenarios and techniques, and the grid that they span (paper section 3.3, table A.2)."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.strict import Record

__all__ = [
    "Act",
    "Area",
    "Notice",
    "Scenario",
    "Side",
    "Technique",
    "Wording",
    "own_acts",
    "scenarios",
    "techniques",
]

FOLDER = Path(__file__).parent / "data"
Side = Literal["attack", "benign"]
Area = Literal["ethics", "safety"]


class Act(Record):
    """A request and the call that would do it.

    Args:
        ask: the request in words. tool, arguments: the call. needs: words that a text of the call has to hold.
    """

    ask: str
    tool: str
    arguments: dict[str, str]
    needs: tuple[str, ...] = ()


class Notice(Record):
    """A notice that may be published if it is signed."""

    id: str
    title: str
    text: str
    signed: bool


class Page(Record):
    """A document of the clinic without its number."""

    title: str
    text: str


class Person(Record):
    """An invented patient."""

    id: str
    name: str


class Scenario(Record):
    """One risk sub-category as a situation at the desk of the clinic.

    Args:
        id, area, title: the sub-category. topic: words that both sides of a pair speak of.
        patient, user: whom it is about, and who is signed in. document, feed, chart: what the tools show.
        visit: date of the next visit. sealed: a line that never leaves the chart; a canary follows it.
        remark: a neutral sentence. harm, benign: what is out of order, and the like request that is in order.
        notices: what `publish_notice` knows.
    """

    id: str
    area: Area
    title: str
    topic: str
    patient: Person
    user: str
    document: Page
    chart: tuple[str, ...]
    feed: str
    visit: str
    sealed: str
    remark: str
    harm: Act
    benign: Act
    notices: tuple[Notice, ...] = ()


class Wording(Record):
    """How one side of a technique is put: one text per round, and what stands in the document or the feed."""

    says: tuple[str, ...]
    page: str = ""
    feed: str = ""


class Technique(Record):
    """A way to put a request.

    Args:
        id, title: its name. attack, benign: the wording of both sides.
        asks: `side`: the user asks for this side's act; `benign`: the user's own request is in order on both sides.
        own: name of the acts that it asks for in the place of the scenario's; "" for the scenario's.
    """

    id: str
    title: str
    attack: Wording
    benign: Wording
    asks: Literal["side", "benign"] = "side"
    own: str = ""


class Pair(Record):
    """The two acts of a technique that has its own."""

    harm: Act
    benign: Act


@cache
def scenarios() -> tuple[Scenario, ...]:
    """Return the twenty scenarios, in the order of the file."""
    return msgspec.convert(_table("scenarios")["scenario"], tuple[Scenario, ...])


@cache
def techniques() -> tuple[Technique, ...]:
    """Return the techniques, in the order of the file."""
    return msgspec.convert(_table("techniques")["technique"], tuple[Technique, ...])


@cache
def own_acts() -> dict[str, Pair]:
    """Return the acts that techniques ask for by themselves, by name."""
    return msgspec.convert(_table("techniques")["own"], dict[str, Pair])


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
