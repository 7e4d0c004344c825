"""A world of documents: an agent searches, opens and hands in one submission, graded by what the documents say."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from percuss.core.messages import Tool
from percuss.core.ports import Embedder, Roles
from percuss.evidence.verbatim import find_quote
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, State, Task, World
from percuss.protocols.skills.worlds.desk import Desk, Wanted

__all__ = ["QUOTE_WORDS", "DocumentWorld", "grade_submission", "quoted"]

QUOTE_WORDS = 60
"""The most words that a quote may have."""


class DocumentWorld(World):
    """An environment of documents, made of the functions of its folder.

    Args:
        name: that `--env` takes. tasks: as the contract has them. tools: offered, the same for each task.
        desk: (task, seed, embedder) -> the desk of one task; meaning is searched beside words where there is an embedder.
        grade, agents: as the contract has them.
    """

    def __init__(
        self,
        name: str,
        tasks: Callable[[int], tuple[Task, ...]],
        tools: Callable[[], tuple[Tool, ...]],
        desk: Callable[[Task, int, Embedder | None], Desk],
        grade: Callable[[Task, Final], Grade],
        agents: Callable[[Task, int], Mapping[str, Script]],
    ) -> None:
        self._name = name
        self._tasks = tasks
        self._tools = tools
        self._desk = desk
        self._grade = grade
        self._agents = agents

    @property
    def name(self) -> str:
        """Return the name that `--env` takes."""
        return self._name

    def tasks(self, seed: int) -> tuple[Task, ...]:
        """Return all tasks; the `seed` arranges them."""
        return self._tasks(seed)

    def tools(self, task: Task) -> tuple[Tool, ...]:  # noqa: ARG002 - the contract's
        """Return the tools, the same for each `task`."""
        return self._tools()

    @contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[State]:  # noqa: ARG002
        """Open the desk of a `task` and `seed`, with the embedder of `roles`; nothing is written to `scratch`."""
        yield self._desk(task, seed, roles.embedder if roles else None)

    def grade(self, task: Task, final: Final) -> Grade:
        """Grade what was handed in for a `task`; `final` is what is left."""
        return self._grade(task, final)

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        """Return the scripted agents of a `task`; the `seed` is for the random one."""
        return self._agents(task, seed)


def grade_submission(
    final: Final, empty: Wanted, *, fits: Callable[[Wanted], bool], worth: Callable[[Wanted], Grade]
) -> Grade:
    """Return what the one submission of a task is worth: 0 with the reason where there is none, or it can't be read.

    The numbers beside the score are the same ones whatever was handed in, so that none of them is over fewer tasks.

    Args:
        final: what is left. empty: a submission of nothing. fits: whether one keeps the bounds. worth: grades one that does.
    """
    handed = final.submitted[0] if final.submitted else None
    if handed is None or final.limit:
        return _worthless(f"limit: {final.limit}" if final.limit else "nothing was handed in", worth(empty))
    try:
        submission = msgspec.convert(handed, type=type(empty))
    except (msgspec.ValidationError, RecursionError):
        submission = None
    if submission is None or not fits(submission):
        return _worthless("the submission can't be read", worth(empty))
    return worth(submission)


def _worthless(reason: str, nothing: Grade) -> Grade:
    """Return 0 for all that applies; what is a share of citations has no value where there are none."""
    parts = {name: None if value is None else 0.0 for name, value in nothing.parts.items()}
    return Grade(score=0.0, parts=parts, reason=reason)


def quoted(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote of at most `QUOTE_WORDS` words stands in a text, to the letter; None: it doesn't.

    Args:
        quote: as handed in, with or without quotation marks. text: of the passage or record.
    """
    if not 0 < len(quote.split()) <= QUOTE_WORDS:
        return None
    place = find_quote(quote.strip().strip('"“”'), text)
    if place is None or place[2]:
        return None  # a changed digit or a "not" lies within the edits that a long quote may have
    return place[0], place[1]
