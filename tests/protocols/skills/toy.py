"""A world of one counter, for tests of what joins loop and world."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from percuss.core.ids import b2
from percuss.core.messages import Tool
from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Final, Grade, Result, Script, Step, Task


class Counter:
    """A number in a file; `add` changes it, `submit` hands it in."""

    def __init__(self, folder: Path, start: int) -> None:
        self.file, self.start, self.round = folder / "count", start, 0
        self.file.write_text(str(start), encoding="utf-8")
        self.handed: dict[int, Any] = {}

    @property
    def count(self) -> int:
        return int(self.file.read_text(encoding="utf-8"))

    def begin(self, round_: int) -> None:
        self.round = round_

    def digest(self) -> str:
        return b2(self.count)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        if tool == "submit":
            self.handed[self.round] = arguments.get("value")
            return Result(text="Handed in.", done=True)
        self.file.write_text(str(self.count + int(arguments["by"])), encoding="utf-8")
        return Result(text=str(self.count), effect="count")

    def changed(self) -> tuple[str, ...]:
        return () if self.count == self.start else ("count",)

    def submitted(self, round_: int) -> Any:
        return self.handed.get(round_)


class Toy:
    """One task of two rounds: add three, then two."""

    name = "toy"

    def tasks(self, seed: int) -> tuple[Task, ...]:
        return (Task(id="t", kind="count", says=("Add 3.", "Add 2."), gold=(seed + 3, seed + 5)),)

    def tools(self, task: Task) -> tuple[Tool, ...]:
        return (
            Tool(name="add", description="Add.", parameters={"type": "object"}),
            Tool(name="submit", description="Hand in.", parameters={"type": "object"}),
        )

    @contextmanager
    def open(self, task: Task, seed: int, scratch: Path, roles: Roles | None) -> Iterator[Counter]:
        yield Counter(scratch, seed)

    def grade(self, task: Task, final: Final) -> Grade:
        right = [given == wanted for given, wanted in zip(final.submitted, task.gold, strict=True)]
        return Grade(score=100 * sum(right) / len(right))

    def agents(self, task: Task, seed: int) -> Mapping[str, Script]:
        first, second = task.gold
        return {
            "gold": Script(
                steps=(
                    (
                        Step(tool="add", arguments={"by": 3}),
                        Step(tool="submit", arguments={"value": first}),
                    ),
                    (
                        Step(tool="add", arguments={"by": 2}),
                        Step(tool="submit", arguments={"value": second}),
                    ),
                ),
                says=("Done.", "Done."),
            ),
            "liar": Script(steps=((), ()), says=(f"It is {first}.", f"It is {second}.")),
        }
