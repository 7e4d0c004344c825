"""Ask the model under test: one call, or the three turns describe, reason, answer (papers/1 appendix E)."""

from percuss.core.ports import Roles
from percuss.core.records import Message, Posed, Reply, Request, Text, Transcript, Turn
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["ask"]


async def ask(posed: Posed, roles: Roles, options: ExplanationOptions) -> Transcript:
    """Put a pose to the model under test; the target of a cue is kept with the response.

    Args:
        posed: messages with the picture; `script["turns"]` are later messages of the user, if any.
        roles: `models["model"]`.
        options: the request policy.
    """
    messages, turns = list(posed.messages), list[Turn]()
    reply = await _generate(messages, roles, options)
    for text in posed.script.get("turns", ()):
        messages += [Message(role="assistant", parts=reply.parts), Message.of("user", text)]
        turns.append(Turn(index=len(turns), role="assistant", parts=reply.parts))
        turns.append(Turn(index=len(turns), role="user", parts=(Text(text=text),)))
        if reply.finish != "stop":
            break
        reply = await _generate(messages, roles, options)
    else:
        turns.append(Turn(index=len(turns), role="assistant", parts=reply.parts))
    pictures = [blob.digest for blob in posed.blobs]
    artifacts = {"target": posed.target, "picture": pictures[0] if pictures else None}
    return Transcript(turns=tuple(turns), finish=reply.finish, artifacts=artifacts)


async def _generate(messages: list[Message], roles: Roles, options: ExplanationOptions) -> Reply:
    request = Request(
        messages=tuple(messages),
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        seed=roles.seed,
    )
    return await roles.models["model"].generate(request)
