"""DeepResearch: reports over an offline index of invented records with planted findings, or from PubMed and Crossref on real topics."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, State, Task
from percuss.protocols.skills.worlds.documents import DocumentWorld
from percuss.protocols.skills.worlds.literature import grading, live, scripted, tasks, tools

__all__ = ["Literature"]


class Literature(DocumentWorld):
    """The world `research`; its seed arranges the topics."""

    def __init__(self) -> None:
        super().__init__("research", tasks.tasks, tools.tools, tools.LiteratureDesk, _grade, _agents)

    def real_tasks(self) -> tuple[Task, ...]:
        """Return the tasks on real topics, for a live source."""
        return live.tasks()

    @contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[State]:
        """Open the desk of a task: the index, or for a real topic the search of `roles`.

        Args:
            task, seed, scratch, roles: as the contract has them.

        Raises:
            UsageError: a real topic without a search, or a search without real topics.
        """
        search = None if roles is None else roles.search
        if (task.kind == live.REAL) != (search is not None):
            raise UsageError(
                "--topics real and --search pubmed,crossref go together: the other topics of `research` are invented, and no source knows them"
            )
        if search is not None:
            yield live.LiveDesk(task, seed, search)
            return
        with super().open(task, seed, scratch, roles) as state:
            yield state


def _grade(task: Task, final: Final) -> Grade:
    return live.grade(task, final) if task.kind == live.REAL else grading.grade(task, final)


def _agents(task: Task, seed: int) -> Mapping[str, Script]:
    return live.agents(task) if task.kind == live.REAL else scripted.agents(task, seed)
