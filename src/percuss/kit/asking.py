"""Ways to ask: one call, or a conversation with a script; every turn keeps how it ended. Tools: `kit.agent`."""

from collections.abc import Sequence
from typing import Any

from percuss.core.ports import Roles
from percuss.core.protocol import Options
from percuss.core.records import Message, Posed, Reply, Request, Text, Transcript, Turn

__all__ = ["ask", "request_of", "turn_of"]


async def ask(posed: Posed, roles: Roles, options: Options) -> Transcript:
    """Put a pose to the model under test, then what its script says next.

    Args:
        posed: `script["turns"]` holds later messages of the user; none: one call.
        roles: `models["model"]`; `seed` goes into every request.
        options: the request policy.

    A reply that did not end by itself (cut, refused) ends the conversation.
    """
    messages, turns = list(posed.messages), list[Turn]()
    reply = await _generate(messages, posed, roles, options)
    turns.append(turn_of(len(turns), reply))
    for text in posed.script.get("turns", ()):
        turns.append(Turn(index=len(turns), role="user", parts=(Text(text=str(text)),)))
        if reply.finish != "stop":
            break
        messages += [Message(role="assistant", parts=reply.parts), Message.of("user", str(text))]
        reply = await _generate(messages, posed, roles, options)
        turns.append(turn_of(len(turns), reply))
    return Transcript(turns=tuple(turns), finish=reply.finish)


def turn_of(index: int, reply: Reply) -> Turn:
    """Return a model's reply as a turn that keeps how it ended.

    Args:
        index: of the turn, from 0 over all roles. reply: of the model under test.
    """
    return Turn(index=index, role="assistant", parts=reply.parts, finish=reply.finish)


def request_of(
    messages: Sequence[Message], posed: Posed, options: Options, *, seed: int, **fields: Any
) -> Request:
    """Return a request under the run's policy.

    Args:
        messages: all that was said so far. posed: its tools are offered. options: temperature, top_p, max_tokens.
        seed: `roles.seed`, or `roles.paired` where arms begin alike. fields: further fields of the request.
    """
    return Request(
        messages=tuple(messages),
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        tools=posed.tools,
        seed=seed,
        **fields,
    )


async def _generate(messages: Sequence[Message], posed: Posed, roles: Roles, options: Options) -> Reply:
    return await roles.models["model"].generate(request_of(messages, posed, options, seed=roles.seed))
