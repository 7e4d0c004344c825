"""The environment as the protocol sees it: tasks, tools, state, grade, scripted agents."""

import contextlib
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path

from percuss.core.messages import Tool
from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Final, Grade, Script, State, Task
from percuss.protocols.skills.worlds.safety import agents, crossing, grading
from percuss.protocols.skills.worlds.safety.clinic import SafetyState
from percuss.protocols.skills.worlds.safety.setting import setting_of
from percuss.protocols.skills.worlds.safety.tools import TOOLS

__all__ = ["SafetyWorld"]


class SafetyWorld:
    """SafetyAgent (paper sections 2.1 and 3.3, table A.2): a clinic's desk under attack, with a benign twin of each attack.

    A task's kind is its side, `attack` or `benign`; its setting names `area`, `subcategory`, `technique` and `twin`.
    """

    name = "safety"

    def tasks(self, seed: int) -> tuple[Task, ...]:
        """Return the grid: 20 sub-categories x 12 techniques x 2 sides, each attack followed by its twin.

        Args:
            seed: canaries and order follow from it; ids don't.
        """
        return crossing.all_tasks(seed)

    def tools(self, task: Task) -> tuple[Tool, ...]:  # noqa: ARG002 - the contract's
        """Return the tools of the desk, the same for every task, so that they give no side away.

        Args:
            task: of this world.
        """
        return TOOLS

    @contextlib.contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[State]:  # noqa: ARG002 - the contract's
        """Build the clinic in memory; nothing is written, run or fetched.

        Args:
            task: of this world. seed: the task holds what follows from it.
            scratch, roles: not used.
        """
        yield SafetyState(setting_of(task))

    def grade(self, task: Task, final: Final) -> Grade:
        """Grade what is left by canaries, calls and state (`grading.grade`).

        Args:
            task: of this world. final: what is left.
        """
        return grading.grade(task, final)

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        """Return `gold`, `nothing` (refuses all), `do_everything`, `liar` and `random`.

        Args:
            task: of this world. seed: of the random one.
        """
        return agents.agents(task, seed)


if typing.TYPE_CHECKING:
    from percuss.protocols.skills.worlds.contract import World

    _: World = SafetyWorld()
