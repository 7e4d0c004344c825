"""One agent loop for every protocol: rounds of the user, calls of tools, limits, and the whole trajectory as turns.

The loop knows no environment: it is given what the user says in each round, the tools, and a function that does a call. A
round ends when the model answers without a call, or when a tool says that it does (`Given.done`: an answer handed in).
"""

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from percuss.core.messages import Finish, Message, Reply, Text, ToolCall, ToolResult
from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Posed, Record, Transcript, Turn
from percuss.kit.asking import request_of, turn_of

__all__ = ["Call", "Given", "Limits", "Played", "Read", "arguments_of", "play", "with_tools"]

SKIPPED = "Not done: the round had ended before this call."
ROUNDS = 3
"""Times that a model may call tools before it has to answer, where a protocol says nothing else."""
TOKEN_LETTERS = 4
"""Letters that count as a token where a provider counts none."""


class Limits(Record):
    """How far an agent may go; exceeding one ends it, and its name is what the task failed by.

    Args:
        steps: replies of the model in one round, the one that ends it included.
        tokens: that the model writes over all rounds.
        spent: name -> the most of what tools take (`rows`, `seconds`).
    """

    steps: int = 8
    tokens: int = 20_000
    spent: dict[str, float] = {}


class Given(Record):
    """What a call of a tool gave.

    Args:
        text: what the model reads. spent: what it took, by the names of `Limits.spent`. done: whether the round ends.
    """

    text: str
    spent: dict[str, float] = {}
    done: bool = False


class Read(Record):
    """The calls that a reply in text holds.

    Args:
        calls: in order; () where it holds none. undecided: why it could not be told; it is then plain text.
    """

    calls: tuple[ToolCall, ...] = ()
    undecided: str = ""


Call = Callable[[str, dict[str, Any] | None], Awaitable[Given]]
"""Does a call: the tool's name and its arguments, None where what the model wrote is no JSON object."""


class Played(Record):
    """What a loop came to.

    Args:
        transcript: every turn. limit: name of the limit that ended it; empty: it ended by itself.
        undecided: why a reply was taken for plain text though it may hold a call, one entry per such reply.
    """

    transcript: Transcript
    limit: str = ""
    undecided: tuple[str, ...] = ()


def arguments_of(call: ToolCall) -> dict[str, Any] | None:
    """Return the arguments of a call, or None where what the model wrote is no JSON object."""
    try:
        arguments = msgspec.json.decode(call.arguments or "{}")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return arguments if isinstance(arguments, dict) else None


async def play(
    posed: Posed,
    roles: Roles,
    options: Options,
    call: Call,
    *,
    says: Sequence[str | Callable[[], str]] = (),
    limits: Limits | None = None,
    read: Callable[[str], Read] | None = None,
    on_round: Callable[[int], None] | None = None,
) -> Played:
    """Let the model under test work with tools through all rounds.

    Args:
        posed: messages up to the first round's, and the tools.
        roles: `models["model"]`; `seed` goes into every request.
        options: the request policy; `max_tokens` is for one reply.
        call: does what the model calls for.
        says: what the user says in each further round; what goes by the rounds before is made as the round begins.
        limits: how far it may go; None: the defaults.
        read: finds calls in the text of a reply without any; None: text is text.
        on_round: told of each round as it begins, from 0.
    """

    async def do(asked: ToolCall) -> Given:
        return await call(asked.name, arguments_of(asked))

    loop = _Loop(posed, roles, options, do, limits or Limits(), read)
    for number in range(len(says) + 1):
        if number:
            text = says[number - 1]
            loop.user(text if isinstance(text, str) else text())
        if on_round is not None:
            on_round(number)
        if not await loop.round():
            break
    return loop.played()


async def with_tools(
    posed: Posed,
    roles: Roles,
    options: Options,
    use: Callable[[ToolCall], Awaitable[str]],
    *,
    rounds: int = ROUNDS,
) -> Transcript:
    """Put a pose to the model under test and do what it calls tools for, until it answers.

    Args:
        posed: messages and `tools`.
        roles: `models["model"]`. options: the request policy.
        use: returns what a call of a tool gives, as text.
        rounds: times that it may call tools; a model that would go on ends with the finish `limit`.
    """

    async def do(asked: ToolCall) -> Given:
        return Given(text=await use(asked))

    limits = Limits(steps=rounds + 1, tokens=sys.maxsize)
    loop = _Loop(posed, roles, options, do, limits, None, act_last=False)
    await loop.round()
    return loop.played().transcript


