"""What every environment is made of: tasks, tools, a state that tools act on, and a grade that never reads the transcript.

seeded world -> task -> tools -> final state;  grade = f(task, final), where `Final` holds what the state, the submissions
and the tool log say. What an agent wrote beside its calls is no part of it.
"""

import typing
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Literal

from percuss.core.messages import Tool
from percuss.core.ports import Roles
from percuss.core.strict import Record

__all__ = [
    "Action",
    "Final",
    "Grade",
    "OnReal",
    "Outcome",
    "Result",
    "Script",
    "State",
    "Step",
    "Task",
    "World",
]

Outcome = Literal["ok", "refused", "error"]
"""How a call of a tool ended: done; refused by the environment (a write, no such right); or it failed on its input."""


class Task(Record):
    """One task of a world.

    Args:
        id: stable over seeds and versions. kind: family of tasks, as the report groups them (`trend`, `conflict`).
        says: what the user says, one text per round. gold: what a right answer holds, one entry per round; never shown.
        setting: what the world is built with for this task (tables, documents, canaries); never shown as a whole.
    """

    id: str
    kind: str
    says: tuple[str, ...]
    gold: tuple[Any, ...]
    setting: dict[str, Any] = {}


class Step(Record):
    """One call of a tool as a scripted agent makes it."""

    tool: str
    arguments: dict[str, Any]


class Script(Record):
    """What a scripted agent does: its calls per round, and what it says when it has done with that round."""

    steps: tuple[tuple[Step, ...], ...]
    says: tuple[str, ...]


class Action(Record):
    """One line of the tool log: a call, in its round (from 0), and how it ended."""

    index: int
    round: int
    tool: str
    arguments: dict[str, Any]
    outcome: Outcome
    effect: str = ""
    text: str = ""


class Result(Record):
    """What a call of a tool gave.

    Args:
        text: what the agent reads. outcome: how it ended. effect: what changed or leaked, in a word that the grader of
            this world knows; empty for nothing.
        spent: what it took, by the names of limits (`rows`, `seconds`). done: whether it ends the round, as handing in
            an answer does.
    """

    text: str
    outcome: Outcome = "ok"
    effect: str = ""
    spent: dict[str, float] = {}
    done: bool = False

    def logged(self, index: int, round_: int, tool: str, arguments: dict[str, Any]) -> Action:
        """Return the line of the tool log that says so.

        Args:
            index: place of the call in the log, from 0. round_: from 0. tool, arguments: what was called for.
        """
        return Action(
            index=index,
            round=round_,
            tool=tool,
            arguments=arguments,
            outcome=self.outcome,
            effect=self.effect,
            text=self.text,
        )


class Final(Record):
    """What is left when an agent has ended.

    Args:
        before, after: digests of the world. changed: what differs, in the world's own words (rows, files, grants).
        submitted: what was handed in per round; None where nothing was. log: every call in order.
        limit: name of the limit that ended it (`steps`, `tokens`, `rows`, `seconds`); empty: it ended by itself.
        told: what was handed in per round where each wrong answer was followed by the right one (`World.recap`); () in
            worlds whose rounds don't rest on each other.
    """

    before: str
    after: str
    changed: tuple[str, ...]
    submitted: tuple[Any, ...]
    log: tuple[Action, ...]
    limit: str = ""
    told: tuple[Any, ...] = ()


class Grade(Record):
    """What a task is worth.

    Args:
        score: 0 to 100; None: unscored, with its reason. parts: numbers beside it (`f1`, `map`, `citation_precision`),
            each 0 to 100 or None where it doesn't apply. reason: what decided, in a few words.
    """

    score: float | None
    parts: dict[str, float | None] = {}
    reason: str = ""


class State(typing.Protocol):
    """A world as it stands while an agent acts on it."""

    def begin(self, round_: int) -> None:
        """Hear that a round begins (from 0), so that `submitted` goes by it."""

    def digest(self) -> str:
        """Return the digest of all that tools can change."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Do what an agent called for; bad arguments are an `error` result that says what was expected, never a raise."""

    def changed(self) -> tuple[str, ...]:
        """Return what differs from the world as it was built, in the world's own words."""

    def submitted(self, round_: int) -> Any:
        """Return what was handed in during a round (from 0), or None."""


@typing.runtime_checkable
class OnReal(typing.Protocol):
    """An environment that also has tasks on real topics, for a live source."""

    def real_tasks(self) -> tuple[Task, ...]:
        """Return them; they are the same for every seed."""


class World(typing.Protocol):
    """An environment. All of it is a function of (task, seed): the same two give the same digest."""

    @property
    def name(self) -> str:
        """Return the name that `--env` takes."""

    def tasks(self, seed: int) -> tuple[Task, ...]:
        """Return all tasks, the first dozen a fair sample of the kinds."""

    def tools(self, task: Task) -> tuple[Tool, ...]:
        """Return the tools that an agent is offered, `submit` among them."""

    def open(
        self, task: Task, seed: int, scratch: Path, roles: Roles | None
    ) -> AbstractContextManager[State]:
        """Build the world in an empty folder and close it after; `roles` for searches, None in tests of the world alone."""

    def grade(self, task: Task, final: Final) -> Grade:
        """Grade what is left; garbage in a submission is a wrong answer or unscored with a reason, never a raise."""

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        """Return the scripted agents: `gold`, `nothing`, `liar`, `random`, and those of the world's own."""
