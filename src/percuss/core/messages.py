"""What passes between us and a model: parts, messages, requests, replies, and the bytes that images point at."""

from typing import Any, Literal

from percuss.core import ids
from percuss.core.strict import Record

__all__ = [
    "Blob",
    "EffortRequest",
    "Finish",
    "Image",
    "Message",
    "NextTokenRequest",
    "Part",
    "Reply",
    "Request",
    "Role",
    "Text",
    "Tool",
    "ToolCall",
    "ToolResult",
    "WebSearchRequest",
]

Role = Literal["system", "user", "assistant", "tool"]
Finish = Literal["stop", "length", "tool", "refused", "limit"]
"""How a turn ended; `limit`: the protocol's own limit of turns or tool calls stopped it, not the model."""


class Text(Record, tag="text", tag_field="type"):
    """A part of a message that is text."""

    text: str


class Image(Record, tag="image", tag_field="type"):
    """A part of a message that is an image, by content digest; its bytes are a `Blob`."""

    digest: str
    media_type: str


class ToolCall(Record, tag="tool_call", tag_field="type"):
    """A model's call of a tool; `arguments` is the JSON text exactly as the model wrote it."""

    id: str
    name: str
    arguments: str


class ToolResult(Record, tag="tool_result", tag_field="type"):
    """What a tool returned for the call `id`."""

    id: str
    content: str


Part = Text | Image | ToolCall | ToolResult


class Blob(Record, weakref=True):
    """Bytes addressed by content. `digest` is `ids.digest(data)`.

    Args:
        recipe: how the bytes are made again from what the run keeps; such bytes are lent while they are asked with, and
            the run keeps the recipe alone. None: the run keeps the bytes.
    """

    digest: str
    media_type: str
    data: bytes
    recipe: dict[str, Any] | None = None

    @classmethod
    def of(cls, data: bytes, media_type: str) -> "Blob":
        """Address the bytes by their content."""
        return cls(digest=ids.digest(data), media_type=media_type, data=data)


class Message(Record):
    """One message of a request."""

    role: Role
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, role: Role, text: str) -> "Message":
        """Make a message of one text part."""
        return cls(role=role, parts=(Text(text=text),))

    @property
    def text(self) -> str:
        """All text parts, joined by nothing."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


class Tool(Record):
    """A tool offered to a model; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class Request(Record):
    """Everything that a model sees, and nothing else: no case id, arm, role or metadata."""

    messages: tuple[Message, ...]
    temperature: float = 0.0
    top_p: float = 1.0
    max_tokens: int = 800
    seed: int | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    reply_schema: dict[str, Any] | None = None
    logprobs: bool = False


class NextTokenRequest(Request):
    """A request for one token and the probabilities of the likeliest ones in its place; what a verifier asks.

    Requests of one case begin alike, so a model in this process keeps what it read of the common beginning.

    Args:
        top_logprobs: how many tokens are wanted, the likeliest first; most endpoints give at most 20.
    """

    max_tokens: int = 1
    logprobs: bool = True
    top_logprobs: int = 20


class WebSearchRequest(Request):
    """A request to a model that searches the web by itself; what is sent is never sent without that.

    Args:
        web_search: always true; it is what tells its journal key from that of a plain request.
    """

    web_search: bool = True


class EffortRequest(Request):
    """A request that says how much the model reasons before it answers; it is never sent without that.

    Args:
        effort: in the provider's words, such as low or high; a model without such a setting refuses the request.
    """

    effort: str = "medium"


class Reply(Record):
    """What a model answered to one request. Tokens are counted by the provider; 0 where it said nothing."""

    parts: tuple[Part, ...]
    finish: Finish
    served_model: str = ""
    fingerprint: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    logprobs: tuple[dict[str, Any], ...] | None = None

    @property
    def text(self) -> str:
        """All text parts, joined by nothing."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tool calls among the parts."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))
