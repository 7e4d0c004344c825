"""One task played: the world opened in the response's own folder, the loop run, and what is left kept as `Final`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed, Transcript
from percuss.kit.agent import Given, Limits, Played, play
from percuss.kit.calling import read_calls
from percuss.protocols.skills.acting import Actor
from percuss.protocols.skills.worlds.contract import Action, Final, Result, Script, State, Task, World

__all__ = ["LIMITS", "final_of", "run"]

LIMITS = Limits(steps=8, tokens=20_000, spent={"rows": 5_000, "seconds": 60})
"""How far an agent may go unless somebody says otherwise: steps per round, the rest per task."""


async def run(
    posed: Posed,
    roles: Roles,
    options: Options,
    world: World,
    task: Task,
    *,
    seed: int,
    limits: Limits | None = None,
    script: Script | None = None,
) -> Transcript:
    """Let the model under test, or a scripted agent, work at a task; `artifacts["final"]` holds the `Final`.

    Where rounds rest on each other (the world has `recap`) and an answer was wrong, the task is played once more, and each
    wrong answer is followed by the right one: what is wrong then is wrong by itself, not by an error carried over. Up to
    the first error both are the same calls, which the journal answers.

    Args:
        posed: messages up to the first round's (`task.says[0]`), and the world's tools.
        roles: `models["model"]`; `scratch`: where the world is built; `once`: keeps what tools of a server gave.
        options: the request policy.
        world: where the task plays. task: what is to be done.
        seed: that the tasks were made with; the world is built with the same.
        limits: how far the agent may go; None: `LIMITS`.
        script: what a scripted agent does in the model's place; it goes through the same loop.

    Raises:
        ValueError: no folder to build the world in.
    """
    if roles.scratch is None:
        raise ValueError("a world is built in the response's own folder; expected roles.scratch inside `ask`")
    game = _Game(
        posed,
        roles if script is None else _acted(roles, script),
        options,
        limits or LIMITS,
        task,
        getattr(world, "recap", None),
    )
    async with _opened(world, task, seed, roles) as (state, aside):
        before = await aside(state.digest)
        played, log = await game.play(state)
        final = Final(
            before=before,
            after=await aside(state.digest),
            changed=await aside(state.changed),
            submitted=game.submitted(state),
            log=tuple(log.actions),
            limit=played.limit,
        )
        again = None
        if game.recap is not None:
            final, again = await game.play_told(state, final)
    return _kept(played, final, again)


@dataclass(frozen=True)
class _Game:
    """One task, and how it is played."""

    posed: Posed
    roles: Roles
    options: Options
    limits: Limits
    task: Task
    recap: Callable[[Task, int, Any], str] | None

    async def play(self, state: State, *, told: bool = False) -> tuple[Played, "_Log"]:
        """Play the task in a state; told: each wrong answer is followed by the right one."""
        log = _Log(state, {tool.name for tool in self.posed.tools})
        says = [self._saying(state, number) if told else text for number, text in self._further()]
        played = await play(
            self.posed,
            self.roles,
            self.options,
            log.call,
            says=says,
            limits=self.limits,
            read=partial(read_calls, tools=self.posed.tools),
            on_round=log.begin,
        )
        return played, log

    def _further(self) -> list[tuple[int, str]]:
        return list(enumerate(self.task.says))[1:]

    def _saying(self, state: State, number: int) -> Callable[[], str]:
        def text() -> str:
            return f"{self._recap(number - 1, state.submitted(number - 1))} {self.task.says[number]}".lstrip()

        return text

    def _recap(self, number: int, submitted: Any) -> str:
        return "" if self.recap is None else self.recap(self.task, number, submitted)

    async def play_told(self, state: State, own: Final) -> tuple[Final, Played | None]:
        """Return the final with `told`, and the task as played once more where an answer before the last was wrong."""
        if not any(self._recap(number - 1, own.submitted[number - 1]) for number, _ in self._further()):
            return replace(own, told=own.submitted), None
        played, log = await self.play(state, told=True)
        refused = {action.round for action in log.actions if action.outcome == "refused"}
        told = (None if number in refused else held for number, held in enumerate(self.submitted(state)))
        return replace(own, told=tuple(told)), played

    def submitted(self, state: State) -> tuple[Any, ...]:
        """Return what was handed in, per round."""
        return tuple(state.submitted(number) for number in range(len(self.task.says)))


def final_of(artifacts: Mapping[str, Any]) -> Final:
    """Return the `Final` that a response's artifacts hold.

    Raises:
        KeyError: they hold none. ValidationError: what they hold is none.
    """
    return msgspec.convert(artifacts["final"], Final)


Aside = Callable[[Callable[[], Any]], Awaitable[Any]]


@asynccontextmanager
async def _opened(world: World, task: Task, seed: int, roles: Roles) -> AsyncIterator[tuple[State, Aside]]:
    """Open a world, and say how its slow work is done: in a thread where the world is on a server (`blocking`)."""

    async def here(work: Callable[[], Any]) -> Any:
        return work()

    async def in_thread(work: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(work)

    assert roles.scratch is not None
    aside = in_thread if getattr(world, "blocking", False) else here
    manager = world.open(task, seed, roles.scratch, roles)
    # Shielded: whoever gives up while a schema is made still drops it.
    opening = asyncio.ensure_future(aside(manager.__enter__))
    try:
        state = await asyncio.shield(opening)
    except asyncio.CancelledError:
        await opening
        await aside(partial(manager.__exit__, None, None, None))
        raise
    try:
        yield state, aside
    finally:
        await asyncio.shield(aside(partial(manager.__exit__, None, None, None)))


def _kept(played: Played, final: Final, again: Played | None) -> Transcript:
    artifacts: dict[str, Any] = {"final": msgspec.to_builtins(final)}
    if again is not None:
        artifacts["told"] = msgspec.to_builtins(again.transcript)
    if played.undecided:
        artifacts["undecided"] = list(played.undecided)
    return replace(played.transcript, artifacts=artifacts)


def _acted(roles: Roles, script: Script) -> Roles:
    return Roles(
        {**roles.models, "model": Actor(script)},
        seed=roles.seed,
        paired=roles.paired,
        embedder=roles.embedder,
        search=roles.search,
        fetch=roles.fetch,
        verifier=roles.verifier,
        judge_passes=roles.judge_passes,
        blobs=roles.blobs,
        once=roles.once,
    )


class _Log:
    """Does calls in a state and keeps each, in order."""

    def __init__(self, state: State, tools: set[str]) -> None:
        self._state = state
        self._tools = tools
        self._round = 0
        self.actions: list[Action] = []

    def begin(self, round_: int) -> None:
        self._round = round_
        self._state.begin(round_)

    async def call(self, tool: str, arguments: dict[str, Any] | None) -> Given:
        result = await self._result(tool, arguments)
        self.actions.append(result.logged(len(self.actions), self._round, tool, arguments or {}))
        return Given(text=result.text, spent=result.spent, done=result.done)

    async def _result(self, tool: str, arguments: dict[str, Any] | None) -> Result:
        if tool not in self._tools:
            offered = ", ".join(sorted(self._tools))
            return Result(text=f"There is no tool {tool[:80]!r}; the tools are {offered}.", outcome="error")
        if arguments is None:
            return Result(
                text="The arguments are no JSON object; write one, as the tool's schema says.",
                outcome="error",
            )
        return await self._state.call(tool, arguments)
