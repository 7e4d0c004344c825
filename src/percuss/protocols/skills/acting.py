"""Scripted agents as models, so that they go through the very loop that a model does."""

from percuss.core.ids import canonical_json
from percuss.core.messages import Message, Reply, Request, Text, ToolCall, ToolResult
from percuss.protocols.skills.worlds.contract import Script

__all__ = ["Actor", "act"]


class Actor:
    """A model that does what a script says; it finds its place in the request alone.

    Args:
        script: calls and words per round.
        name: of the agent (`gold`, `nothing`); its id is `scripted/<name>`.
    """

    simulated = True

    def __init__(self, script: Script, name: str = "agent") -> None:
        self._script = script
        self.id = f"scripted/{name}"
        self.pin = ""

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:  # noqa: ARG002 - the port's
        """Make the next call of the round, one per reply, or say the round's words."""
        done = act(self._script, request.messages)
        if isinstance(done, ToolCall):
            return Reply(parts=(done,), finish="tool", served_model=self.id)
        return Reply(parts=(Text(text=done),), finish="stop", served_model=self.id)


def act(script: Script, messages: tuple[Message, ...]) -> ToolCall | str:
    """Return the next call of a script's round, or the round's words where it has no more.

    Args:
        script: calls and words per round. messages: all that was said so far, results of tools among it.
    """
    round_, done = _place(messages)
    steps = script.steps[round_] if round_ < len(script.steps) else ()
    if done < len(steps):
        step = steps[done]
        arguments = canonical_json(step.arguments).decode()
        return ToolCall(id=f"call-{round_}-{done}", name=step.tool, arguments=arguments)
    return script.says[round_] if round_ < len(script.says) else "Done."


def _place(messages: tuple[Message, ...]) -> tuple[int, int]:
    """Return the round (the user's messages before it) and how many calls were answered in it."""
    round_, done = -1, 0
    for message in messages:
        if message.role == "user":
            round_, done = round_ + 1, 0
        done += sum(isinstance(part, ToolResult) for part in message.parts)
    return max(round_, 0), done
