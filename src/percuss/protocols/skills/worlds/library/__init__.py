"""RAGAgent: questions over a knowledge base with copies, distractors, superseded versions and planted conflicts."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from percuss.core.messages import Tool
from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, State, Task
from percuss.protocols.skills.worlds.library import grading, scripted, tasks, tools

__all__ = ["Library"]


class Library:
    """The world `rag`."""

    @property
    def name(self) -> str:
        """Return the name that `--env` takes."""
        return "rag"

    def tasks(self, seed: int) -> tuple[Task, ...]:
        """Return all tasks; the `seed` arranges topics and documents whose passages are out of order."""
        return tasks.tasks(seed)

    def tools(self, task: Task) -> tuple[Tool, ...]:  # noqa: ARG002 - the contract's
        """Return search, re-rank, open and submit, the same for each `task`."""
        return tools.tools()

    @contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[State]:  # noqa: ARG002
        """Open the knowledge base for a `task`; nothing is written to `scratch`, and the task says its `seed`.

        Meaning is searched beside words where `roles` have an embedder.
        """
        yield tools.LibraryDesk(task, roles.embedder if roles else None)

    def grade(self, task: Task, final: Final) -> Grade:
        """Grade what was handed in for a `task`; `final` is what is left."""
        return grading.grade(task, final)

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        """Return the scripted agents of a `task`; the `seed` is for the random one."""
        return scripted.agents(task, seed)
