"""One task played: the world opened in the response's own folder, the loop run, and what is left kept as `Final`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
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
    told: bool = False,
) -> Transcript:
    """Let the model under test, or a scripted agent, work at a task; `artifacts["final"]` holds the `Final`.

    Args:
        posed: messages up to the first round's (`task.says[0]`), and the world's tools.
        roles: `models["model"]`; `scratch`: where the world is built; `once`: keeps what tools of a server gave.
        options: the request policy.
        world: where the task plays. task: what is to be done.
        seed: that the tasks were made with; the world is built with the same.
        limits: how far the agent may go; None: `LIMITS`.
        script: what a scripted agent does in the model's place; it goes through the same loop.
        told: whether each further round begins with the right answer to the one before it (`task.setting["recap"]`): what
            is then wrong is wrong by itself, and the difference to the agent's own context is error carried over.

    Raises:
        ValueError: no folder to build the world in.
    """
    if roles.scratch is None:
        raise ValueError("a world is built in the response's own folder; expected roles.scratch inside `ask`")
    players = roles if script is None else _acted(roles, script)
    async with _opened(world, task, seed, roles) as (state, aside):
        before, log = await aside(state.digest), _Log(state, {tool.name for tool in posed.tools})
        played = await play(
            posed,
            players,
            options,
            log.call,
            says=_further(task, told=told),
            limits=limits or LIMITS,
            read=partial(read_calls, tools=posed.tools),
            on_round=log.begin,
        )
        final = Final(
            before=before,
            after=await aside(state.digest),
            changed=await aside(state.changed),
            submitted=tuple(state.submitted(number) for number in range(len(task.says))),
            log=tuple(log.actions),
            limit=played.limit,
        )
    return _kept(played, final)


def final_of(artifacts: dict[str, Any]) -> Final:
    """Return the `Final` that a response's artifacts hold.

    Raises:
        KeyError: they hold none. ValidationError: what they hold is none.
    """
    return msgspec.convert(artifacts["final"], Final)


def _further(task: Task, *, told: bool) -> tuple[str, ...]:
    """Return what the user says from the second round on."""
    if not told:
        return task.says[1:]
    recap: list[str] = task.setting["recap"]
    return tuple(f"{before} {says}" for before, says in zip(recap, task.says[1:], strict=False))


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


def _kept(played: Played, final: Final) -> Transcript:
    artifacts: dict[str, Any] = {"final": msgspec.to_builtins(final)}
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
        action = Action(
            index=len(self.actions),
            round=self._round,
            tool=tool,
            arguments=arguments or {},
            outcome=result.outcome,
            effect=result.effect,
            text=result.text,
        )
        self.actions.append(action)
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
