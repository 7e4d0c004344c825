"""Scripted agents as models, so that they go through the very loop that a model does."""

from percuss.core.ids import canonical_json
from percuss.core.messages import Message, Reply, Request, Text, ToolCall, ToolResult
from percuss.protocols.skills.worlds.contract import Script

__all__ = ["Actor"]


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
        round_, done = _place(request.messages)
        steps = self._script.steps[round_] if round_ < len(self._script.steps) else ()
        if done < len(steps):
            step = steps[done]
            arguments = canonical_json(step.arguments).decode()
            call = ToolCall(id=f"call-{round_}-{done}", name=step.tool, arguments=arguments)
            return Reply(parts=(call,), finish="tool", served_model=self.id)
        says = self._script.says[round_] if round_ < len(self._script.says) else "Done."
        return Reply(parts=(Text(text=says),), finish="stop", served_model=self.id)


def _place(messages: tuple[Message, ...]) -> tuple[int, int]:
    """Return the round (the user's messages before it) and how many calls were answered in it."""
    round_, done = -1, 0
    for message in messages:
        if message.role == "user":
            round_, done = round_ + 1, 0
        done += sum(isinstance(part, ToolResult) for part in message.parts)
    return max(round_, 0), done
