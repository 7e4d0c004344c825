"""The environments of `skills` as Inspect tasks: an Inspect agent works with the same tools, and what it leaves is graded the same.

    from inspect_ai import eval
    from percuss.bridge.worlds import environment

    eval(environment("data", limit=12), model="openai/gpt-4o-mini")

The grade is made of the final state, what was handed in and the tool log, never of the transcript. Needs `percuss[inspect]`;
everything of Inspect is imported when it is used.
"""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from percuss.core.extras import needed
from percuss.protocols.skills.arms import opened
from percuss.protocols.skills.case import Played
from percuss.protocols.skills.options import PROMPTS, SkillsOptions
from percuss.protocols.skills.worlds.contract import Action, Final, Grade, Result, State, Task
from percuss.protocols.skills.worlds.registry import world_named

if TYPE_CHECKING:
    from inspect_ai import Task as InspectTask
    from inspect_ai.solver import Solver

__all__ = ["environment"]

EXTRA = "inspect"
GRADE = "percuss_grade"
ENDED = "this round has ended; say so and wait for the next question"


def environment(
    world: str, *, seed: int = 42, limit: int | None = None, agent: "Solver | None" = None
) -> "InspectTask":
    """Return an environment as an Inspect task.

    Args:
        world: `data`, `rag`, `research`, `safety` or `fhir`. seed: of the world and its tasks. limit: only the first so many tasks.
        agent: solver that acts in one round with the tools of its state; None: the model, until it calls no tool any more.

    Raises:
        UsageError: no such environment, or the extra `inspect` isn't installed.
    """
    inspect = needed("inspect_ai", "an environment as an Inspect task", EXTRA)
    dataset = needed("inspect_ai.dataset", "an environment as an Inspect task", EXTRA)
    options = SkillsOptions(prompts={"agent": (PROMPTS / "agent.md").read_text(encoding="utf-8")})
    samples = []
    for task in world_named(world).tasks(seed)[:limit]:
        posed = opened(Played(world=world, task=task, seed=seed), options)
        samples.append(
            dataset.Sample(
                id=task.id, input=_messages([(each.role, each.text) for each in posed.messages]),
                metadata={"world": world, "seed": seed, "kind": task.kind, "task": msgspec.to_builtins(task)},
            )
        )  # fmt: skip
    made: InspectTask = inspect.Task(
        name=f"percuss_{world}",
        dataset=dataset.MemoryDataset(samples),
        solver=_acting(agent),
        scorer=_left_behind(),
    )
    return made


def _messages(said: list[tuple[str, str]]) -> list[Any]:
    model = needed("inspect_ai.model", "messages", EXTRA)
    kinds = {"system": model.ChatMessageSystem, "user": model.ChatMessageUser}
    return [kinds[role](content=text) for role, text in said]


class _Log:
    """Calls of tools in order, as an agent of Inspect makes them."""

    def __init__(self, state: State) -> None:
        self.state, self.round, self.done = state, 0, False
        self.actions: list[Action] = []

    def begin(self, number: int) -> None:
        """Begin a round, from 0."""
        self.round, self.done = number, False
        self.state.begin(number)

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Do what was called for, keep it in the log, and return what the agent reads."""
        made = Result(text=ENDED, outcome="error") if self.done else await self.state.call(tool, arguments)
        self.actions.append(made.logged(len(self.actions), self.round, tool, arguments))
        self.done = self.done or made.done
        return made.text


def _tools(task: Task, world: str, log: _Log) -> list[Any]:
    inspect = needed("inspect_ai.tool", "tools", EXTRA)

    def tool_of(name: str, description: str, parameters: dict[str, Any]) -> Any:
        async def execute(**arguments: Any) -> str:
            return await log.call(name, arguments)

        said = parameters.get("properties", {}).items()  # Inspect wants words for each
        fields = {key: {"description": key.replace("_", " "), **of} for key, of in said}
        shape = inspect.ToolParams.model_validate({**parameters, "properties": fields})
        return inspect.ToolDef(execute, name=name, description=description, parameters=shape).as_tool()

    return [
        tool_of(each.name, each.description, dict(each.parameters)) for each in world_named(world).tools(task)
    ]


def _acting(agent: "Solver | None") -> Any:
    solvers = needed("inspect_ai.solver", "a solver", EXTRA)

    def acting() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            task = msgspec.convert(state.metadata["task"], Task)
            world, seed = world_named(state.metadata["world"]), int(state.metadata["seed"])
            with (
                tempfile.TemporaryDirectory(prefix="percuss-world-") as scratch,
                world.open(task, seed, Path(scratch), None) as held,
            ):
                before, log = held.digest(), _Log(held)
                state.tools = _tools(task, world.name, log)
                for number, words in enumerate(task.says):
                    log.begin(number)
                    state.messages += _messages([("user", words)]) if number else []
                    state.completed = False
                    state = await (
                        generate(state, tool_calls="loop") if agent is None else agent(state, generate)
                    )
                final = Final(
                    before=before, after=held.digest(), changed=held.changed(), log=tuple(log.actions),
                    submitted=tuple(held.submitted(number) for number in range(len(task.says))),
                )  # fmt: skip
                state.metadata[GRADE] = msgspec.to_builtins(world.grade(task, final))
            return state

        return solve

    return solvers.solver(name="percuss_world")(acting)()


def _left_behind() -> Any:
    scorers = needed("inspect_ai.scorer", "a scorer", EXTRA)

    def left_behind() -> Any:
        async def score(state: Any, target: Any) -> Any:
            del target
            grade = msgspec.convert(state.metadata[GRADE], Grade)
            value = float("nan") if grade.score is None else grade.score / 100
            return scorers.Score(value=value, explanation=grade.reason, metadata={"parts": grade.parts})

        return score

    return scorers.scorer(metrics=[scorers.mean(), scorers.stderr()], name=GRADE)(left_behind)()
