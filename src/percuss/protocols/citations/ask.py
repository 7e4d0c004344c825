"""Ask the model under test, turn by turn: later questions are written beforehand, or asked live by a user model."""

from collections.abc import Mapping
from typing import Any

from percuss.core.errors import Refused, UsageError
from percuss.core.ports import Roles
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Message, Posed, Reply, Request, Text, Transcript, Turn
from percuss.kit import request_of, turn_of
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.sweeps import as_posed

__all__ = ["ask"]

USER_TOKENS = 120


async def ask(posed: Posed, roles: Roles, options: CitationsOptions) -> Transcript:
    """Put a seed to the model under test, then its follow-ups; the whole conversation is sent each time.

    Args:
        posed: the opening, and in its script the later questions (`turns`) or how they are asked (`live`).
        roles: `models["model"]`; `models["user"]` for live follow-ups. options: the request policy.

    A reply cut at the limit of tokens goes on to the next question; a refusal ends the conversation as an error whose
    turns stay readable.
    """
    messages, turns = list(posed.messages), list[Turn]()
    reply = await _generate(messages, posed, roles, options)
    live = posed.script.get("live")
    written = tuple(map(str, posed.script.get("turns", ())))
    for number in range(live["rounds"] if live else len(written)):
        turns.append(turn_of(len(turns), reply))
        messages.append(Message(role="assistant", parts=reply.parts))
        if reply.finish == "refused":
            return Transcript(turns=tuple(turns), finish="refused", error="refused")
        text = await _follow_up(messages, live, roles) if live else written[number]
        turns.append(Turn(index=len(turns), role="user", parts=(Text(text=text),)))
        messages.append(Message.of("user", text))
        try:
            reply = await _generate(messages, posed, roles, options)
        except Refused:
            return Transcript(turns=tuple(turns), finish="refused", error="refused")
    turns.append(turn_of(len(turns), reply))
    return Transcript(turns=tuple(turns), finish=reply.finish)


async def _follow_up(messages: list[Message], live: Mapping[str, Any], roles: Roles) -> str:
    """Let the user model ask the next question; the citation instruction is appended as to every turn."""
    user = roles.models.get("user")
    if user is None:
        raise UsageError(
            "got --followups live without a user model; expected --role user=MODEL, or --followups file"
        )
    cite = str(live["cite"])
    said = "\n\n".join(
        f"{message.role}: {neutralise(message.text.removesuffix(cite).strip())}"
        for message in messages
        if message.role != "system"
    )
    fields = {
        "domain": str(live["domain"]).replace("_", " "),
        "category": str(live["category"]),
        "conversation": said,
    }
    request = Request(
        messages=(Message.of("user", fill(str(live["template"]), fields)),),
        max_tokens=USER_TOKENS,
        seed=roles.paired,
    )
    reply = await user.generate(request)
    return f"{reply.text.strip()}\n\n{cite}"


async def _generate(messages: list[Message], posed: Posed, roles: Roles, options: CitationsOptions) -> Reply:
    # Arms that begin alike share their randomness, and a call that they share is made once.
    request = as_posed(request_of(messages, posed, options, seed=roles.paired), posed)
    return await roles.models["model"].generate(request)