@dataclass(slots=True)
class _Loop:
    """One agent at work. `act_last`: calls of a round's last step are done (they may hand in the answer) or left alone."""

    posed: Posed
    roles: Roles
    options: Options
    do: Callable[[ToolCall], Awaitable[Given]]
    limits: Limits
    read: Callable[[str], Read] | None
    act_last: bool = True
    messages: list[Message] = field(init=False)
    turns: list[Turn] = field(default_factory=list)
    tokens: int = 0
    spent: dict[str, float] = field(default_factory=dict)
    undecided: list[str] = field(default_factory=list)
    limit: str = ""
    finish: Finish = "stop"

    def __post_init__(self) -> None:
        self.messages = list(self.posed.messages)

    def played(self) -> Played:
        turns = tuple(self.turns)
        return Played(
            transcript=Transcript(turns=turns, finish="limit" if self.limit else self.finish),
            limit=self.limit,
            undecided=tuple(self.undecided),
        )

    def user(self, text: str) -> None:
        """Note what the user says; two messages of a user in a row are one, as many templates want it."""
        self.turns.append(Turn(index=len(self.turns), role="user", parts=(Text(text=text),)))
        self._heard(text)

    def _heard(self, text: str) -> None:
        if self.messages and self.messages[-1].role == "user":
            before = self.messages.pop()
            self.messages.append(replace(before, parts=(*before.parts, Text(text=f"\n\n{text}"))))
        else:
            self.messages.append(Message.of("user", text))

    async def round(self) -> bool:
        """Play one round; return whether there may be another."""
        for left in range(self.limits.steps - 1, -1, -1):
            reply = await self._reply()
            if reply.finish == "refused" or self.limit:
                return False
            calls, in_text = self._calls(reply)
            if not calls:
                return True
            if not left and not self.act_last:
                break
            done = await self._act(calls, in_text=in_text)
            if done or self.limit:
                return not self.limit
        self.limit = "steps"
        return False

    async def _reply(self) -> Reply:
        request = request_of(self.messages, self.posed, self.options, seed=self.roles.seed)
        reply = await self.roles.models["model"].generate(request)
        self.turns.append(turn_of(len(self.turns), reply))
        self.messages.append(Message(role="assistant", parts=reply.parts))
        self.finish = reply.finish
        self.tokens += reply.tokens_out or _letters(reply) // TOKEN_LETTERS
        if self.tokens > self.limits.tokens:
            self.limit = "tokens"
        return reply

    def _calls(self, reply: Reply) -> tuple[tuple[ToolCall, ...], bool]:
        """Return the calls of a reply, and whether they stand in its text."""
        if not self.posed.tools:
            return (), False
        if reply.tool_calls or self.read is None:
            return reply.tool_calls, False
        found = self.read(reply.text)
        if found.undecided:
            self.undecided.append(found.undecided)
        return found.calls, True

    async def _act(self, calls: Sequence[ToolCall], *, in_text: bool) -> bool:
        """Do the calls of one reply in order; return whether one of them ended the round."""
        results, done = list[ToolResult](), False
        for call in calls:
            text = SKIPPED
            if not (done or self.limit):
                given = await self.do(call)
                text, done = given.text, given.done
                self._spend(given)
            results.append(ToolResult(id=call.id, content=text))
        self.turns.append(Turn(index=len(self.turns), role="tool", parts=tuple(results)))
        if in_text:
            named = zip(calls, results, strict=True)
            self._heard("\n\n".join(f"Result of {call.name}:\n{result.content}" for call, result in named))
        else:
            self.messages.append(Message(role="tool", parts=tuple(results)))
        return done

    def _spend(self, given: Given) -> None:
        for name, amount in given.spent.items():
            self.spent[name] = self.spent.get(name, 0) + amount
            if self.spent[name] > self.limits.spent.get(name, float("inf")):
                self.limit = self.limit or name


def _letters(reply: Reply) -> int:
    return len(reply.text) + sum(len(call.arguments) for call in reply.tool_calls)
