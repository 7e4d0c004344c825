"""What worlds of documents share: a desk at which tools are called by name and one submission is handed in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from percuss.core import ids
from percuss.core.messages import Tool
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Result, State

__all__ = ["Desk", "Handler", "Wanted", "bounded", "offered", "read"]

Handler = Callable[[Mapping[str, Any]], Awaitable[Result]]
Wanted = TypeVar("Wanted", bound=Record)


def read(arguments: Any, wanted: type[Wanted]) -> Wanted | Result:
    """Read the arguments of a call into a record; what can't be read is an `error` result that says what was expected.

    Args:
        arguments: as the agent gave them. wanted: the record; fields that it doesn't have are ignored if it says so.
    """
    try:
        return msgspec.convert(arguments, type=wanted)
    except (msgspec.ValidationError, RecursionError) as error:
        fields = ", ".join(field.name for field in msgspec.structs.fields(wanted))
        return Result(text=f"These arguments can't be read: {error}. Expected: {fields}.", outcome="error")


def bounded(name: str, text: str, most: int) -> str:
    """Return why a text of a submission is too long, or "".

    Args:
        name: of the field. text: its value. most: characters allowed.
    """
    return f"`{name}` has {len(text)} characters; at most {most} are read." if len(text) > most else ""


def offered(
    shapes: Mapping[str, tuple[Mapping[str, Mapping[str, Any]], Sequence[str]]],
    words: Mapping[str, str],
    fields: Mapping[str, str],
) -> tuple[Tool, ...]:
    """Return tools as they are offered.

    Args:
        shapes: name -> (field -> its JSON Schema, the fields that are required). words, fields: what each tool and field is for.
    """
    return tuple(
        Tool(
            name=name,
            description=words[name],
            parameters={
                "type": "object",
                "properties": {
                    field: {**shape, "description": fields[field]} for field, shape in held.items()
                },
                "required": list(required),
            },
        )
        for name, (held, required) in shapes.items()
    )


class Desk(State):
    """A state whose tools only read, but for `submit`, which keeps what was handed in and ends the round.

    Args:
        content: digest of all that can be read. tools: name -> handler; a name that isn't there is an `error` result.
    """

    def __init__(self, content: str, tools: Mapping[str, Handler]) -> None:
        self._content = content
        self._tools = dict(tools)
        self._round = 0
        self._handed_in: dict[int, Any] = {}
        self._notes: list[str] = []

    def begin(self, round_: int) -> None:
        """Hear that a round begins: `round_` from 0."""
        self._round = round_

    def digest(self) -> str:
        """Return the digest of the content, the notes and the submission."""
        return ids.b2(self._content, self._notes, sorted(self._handed_in.items()))

    def changed(self) -> tuple[str, ...]:
        """Return `note` where notes were made and `submission` where one was handed in."""
        return (*(["note"] if self._notes else []), *(["submission"] if self._handed_in else []))

    def submitted(self, round_: int) -> Any:
        """Return what was handed in during a round (`round_` from 0), or None."""
        return self._handed_in.get(round_)

    def note(self, text: str) -> None:
        """Keep a note (a plan), a `text` that no grade reads."""
        self._notes.append(text)

    def hand_in(self, submission: Record) -> Result:
        """Keep a `submission` and end the round; whether it is right isn't said."""
        self._handed_in[self._round] = msgspec.to_builtins(submission)
        return Result(text="Handed in.", effect="submitted", done=True)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Call a `tool` by name with `arguments`; never raises for what an agent wrote."""
        handler = self._tools.get(tool) if isinstance(tool, str) else None
        if handler is None:
            return Result(
                text=f"There is no tool {tool!r}; there are: {', '.join(sorted(self._tools))}.",
                outcome="error",
            )
        return await handler(arguments)
